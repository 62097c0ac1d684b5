"""What a compiled loop says of itself."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

import penstock.dynamic as ndd
from capture.loops import Pictures


def names(entries: Any) -> list[str]:
    return [entry.operator for entry in entries]


def test_the_report_lists_what_was_captured_and_what_not():
    outside = np.zeros(70_000, np.uint8)
    for step, (pictures, _) in enumerate(Pictures(size=30).next_epoch(batch_size=3, compile=True)):
        ndd.resize(pictures, size=[3 + step % 2, 3]).evaluate()
        ndd.flip(pictures).evaluate()
        ndd.stack(ndd.as_batch([np.arange(step + 2)] * 3), ndd.as_batch([np.arange(step + 2)] * 3)).evaluate()
        ndd.cat(outside, outside).evaluate()
    report = ndd.capture.report()
    assert names(report.captured) == ["flip"]
    reasons = {entry.operator: entry.reason for entry in report.not_captured}
    assert reasons["resize"] == "size changed from one step to the next"
    assert "input 0 is an array of 70000 bytes" in reasons["cat"]
    assert "stack" in reasons
    assert f"resize at {__file__}:" in str(report)


def test_strict_loops_raise_where_a_call_is_not_captured():
    def run(changes: int) -> int:
        steps = 0
        for pictures, _ in Pictures().next_epoch(batch_size=3, compile=True, strict=True):
            ndd.resize(pictures, size=[3 + steps * changes, 3]).evaluate()
            steps += 1
        return steps

    with pytest.raises(ndd.capture.NotCapturedError, match="resize was not captured: size changed"):
        run(changes=1)
    assert run(changes=0) == 4


def test_there_is_no_report_before_a_loop():
    failures: list[str] = []

    def ask() -> None:
        try:
            ndd.capture.report()
        except RuntimeError as error:
            failures.append(str(error))

    thread = threading.Thread(target=ask)
    thread.start()
    thread.join()
    assert failures == ["no loop of this thread was compiled; next_epoch(batch_size=..., compile=True) does"]


def test_an_operator_with_effects_is_not_made_ahead(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    seen = []
    for pictures, _ in Pictures().next_epoch(batch_size=3, compile=True):
        ndd.dump_image(ndd.flip(pictures), suffix="step").evaluate()
        seen.append([file.unlink() for file in tmp_path.iterdir()])
    assert [*map(len, seen)] == [3, 3, 3, 3]
    assert [*tmp_path.iterdir()] == []
    assert names(ndd.capture.report().not_captured) == ["dump_image"]
