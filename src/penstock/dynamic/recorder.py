"""Who is told of the calls that a thread makes: a compiled loop, while one is running."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any, Protocol

from penstock.dynamic.value import Value
from penstock.engine.invocation import Invocation
from penstock.schema.operator import Operator


class Recorder(Protocol):
    """A loop that knows which calls its body makes."""

    def foreseen(self, op: Operator, inputs: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        """The results of a call that was made ahead, or None for one that must be made now."""
        ...

    def noted(self, call: Invocation, inputs: tuple[Any, ...], keywords: dict[str, Any]) -> Sequence[Value]:
        """The results of a call that is being made, as it was written."""
        ...


class Active(threading.local):
    """The loops that are running in this thread, the innermost last."""

    def __init__(self) -> None:
        self.loops: list[Recorder] = []


active = Active()
