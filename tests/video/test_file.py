"""Frames by number are those that decoding everything gives, whatever the codec, the container and the order."""

from __future__ import annotations

import gc
import io
import multiprocessing
import struct
from pathlib import Path
from typing import Any

import av
import numpy as np
import psutil
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from penstock.values.enums import ImageType
from penstock.video import VideoFile
from penstock.video.track import Track, tolerant_of_metadata
from video.clips import clip, decoded_whole, numbers_in, picture

OPEN_GOP = "open-gop=1:bframes=3:b-adapt=0:scenecut=0"
X265 = "keyint=12:min-keyint=12:log-level=none:" + OPEN_GOP
UNEVEN = tuple(40 * i + i * 7 % 5 * 7 for i in range(40))

CLIPS: dict[str, dict[str, Any]] = {
    "h264 mp4": {"codec": "libx264", "container": "mp4", "b_frames": 2},
    "h264 mkv, open gop": {"codec": "libx264", "container": "matroska", "x264_params": OPEN_GOP},
    "h264 mp4, open gop": {"codec": "libx264", "container": "mp4", "x264_params": OPEN_GOP},
    "h264 ts, open gop": {"codec": "libx264", "container": "mpegts", "x264_params": OPEN_GOP},
    "h264 flv": {"codec": "libx264", "container": "flv", "b_frames": 2},
    "h264, key frames only": {"codec": "libx264", "container": "mp4", "gop": 1},
    "h264, one key frame": {"codec": "libx264", "container": "mp4", "gop": 250, "b_frames": 3},
    "h264, intra refresh": {"codec": "libx264", "container": "mp4", "x264_params": "intra-refresh=1:bframes=0"},
    "h264, interlaced": {"codec": "libx264", "container": "mp4", "x264_params": "interlaced=1"},
    "h264, uneven": {"codec": "libx264", "container": "mp4", "b_frames": 2, "times": UNEVEN},
    "h264 without a container": {"codec": "libx264", "container": "h264", "b_frames": 2},
    "h264 with sound": {"codec": "libx264", "container": "matroska", "audio": True},
    "hevc mp4, open gop": {"codec": "libx265", "container": "mp4", "x265_params": X265},
    "hevc ts, open gop": {"codec": "libx265", "container": "mpegts", "x265_params": X265},
    "vp9": {"auto_alt_ref": "1", "lag_in_frames": "16"},
    "vp9 mp4": {"container": "mp4"},
    "vp8": {"codec": "libvpx", "auto_alt_ref": "1", "lag_in_frames": "16"},
    "av1": {"codec": "libsvtav1", "container": "mp4", "preset": "10"},
    "mpeg-4 avi": {"codec": "mpeg4", "container": "avi", "b_frames": 2},
    "mpeg-4 mp4": {"codec": "mpeg4", "container": "mp4", "b_frames": 2},
    "mpeg-2 program stream": {"codec": "mpeg2video", "container": "mpeg", "b_frames": 2},
    "mpeg-2 transport stream": {"codec": "mpeg2video", "container": "mpegts", "b_frames": 2},
    "mjpeg avi": {"codec": "mjpeg", "container": "avi", "pixels": "yuvj420p"},
    "ten bits": {"codec": "libx265", "container": "mp4", "pixels": "yuv420p10le", "x265_params": "log-level=none"},
    "odd size": {"codec": "ffv1", "container": "matroska", "size": (63, 47)},
}  # fmt: skip


def opened(data: bytes, threads: int = 1) -> VideoFile:
    return VideoFile(data, name="clip", threads=threads)


@pytest.mark.parametrize("name", CLIPS)
def test_frames_are_those_of_decoding_everything(name: str) -> None:
    data = clip(**CLIPS[name])
    whole = decoded_whole(data)
    assert numbers_in(whole) == list(range(40))
    random = np.random.default_rng(0)
    for threads in (1, 2):
        with opened(data, threads) as video:
            assert video.frame_count == 40
            for _ in range(6):
                wanted = random.integers(0, 40, random.integers(1, 5))
                np.testing.assert_array_equal(video.read(wanted), whole[wanted])
            np.testing.assert_array_equal(video.read(range(40)), whole)


