"""Batches on their way from the processes of workers to that of the server."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from multiprocessing import connection
from typing import Any

from penstock.plugin.pytorch.experimental.proxy.references import Inputs, RunKey


class Requests:
    """A pipe that workers write to. They may have been started in any way.

    Not a `multiprocessing.Queue`: that is closed by the interpreter's exit before the server hears of it, and could not
    be told to stop then.
    """

    def __init__(self) -> None:
        context = multiprocessing.get_context("spawn")  # what it makes can be inherited by a fork as well
        self._reader, self._writer = context.Pipe(duplex=False)
        self._lock = context.Lock()
        self._stopped, self._stop = context.Pipe(duplex=False)

    def put(self, key: RunKey, inputs: Inputs | None) -> None:
        """Sends a batch; waits while the pipe is full."""
        with self._lock:
            self._writer.send((key, inputs))

    def put_behind(self, ended: frozenset[int]) -> None:
        """Says, behind all that these processes have sent, that they have ended: others may have their numbers."""
        with self._lock:
            self._writer.send((None, ended))

    def hand_on(self, take: Callable[[RunKey | None, Any], None]) -> None:
        """Hands on what comes, until `stop`. `take` does not wait, so that workers are never held up for long."""
        while True:
            ready = connection.wait([self._reader, self._stopped])
            if self._stopped in ready:
                self._stopped.recv()
                return
            take(*self._reader.recv())

    def stop(self) -> None:
        """Ends `hand_on`."""
        self._stop.send(None)
