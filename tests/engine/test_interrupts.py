"""Whatever a KeyboardInterrupt strikes while things change hands, all of them come, once and in order."""

from __future__ import annotations

import faulthandler
import itertools
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import penstock.dynamic as ndd
from engine.interrupts import Interrupts, everywhere, functions_of
from penstock import Pipeline, fn
from penstock.capture import loop, loop_step, steps_ahead
from penstock.dynamic.calls.recorder import active
from penstock.dynamic.sources import external_source, items
from penstock.engine import context, executor, invocation, lookahead, pending, planner
from penstock.engine.graph import calls, graph, stage
from penstock.engine.lookahead import Lookahead
from penstock.engine.program import plan, program, run_ahead
from penstock.pipeline import iterations, lowering
from penstock.pipeline import plan as pipeline_plan
from penstock.pipeline.functions import external_source as pipeline_source
from penstock.pipeline.sources import callback, callback_source, feed_source
from penstock.pipeline.sources import source as sources
from penstock.readers.core import prefetch, reader, user_source

# A loop that is left is closed by the garbage collector, which tells of interrupts but does not pass them on.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


@pytest.fixture(autouse=True)
def no_hang() -> Iterator[None]:
    """What hangs ends the run and tells where. Without a GIL, on a busy machine, a test took more than two minutes."""
    faulthandler.dump_traceback_later(900, exit=True, file=sys.__stderr__)
    yield
    faulthandler.cancel_dump_traceback_later()


@pytest.mark.parametrize("depth", [0, 2])
def test_an_interrupt_loses_no_more_than_the_result_that_was_just_taken(depth):
    def run(interrupts: Interrupts, at: int) -> None:
        count = itertools.count()
        made = Lookahead(count.__next__, depth, "penstock-test")
        got = [made.take_or_make(depth)]
        with interrupts.striking(at):
            got.append(made.take_or_make(depth))
        got += [made.take_or_make(depth) for _ in range(3)]
        lost = [number for number in range(got[-1]) if number not in got]
        assert got == sorted({*got})
        assert lost in ([], [1])
        made.stop()
        assert next(count) <= got[-1] + 1 + depth

    assert everywhere(functions_of(lookahead), run) > 1


def test_what_was_looked_at_comes_again_until_it_is_dropped():
    def run(interrupts: Interrupts, at: int) -> None:
        count = itertools.count()
        made = Lookahead(count.__next__, 2, "penstock-test")
        got = [made.look(0, 2)]
        with interrupts.striking(at):
            made.drop(1)
            made.look(1, 2)
        for number in range(1, 4):
            made.drop(number)
            got.append(made.look(number, 2))
        assert got == [0, 1, 2, 3]
        made.stop()

    assert everywhere(functions_of(lookahead), run) > 0


def test_an_interrupted_stop_may_be_called_again():
    def run(interrupts: Interrupts, at: int) -> None:
        made = Lookahead(itertools.count().__next__, 3, "penstock-test")
        with interrupts.striking(at):
            made.stop()
        made.stop()
        assert not made.thread.running

    assert everywhere([Lookahead.stop], run) > 2


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("files") / "class"
    root.mkdir()
    for number in range(7):
        (root / f"{number}.jpg").write_bytes(bytes([number]))
    return root.parent


def numbers(files: Any) -> list[int]:
    return [int(np.asarray(each)[0]) for each in files.tensors]


def read_on(read: Any, got: list[int], samples: int, compiled: bool = False) -> None:
    """Reads an epoch to its end, or until there are so many samples. In a compiled loop calls are made of them."""
    for files, _ in read.next_epoch(batch_size=2, compile=compiled):
        batch = numbers(files)
        got += batch
        assert not compiled or numbers(files + 1) == [number + 1 for number in batch]
        if len(got) >= samples:
            break


# The functions between the thread that reads and the program.
READING = [*functions_of(prefetch, lookahead), reader.Reader._iterate, reader.Reader._called, reader._result]
COMPILED = functions_of(steps_ahead, loop_step, run_ahead, program, loop)


@pytest.mark.filterwarnings("ignore:next_epoch")
@pytest.mark.parametrize("compiled", [False, True])
def test_a_reader_hands_out_every_batch(root, compiled):
    def run(interrupts: Interrupts, at: int) -> None:
        read, got = ndd.readers.File(file_root=root, prefetch_queue_depth=2), list[int]()
        for _ in range(2):
            read_on(read, got, 14, compiled)
        with interrupts.striking(at):
            read_on(read, got, 20, compiled)
        while len(got) < 30:
            read_on(read, got, 30, compiled)
        assert got == [number % 7 for number in range(len(got))]

    assert everywhere([*READING, *(COMPILED if compiled else ())], run) > 20


def test_calls_of_a_reader_get_every_batch(root):
    def run(interrupts: Interrupts, at: int) -> None:
        read = ndd.readers.File(file_root=root)
        got: list[int] = []
        got += numbers(read(batch_size=3)[0])
        with interrupts.striking(at):
            got += numbers(read(batch_size=3)[0])
        for _ in range(3):
            got += numbers(read(batch_size=3)[0])
        assert got == [number % 7 for number in range(len(got))]

    assert everywhere(READING, run) > 8


FEEDING = functions_of(items, external_source, steps_ahead, loop_step, run_ahead, program, loop)


