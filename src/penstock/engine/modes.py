"""Evaluation modes: when a call runs."""

from __future__ import annotations

import threading
from enum import Enum
from types import TracebackType


class EvalMode(Enum):
    """When operators run. Use a member as a context manager: ``with ndd.EvalMode.deferred: ...``

    deferred: when a result is consumed. eager: at once, in a background thread. sync_cpu, sync_full: before the call
    returns.
    """

    deferred = 1
    eager = 2
    sync_cpu = 3
    sync_full = 4
    default = 2  # noqa: PIE796

    def __enter__(self) -> None:
        _active.stack.append(self)

    def __exit__(
        self, exc_type: type[BaseException] | None, exc_value: BaseException | None, traceback: TracebackType | None
    ) -> None:
        _active.stack.pop()

    @staticmethod
    def current() -> EvalMode:
        """Returns the innermost active mode of this thread; eager where none is active."""
        return _active.stack[-1]


_SYNC_CPU, _SYNC_FULL = EvalMode.sync_cpu, EvalMode.sync_full


class _Active(threading.local):
    def __init__(self) -> None:
        self.stack = [EvalMode.eager]


_active = _Active()


def calls_wait() -> bool:
    """Whether calls of this thread run before they return (the sync modes)."""
    mode = _active.stack[-1]
    return mode is _SYNC_CPU or mode is _SYNC_FULL
