"""Sources in a compiled loop that end, fail, or are read as a loop may not read them."""

from __future__ import annotations

import itertools
import os
import threading
from typing import Any

import numpy as np
import pytest

import penstock.dynamic as ndd
from capture.loops import Pictures, running_loops
from capture.sources import numbers, value
from messages import told


def test_the_batch_size_is_fixed():
    source = numbers()
    for _ in Pictures().next_epoch(batch_size=3, compile=True):
        with pytest.raises(RuntimeError, match="Cannot change batch size to 2, the capture-mode loop uses 3"):
            source(batch_size=2)
        break


def test_an_end_is_raised_where_it_is_read():
    source, seen, ended = numbers(5, "no"), [], 0
    for pictures, _ in Pictures(size=24).next_epoch(batch_size=3, compile=True):
        ndd.flip(pictures).evaluate()
        try:
            seen.append(value(source() + 0))
        except StopIteration:
            ended += 1
    assert (seen, ended) == ([0, 1, 2, 3, 4], 3)


@pytest.mark.parametrize("at", [1, 2, 5])
def test_an_error_comes_at_its_step_and_names_source_and_line(at):
    calls: list[int] = []

    def camera() -> Any:
        calls.append(1)
        if len(calls) == at:
            raise KeyError("no light")
        return np.float32([len(calls)])

    source, seen = ndd.ExternalSource(camera), []

    def read_on() -> None:
        for _ in Pictures(size=30).next_epoch(batch_size=3, compile=True):
            seen.append(value(source() + 0))

    with pytest.raises(KeyError, match="no light") as raised:
        read_on()
    assert seen == [*range(1, at)]
    assert len(calls) == at
    notes = told(raised.value)
    assert "camera, the source of an ExternalSource" in notes
    assert f"{os.path.basename(__file__)}:" in notes
    assert "seen.append(value(source() + 0))" in notes
    assert running_loops() == []
    assert value(source()) == at + 1


def test_an_item_of_the_wrong_size_fails_where_it_is_read():
    items = [ndd.batch(np.ones((3 if k != 4 else 2, 2), np.float32)) for k in range(10)]
    source, loop = ndd.ExternalSource(items), Pictures(size=30).next_epoch(batch_size=3, compile=True)
    for _, _ in zip(range(4), loop, strict=False):
        (source(batch_size=3) + 1).evaluate()
    next(loop)
    with pytest.raises(ValueError, match="Expected batch size 3, got 2"):
        source(batch_size=3)
    loop.close()


@pytest.mark.parametrize(
    ("reads", "message"),
    [
        ([1, 1, 1, 0], "An ExternalSource was not consumed this step"),
        ([1, 1, 2, 1], "ExternalSource wasn't seen during tracing"),
        ([0, 1, 1, 1], "ExternalSource wasn't seen during tracing"),
    ],
)
def test_strict_loops_read_alike_in_every_step(reads, message):
    source = numbers()

    def read_on() -> None:
        for step, (pictures, _) in enumerate(Pictures(size=30).next_epoch(batch_size=3, compile=True, strict=True)):
            ndd.flip(pictures).evaluate()
            for _ in range(reads[step]):
                source()

    with pytest.raises(ndd.capture.NotCapturedError, match=message):
        read_on()


def test_what_is_read_otherwise_is_reported():
    source = numbers()
    for step, (pictures, _) in enumerate(Pictures().next_epoch(batch_size=3, compile=True)):
        ndd.flip(pictures).evaluate()
        source() if step == 3 else source(batch_size=3)
    reasons = [entry.reason for entry in ndd.capture.report().not_captured]
    assert reasons == ["it was read otherwise in the step before"]


def test_another_thread_may_not_read_it_meanwhile():
    source, found = numbers(), []

    def other() -> None:
        try:
            found.append(value(source()))
        except RuntimeError as error:
            found.append(str(error))

    for step, _ in enumerate(Pictures(size=30).next_epoch(batch_size=3, compile=True)):
        (source() + 1).evaluate()
        if step == 4:
            thread = threading.Thread(target=other)
            thread.start()
            thread.join()
    other()
    assert "already used in a capture-mode loop" in found[0]
    assert found[1] == 10


def test_a_source_may_not_read_another_one_that_its_loop_reads_ahead():
    inner, reads = numbers(), itertools.count()

    def outer() -> Any:
        return inner() if next(reads) == 8 else np.zeros(2, np.float32)

    sums: list[float] = []
    with pytest.raises(RuntimeError, match="already used in a capture-mode loop"):
        sums.extend(value(batch + inner(batch_size=1)) for batch in ndd.ExternalSource(outer).captured(1))
    assert sums == [*range(8)]
    assert value(inner()) == 8
    assert running_loops() == []


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_source_may_fork():
    def forked() -> Any:
        child = os.fork()
        if child == 0:
            os._exit(0)
        os.waitpid(child, 0)
        return np.zeros(2, np.float32)

    steps = itertools.islice(ndd.ExternalSource(forked).captured(1), 30)
    assert [value(batch * 2) for batch in steps] == [0] * 30
