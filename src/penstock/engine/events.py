"""Events of the engine: one for every stage it has run. Without listeners they cost one test per stage."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from penstock.engine.explanation import Explanation


class Pass(NamedTuple):
    """A number of consecutive calls of a stage that are carried out together.

    `way` is the name of a backend, "recovered" for a call that was run again without its bad samples, or "open" where
    the choice depends on data that does not exist yet.
    """

    way: str
    calls: int


class StageRun(NamedTuple):
    """A stage that has run: its operators in order, the number of samples, the seconds it took, and its passes."""

    operators: tuple[str, ...]
    samples: int
    seconds: float
    passes: tuple[Pass, ...] = ()


class Explainable(Protocol):
    """A plan that is run again and again."""

    def explain(self) -> Explanation:
        """Returns its stages, and how they ran the last time."""
        ...


Listener = Callable[[StageRun], None]

# Called on the thread that ran the stage, so a listener may be called from several threads at once.
listeners: list[Listener] = []
# Called for every pipeline and compiled loop with the object itself and the plan that it runs from now on.
watchers: list[Callable[[object, Explainable], None]] = []


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Calls a listener for every stage that any thread of the process runs inside the block."""
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
