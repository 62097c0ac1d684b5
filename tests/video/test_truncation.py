"""Videos that were cut off are refused where the container tells its length, and noted where it does not."""

from __future__ import annotations

import io
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

import numpy as np
import pytest

import penstock.dynamic as ndd
from penstock.video import VideoFile

av = pytest.importorskip("av")

TELL: list[tuple[str, str, dict[str, str]]] = [
    ("mp4", "mpeg4", {"movflags": "faststart"}), ("mp4", "mpeg4", {"movflags": "frag_keyframe+empty_moov"}),
    ("mov", "mjpeg", {}), ("matroska", "mpeg4", {}), ("webm", "libvpx", {}), ("avi", "mjpeg", {}), ("avi", "mpeg4", {}),
    ("ivf", "libvpx", {}), ("asf", "wmv2", {}), ("mxf", "mpeg2video", {}),
]  # fmt: skip
DO_NOT: list[tuple[str, str, dict[str, str]]] = [
    ("webm", "libvpx", {"live": "1"}), ("mpegts", "mpeg2video", {}), ("mpeg", "mpeg2video", {}), ("mjpeg", "mjpeg", {}),
]  # fmt: skip


def film(form: str, codec: str, options: dict[str, str]) -> bytes:
    """Twenty frames of noise, which take about the same room each."""
    noise = np.random.default_rng(1)
    with NamedTemporaryFile() as file:
        with av.open(file.name, "w", format=form, options=options) as output:
            _write(output, codec, noise)
        return Path(file.name).read_bytes()


def _write(output: Any, codec: str, noise: np.random.Generator) -> None:
    stream = output.add_stream(codec, rate=25)
    stream.width, stream.height, stream.gop_size = 64, 48, 5
    stream.pix_fmt = "yuvj420p" if codec == "mjpeg" else "yuv420p"
    for _ in range(20):
        frame = av.VideoFrame.from_ndarray(noise.integers(0, 256, (48, 64, 3), np.uint8), format="rgb24")
        output.mux(stream.encode(frame.reformat(format=stream.pix_fmt)))
    output.mux(stream.encode())


def frames(data: Any) -> int:
    with VideoFile(data, name="film") as video:
        return len(video.read(np.arange(video.frame_count)))


@pytest.mark.parametrize("kind", TELL, ids=str)
def test_a_container_that_tells_its_length_is_refused_when_cut(kind, tmp_path):
    data = film(*kind)
    assert frames(data) == 20
    with VideoFile(data, name="film") as video:
        assert video.tells_extent
    for share in (*range(5, 100, 10), 98):
        cut = data[: len(data) * share // 100]
        (tmp_path / "film").write_bytes(cut)
        for source in (cut, str(tmp_path / "film"), io.BytesIO(cut)):
            try:
                found = frames(source)
            except RuntimeError:
                continue
            assert found == 20, f"{found} frames of {share} %"
            assert share == 98  # an index behind the frames


@pytest.mark.parametrize("kind", TELL, ids=str)
def test_a_file_and_a_file_object_are_looked_at_alike(kind, tmp_path):
    data = film(*kind)
    (tmp_path / "film").write_bytes(data)
    assert frames(str(tmp_path / "film")) == frames(io.BytesIO(data)) == 20


@pytest.mark.parametrize("kind", DO_NOT, ids=str)
def test_a_container_that_does_not_is_a_warning_of_the_reader(kind, tmp_path):
    paths = [tmp_path / "whole.avi", tmp_path / "open.video"]
    paths[0].write_bytes(film("avi", "mpeg4", {}))
    paths[1].write_bytes(film(*kind))
    reader = ndd.readers.Video(filenames=paths, sequence_length=5, skip_vfr_check=True)
    for _ in range(2):
        assert len([*reader.next_epoch(batch_size=3)]) >= 2
    (bad,) = reader.errors
    assert (bad.index, bad.warning, bad.source) == (7, True, str(paths[1]))
    assert "does not say how long it is" in str(bad.error)
    files = ndd.readers.File(files=paths, check=ndd.decoders.video)
    assert len([*files.next_epoch(batch_size=2)]) == 1
    assert [(bad.index, bad.warning) for bad in files.errors] == [(1, True)]


@pytest.mark.parametrize("head", [b"\0\0\0\1ftyp" + b"\xff" * 8, b"\0\0\0\1mdat\x7f" + b"\xff" * 7,
                                  b"\x1aE\xdf\xa3\x01" + b"\xff" * 6 + b"\0"])  # fmt: skip
def test_sizes_that_no_file_has_are_refused_and_skipped(head, tmp_path):
    paths = [tmp_path / "whole.avi", tmp_path / "damaged.video"]
    paths[0].write_bytes(film("avi", "mpeg4", {}))
    paths[1].write_bytes(head + bytes(100))
    for source in (str(paths[1]), io.BytesIO(head + bytes(100))):
        with pytest.raises(RuntimeError, match=r"cannot be opened|is cut off"):
            frames(source)
    reader = ndd.readers.Video(filenames=paths, sequence_length=20, on_error="skip")
    with pytest.warns(UserWarning, match=r"damaged\.video"):
        read = [*reader.next_epoch()]
    assert len(read) == 1


@pytest.mark.parametrize("head", [b"", b"RIFF", b"RIFF\xff\xff\xff\x7fAVI ", b"\x1aE\xdf\xa3", b"\x1aE\xdf\xa3\x01",
                                  b"DKIF", b"OggS", b"OggS\0\4", b"\0\0\0\0ftyp", b"\0\0\0\1mdat"])  # fmt: skip
def test_the_start_of_a_file_alone_is_refused(head):
    for data in (head, head + bytes(3), head + bytes(100), head + b"\xff" * 40):
        with pytest.raises(RuntimeError, match=r"cannot be opened|is cut off|no video stream|without a single frame"):
            frames(data)
