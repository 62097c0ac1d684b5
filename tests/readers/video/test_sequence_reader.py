"""`readers.Sequence`: frames that are image files."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

import penstock.dynamic as ndd
import penstock.types as types
from penstock.readers.video.sequence import Sequence
from readers.videos import fails, write_frames


def first_pixels(reader: Sequence, batch_size: int | None = None) -> list[list[list[int]]]:
    return [
        (frames.sample(i)[:, 0, 0, :2] // 10).tolist()
        for (frames,) in reader.next_epoch(batch_size=batch_size)
        for i in range(len(frames))
    ]


@pytest.mark.parametrize("batch_size", [None, 2, 4])
def test_sequences_stay_in_their_folder(tmp_path, batch_size):
    root = write_frames(tmp_path, {"a": 5, "b": 2, "c": 3})
    (tmp_path / "a" / "notes.txt").write_text("no frame")
    (tmp_path / "a" / "deep").mkdir()
    made = first_pixels(Sequence(file_root=root, sequence_length=3), batch_size)
    assert made[:4] == [[[k + j, 0] for j in range(3)] for k in range(3)] + [[[j, 2] for j in range(3)]]


@pytest.mark.parametrize(
    ("arguments", "starts"), [({"step": 2}, [0, 2]), ({"stride": 2}, [0, 1]), ({"step": 5, "stride": 2}, [0])]
)
def test_step_and_stride(tmp_path, arguments, starts):
    root = write_frames(tmp_path, {"a": 6})
    stride = arguments.get("stride", 1)
    made = first_pixels(Sequence(file_root=root, sequence_length=3, **arguments))
    assert made == [[[start + k * stride, 0] for k in range(3)] for start in starts]


def test_what_is_handed_out(tmp_path):
    root = write_frames(tmp_path, {"a": 3}, "jpg")
    (frames,) = next(ndd.readers.Sequence(file_root=root, sequence_length=2).next_epoch(batch_size=2))
    assert (frames.layout, frames.dtype, frames.shape) == ("FHWC", ndd.uint8, [(2, 6, 8, 3)] * 2)
    for kind, channels in ((types.GRAY, 1), (types.BGR, 3), (types.YCbCr, 3)):
        (frames,) = next(Sequence(file_root=root, sequence_length=2, image_type=kind).next_epoch())
        assert frames.shape(0) == (2, 6, 8, channels)
        assert frames.sources == ["a/000.jpg"]


def test_folders_may_have_frames_of_different_sizes(tmp_path):
    for name, height in (("a", 4), ("b", 9)):
        (tmp_path / name).mkdir()
        for number in range(2):
            cv2.imwrite(str(tmp_path / name / f"{number}.png"), np.full((height, 5, 3), number, np.uint8))
    (frames,) = next(Sequence(file_root=tmp_path, sequence_length=2).next_epoch(batch_size=2))
    assert frames.shapes() == [(2, 4, 5, 3), (2, 9, 5, 3)]
    assert frames.sample(1)[:, 0, 0, 0].tolist() == [0, 1]


@pytest.mark.parametrize("extension", ["png", "jpg"])
def test_bad_frames_are_named_and_the_reader_goes_on(tmp_path, extension):
    root = write_frames(tmp_path, {"a": 4}, extension)
    Path(root, "a", f"001.{extension}").write_bytes(b"junk")
    reader = Sequence(file_root=root, sequence_length=2, step=2)
    fails(reader, f"a/001.{extension}: ")
    assert next(reader.next_epoch(batch_size=1))[0].sample(0)[:, 0, 0, 0].tolist()[0] // 10 == 2


def test_on_error_leaves_out_the_sequences_of_a_bad_frame(tmp_path):
    root = write_frames(tmp_path, {"a": 6})
    Path(root, "a", "002.png").write_bytes(b"junk")
    reader = Sequence(file_root=root, sequence_length=2, on_error="skip")
    assert [row[0][0] for row in first_pixels(reader, 2)][:3] == [0, 3, 4]
    assert {(bad.index, bad.source) for bad in reader.errors} == {(1, "a/001.png"), (2, "a/002.png")}


def test_frames_of_a_sequence_have_one_size(tmp_path):
    root = write_frames(tmp_path, {"a": 2})
    cv2.imwrite(str(tmp_path / "a" / "001.png"), np.zeros((7, 8, 3), np.uint8))
    fails(Sequence(file_root=root, sequence_length=2), r"a/001\.png is 8x7, the sequence began with 8x6")


def test_nothing_to_read(tmp_path):
    root = write_frames(tmp_path, {"a": 3})
    fails(Sequence(file_root=root, sequence_length=4), "0: no folder in .* has the 4 frames of a sequence")
    fails(Sequence(file_root=tmp_path / "a", sequence_length=4), "No files found")
    fails(Sequence(file_root=tmp_path / "none", sequence_length=4), "none")
    for wrong in ({"sequence_length": 0}, {"sequence_length": 2, "step": 0}, {"sequence_length": 2, "stride": -1}):
        with pytest.raises(RuntimeError, match="must be at least 1"):
            Sequence(file_root=root, **wrong)
