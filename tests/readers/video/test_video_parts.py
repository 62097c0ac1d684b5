"""List files, and which frames the sequences of each part have."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from penstock.readers.video.clips import Clip, RangeRule
from penstock.readers.video.frame_windows import Sequences, Windows
from penstock.readers.video.video import ExperimentalVideo, Video
from penstock.video.frame_selection import FILL
from readers.videos import epoch_of, fails, rows, write_clip, write_list

TENTHS = np.arange(20) / 10
ROUNDINGS = {
    "start_down_end_up": (2, 10),
    "start_up_end_down": (3, 9),
    "all_up": (3, 10),
    "all_down": (2, 9),
}


@pytest.fixture(scope="module")
def twenty(tmp_path_factory: pytest.TempPathFactory) -> str:
    return write_clip(tmp_path_factory.mktemp("clip") / "with space-vp9.webm", 20, rate=10, gop=4)


def whole_part(path: str, folder: Any, part: str, **arguments: Any) -> list[int]:
    """The frames of a part, handed out in one sequence that is longer than it."""
    reader = ExperimentalVideo(
        file_list=write_list(folder, f"{path} 3 {part}"),
        sequence_length=30,
        pad_mode="constant",
        enable_frame_num="sequence",
        **arguments,
    )
    _, labels, numbers = next(reader.next_epoch())
    assert rows(labels) == [[3]]
    return [number for number in rows(numbers)[0] if number != FILL]


@pytest.mark.parametrize(("rounding", "expected"), ROUNDINGS.items())
def test_times_between_frames_are_rounded_as_told(twenty, tmp_path, rounding, expected):
    start, end = expected
    for include in (True, False):
        part = whole_part(twenty, tmp_path, "0.25 0.95", file_list_rounding=rounding, file_list_include_end=include)
        assert part == list(range(start, end + include))
    assert whole_part(twenty, tmp_path, "0.2 0.9", file_list_rounding=rounding) == list(range(2, 10))


@pytest.mark.parametrize(
    ("part", "first", "last"),
    [("", 0, 19), ("5", 5, 19), ("2 8", 2, 8), ("2.0 80", 2, 19), ("-5 -2", 15, 18), ("0 0", 0, 0), ("+3 -1", 3, 19)],
)
def test_frames_count_from_either_end(twenty, tmp_path, part, first, last):
    assert whole_part(twenty, tmp_path, part, file_list_format="frames") == list(range(first, last + 1))


@pytest.mark.parametrize(("end", "last"), [("1.9", 19), ("1.95", 19), ("30", 19), ("1.85", 19), ("1.8", 18)])
def test_an_end_beyond_the_video_is_its_end(twenty, tmp_path, end, last):
    assert whole_part(twenty, tmp_path, f"0 {end}") == list(range(last + 1))


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({}, [3, 4, 5, 6, 7, 8]),
        ({"file_list_include_preceding_frame": True}, [2, 3, 4, 5, 6, 7, 8, 9]),
    ],
)
def test_video_takes_the_frames_inside_or_around_two_times(twenty, tmp_path, arguments, expected):
    reader = Video(file_list=write_list(tmp_path, f"{twenty} 0 0.25 0.95"), sequence_length=1, **arguments)
    assert [number for (number,) in epoch_of(reader)] == expected


def test_video_takes_frame_numbers(twenty, tmp_path):
    lines = write_list(tmp_path, f"{twenty} 0 2 5", "", f"{twenty} 1 -2", f"{twenty} 2 1.5 3.5")
    reader = Video(file_list=lines, file_list_frame_num=True, sequence_length=1)
    assert epoch_of(reader) == [[2], [3], [4], [18], [19], [2]]


def test_times_of_a_variable_rate_are_those_of_its_frames(tmp_path):
    times = (0, 100, 200, 500, 600, 1200)
    path = write_clip(tmp_path / "a-vp9.webm", 6, times=times)
    lines = write_list(tmp_path, f"{path} 0 0.15 0.7")
    reader = Video(file_list=lines, sequence_length=2, skip_vfr_check=True, enable_timestamps=True)
    assert [rows(output) for output in next(reader.next_epoch())[1:]] == [[[0]], [[0.2, 0.5]]]
    fails(Video(file_list=lines, sequence_length=2), r"list\.txt:1: .*has a variable frame rate; skip_vfr_check=True")
    assert epoch_of(ExperimentalVideo(filenames=path, sequence_length=6)) == [[0, 1, 2, 3, 4, 5]]


def test_an_empty_part_is_left_out_with_a_warning(twenty, tmp_path):
    reader = Video(
        file_list=write_list(tmp_path, f"{twenty} 0 5 5", f"{twenty} 1 3 5"),
        file_list_frame_num=True,
        sequence_length=2,
    )
    with pytest.warns(UserWarning, match=r"list\.txt:1: .*webm: the part to read is empty"):
        assert reader.get_metadata()["epoch_size"] == 1
    assert epoch_of(reader) == [[3, 4]]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{} 0 30 40", r"list\.txt:2: .* has 20 frames; there is nothing from 30 on"),
        ("{} 0 8 2", r"list\.txt:2: .*: the part from 8 to 2 ends before it starts"),
        ("{} 0 -30", r"list\.txt:2: .* has 20 frames; there is no frame -30"),
        ("{}", 'list file ".*list.txt":2 expected a file name, a label, and where to start and end; got: .*webm'),
        ("{} -3", 'list file ".*list.txt":2 expected'),
        ("{} cat", 'list file ".*list.txt":2 expected'),
        ("{} 1 a b", 'list file ".*list.txt":2 expected'),
        ("{} 9999999999", r'the label 9999999999 in the list file ".*list.txt":2 does not fit in 32 bits'),
        ("nowhere.mp4 1 2 3", r"list\.txt:2: nowhere\.mp4"),
    ],
)
def test_a_line_that_makes_no_sense_is_named(twenty, tmp_path, line, message):
    lines = write_list(tmp_path, f"{twenty} 0", line.format(twenty))
    fails(ExperimentalVideo(file_list=lines, file_list_format="frames", sequence_length=2), message)


def test_times_before_the_first_frame_and_missing_lists_are_refused(twenty, tmp_path):
    lines = write_list(tmp_path, f"{twenty} 0 -1.5 2")
    fails(Video(file_list=lines, sequence_length=2), "-1.5 s is before the first frame, which is at 0 s")
    lines = write_list(tmp_path, f"{twenty} 0 2.5")
    fails(Video(file_list=lines, sequence_length=2), "has 2.000 s; there is nothing from 2.5 on")
    fails(Video(file_list=write_list(tmp_path), sequence_length=2), "there is not a single line in")
    fails(Video(file_list=tmp_path / "none.txt", sequence_length=2), "Cannot open: .*none.txt: No such file")


def plain_sequences(start: int, stop: int, length: int, step: int, stride: int, padded: bool) -> list[list[int]]:
    made, first = [], start
    while first + length * stride <= stop:
        made.append([first + k * stride for k in range(length)])
        first += step
    if padded and first < stop:
        made.append([min(first + k * stride, stop - 1) for k in range(length)])
    return made


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), min_size=1, max_size=4),
    st.integers(1, 6), st.integers(1, 12), st.integers(1, 4), st.booleans(),
)  # fmt: skip
def test_all_sequences_of_all_stretches_come_in_order(stretches, length, step, stride, padded):
    starts = np.array([start for start, _ in stretches])
    stops = starts + [extent for _, extent in stretches]
    windows = Windows(length, stride, step, length * stride, "edge" if padded else "none")
    sequences = Sequences(windows, starts, stops)
    expected = [
        (number, frames)
        for number, (start, stop) in enumerate(zip(starts, stops, strict=True))
        for frames in plain_sequences(start, stop, length, step, stride, padded)
    ]
    assert len(sequences) == len(expected)
    numbers, frames = sequences.locate(np.arange(len(expected)))
    assert list(zip(numbers.tolist(), frames.tolist(), strict=True)) == expected


@pytest.mark.parametrize("mode", ["edge", "reflect_101", "reflect_1001"])
@pytest.mark.parametrize("stop", [1, 2, 5])
def test_padding_stays_inside_the_video_however_short(mode, stop):
    windows = Windows(12, 3, 36, 36, mode)
    frames = windows.frames(np.array([0]), np.array([stop]), np.array([0]))
    assert frames.min() >= 0
    assert frames.max() < stop
    assert frames[0, 0] == 0


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.floats(0, 3), st.floats(0, 3), st.booleans(), st.booleans(), st.booleans())
def test_every_part_is_in_the_video_or_refused(start, end, start_up, end_up, include):
    rule = RangeRule(False, start_up, end_up, include)
    try:
        first, stop = rule.frames(Clip("x", start=start, end=end), TENTHS)
    except RuntimeError:
        assert start > end or start > 1.9
        return
    assert 0 <= first <= stop <= 20
    assert start_up or TENTHS[first] <= start + 1e-6
    assert not start_up or TENTHS[first] >= start - 1e-6
