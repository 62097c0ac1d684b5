"""Sources that the body of a compiled loop reads."""

from __future__ import annotations

import os
import threading
from typing import Any

import numpy as np
import pytest

import penstock.dynamic as ndd
from capture.loops import Pictures, running_loops
from capture.sources import SIZE, check_fed, numbers, value
from penstock.capture.values import CapturedBatch, CapturedTensor

ROOTS = pytest.mark.parametrize("root", [Pictures, lambda: numbers(7)])


def brighter(batch: Any, sources: Any, step: int) -> list[Any]:
    extra = sources[0](batch_size=SIZE)
    return [ndd.cast(batch, dtype=ndd.float32) + ndd.reductions.sum(ndd.math.abs(extra)), extra]


@ROOTS
def test_results_are_those_of_the_loop_as_it_is_written(root):
    check_fed(brighter, root)


@ROOTS
@pytest.mark.parametrize("stop_after", [1, 2, 3])
def test_break_loses_nothing(root, stop_after):
    check_fed(brighter, root, count=4, stop_after=stop_after)


def test_a_source_is_read_ahead_once_a_step():
    reads: list[int] = []
    row = np.zeros(2, np.float32)

    def read() -> Any:
        reads.append(threading.get_ident())
        return row

    source = ndd.ExternalSource(read)
    for step, (_, labels) in enumerate(Pictures(size=30).next_epoch(batch_size=3, compile=True), 1):
        extra = source(batch_size=3)
        assert isinstance(extra, CapturedBatch)
        (extra + labels).evaluate()
        assert step <= len(reads) <= step + 3
    assert len(reads) >= 10
    assert running_loops() == []


def test_without_a_batch_size_it_is_a_tensor():
    def body(batch: Any, sources: Any, step: int) -> list[Any]:
        extra = sources[0]()
        assert not isinstance(extra, ndd.Batch)
        return [ndd.cast(batch, dtype=ndd.float32) + ndd.reductions.sum(extra), extra * 2]

    check_fed(body)
    source = numbers()
    for _ in Pictures().next_epoch(batch_size=3, compile=True):
        extra = source()
        assert isinstance(extra, CapturedTensor)
        assert isinstance(extra + 1, CapturedTensor)


def test_it_is_reported_as_captured():
    source = numbers()
    for pictures, _ in Pictures().next_epoch(batch_size=3, compile=True, strict=True):
        (source(batch_size=3) + ndd.reductions.sum(pictures)).evaluate()
    assert ndd.capture.report()[0].operator == "ExternalSource"
    assert ndd.capture.report().not_captured == []


@ROOTS
def test_a_step_may_leave_it_unread(root):
    check_fed(lambda batch, sources, step: [batch + 1, *([sources[0]() + 1] if step % 4 != 2 else [])], root, count=3)


@ROOTS
def test_a_step_may_read_it_more_often(root):
    def body(batch: Any, sources: Any, step: int) -> list[Any]:
        return [batch + 1, *(sources[0](batch_size=SIZE) * 2 for _ in range([1, 2, 2, 2, 3, 1][step % 6]))]

    check_fed(body, root, count=3)


@ROOTS
def test_it_may_be_read_late(root):
    def body(batch: Any, sources: Any, step: int) -> list[Any]:
        early = sources[0](batch_size=SIZE)
        return [batch + 1, early, *([early + sources[1](batch_size=SIZE)] if step > 2 else [])]

    check_fed(body, root, lambda: [numbers(), numbers()], count=3)


def test_it_may_have_been_read_before():
    def used() -> list[ndd.ExternalSource]:
        source = numbers()
        source()
        return [source]

    check_fed(brighter, sources=used)


def test_the_order_of_reading_may_change():
    def body(batch: Any, sources: Any, step: int) -> list[Any]:
        read = [source(batch_size=SIZE) for source in (sources if step % 3 else sources[::-1])]
        return [batch + 1, read[0] * 10 + read[1]]

    check_fed(body, sources=lambda: [numbers(), numbers()], count=3)


def test_items_may_change_their_type():
    def changing() -> list[ndd.ExternalSource]:
        kinds = [np.float32, np.float32, np.float32, np.int16, np.int16, np.float32] * 3
        return [ndd.ExternalSource([np.arange(2 + k % 2, dtype=kind) for k, kind in enumerate(kinds)])]

    check_fed(lambda batch, sources, step: [sources[0](batch_size=SIZE) + 1], sources=changing)


def test_the_root_may_be_read_in_its_own_loop():
    root = numbers(10)
    seen = [(value(batch + 0), value(root() + 0)) for batch in root.captured(SIZE)]
    assert seen == [(k, k + 1) for k in range(0, 10, 2)]


def test_calls_of_the_source_itself_are_none_of_the_loop():
    source = ndd.ExternalSource(lambda: ndd.flip(ndd.tensor(np.ones((2, 2, 1), np.uint8), layout="HWC")))
    for pictures, _ in Pictures().next_epoch(batch_size=3, compile=True):
        (ndd.cast(pictures, dtype=ndd.float32) + ndd.reductions.sum(source())).evaluate()
    assert "flip" not in [entry.operator for entry in ndd.capture.report()]


def test_a_loop_inside_may_read_it_too():
    def run(compiled: bool) -> list[float]:
        source, seen = numbers(), []
        for _ in Pictures().next_epoch(batch_size=3, compile=compiled):
            seen.append(value(source() + 0))
            for _ in Pictures(size=9).next_epoch(batch_size=3, compile=compiled):
                seen.append(value(source() + 0))
        return [*seen, value(source())]

    assert run(compiled=True) == run(compiled=False)
    assert running_loops() == []


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("root", [lambda: Pictures(size=60), lambda: numbers(20)])
def test_a_forked_child_goes_on_by_itself(root):
    made, source = root(), numbers()
    loop = made.next_epoch(batch_size=3, compile=True) if isinstance(made, Pictures) else made.captured(3)
    seen = []

    def step() -> float:
        next(loop)
        return value(source(batch_size=3) + 0)

    seen += [step() for _ in range(4)]
    child = os.fork()
    if not child:
        os._exit(0 if [step(), step(), step()] == [4, 5, 6] else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert [*seen, step(), step()] == [*range(6)]
    loop.close()
    assert value(source()) == 6
