"""Who is told of the calls that a thread makes: a compiled loop, while one is running."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from penstock.dynamic.value import Value
from penstock.engine.invocation import Invocation
from penstock.engine.source_lease import LeaseHolder
from penstock.schema.operator import Operator

if TYPE_CHECKING:
    from penstock.dynamic.items import Read
    from penstock.engine.hand_over import Handed


class Recorder(LeaseHolder, Protocol):
    """A loop that knows which calls its body makes."""

    def foreseen(self, op: Operator, inputs: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        """The results of a call that was made ahead, or None for one that must be made now."""
        ...

    def noted(self, call: Invocation, inputs: tuple[Any, ...], keywords: dict[str, Any]) -> Sequence[Value]:
        """The results of a call that is being made, as it was written."""
        ...

    def read(self, read: Read) -> Handed:
        """The next item of a source."""
        ...


class Active(threading.local):
    """The loops that are running in this thread, the innermost last; None for calls that belong to no loop."""

    def __init__(self) -> None:
        self.loops: list[Recorder | None] = []


active = Active()