@pytest.mark.parametrize("name", ["h264 mp4, open gop", "hevc mp4, open gop", "vp9", "mpeg-2 program stream"])
@settings(max_examples=10, deadline=None)
@given(st.lists(st.lists(st.integers(0, 39), max_size=4), min_size=1, max_size=5))
def test_any_order_of_reads_gives_the_same_frames(name: str, reads: list[list[int]]) -> None:
    data = clip(**CLIPS[name])
    with opened(data) as video:
        for wanted in reads:
            np.testing.assert_array_equal(video.read(wanted), decoded_whole(data)[wanted])


@pytest.fixture
def decoded(monkeypatch: pytest.MonkeyPatch) -> list[int | None]:
    """The timestamps of all frames that decoders have made since."""
    made: list[int | None] = []
    frames = Track.frames

    def counted(self: Track, *first: Any) -> Any:
        for frame in frames(self, *first):
            made.append(frame.pts)
            yield frame

    monkeypatch.setattr(Track, "frames", counted)
    return made


@pytest.mark.parametrize("name", ["h264 mp4", "h264 flv", "vp9", "mpeg-4 avi", "mpeg-2 transport stream", "av1"])
def test_only_what_leads_to_a_frame_is_decoded(name: str, decoded: list[int | None]) -> None:
    data = clip(**CLIPS[name])
    with av.open(io.BytesIO(data)) as file:
        keys = [number for number, frame in enumerate(file.decode(video=0)) if frame.key_frame and number <= 30]
    with opened(data) as video:
        assert decoded == []
        video.read([30])
        assert len(decoded) == 30 - keys[-1] + 1


def test_reading_on_does_not_decode_again(decoded: list[int | None]) -> None:
    with opened(clip(**CLIPS["h264 mp4"])) as video:
        for first in range(0, 40, 4):
            video.read(range(first, first + 4))
    assert len(decoded) == 40


def test_a_frame_is_decoded_once_for_all_its_repeats(decoded: list[int | None]) -> None:
    with opened(clip(**CLIPS["mjpeg avi"])) as video:
        assert numbers_in(video.read([7, 3, 7, 3, 7])) == [7, 3, 7, 3, 7]
    assert len(decoded) == 2


def test_time_is_told_in_seconds_after_the_first_frame() -> None:
    with opened(clip(**CLIPS["h264, uneven"])) as video:
        assert video.is_variable_rate
        np.testing.assert_allclose(video.timestamps, np.array(UNEVEN) / 1000, atol=1e-3)
    for name in ("vp9", "h264 ts, open gop", "mpeg-4 avi", "h264 without a container"):
        with opened(clip(**CLIPS[name])) as video:
            assert not video.is_variable_rate
            np.testing.assert_allclose(video.timestamps, np.arange(40) / 25, atol=2e-3)
            assert video.time_base > 0


def test_an_edit_list_that_begins_within_a_gop_hides_what_is_before() -> None:
    data = bytearray(clip(**CLIPS["h264 mp4"]))
    entry = data.index(b"elst") + 4 + 8  # version and flags, number of entries
    duration, media_time = struct.unpack_from(">Ii", data, entry)
    struct.pack_into(">Ii", data, entry, duration, media_time + 5 * 512)
    whole = decoded_whole(bytes(data))
    assert numbers_in(whole) == list(range(5, 40))
    with opened(bytes(data)) as video:
        assert video.frame_count == 35
        for wanted in ([0], [20, 3], [34], [0, 1]):
            np.testing.assert_array_equal(video.read(wanted), whole[wanted])


def test_a_stream_that_begins_within_a_gop_begins_with_what_can_be_decoded() -> None:
    data = clip("mpeg2video", "mpegts", b_frames=2)
    cut = data[188 * 12 :]
    with opened(cut) as video:
        np.testing.assert_array_equal(video.read(range(video.frame_count)), decoded_whole(cut))


