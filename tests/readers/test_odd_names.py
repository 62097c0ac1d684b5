"""Names with zero bytes, which are refused, and with line breaks of Unicode, which are names like any other."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import penstock.dynamic as ndd
import penstock.tfrecord as tfrec
from penstock.readers.video.clips import ClipFiles
from penstock.storage import Storage

readers, experimental = ndd.readers, ndd.experimental.readers
TEXT = {"label": tfrec.FixedLenFeature((), tfrec.string, "")}

# Each is given a path that names a file, or a folder, up to its zero byte.
PLACES: dict[str, Callable[[str, str], Any]] = {
    "File files": lambda file, folder: readers.File(files=[file]),
    "File file_root": lambda file, folder: readers.File(file_root=folder),
    "File file_root of files": lambda file, folder: readers.File(file_root=folder, files=["a.jpg"]),
    "File file_list": lambda file, folder: readers.File(file_list=file),
    "Numpy files": lambda file, folder: readers.Numpy(files=[file]),
    "Numpy file_root": lambda file, folder: readers.Numpy(file_root=folder),
    "Numpy file_root of files": lambda file, folder: readers.Numpy(file_root=folder, files=["a.jpg"]),
    "Fits file_root of files": lambda file, folder: experimental.Fits(file_root=folder, files=["a.jpg"]),
    "TFRecord path": lambda file, folder: readers.TFRecord(path=file, features=TEXT),
    "TFRecord index": lambda file, folder: readers.TFRecord(path=__file__, index_path=file, features=TEXT),
    "MXNet path": lambda file, folder: readers.MXNet(path=file),
    "MXNet index": lambda file, folder: readers.MXNet(path=__file__, index_path=file),
    "Webdataset paths": lambda file, folder: readers.Webdataset(paths=file, ext="jpg"),
    "Webdataset index": lambda file, folder: readers.Webdataset(paths=__file__, index_paths=file, ext="jpg"),
    "Zip": lambda file, folder: readers.Zip(paths=file),
    "Caffe": lambda file, folder: readers.Caffe(path=folder),
    "Parquet": lambda file, folder: readers.Parquet(path=file + ".parquet"),
    "COCO annotations_file": lambda file, folder: readers.COCO(file_root=".", annotations_file=file),
    "COCO preprocessed": lambda file, folder: readers.COCO(file_root=".", preprocessed_annotations=folder),
    "NemoAsr": lambda file, folder: readers.NemoAsr(manifest_filepaths=file),
    "Video filenames": lambda file, folder: readers.Video(filenames=[file], sequence_length=1),
    "Video file_root": lambda file, folder: readers.Video(file_root=folder, sequence_length=1),
    "Video file_list": lambda file, folder: readers.Video(file_list=file, sequence_length=1),
    "Sequence": lambda file, folder: readers.Sequence(file_root=folder, sequence_length=1),
}


@pytest.mark.parametrize("place", PLACES)
def test_a_path_with_a_zero_byte_is_refused(place, tmp_path):
    (tmp_path / "a.jpg").write_bytes(b"secret")
    reader = PLACES[place](f"{tmp_path}/a.jpg\0.png", f"{tmp_path}\0x")
    with pytest.raises(RuntimeError, match="a file name cannot have a zero byte in it"):
        next(reader.next_epoch(batch_size=1))


@pytest.mark.parametrize("ending", ["\0.png", "\0"])
def test_imread_refuses_a_zero_byte(tmp_path, ending):
    (tmp_path / "a.jpg").write_bytes(b"secret")
    for name in (f"{tmp_path}/a.jpg{ending}", os.fsencode(f"{tmp_path}/a.jpg{ending}")):
        with pytest.raises(RuntimeError, match="a file name cannot have a zero byte in it"):
            ndd.imread(name).evaluate()


def test_zero_bytes_behind_a_name_are_padding_and_inside_of_it_refused(tmp_path):
    (tmp_path / "a.jpg").write_bytes(b"contents")
    padded, wrong = (np.frombuffer(f"{tmp_path}/a.jpg{end}".encode(), np.uint8) for end in ("\0" * 4, "\0png"))
    assert np.asarray(ndd.io.file.read(padded)).tobytes() == b"contents"
    with pytest.raises(RuntimeError, match="a file name cannot have a zero byte in it"):
        ndd.io.file.read(wrong).evaluate()
    errors: list[ndd.readers.BadSample] = []
    files, kept = ndd.io.file.read(ndd.batch([padded, wrong, padded]), on_error="skip", errors=errors)
    assert [np.asarray(file).tobytes() for file in files] == [b"contents"] * 2
    assert ([*kept], [bad.index for bad in errors]) == ([0, 2], [1])


ODD = ["x\u2028y", "x\u0085y", "x\x0cy", "x\x0by", "x\x1cy", "x\ry", "\u2028x", "x\u3000", "nb\u00a0x"]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_only_a_line_feed_ends_a_line_of_a_list(tmp_path, end):
    names = [f"{name}{kind}" for name in ODD for kind in ("", ".npy")]
    for number, name in enumerate(names):
        np.save(file := tmp_path / "made.npy", np.array(number))
        os.rename(file, tmp_path / name)
    labelled, plain = tmp_path / "labelled.txt", tmp_path / "plain.txt"
    labelled.write_bytes("".join(f"{name} {label}{end}" for label, name in enumerate(names)).encode())
    plain.write_bytes("".join(f"{name}{end}" for name in names).encode())
    for (file, label), (array,) in zip(
        readers.File(file_list=labelled).next_epoch(), readers.Numpy(file_list=plain).next_epoch(), strict=True
    ):
        number = int(np.asarray(label)[0])
        assert np.asarray(file).tobytes() == Path(tmp_path / names[number]).read_bytes()
        assert int(np.asarray(array)) == number
    clips = ClipFiles(file_list=str(labelled)).listed(Storage())
    assert [(clip.name, clip.label) for clip in clips] == [(name, label) for label, name in enumerate(names)]


def test_a_carriage_return_alone_ends_no_line(tmp_path):
    """As in DALI, where this is one name."""
    (tmp_path / "list.txt").write_bytes(b"a.jpg 3\rb.jpg 4\n")
    with pytest.raises(RuntimeError, match=r"a\.jpg 3\rb\.jpg: No such file"):
        next(readers.File(file_list=tmp_path / "list.txt").next_epoch())


def test_lines_of_a_long_file_are_the_same_wherever_it_is_cut(tmp_path, monkeypatch):
    monkeypatch.setattr("penstock.storage.storage._WINDOW_BYTES", 3)
    for text in (b"", b"\n", b"a", b"ab\ncd\n\n\nefghijk\n", b"\r\nabc\r\n\r", "ä\u2028ö\nü".encode()):
        (tmp_path / "text").write_bytes(text)
        expected = [line.removesuffix("\r") for line in text.decode().removesuffix("\n").split("\n")] if text else []
        assert [*Storage().lines(str(tmp_path / "text"))] == expected
