"""Which frames are taken; small enough to see that it is so."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.video.frame_selection import FILL, chosen, padded


@pytest.mark.parametrize(
    ("arguments", "frames"),
    [
        ({}, [0, 1, 2, 3, 4]),
        ({"start_frame": 3}, [3, 4]),
        ({"start_frame": -1, "sequence_length": 3}, [FILL, 0, 1]),
        ({"end_frame": 2}, [0, 1]),
        ({"end_frame": 7, "stride": 2}, [0, 2, 4, FILL]),
        ({"end_frame": 7, "stride": 2, "pad_mode": "none"}, [0, 2, 4]),
        ({"stride": 3}, [0, 3]),
        ({"sequence_length": 0}, []),
        ({"sequence_length": 4, "stride": 2, "pad_mode": "edge"}, [0, 2, 4, 4]),
        ({"start_frame": 3, "sequence_length": 6, "pad_mode": "reflect"}, [3, 4, 3, 2, 1, 0]),
        ({"start_frame": 3, "sequence_length": 6, "pad_mode": "symmetric"}, [3, 4, 4, 3, 2, 1]),
        ({"frames": np.array([4, 0, 9])}, [4, 0, FILL]),
    ],
)
def test_frames_of_a_video_of_five(arguments: dict[str, Any], frames: list[int]) -> None:
    assert chosen(5, **arguments).tolist() == frames


def test_a_video_of_one_frame_reflects_only_that() -> None:
    for mode in ("edge", "reflect", "symmetric"):
        assert padded(np.arange(-3, 4), 1, mode).tolist() == [0] * 7


@given(st.integers(1, 9), st.lists(st.integers(-50, 50), min_size=1))
def test_reflections_are_those_of_numpy(count: int, numbers: list[int]) -> None:
    around = {mode: np.pad(np.arange(count), 60, mode) for mode in ("edge", "reflect", "symmetric")}
    for mode, frames in around.items():
        assert padded(np.array(numbers), count, mode).tolist() == frames[np.array(numbers) + 60].tolist()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"start_frame": 5}, "start_frame is 5, but the video has 5 frames"),
        ({"start_frame": 2, "end_frame": 2}, r"end_frame \(2\) must be greater than start_frame \(2\)"),
        ({"stride": 0}, "stride must be positive, got 0"),
        ({"sequence_length": -1}, "sequence_length must not be negative, got -1"),
        ({"frames": np.array([1, 5]), "pad_mode": "none"}, "there is no frame 5, the video has 5"),
        ({"start_frame": -1, "pad_mode": "none"}, "there is no frame -1"),
    ],
)
def test_what_makes_no_sense_is_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(RuntimeError, match=message):
        chosen(5, **arguments)
