"""Readers and loops small enough to run hundreds of times."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any
from weakref import WeakSet

import numpy as np

import penstock.dynamic as ndd
from penstock._native import Samples
from penstock.dynamic.readers import Reader
from penstock.readers.core.order import Indices
from penstock.readers.core.sample_source import UnreadableError
from penstock.values.samples import from_arrays

Array = np.ndarray[Any, Any]
Body = Callable[..., list[Any]]

_of_other_tests: WeakSet[threading.Thread] = WeakSet()


class Pictures(Reader):
    """Pictures of 5 x 4 made of their own numbers, and the numbers; those in `bad` cannot be read."""

    def __init__(self, size: int = 12, bad: frozenset[int] = frozenset(), **options: Any) -> None:
        super().__init__(**options)
        self.pictures = _Source(size, bad)

    def _open_source(self) -> _Source:
        return self.pictures


class _Source:
    def __init__(self, size: int, bad: frozenset[int]) -> None:
        self.size, self.bad = size, bad

    def __len__(self) -> int:
        return self.size

    def read(self, indices: Indices) -> tuple[Samples, ...]:
        failed = {at: "hole" for at, index in enumerate(indices) if int(index) in self.bad}
        if failed:
            raise UnreadableError(failed)
        pictures = from_arrays([_picture(int(index)) for index in indices])
        pictures.layout = "HWC"
        return pictures, Samples.wrap(indices.astype(np.int32))


def _picture(index: int) -> Array:
    return (np.arange(60, dtype=np.uint8).reshape(5, 4, 3) * 3 + index).astype(np.uint8)


def arrays(results: list[Any]) -> list[Array]:
    return [np.array(ndd.as_tensor(result)) for result in results]


def epochs(body: Body, count: int = 2, stop_after: int | None = None, seed: int = 5, **options: Any) -> list[Any]:
    """What a loop's body makes of every step of some epochs; `body(pictures, numbers, step)`."""
    ndd.random.set_seed(seed)
    looping = {name: options.pop(name) for name in ("compile", "capture", "strict") if name in options}
    batch_size = options.pop("batch_size", 3)
    reader = Pictures(**options)
    made, step = [], 0
    for _ in range(count):
        for in_epoch, (pictures, numbers) in enumerate(reader.next_epoch(batch_size=batch_size, **looping)):
            made.append(arrays(body(pictures, numbers, step)))
            step += 1
            if in_epoch + 1 == stop_after:
                break
    return made


def check_compiled(body: Body, **options: Any) -> None:
    """A compiled loop gives what the loop gives as it is written, and leaves no thread behind."""
    written = epochs(body, **options)
    compiled = epochs(body, compile=True, **options)
    assert len(compiled) == len(written) > 0
    for one, other in zip(written, compiled, strict=True):
        for expected, got in zip(one, other, strict=True):
            np.testing.assert_array_equal(got, expected)
    assert running_loops() == []


def running_loops() -> list[str]:
    """The threads that make steps ahead of the test's loops, but for those that come to their end."""
    threads = [thread for thread in _threads_of_loops() if thread not in _of_other_tests]
    for thread in threads:
        thread.join(timeout=60)
    return [thread.name for thread in threads if thread.is_alive()]


def leave_out_running_loops() -> None:
    """Loops of other tests may run until garbage is collected, and are no concern of the next one."""
    _of_other_tests.update(_threads_of_loops())


def _threads_of_loops() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "penstock-compiled"]
