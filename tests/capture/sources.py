"""Sources small enough to read thousands of times, and loops that read them, compiled and as they are written."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import penstock.dynamic as ndd
from capture.loops import Pictures, arrays, running_loops

Body = Callable[..., list[Any]]
SIZE = 3


def numbers(count: int = 60, cycle: str = "raise", filled_again: bool = True) -> ndd.ExternalSource:
    """Rows [k, -k], in one array that is filled again and again or in many."""
    row = np.zeros(2, np.float32)

    def rows() -> Iterator[Any]:
        for k in range(count):
            row[:] = k, -k
            yield row if filled_again else row.copy()

    return ndd.ExternalSource(rows, cycle=cycle)


def value(read: Any) -> float:
    """The k of a row, or of the first in a batch."""
    return float(arrays([read])[0].ravel()[0])


def loop(root: Any, compiled: bool) -> Iterator[Any]:
    """The batches of a reader, or of a source until it ends."""
    if isinstance(root, Pictures):
        yield from (pictures for pictures, _ in root.next_epoch(batch_size=SIZE, compile=compiled))
    elif compiled:
        yield from root.captured(SIZE)
    else:
        while True:
            try:
                batch = root(batch_size=SIZE)
            except StopIteration:
                return
            yield batch


def run(
    body: Body, compiled: bool, root: Any, sources: list[ndd.ExternalSource], count: int, stop_after: int | None
) -> list[Any]:
    """What `body(batch, sources, step)` makes in some epochs, and what the sources and the root give afterwards."""
    ndd.random.set_seed(5)
    made: list[Any] = []
    step = 0
    for _ in range(count):
        for in_epoch, batch in enumerate(loop(root, compiled)):
            made.append(arrays(body(batch, sources, step)))
            step += 1
            if in_epoch + 1 == stop_after:
                break
    left = [*sources, root] if isinstance(root, ndd.ExternalSource) else sources
    return [*made, [np.array(_next(source)) for source in left]]


def _next(source: ndd.ExternalSource) -> float:
    try:
        return value(source())
    except StopIteration:
        return np.inf


def check_fed(
    body: Body,
    root: Callable[[], Any] = Pictures,
    sources: Callable[[], list[ndd.ExternalSource]] = lambda: [numbers()],
    count: int = 2,
    stop_after: int | None = None,
) -> None:
    """A compiled loop reads what the loop as it is written does, and leaves the rest to whoever reads next."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        written = run(body, False, root(), sources(), count, stop_after)
        compiled = run(body, True, root(), sources(), count, stop_after)
    assert len(compiled) == len(written) > 1
    for one, other in zip(written, compiled, strict=True):
        for expected, got in zip(one, other, strict=True):
            np.testing.assert_array_equal(got, expected)
    assert running_loops() == []
