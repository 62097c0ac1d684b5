"""What the engine tells those who listen: one event for every stage it has run. Nobody listening costs one test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple


class StageRun(NamedTuple):
    """A stage that has run: its operators in order, how many samples went through them, how long it took."""

    operators: tuple[str, ...]
    samples: int
    seconds: float


Listener = Callable[[StageRun], None]

# Called on the thread that ran the stage, so a listener may be called from several threads at once.
listeners: list[Listener] = []


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Hears every stage that any thread of the process runs inside the block."""
    listeners.append(listener)
    try:
        yield
    finally:
        listeners.remove(listener)


def announce(event: StageRun) -> None:
    for listener in tuple(listeners):
        listener(event)
