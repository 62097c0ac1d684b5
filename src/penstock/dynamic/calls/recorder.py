"""The recorder of a thread's operator calls: the innermost compiled loop that the thread is running."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol

from penstock.dynamic.values.value import Value
from penstock.engine.invocation import Invocation
from penstock.engine.source_lease import LeaseHolder
from penstock.schema.operator import Operator

if TYPE_CHECKING:
    from penstock.dynamic.sources.items import Read
    from penstock.engine.hand_over import Handed


class Recorder(LeaseHolder, Protocol):
    """A compiled loop, which is told of the calls and reads of its body."""

    @property
    def next_call(self) -> Callable[[Operator, tuple[Any, ...], dict[str, Any]], Any]:
        """Returns the results of the call that the loop's plan has next; None for any other call."""
        ...

    def foreseen(self, op: Operator, inputs: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        """Returns the results of a call that the plan has at another place; None for one that must be made now."""
        ...

    def noted(self, call: Invocation, inputs: tuple[Any, ...], keywords: dict[str, Any]) -> Sequence[Value]:
        """Traces a call that is being made, with the inputs and keywords as the program gave them; returns results."""
        ...

    def read(self, read: Read) -> Handed:
        """Returns the next item of a source that the body reads."""
        ...


class Active(threading.local):
    """The loops that are running in this thread, the innermost last; None while a source is called for a loop."""

    def __init__(self) -> None:
        self.loops: list[Recorder | None] = []

    def leave_body(self) -> None:
        """Has the innermost loop hear of no calls until its next step."""
        self.loops = self.loops[:-1]


active = Active()


@contextmanager
def unrecorded() -> Iterator[None]:
    """Calls in this block are no part of the body of the loop that is running."""
    loops = active.loops
    try:
        active.loops = [*loops, None]
        yield
    finally:
        active.loops = loops
