"""ExternalSource.captured: a source as the root of a compiled loop."""

from __future__ import annotations

import itertools
import os
import queue
import threading
from typing import Any

import numpy as np
import pytest

import penstock.dynamic as ndd
from capture.loops import Pictures, running_loops
from capture.sources import check_fed, numbers, value
from messages import told
from penstock.capture.values import CapturedBatch
from penstock.engine.graph.graph import Graph


def doubled(source: ndd.ExternalSource, stop_after: int | None = None, size: int = 2) -> list[float]:
    """Twice the items of an epoch, or of its first steps."""
    seen = []
    for step, batch in enumerate(source.captured(size), 1):
        assert isinstance(batch, CapturedBatch)
        assert batch.batch_size == size
        seen.append(value(batch * 2))
        if step == stop_after:
            break
    return seen


def test_it_goes_through_the_source_until_that_ends():
    source = numbers(4, "no")
    assert doubled(source) == [0, 2, 4, 6]
    assert doubled(source) == []
    with pytest.raises(StopIteration):
        source()
    assert running_loops() == []


def test_a_source_that_starts_over_has_many_epochs():
    source = numbers(4)
    assert [doubled(source) for _ in range(3)] == [[0, 2, 4, 6]] * 3
    assert value(source()) == 0
    endless = numbers(3, "quiet")
    assert doubled(endless, stop_after=7) == [0, 2, 4, 0, 2, 4, 0]
    assert value(endless()) == 1


@pytest.mark.parametrize("stop_after", [1, 2, 3, 4])
def test_break_loses_nothing(stop_after):
    source = numbers(6, "no")
    assert doubled(source, stop_after) == [*range(0, 2 * stop_after, 2)]
    assert value(source()) == stop_after
    assert doubled(source) == [*range(2 * stop_after + 2, 12, 2)]


def test_it_may_have_been_read_before_and_with_another_size():
    source = numbers(12, "no")
    assert value(source()) == 0
    assert doubled(source, stop_after=3) == [2, 4, 6]
    assert doubled(source, stop_after=3, size=5) == [8, 10, 12]
    assert source(batch_size=4).batch_size == 4
    assert doubled(source, size=3) == [16, 18, 20, 22]


def test_batches_that_were_fetched_ahead_come_to_calls_and_to_loops_of_another_size():
    count = itertools.count()
    source = ndd.ExternalSource(lambda: ndd.as_batch(np.full((2, 3), next(count), np.int32)))
    for step, batch in enumerate(source.captured(batch_size=2)):
        assert np.asarray((batch + 1).tensors[1]).tolist() == [step + 1] * 3
        if step == 3:
            break
    assert np.asarray(source(batch_size=2).tensors[1]).tolist() == [4] * 3
    with pytest.raises(ValueError, match="Expected batch size 5, got 2"):
        next(source.captured(batch_size=5))
    assert np.asarray(source().tensors[0]).tolist() == [6] * 3


def test_an_array_that_the_source_fills_again_is_copied():
    def body(batch: Any, sources: Any, step: int) -> list[Any]:
        return [ndd.reductions.sum(batch * step), batch]

    check_fed(body, root=lambda: numbers(9), count=3)


def test_several_outputs_are_a_tuple():
    pairs = [(np.float32([k]), ndd.batch(np.full((2, 3), k, np.int32))) for k in range(5)]
    seen = []
    for one, other in ndd.ExternalSource(pairs, num_outputs=2, layout=["X", None]).captured(2):
        assert one.layout == "X"
        seen.append((value(one + 1), value(other + 1)))
    assert seen == [(k + 1, k + 1) for k in range(5)]


def test_there_is_nothing_in_an_empty_source():
    assert doubled(ndd.ExternalSource([])) == []


@pytest.mark.parametrize(("size", "error"), [(None, ValueError), (-1, ValueError), ("2", TypeError), (2.0, TypeError)])
def test_bad_batch_sizes(size, error):
    with pytest.raises(error, match=r"batch_size|integer"):
        numbers().captured(size)


def test_batches_must_have_the_size():
    source = ndd.ExternalSource([ndd.batch(np.ones((2, 2)))] * 3)
    with pytest.raises(ValueError, match="Expected batch size 3, got 2"):
        next(source.captured(3))


@pytest.mark.parametrize("at", [1, 3, 5])
def test_an_error_comes_at_its_step_and_the_next_loop_goes_on(at):
    calls: list[int] = []

    def camera() -> Any:
        calls.append(1)
        if len(calls) == at:
            raise OSError("unplugged")
        return np.float32([len(calls)])

    source, seen = ndd.ExternalSource(camera), []

    def read_on() -> None:
        for batch in source.captured(2):
            seen.append(value(batch + 0))

    with pytest.raises(OSError, match="unplugged") as raised:
        read_on()
    assert seen == [*range(1, at)]
    assert "in test_an_error_comes_at_its_step" in told(raised.value)
    assert "for batch in source.captured(2):" in told(raised.value)
    assert doubled(source, stop_after=2) == [2 * at + 2, 2 * at + 4]