def test_files_and_file_objects_are_read_like_bytes(tmp_path: Path) -> None:
    data = clip()
    path = tmp_path / "a clip.webm"
    path.write_bytes(data)
    for source in (str(path), io.BytesIO(data), bytearray(data), np.frombuffer(data, np.uint8), memoryview(data)):
        with VideoFile(source, name="clip") as video:
            assert numbers_in(video.read([5, 20])) == [5, 20]


def test_metadata_need_not_be_utf8() -> None:
    data = clip("libx264", "matroska", count=3)
    encoder = next(name for name in (b"Lavf", b"Lavc") if name in data)
    assert opened(data.replace(encoder, b"\xff\xfe\xfd\xfc")).frame_count == 3


@pytest.mark.parametrize(("version", "given"), [("18.1.0", {"metadata_errors": "replace"}), ("19.0.2", {})])
def test_pyav_is_told_to_take_such_metadata_where_it_has_to_be(version: str, given: dict[str, str]) -> None:
    assert tolerant_of_metadata(version) == given


def test_size_and_rotation_are_told() -> None:
    with opened(clip(size=(96, 64), count=3)) as video:
        assert (video.width, video.height, video.rotation) == (96, 64, 0)
    with opened(clip("libx264", "mp4", 3, rotation=90)) as video:
        assert abs(video.rotation) == 90
        assert video.read([0]).shape == (1, 48, 64, 3)


def test_frames_go_where_they_are_told() -> None:
    with opened(clip()) as video:
        out = np.zeros((2, 48, 64, 3), np.uint8)
        assert video.read([4, 2], out) is out
        assert numbers_in(out) == [4, 2]
        assert video.read([]).shape == (0, 48, 64, 3)
        with pytest.raises((TypeError, ValueError)):
            video.read([1], np.zeros((1, 48, 60, 3), np.uint8))


def test_grey_and_ycbcr_are_what_the_pictures_are() -> None:
    with opened(clip("ffv1", "matroska", 2, pixels="yuv444p")) as video:
        grey = video.read([1], image_type=ImageType.GRAY)
        ycbcr = video.read([1], image_type=ImageType.YCbCr)
    luma = picture(1) @ np.array([0.299, 0.587, 0.114])
    assert grey.shape == (1, 48, 64, 1)
    assert np.abs(grey[0, ..., 0] - luma).max() < 3
    assert np.abs(ycbcr[0, ..., 0] - (16 + luma * 219 / 255)).max() < 3


def test_a_frame_beyond_the_end_is_refused() -> None:
    with opened(clip(count=5)) as video:
        for wrong in ([5], [-1], [0, 7]):
            with pytest.raises(IndexError, match=rf"clip has 5 frames, there is no frame {wrong[-1]}"):
                video.read(wrong)
        assert numbers_in(video.read([4])) == [4]


@pytest.mark.memory
def test_frames_that_were_read_are_let_go() -> None:
    with opened(clip("mjpeg", "avi", 150, size=(320, 240), pixels="yuvj420p")) as video:
        out = np.empty((1, 240, 320, 3), np.uint8)
        video.read([0], out)
        before = psutil.Process().memory_info().rss
        for number in range(video.frame_count):
            video.read([number], out)
        assert psutil.Process().memory_info().rss - before < 40 * out.nbytes


def test_a_file_is_closed_as_soon_as_nobody_refers_to_it(tmp_path: Path) -> None:
    path = tmp_path / "clip.webm"
    path.write_bytes(clip(count=3))
    gc.disable()
    try:
        video = VideoFile(str(path), name="clip")
        video.read([1])
        assert str(path) in open_files()
        del video
        assert str(path) not in open_files()
    finally:
        gc.enable()


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="needs fork")
@pytest.mark.filterwarnings("ignore:os.fork")  # of JAX, where a test before this one has imported it
def test_a_forked_child_does_not_wait_for_threads_that_it_has_not() -> None:
    videos = [opened(clip(count=20), threads=4)]
    videos[0].read(np.arange(10))
    child = multiprocessing.get_context("fork").Process(target=videos.clear)
    child.start()
    child.join(timeout=60)
    fine = child.exitcode == 0
    child.kill()
    assert fine
    assert numbers_in(videos[0].read([15])) == [15]


def open_files() -> list[str]:
    return [file.path for file in psutil.Process().open_files()]
