"""ndd.progress, and the bars of tqdm and rich around the same loops."""

from __future__ import annotations

import io
import re

import pytest
from rich.console import Console
from rich.progress import track
from tqdm import tqdm

import penstock.dynamic as ndd
from penstock.engine import events
from profiling.loops import PICTURES, augmented

every_loop = pytest.mark.parametrize("compiled", [False, True], ids=["eager", "compiled"])


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def epoch(compiled: bool = False):
    return ndd.readers.File(files=PICTURES).next_epoch(batch_size=3, compile=compiled)


@every_loop
def test_progress_shows_speed_waiting_and_hands_on_every_batch(compiled, monkeypatch):
    shown = Terminal()
    monkeypatch.setattr("sys.stderr", shown)
    monkeypatch.setattr("penstock.viz.progress._REDRAW_SECONDS", 0.0)
    labels = []
    for jpegs, numbers in ndd.progress(epoch(compiled), title="train"):
        augmented(jpegs).evaluate()
        labels += ndd.as_tensor(numbers).numpy().ravel().tolist()
    assert labels == [*range(12)]
    lines = shown.getvalue().split("\r")
    assert re.search(r"train  █+ 4/4 batches  .*/s  [\d,]+ samples/s  input wait \d+%", lines[-2])
    assert re.search(r"2/4 batches  .* left ", lines[2])
    assert lines[-1] == "\x1b[K"
    assert events.KINDS[events.ProgramWait] == []


def test_progress_of_a_loop_that_is_left_stops_listening():
    for _ in ndd.progress(epoch()):
        break
    assert events.KINDS[events.ProgramWait] == []


def test_progress_goes_around_any_iterable(monkeypatch):
    shown = Terminal()
    monkeypatch.setattr("sys.stderr", shown)
    assert [*ndd.progress(iter("abc"), total=3)] == ["a", "b", "c"]
    assert "3/3 batches" in shown.getvalue()


@every_loop
def test_tqdm_knows_the_length_of_an_epoch(compiled):
    shown = io.StringIO()
    for jpegs, _ in tqdm(epoch(compiled), file=shown, mininterval=0):
        augmented(jpegs).evaluate()
    assert "4/4" in shown.getvalue()
    assert "100%" in shown.getvalue()


@every_loop
def test_rich_knows_the_length_of_an_epoch(compiled):
    console = Console(file=io.StringIO(), force_terminal=True, width=100)
    for jpegs, _ in track(epoch(compiled), "train", console=console):
        augmented(jpegs).evaluate()
    assert "100%" in console.file.getvalue()
