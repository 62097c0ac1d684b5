from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import penstock.dynamic as ndd
from messages import told
from ops.promises import check_operator
from video.clips import clip, numbers_in, sound_only

RANGES = [
    {},
    {"start_frame": 3, "sequence_length": 6, "stride": 2},
    {"start_frame": -1, "end_frame": 22, "fill_value": [1, 2, 3]},
    {"frames": [15, 0, 15, 30], "pad_mode": "symmetric"},
    {"sequence_length": 0},
]


def files(*clips: bytes) -> list[np.ndarray]:
    return [np.frombuffer(data, np.uint8) for data in clips]


def some_files() -> list[np.ndarray]:
    return files(clip(count=20), clip("mjpeg", "avi", 16, pixels="yuvj420p"), clip("libx264", "mp4", 18, b_frames=2))


@pytest.mark.parametrize("arguments", RANGES, ids=str)
def test_video_keeps_the_promises(arguments: dict[str, Any]) -> None:
    check_operator("decoders.video", some_files(), layout=None, **arguments)


@pytest.mark.parametrize(
    "per_sample",
    [
        {"start_frame": [2, 0, 7], "sequence_length": [3, 4, 3]},
        {"end_frame": [4, 2, 9], "stride": [1, 2, 3]},
        {"frames": [[1, 2], [3, 0], [15, 15]]},
    ],
    ids=str,
)
def test_every_sample_may_have_its_own_frames(per_sample: dict[str, list[Any]]) -> None:
    check_operator("decoders.video", some_files(), layout=None, per_sample=per_sample)


def decoded(data: bytes, **arguments: Any) -> np.ndarray:
    return np.asarray(ndd.decoders.video(ndd.tensor(np.frombuffer(data, np.uint8)), **arguments))


def test_frames_carry_their_numbers() -> None:
    data = clip("libx264", "mp4", 18, b_frames=2)
    assert numbers_in(decoded(data)) == list(range(18))
    assert numbers_in(decoded(data, start_frame=4, end_frame=9, stride=2)) == [4, 6, 8]
    assert numbers_in(decoded(data, frames=[17, 3, 3, 9])) == [17, 3, 3, 9]
    assert numbers_in(decoded(data, start_frame=15, sequence_length=6, pad_mode="reflect")) == [15, 16, 17, 16, 15, 14]


def test_frames_that_are_not_there_have_the_colour_asked_for() -> None:
    padded = decoded(clip(count=3), start_frame=2, sequence_length=2, fill_value=[9, 8, 7])
    assert numbers_in(padded[:1]) == [2]
    assert (padded[1] == [9, 8, 7]).all()


def test_sequences_flow_through_operators_of_images() -> None:
    frames = ndd.decoders.video(ndd.batch(some_files()), sequence_length=4)
    assert (frames.layout, frames.dtype) == ("FHWC", ndd.uint8)
    small = ndd.resize(frames, size=[24, 32])
    turned = ndd.flip(small, horizontal=ndd.per_frame(ndd.batch([[0, 1, 0, 1]] * 3)))
    normal = ndd.crop_mirror_normalize(turned, output_layout="FCHW", mean=[128.0], std=[64.0])
    assert [tensor.shape for tensor in normal] == [(4, 3, 24, 32)] * 3


def test_one_clip_uses_all_threads_and_many_share_them() -> None:
    alone = decoded(clip(count=20), start_frame=5)
    with ndd.EvalContext(num_threads=1):
        np.testing.assert_array_equal(decoded(clip(count=20), start_frame=5), alone)
    many = ndd.decoders.video(ndd.batch(files(clip(count=20)) * 5), start_frame=5)
    for tensor in many:
        np.testing.assert_array_equal(np.asarray(tensor), alone)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"frames": [1], "stride": 2}, "Cannot specify both `frames` and any of"),
        ({"end_frame": 3, "sequence_length": 3}, "Cannot specify both `sequence_length` and `end_frame`"),
        ({"fill_value": [1, 2]}, "fill_value must be one number or three"),
        ({"fill_value": 256}, "fill_value must be one number or three, from 0 to 255"),
        ({"stride": 0}, "stride must be positive, got 0"),
        ({"sequence_length": -2}, "sequence_length must not be negative, got -2"),
        ({"pad_mode": "mirror"}, "Not supported pad_mode: mirror"),
    ],
)
def test_bad_arguments_fail_at_the_call(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(RuntimeError, match=message):
        ndd.decoders.video(ndd.tensor(files(clip(count=20))[0]), **arguments)


@pytest.mark.parametrize("data", [np.zeros((2, 2), np.uint8), np.zeros(9, np.float32)])
def test_only_bytes_are_taken(data: np.ndarray) -> None:
    with pytest.raises(RuntimeError, match="expected the bytes of a file, 1-D uint8"):
        ndd.decoders.video(ndd.tensor(data))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "there are no data"),
        (b"no video", "the video cannot be opened as a video"),
        (sound_only(), "no video stream"),
        (clip(count=3), "start_frame is 5, but the video has 3 frames"),
    ],
    ids=["nothing", "text", "sound", "short"],
)
def test_an_error_names_the_sample_and_the_others_can_still_be_read(data: bytes, message: str) -> None:
    good, bad = files(clip(count=20), data)
    with pytest.raises(RuntimeError, match=message) as caught:
        ndd.decoders.video(ndd.batch([good, bad, good]), start_frame=5).evaluate()
    assert "in decoders.video, sample 1" in told(caught.value)
    assert numbers_in(np.asarray(ndd.decoders.video(good, frames=[2]))) == [2]


def test_mismatched_arguments_are_refused() -> None:
    with pytest.raises((ValueError, RuntimeError)):
        ndd.decoders.video(ndd.batch(some_files()), start_frame=ndd.batch([1, 2])).evaluate()


@settings(max_examples=25, deadline=None)
@given(
    st.integers(-5, 12),
    st.integers(0, 12),
    st.integers(1, 4),
    st.sampled_from(["constant", "edge", "reflect", "symmetric"]),
)
def test_a_range_has_the_length_asked_for(start: int, length: int, stride: int, mode: str) -> None:
    data = clip("mjpeg", "avi", 16, pixels="yuvj420p")
    frames = decoded(data, start_frame=start, sequence_length=length, stride=stride, pad_mode=mode)
    assert frames.shape == (length, 48, 64, 3)
    for number, frame in zip(range(start, start + length * stride, stride), frames, strict=True):
        assert numbers_in(frame[None]) == [number] or not 0 <= number < 16


def test_the_older_name_still_works() -> None:
    with pytest.warns(DeprecationWarning, match=r"is now called ndd\.decoders\.video"):
        assert ndd.experimental.decoders.video(files(clip(count=3))[0]).shape == (3, 48, 64, 3)


def test_without_pyav_the_error_tells_what_to_install() -> None:
    script = (
        "import sys; sys.modules['av'] = None\n"
        "import numpy as np, penstock.dynamic as ndd, penstock.video\n"
        "assert ndd.flip(np.zeros((2, 2, 3), np.uint8)).shape == (2, 2, 3)\n"
        "try: ndd.decoders.video(np.zeros(9, np.uint8)).evaluate()\n"
        "except RuntimeError as error: print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert "pip install penstock[video]" in done.stdout, done.stderr


def test_videos_are_imported_only_when_one_is_opened() -> None:
    script = "import sys, penstock.dynamic as ndd; ndd.decoders.video; assert 'av' not in sys.modules"
    assert subprocess.run([sys.executable, "-c", script]).returncode == 0
