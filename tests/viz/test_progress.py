"""Progress of long work, on a terminal and in a log file."""

from __future__ import annotations

import io

import pytest

from penstock.viz import progress
from penstock.viz.progress import Progress, duration


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def clock(monkeypatch):
    """A clock that the test moves."""
    now = [0.0]
    monkeypatch.setattr(progress.time, "perf_counter", lambda: now[0])
    return now


def test_a_terminal_shows_a_bar_with_rate_and_rest_that_is_gone_in_the_end(clock):
    shown = Terminal()
    with Progress(100, "files", "check", shown) as bar:
        clock[0] = 2.0
        bar.show(50, "3 bad")
        assert shown.getvalue() == "\r  check  ████████████░░░░░░░░░░░░ 50/100 files  25/s  2 s left  3 bad\x1b[K"
    assert shown.getvalue().endswith("\r\x1b[K")


def test_a_terminal_is_not_redrawn_more_than_ten_times_a_second(clock):
    shown = Terminal()
    bar = Progress(10_000, "files", file=shown)
    for number in range(1000):
        clock[0] = number / 1000
        bar.show(number)
    assert shown.getvalue().count("\r") == 9


def test_a_log_file_gets_a_plain_line_every_ten_seconds(clock):
    log = io.StringIO()
    with Progress(100, "files", "check", log) as bar:
        for second in range(21):
            clock[0] = float(second)
            bar.show(second)
    assert log.getvalue().splitlines() == [
        "check  10% 10/100 files  1/s  1:30 min left",
        "check  20% 20/100 files  1/s  1:20 min left",
    ]


def test_work_of_unknown_length_has_no_bar(clock):
    shown = Terminal()
    bar = Progress(None, "samples", file=shown)
    clock[0] = 0.5
    bar.show(1000)
    assert shown.getvalue() == "\r  1,000 samples  2,000/s\x1b[K"


@pytest.mark.parametrize(("seconds", "said"), [(0.4, "0 s"), (59, "59 s"), (185, "3:05 min"), (3723, "1:02:03 h")])
def test_durations_are_told_in_the_unit_that_fits(seconds, said):
    assert duration(seconds) == said
