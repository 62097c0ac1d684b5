"""Evaluation modes: when a call runs."""

from __future__ import annotations

import threading
from enum import Enum
from types import TracebackType


class EvalMode(Enum):
    """When operators run: a member is a context manager for the calls of this thread.

    - `eager`, the default: soon, in a background thread. Calls made within some 200 µs are planned together.
    - `deferred`: when a result is asked for, together with all that it needs; what nobody asks for never runs.
    - `sync_cpu`: before the call returns, so that an error is raised on the line of the call.
    - `sync_full`: as `sync_cpu`, and work on a GPU is waited for, too.

    Results are the same in every mode, random numbers included.

    Example:
        >>> with ndd.EvalMode.sync_cpu:  # to find the call that fails
        ...     images = ndd.decoders.image(jpegs)
        >>> ndd.EvalMode.current()
        <EvalMode.eager: 2>
    """

    deferred = 1
    eager = 2
    sync_cpu = 3
    sync_full = 4
    default = 2  # noqa: PIE796

    def __enter__(self) -> None:
        if self is EvalMode.sync_cpu or self is EvalMode.sync_full:
            sync_modes.add(self)
        active_modes.stack.append(self)

    def __exit__(
        self, exc_type: type[BaseException] | None, exc_value: BaseException | None, traceback: TracebackType | None
    ) -> None:
        active_modes.stack.pop()

    @staticmethod
    def current() -> EvalMode:
        """Returns the innermost active mode of this thread; eager where none is active."""
        return active_modes.stack[-1]


class ActiveModes(threading.local):
    """The evaluation modes that are active in this thread, the innermost last."""

    def __init__(self) -> None:
        self.stack = [EvalMode.eager]


active_modes = ActiveModes()

# The modes that have calls run before they return, of those that any thread has ever entered. While there are none,
# which is the usual case, calls of compiled loops need not ask for the mode of their thread.
sync_modes: set[EvalMode] = set()
