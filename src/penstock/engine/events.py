"""Events of the engine: one for every stage it has run. Without a listener a stage costs one test more."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from penstock.engine.explanation import Explanation


class Pass(NamedTuple):
    """So many calls of a stage, one after the other, that are carried out together.

    `way` is the name of a backend, "recovered" for a call that was made again without its bad samples, or "open"
    before there is the data that decides.
    """

    way: str
    calls: int


class StageRun(NamedTuple):
    """A stage that has run: its operators in order, how many samples went through them, how long it took, and how."""

    operators: tuple[str, ...]
    samples: int
    seconds: float
    passes: tuple[Pass, ...] = ()


class Explainable(Protocol):
    """A plan that runs again and again."""

    def explain(self) -> Explanation:
        """Its stages, and how they ran the last time."""
        ...


Listener = Callable[[StageRun], None]

# Called on the thread that ran the stage, so a listener may be called from several threads at once.
listeners: list[Listener] = []
# Told of every pipeline and compiled loop, by what it is and what it runs from now on.
watchers: list[Callable[[object, Explainable], None]] = []


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Hears every stage that any thread of the process runs inside the block."""
    listeners.append(listener)
    try:
        yield
    finally:
        listeners.remove(listener)


def tell(owner: object, plan: Explainable) -> None:
    for watcher in tuple(watchers):
        watcher(owner, plan)


def announce(event: StageRun) -> None:
    for listener in tuple(listeners):
        listener(event)