def test_a_source_is_not_called_past_its_end():
    waiting: queue.Queue[Any] = queue.Queue()
    for k in [1, 2, 3, 4, 5, None]:
        waiting.put(k)

    def read() -> Any:
        item = waiting.get()
        if item is None:
            raise StopIteration
        return np.float32([item])

    assert doubled(ndd.ExternalSource(read)) == [2, 4, 6, 8, 10]


def test_sys_exit_in_a_source_ends_the_program_and_not_the_thread_alone():
    def read() -> Any:
        if threading.current_thread().name == "penstock-compiled":
            raise SystemExit(3)
        return np.float32([1])

    with pytest.raises(SystemExit):
        doubled(ndd.ExternalSource(read, background=True))


def test_a_source_is_called_in_the_thread_of_the_loop_a_few_steps_early():
    events: list[Any] = []

    def read() -> Any:
        events.append(threading.get_ident())
        return np.float32([len(events)])

    source, feed = ndd.ExternalSource(read), ndd.ExternalSource(read)
    for step, batch in enumerate(source.captured(2)):
        total = batch + feed(batch_size=2) + feed(batch_size=2)
        assert value(total) > 0
        if step == 5:
            break
    assert {*events} == {threading.get_ident()}
    assert len(events) <= 3 * (6 + 3)


def test_a_source_that_draws_from_what_the_loop_draws_from_does_so_in_the_same_order_every_time():
    def drawn() -> list[int]:
        random = np.random.default_rng(5)
        source = ndd.ExternalSource(lambda: random.integers(100, size=1, dtype=np.int32))
        seen = []
        for step, batch in enumerate(source.captured(1)):
            seen += [int(value(batch * 1)), int(random.integers(100))]
            if step == 6:
                break
        return seen

    assert len({tuple(drawn()) for _ in range(5)}) == 1


def test_an_interrupt_while_a_step_is_made_loses_nothing(monkeypatch):
    source, run, runs = numbers(12, "no"), Graph.run, itertools.count()

    def interrupted(graph: Graph, *rest: Any) -> Any:
        if next(runs) in (3, 7):
            raise KeyboardInterrupt
        return run(graph, *rest)

    monkeypatch.setattr(Graph, "run", interrupted)
    seen: list[float] = []
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            seen.extend(value(batch * 2) for batch in source.captured(2))
    assert seen + doubled(source) == [*range(0, 24, 2)]
    assert running_loops() == []


def test_what_a_source_draws_follows_from_the_seed_and_moves_no_other_draws():
    def draws() -> list[tuple[float, float]]:
        ndd.random.set_seed(7)
        source = ndd.ExternalSource(lambda: ndd.random.uniform())
        steps = itertools.islice(source.captured(1), 20)
        return [(value(batch * 1), value(ndd.random.uniform(batch_size=1))) for batch in steps]

    drawn = draws()
    assert len(set(sum(drawn, ()))) == 40
    assert drawn == draws()
    ndd.random.set_seed(7)
    assert [of_body for _, of_body in drawn] == [value(ndd.random.uniform(batch_size=1)) for _ in drawn]


def test_loops_over_the_same_source_may_be_nested():
    source, seen = numbers(12), []
    for outer in source.captured(2):
        seen.append(value(outer + 0))
        for step, inner in enumerate(source.captured(2)):
            seen.append(value(inner + 0))
            if step == 1:
                break
    assert seen == [*range(12)]
    assert running_loops() == []


def test_it_may_read_inside_of_a_readers_loop():
    source, seen = numbers(8), []
    for pictures, _ in Pictures(size=6).next_epoch(batch_size=3, compile=True):
        ndd.flip(pictures).evaluate()
        seen += doubled(source, stop_after=4)
    assert seen == [*range(0, 16, 2)]


def test_strict_loops_say_what_they_cannot_make_ahead():
    loop = numbers().captured(2, strict=True)
    (next(loop) + 1).evaluate()
    with pytest.raises(ndd.capture.NotCapturedError, match="not made in the steps before"):
        next(loop) + 2
    loop.close()


def test_calls_run_in_the_given_context():
    with ndd.EvalContext(num_threads=1) as context:
        expected = doubled(numbers(5))
    assert [value(batch * 2) for batch in numbers(5).captured(2, context)] == expected


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:os.fork")  # of JAX, where a test before this one has imported it
def test_a_forked_child_loops_by_itself():
    source = numbers(9, "no")
    assert doubled(source, stop_after=4) == [0, 2, 4, 6]
    child = os.fork()
    if not child:
        os._exit(0 if doubled(source) == [8, 10, 12, 14, 16] else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert doubled(source) == [8, 10, 12, 14, 16]
