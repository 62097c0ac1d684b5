"""`Request`: a call to a server that can time out or be abandoned by its waiter."""

from __future__ import annotations

import asyncio
import math
import threading
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import CancelledError, Future
from typing import Any, TypeVar

T = TypeVar("T")


class Request:
    """Work for a `DaemonExecutor`: a function that waits for a server, and gets this object to wait with.

    The waiter may abandon it at any time. The function then fails in `sleep` or `wait_for`, and its result is dropped.
    """

    def __init__(
        self, url: str, ask: Callable[[Request], Any], total: float | None, finished: Callable[[], None]
    ) -> None:
        self.url = url
        self.outcome: Any = RuntimeError(f"{url}: not asked for")
        self._ask = ask
        self._total = math.inf if total is None else total
        self._began: float | None = None
        self._finished = finished
        self._lock = threading.Lock()
        self._over = False
        self._given_up = threading.Lock()  # held until it is abandoned
        self._given_up.acquire()
        self._answer: Future[Any] | None = None

    def run(self) -> None:
        self._began = time.monotonic()
        try:
            outcome = self._ask(self)
        except Exception as error:
            outcome = error
        except BaseException as error:
            outcome = RuntimeError(f"{self.url}: {error!r}")
        self._end(outcome)

    def abandon(self, why: str, error: type[BaseException]) -> None:
        if self._end(error(f"{self.url}: {why}")):
            self._given_up.release()
            if self._answer is not None:
                self._answer.cancel()

    @property
    def overdue(self) -> float:
        """Seconds past the deadline; negative before it."""
        return -math.inf if self._began is None else time.monotonic() - self._began - self._total

    def sleep(self, seconds: float) -> None:
        """Waits before a retry; raises RuntimeError if the request has been abandoned."""
        if self._over or self._given_up.acquire(timeout=max(0.0, min(seconds, -self.overdue))):
            raise RuntimeError(f"{self.url}: given up")

    def wait_for(self, answer: Coroutine[Any, Any, T], loop: asyncio.AbstractEventLoop) -> T:
        """Runs a coroutine on a loop; it is cancelled at the deadline, or when the request is abandoned."""
        limit = None if math.isinf(self._total) else max(0.0, -self.overdue)
        task = asyncio.run_coroutine_threadsafe(asyncio.wait_for(answer, limit), loop)
        self._answer = task
        if self._over:  # abandoned before `_answer` was set
            task.cancel()
        try:
            return task.result()
        except CancelledError:
            raise RuntimeError(f"{self.url}: given up") from None

    def _end(self, outcome: Any) -> bool:
        """Sets the outcome unless there is one; returns whether it did."""
        with self._lock:
            if self._over:
                return False
            self.outcome, self._over = outcome, True
        self._finished()
        return True
