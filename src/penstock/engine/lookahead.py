"""Prefetching that is safe to interrupt: a background thread makes results before they are asked for.

Results have numbers and are kept until the consumer has recorded, by one assignment, that it has taken them. CPython
raises an interrupt such as KeyboardInterrupt only at calls and at the end of loop iterations. One that comes before the
assignment has changed nothing, and the next attempt takes the same result; after the assignment no call follows before
the result is returned. All that happens before the assignment may be repeated. So wherever the consumer is interrupted,
no result is lost or handed out twice, and nobody waits for a result that will not come.

The queue itself is native: consumers and the thread wait in it without the interpreter lock, and every batch of a loop
goes through two or three of them.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar

from penstock._native import QueueWorker, ResultQueue, limit_memory_ahead
from penstock.engine.background import BackgroundThread, is_exiting
from penstock.engine.events import QueueTake, announce, queue_listeners
from penstock.engine.memory_budget import get_memory_limit, live_bytes, room_for

Made = TypeVar("Made")

# Memory is given back by whoever drops the last batch, who tells nobody: a thread without room looks again so often.
_LOOK_SECONDS = 0.005

# How much of the largest cost so far counts for the next result. What other threads make meanwhile is taken for a part
# of it: one such result must not have the thread wait for the rest of the loop.
_COST_KEPT = 0.75


class Lookahead(Generic[Made]):
    """The results of calling `make` again and again, numbered from `first` on, `depth` of them made ahead.

    What `make` raises is raised to the consumer of that result. The thread ends when this object is garbage collected
    or stopped.
    """

    def __init__(self, make: Callable[[], Made], depth: int, name: str, first: int = 0) -> None:
        limit_memory_ahead(get_memory_limit() is not None)  # raises for a wrong limit here, not in the thread
        self._queue = queue = ResultQueue(make, first, is_exiting, name)
        self.thread = _Worker(queue.worker, name)
        # Methods of the queue, without a call of ours in between: the first has all results with lower numbers made,
        # the second drops those with lower numbers, the others are `look` and `take_or_make` where
        # nobody listens to queues.
        self.ask_for: Callable[[int], None] = queue.ask_for
        self.drop: Callable[[int], None] = queue.drop
        self.look_unheard: Callable[[int, int], Made | None] = queue.look
        self.take_unheard: Callable[[int], Made] = queue.take_or_make
        queue.ask_for(first + depth)
        self.thread.start()

    def look(self, number: int, depth: int = 0) -> Made | None:
        """Waits for the result with that number, without taking it, and has the `depth` results after it made.

        The result stays until `drop`. This is for consumers that record the number of the next result together with
        other state, in an assignment of their own. Returns None where another thread has dropped it.
        """
        if not queue_listeners:
            return self._queue.look(number, depth)  # type: ignore[no-any-return]
        return self._announced(self._queue.look, number, depth)

    def look_or_make(self, number: int, depth: int = 0) -> Made | None:
        """As `look`, but a result that the thread has not begun is made by the calling thread.

        What `make` raises there is raised here, and the thread makes that result the next time.
        """
        if not queue_listeners:
            return self._queue.look_or_make(number, depth)  # type: ignore[no-any-return]
        return self._announced(self._queue.look_or_make, number, depth)

    def take_or_make(self, depth: int) -> Made:
        """Takes the next result, and has the `depth` results after it made. Not to be mixed with `look` and `drop`.

        A result that the thread has not begun is made by the calling thread, which would otherwise only wait. This is
        for consumers that start over after an interrupt: one that comes right behind the call loses the result.
        """
        if not queue_listeners:
            return self.take_unheard(depth)
        take = self._begin_take(self._queue.first, depth)
        try:
            return self.take_unheard(depth)
        finally:
            _announce(take)

    def _announced(self, look: Callable[[int, int], Made | None], number: int, depth: int) -> Made | None:
        """Announces how long looking at a result takes."""
        take = self._begin_take(number, depth)
        try:
            return look(number, depth)
        finally:
            _announce(take)

    def _begin_take(self, number: int, depth: int) -> QueueTake:
        """Returns the event of a consumer that comes now, to be completed by `_announce`."""
        now, made_at = time.perf_counter(), self._queue.made_at(number)
        idle = 0.0 if made_at is None else now - made_at
        maker, ready = self.thread.native_id or 0, self._queue.count_from(number)
        return QueueTake(self.thread.name, ready, depth + 1, 0.0, idle, now, maker, threading.get_native_id())

    @property
    def is_making(self) -> bool:
        """Whether the calling thread is inside of `make` for this object, so that it cannot stop it."""
        return self._queue.is_making

    def stop(self) -> None:
        """Ends the thread, waits for that, and drops all results."""
        self.thread.stop()
        self.thread.join()
        self._queue.clear()


def _announce(take: QueueTake) -> None:
    """Announces that the consumer has got the result."""
    announce(take._replace(waited=time.perf_counter() - take.at))


class _Worker(BackgroundThread):
    """The thread that makes results up to the number that was asked for."""

    def __init__(self, queue: QueueWorker, name: str) -> None:
        super().__init__(name)
        self._queue = queue
        self._cost = 0  # bytes that a result takes, where memory is limited

    def work(self) -> None:
        queue = self._queue
        try:
            while queue.work():  # returns only where memory is limited, or to end
                if queue.is_awaited:
                    self._make_next()
                    continue
                with room_for(self._cost) as fits:
                    if fits:
                        self._make_next()
                if not fits:
                    queue.sleep(_LOOK_SECONDS)
        finally:
            queue.end()

    def _make_next(self) -> None:
        """Makes a result and notes how much memory it takes."""
        before = live_bytes()
        self._queue.make_next()
        self._cost = max(int(self._cost * _COST_KEPT), live_bytes() - before)

    def stop(self) -> None:
        self._queue.stop()