def test_a_compiled_loop_over_a_source_gets_every_item():
    def run(interrupts: Interrupts, at: int) -> None:
        count = itertools.count()
        source = ndd.ExternalSource(lambda: np.int32([next(count)]))
        got: list[int] = []

        def loop_until(most: int) -> None:
            for each in source.captured(batch_size=1):
                number = int(np.asarray(each.tensors[0])[0])
                got.append(number)
                assert int(np.asarray((each * 2).tensors[0])[0]) == 2 * number
                if len(got) >= most:
                    break

        loop_until(4)
        with interrupts.striking(at):
            loop_until(8)
        loop_until(12)
        got.append(int(np.asarray(source())[0]))
        assert got == [*range(len(got))]
        assert not active.loops

    assert everywhere(FEEDING, run) > 40


RUNNING = [
    *functions_of(iterations, sources, feed_source, pipeline_source, callback, callback_source, run_ahead, program),
    *functions_of(plan, pipeline_plan, lowering, graph, stage, calls),
    *READING, Pipeline.run, Pipeline._taken, Pipeline._handed, Pipeline._run_ahead, Pipeline._schedule, Pipeline.reset,
    Pipeline._saved,
]  # fmt: skip


def pipeline_of_all_sources(root: Path, asynchronous: bool, checkpoint: Any = None) -> Any:
    """Every iteration gives a file, and numbers from a callback, an iterable of samples and a feed; epochs have 3."""
    count = itertools.count()

    def three() -> Iterator[Any]:
        yield from (np.int32([[number]]) for number in range(3))

    class Feeding(Pipeline):
        def iter_setup(self) -> None:
            number = self._iterations.following
            if not self._is_fed_for(number):
                self.feed_input("fed", [np.int32([number])])

    pipe = Feeding(1, 1, None, exec_async=asynchronous, enable_checkpointing=True, checkpoint=checkpoint)
    with pipe:
        file, _ = fn.readers.file(file_root=str(root), name="file")
        numbers = [
            fn.external_source(lambda: np.int32([[next(count)]])),
            fn.external_source(map(np.int32, itertools.count()), batch=False),
            fn.external_source(name="fed"),
            fn.external_source(three, cycle="raise"),
        ]
        pipe.set_outputs(file, numbers[0] + 0, *numbers[1:])
    return pipe


@pytest.mark.filterwarnings("ignore:Checkpointing enabled")
@pytest.mark.parametrize("asynchronous", [True, False])
def test_a_pipeline_hands_out_every_iteration(root, asynchronous):
    def run(interrupts: Interrupts, at: int) -> None:
        pipe = pipeline_of_all_sources(root, asynchronous)
        got: list[list[int]] = []

        def run_on(most: int) -> None:
            while len(got) < most:
                try:
                    outputs = pipe.run()
                except StopIteration:
                    pipe.reset()
                    continue
                got.append([int(np.ravel(each.at(0))[0]) for each in outputs])

        run_on(2)
        with interrupts.striking(at):
            run_on(4)
            pipe.checkpoint()
        again = pipeline_of_all_sources(root, asynchronous, pipe.checkpoint())
        assert int(np.ravel(again.run()[0].at(0))[0]) == len(got) % 7
        run_on(8)
        assert got == [[number % 7, number, number, number, number % 3] for number in range(len(got))]

    assert everywhere(RUNNING, run) > 100


def counted() -> Iterator[np.ndarray]:
    """Three items."""
    yield from (np.int32([number]) for number in range(3))


@pytest.mark.parametrize("cycle", ["no", "quiet", "raise"])
@pytest.mark.parametrize("source", [lambda: counted, lambda: [np.int32([number]) for number in range(3)]])
def test_calls_of_a_source_get_every_item_and_every_end(source, cycle):
    """Wherever our own functions are interrupted: before, at and behind the end of the source."""

    def run(interrupts: Interrupts, at: int) -> None:
        read, got = ndd.ExternalSource(source(), cycle=cycle), list[Any]()

        def call(times: int) -> None:
            for _ in range(times):
                try:
                    got.append(int(np.asarray(read())[0]))
                except StopIteration:
                    got.append("end")

        call(1)
        with interrupts.striking(at):
            call(4)
        call(9 - len(got))
        rounds = {"no": [0, 1, 2] + ["end"] * 6, "quiet": [0, 1, 2] * 3, "raise": [0, 1, 2, "end"] * 3}[cycle]
        assert got == rounds[:9]

    assert everywhere(functions_of(items, external_source, user_source), run) > 20


@pytest.mark.parametrize("mode", [ndd.EvalMode.eager, ndd.EvalMode.deferred])
def test_results_of_calls_are_all_there(mode):
    def run(interrupts: Interrupts, at: int) -> None:
        with mode:
            check(interrupts, at)

    def check(interrupts: Interrupts, at: int) -> None:
        start = ndd.batch(np.arange(6, dtype=np.int32).reshape(3, 2))
        doubled = start * 2
        both = [doubled + 1, doubled + 1, doubled - 1]
        results: list[Any] = []
        with interrupts.striking(at):
            results = [np.asarray(ndd.as_tensor(each)).tolist() for each in both]
        again = [np.asarray(ndd.as_tensor(each)).tolist() for each in both]
        assert again == [[[1, 3], [5, 7], [9, 11]]] * 2 + [[[-1, 1], [3, 5], [7, 9]]]
        assert results in ([], again)

    places = everywhere(functions_of(context, executor, invocation, lookahead, pending, planner), run)
    assert mode is ndd.EvalMode.eager or places > 15  # of eager calls the background thread may have run the most
