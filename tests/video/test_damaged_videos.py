"""Whatever the bytes are, there is an error that says what is wrong, and the next file can be read."""

from __future__ import annotations

import io
import struct
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import av
import cv2
import numpy as np
import psutil
import pytest

from penstock.video import VideoFile
from video.clips import clip, numbers_in, picture, sound_only

SEEDS: list[dict[str, Any]] = [
    {"codec": "libx264", "container": "mp4", "b_frames": 2},
    {"codec": "libx264", "container": "matroska"},
    {"codec": "libx264", "container": "mpegts"},
    {"codec": "libx265", "container": "mp4", "x265_params": "log-level=none"},
    {},
    {"codec": "libvpx"},
    {"codec": "mpeg4", "container": "avi", "b_frames": 2},
    {"codec": "mjpeg", "container": "avi", "pixels": "yuvj420p"},
]


def with_damage(data: bytes, number: int) -> bytes:
    """The packet of that number with nothing but zeros after its first bytes."""
    with av.open(io.BytesIO(data)) as file:
        packet = bytes([packet for packet in file.demux(video=0) if packet.size][number])
    at = data.index(packet)
    return data[: at + 12] + bytes(len(packet) - 12) + data[at + len(packet) :]


def read_all(data: bytes) -> None:
    with VideoFile(data, name="film.mp4") as video:
        video.read(range(video.frame_count))


def mjpeg() -> bytes:
    return clip("mjpeg", "avi", pixels="yuvj420p")


def huge() -> bytes:
    """A GIF of a few bytes that says it is larger than any screen."""
    data = bytearray(clip("gif", "gif", 2, pixels="rgb8"))
    struct.pack_into("<HH", data, 6, 20000, 16000)
    return bytes(data)


def two_sizes() -> bytes:
    return clip("libx264", "mpegts", 10) + clip("libx264", "mpegts", 10, size=(96, 64))


@pytest.mark.parametrize("name", ["list.mp4", "list.m3u8"])
@pytest.mark.parametrize(
    "text",
    ["ffconcat version 1.0\nfile film.ts\n", "#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\nfilm.ts\n#EXT-X-ENDLIST\n"],
)
def test_a_list_of_other_files_is_no_video(tmp_path, name, text):
    (tmp_path / "film.ts").write_bytes(clip("mpeg2video", "mpegts"))
    (tmp_path / name).write_text(text)
    with pytest.raises(RuntimeError, match=f"{name} cannot be opened as a video"):
        VideoFile(str(tmp_path / name), name=name)


BAD: dict[str, tuple[Callable[[], bytes], str]] = {
    "nothing": (bytes, "cannot be opened as a video"),
    "zeros": (lambda: bytes(2000), "cannot be opened as a video"),
    "text": (lambda: b"not a video at all, whatever its name says", "cannot be opened as a video"),
    "sound": (sound_only, "has no video stream that can be decoded, only: audio"),
    "playlist": (lambda: b"#EXTM3U\n#EXTINF:9,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n", "cannot be opened as a video"),
    "list of files": (lambda: b"ffconcat version 1.0\nfile /etc/passwd\n", "cannot be opened as a video"),
    "half an MP4": (lambda: clip("libx264", "mp4")[:2000], "cannot be opened as a video"),
    "half an AVI": (lambda: mjpeg()[: len(mjpeg()) // 2], r"is cut off: its header promises \d+ bytes, \d+ are there"),
    "damaged MJPEG": (lambda: with_damage(mjpeg(), 20), r"frame 20, at 0\.800 s, cannot be decoded"),
    "damaged MPEG-4": (lambda: with_damage(clip("mpeg4", "avi"), 20), r"frame 20, at 0\.800 s, cannot be decoded"),
    "huge": (huge, "frame 0, at 0\\.000 s, cannot be decoded"),
    "two sizes": (two_sizes, r"frame 10, at 0\.400 s, is 96x64, frames before it were 64x48"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_cannot_be_read_is_named(name: str) -> None:
    data, message = BAD[name]
    with pytest.raises(RuntimeError, match=rf"film\.mp4:? {message}"):
        read_all(data())


def test_a_file_that_is_not_there_is_named() -> None:
    with pytest.raises(FileNotFoundError, match=r"there is no file nowhere\.mp4"):
        VideoFile("nowhere.mp4", name="nowhere.mp4")


def test_an_mp4_file_that_ends_early_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "film.mp4"
    with av.open(str(path), "w", options={"movflags": "faststart"}) as output:
        stream = output.add_stream("libx264", rate=25)
        stream.width, stream.height = 64, 48
        for number in range(20):
            output.mux(stream.encode(av.VideoFrame.from_ndarray(picture(number))))
        output.mux(stream.encode())
    path.write_bytes(path.read_bytes()[:-2000])
    with pytest.raises(RuntimeError, match=r"film.mp4 is cut off: of 20 packets only \d+ are there"):
        VideoFile(str(path), name="film.mp4")


def test_frames_around_damage_can_be_read_and_the_same_ones_cannot() -> None:
    data = with_damage(clip("mpeg4", "avi"), 20)
    with VideoFile(data, name="film.avi") as video:
        for _ in range(2):
            assert numbers_in(video.read([19, 24, 39])) == [19, 24, 39]
            for number in (20, 22):
                with pytest.raises(RuntimeError, match=f"frame {number}"):
                    video.read([number])


def test_a_picture_is_a_video_of_one_frame() -> None:
    data = cv2.imencode(".png", picture(5))[1].tobytes()
    with VideoFile(data, name="still.png") as video:
        assert video.frame_count == 1
        assert numbers_in(video.read([0])) == [5]


@pytest.mark.parametrize("seed", range(len(SEEDS)))
def test_flipped_bits_do_no_harm(seed: int) -> None:
    data = np.frombuffer(clip(count=24, **SEEDS[seed]), np.uint8)
    random = np.random.default_rng(seed)
    open_files = psutil.Process().num_fds()
    for _ in range(60):
        spoilt = data.copy()
        places = random.integers(0, len(data), random.integers(1, 20))
        spoilt[places] ^= 1 << random.integers(0, 8, len(places), np.uint8)
        cut = len(data) if random.random() < 0.8 else random.integers(0, len(data))
        with (
            suppress(RuntimeError, MemoryError),
            VideoFile(spoilt[:cut], name="film", threads=int(random.integers(1, 3))) as video,
        ):
            video.read(random.integers(0, video.frame_count, 2))
            video.read(range(min(video.frame_count, 24)))
    assert psutil.Process().num_fds() == open_files
    with VideoFile(data, name="film") as video:
        assert numbers_in(video.read([23, 3])) == [23, 3]


def test_ffmpeg_does_not_write_to_the_terminal() -> None:
    script = (
        "import sys; sys.path.insert(0, 'tests'); from video.test_damaged_videos import *\n"
        "for number in (5, 20):\n    try: read_all(with_damage(clip('mpeg4', 'avi'), number))\n"
        "    except RuntimeError: pass\n"
    )
    here = Path(__file__).resolve().parent.parent.parent
    done = subprocess.run([sys.executable, "-c", script], cwd=here, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
