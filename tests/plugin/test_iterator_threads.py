"""Iterators leave no thread behind, wherever in an epoch they are dropped, reset or fail."""

from __future__ import annotations

import gc
import logging
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from penstock.plugin import jax as for_jax
from penstock.plugin import pytorch as for_torch
from penstock.plugin.jax import clu
from plugin.pipelines import counted, of_files, of_source

KINDS = {
    "torch": lambda pipeline, **options: for_torch.DALIGenericIterator(pipeline, ["number"], **options),
    "torch, ragged": lambda pipeline, **options: for_torch.DALIRaggedIterator(pipeline, ["number"], **options),
    "jax": lambda pipeline, **options: for_jax.DALIGenericIterator(pipeline, ["number"], **options),
    "jax, peekable": lambda pipeline, **options: clu.DALIGenericPeekableIterator(pipeline, ["number"], **options),
}
FAILURE = "no batch 2"


def numbers() -> Any:
    return of_source(lambda i: np.full((3, 1), i, np.int32))


def failing() -> Any:
    def source(iteration: int) -> Any:
        if iteration == 2:
            raise ValueError(FAILURE)
        return np.full((3, 1), iteration, np.int32)

    return of_source(source)


def run_dropped(make: Any) -> None:
    next(make(numbers(), size=30))


def run_unused(make: Any) -> None:
    make(numbers(), size=30)


def run_reset_inside_an_epoch(make: Any) -> None:
    batches = make(numbers(), size=30)
    next(batches)
    batches.reset()
    next(batches)


def run_to_the_end(make: Any) -> None:
    batches = make(of_source(counted(2), cycle="raise"), auto_reset=True)
    for _ in range(2):
        assert len([*batches]) == 2


def run_into_a_failure(make: Any) -> None:
    batches = make(failing(), size=30)
    for _ in range(2):
        next(batches)
    with pytest.raises(ValueError, match=FAILURE):
        next(batches)


def run_behind_a_failure(make: Any) -> None:
    batches = make(failing(), size=30)
    seen = []
    for _ in range(4):
        try:
            seen.append(int(np.ravel(_first(next(batches))["number"])[0]))
        except ValueError:
            seen.append(-1)
    assert seen == [0, 1, -1, 3]
    batches.reset()


def _first(batch: Any) -> Any:
    return batch[0] if isinstance(batch, list) else batch


RUNS = [
    run_dropped, run_unused, run_reset_inside_an_epoch, run_to_the_end, run_into_a_failure, run_behind_a_failure,
]  # fmt: skip


def left_behind(run: Callable[[], None]) -> list[threading.Thread]:
    """The threads that something has started and that do not end."""
    before = {*threading.enumerate()}
    started: set[threading.Thread] = set()
    start = threading.Thread.start

    def noted(thread: threading.Thread) -> None:
        if thread.name.startswith("penstock"):
            started.add(thread)
        start(thread)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(threading.Thread, "start", noted)
        run()
    assert started - before
    for thread in sorted(started, key=lambda each: each.name):  # pipelines go before the readers that they ask
        for _ in range(200):  # while a thread makes something, what it makes it from cannot be collected
            gc.collect()
            thread.join(timeout=0.1)
            if not thread.is_alive():
                break
    return [thread for thread in started if thread.is_alive()]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("run", RUNS)
def test_no_thread_is_left_behind(run: Any, kind: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.CRITICAL)
    assert left_behind(lambda: run(KINDS[kind])) == []


@pytest.mark.parametrize("kind", KINDS)
def test_no_thread_of_a_reader_is_left_behind(kind: str, tmp_path: Path) -> None:
    def run() -> None:
        def make(pipeline: Any, **options: Any) -> Any:
            names = ["number", "draw"]
            iterators = {
                "torch": for_torch.DALIGenericIterator,
                "torch, ragged": for_torch.DALIRaggedIterator,
                "jax": for_jax.DALIGenericIterator,
                "jax, peekable": clu.DALIGenericPeekableIterator,
            }
            return iterators[kind](pipeline, names, **options)

        batches = make(of_files(tmp_path), reader_name="files", auto_reset=True)
        assert len([*batches]) == 3
        next(iter(batches))

    assert left_behind(run) == []


def test_a_reader_that_fails_leaves_no_thread_behind(tmp_path: Path) -> None:
    def run() -> None:
        pipeline = of_files(tmp_path)
        pipeline.build()
        for file in tmp_path.rglob("*.*"):
            file.unlink()
        with pytest.raises(RuntimeError, match="No such file"):
            [pipeline.run() for _ in range(20)]  # some are read ahead

    assert left_behind(run) == []
