"""Prefetching that is safe to interrupt: a background thread makes results before they are asked for.

Results have numbers and are kept until the consumer has recorded, by one assignment, that it has taken them. CPython
raises an interrupt such as KeyboardInterrupt only at calls and at the end of loop iterations. One that comes before the
assignment has changed nothing, and the next attempt takes the same result; after the assignment no call follows before
the result is returned. All that happens before the assignment may be repeated. So wherever the consumer is interrupted,
no result is lost or handed out twice, and nobody waits for a result that will not come.

While the thread waits it refers to no results. Otherwise an exception among them, whose traceback refers to the frames
of the program, would keep the owner of the thread alive, and the thread would never end.
"""

from __future__ import annotations

import threading
import time
import weakref
from collections import defaultdict, deque
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import get_ident
from typing import Any, Final, Generic, NamedTuple, TypeVar

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
        get_memory_limit()  # raises for a wrong one here, not in the thread
        self._ready: _Ready[Made] = _Ready(make)
        self.thread = _Worker(self._ready, name, first)
        self._next = first  # the number of the result that `take_or_make` takes next
        self._dropped = first  # results with lower numbers are dropped
        self._maker: int | None = None  # the consumer's thread, while it makes a result itself
        self._let_go = weakref.finalize(self, self.thread.stop)
        self.thread.ask_for(first + depth)
        self.thread.start()

    def ask_for(self, end: int) -> None:
        """Has the thread make all results with numbers below `end`."""
        self.thread.ask_for(end)

    def look(self, number: int, depth: int) -> Made | None:
        """Waits for the result with that number, without taking it, and has the `depth` results after it made.

        The result stays until `drop`. This is for consumers that record the number of the next result together with
        other state, in an assignment of their own. Returns None where another thread has dropped it.
        """
        take = self.thread.begin_take(number, depth, self._ready) if queue_listeners else None
        self.thread.ask_for(number + 1 + depth)
        made = self.thread.wait_for(number, self._ready)
        if take is not None:
            self.thread.announce(take, number)
        if isinstance(made, _Failure):
            raise made.error
        return None if made is _GONE else made  # type: ignore[return-value]

    def drop(self, before: int) -> None:
        """Drops the results with lower numbers."""
        dropped = self._dropped  # another thread may be here, too: to drop a result twice does no harm
        while dropped < before:
            self._ready.pop(dropped, None)
            if self.thread.made_at:
                self.thread.made_at.pop(dropped, None)
            self._dropped = dropped = dropped + 1

    def take_or_make(self, depth: int) -> Made:
        """Takes the next result, and has the `depth` results after it made.

        A result that the thread has not begun is made by the calling thread, which would otherwise only wait. Not to be
        mixed with `look` and `drop`.
        """
        worker, ready = self.thread, self._ready
        while True:
            number = self._next
            take = worker.begin_take(number, depth, ready) if queue_listeners else None
            if number not in ready:
                self._make_here(number)
            worker.ask_for(number + 1 + depth)
            made: Any = ready.get(number, _GONE)
            if made is _GONE or worker.next <= number:
                made = worker.wait_for(number, ready)
            failed = type(made) is _Failure
            if take is not None:
                worker.announce(take, number)
            if made is not _GONE:
                try:
                    del ready[number]  # takes it; no call may follow, see the module
                except KeyError:  # another thread has taken it meanwhile
                    continue
                self._next = number + 1
                if failed:
                    raise made.error
                return made  # type: ignore[no-any-return]

    def _make_here(self, number: int) -> None:
        """Makes a result in the calling thread, unless another thread is making it. Raises what `make` raises."""
        worker, me = self.thread, get_ident()
        if worker.turn.setdefault(_NEXT, me) != me:
            return
        try:
            if worker.next <= number:
                self._maker = me
                self._ready[number]  # the defaultdict calls `make` and stores the result: no interrupt comes between
                worker.next = number + 1
        finally:
            self._maker = None
            worker.end_turn()

    @property
    def is_making(self) -> bool:
        """Whether the calling thread is inside of `make` for this object, so that it cannot stop it."""
        return self._maker == get_ident()

    def stop(self) -> None:
        """Ends the thread, waits for that, and drops all results."""
        self.thread.stop()
        self.thread.join()
        self._let_go.detach()
        self._ready.clear()


class _Failure(NamedTuple):
    error: BaseException


class _Ready(defaultdict[int, "Made | _Failure"], Generic[Made]):
    """The results that have been made, by number; the thread refers to it weakly."""

    __slots__ = ("__weakref__",)


_GONE: Final = object()
_NEXT: Final = "next"


class _Worker(BackgroundThread, Generic[Made]):
    """The thread that makes results up to the number that was asked for.

    It uses dicts, simple queues and locks, whose operations are atomic and may be called from finalizers. Conditions
    are neither.
    """

    def __init__(self, ready: _Ready[Made], name: str, first: int) -> None:
        super().__init__(name)
        self._ready = weakref.ref(ready)
        self.next = first  # the number of the result that is made next
        self.end = first  # results with numbers below this are wanted
        self.awaited = first  # somebody waits for those below: they are made whatever memory is left
        self._cost = 0  # bytes that a result takes, where memory is limited
        self._throttled = False  # the thread waits for memory
        # A lock on making the next result, taken by `setdefault`. Its value is the owner's id, so that a thread
        # recognises a lock that it kept when it was interrupted.
        self.turn: dict[str, int] = {}
        self._looks = 0  # how many times the thread has looked for work
        self._woken = 0  # the look during which the thread was last woken: it need not be woken twice for one look
        self._requests: SimpleQueue[bool] = SimpleQueue()  # wakes the thread, which may find nothing to do
        self._waiting: deque[threading.Lock] = deque()  # the locks of waiting consumers, released on every new result
        self._stopping = False
        self._ended = False
        self.made_at: dict[int, float] = {}  # while somebody listens: when the results that are ready were made

    def begin_take(self, number: int, depth: int, ready: _Ready[Made]) -> QueueTake:
        """Returns the event of a consumer that comes now, to be completed by `announce`."""
        counted = sum(each >= number for each in [*ready])
        now = time.perf_counter()
        made_at = self.made_at.get(number)
        idle = 0.0 if made_at is None else now - made_at
        maker = self.native_id or 0
        return QueueTake(self.name, counted, depth + 1, 0.0, idle, now, maker, threading.get_native_id())

    def announce(self, take: QueueTake, number: int) -> None:
        """Announces that the consumer has got the result."""
        self.made_at.pop(number, None)
        announce(take._replace(waited=time.perf_counter() - take.at))

    def ask_for(self, end: int) -> None:
        if self.end < end:
            self.end = end
        look = self._looks
        if self.next < end and self._woken != look:  # as `_wake_thread`, without a call: every batch comes by here
            self._requests.put(True)
            self._woken = look

    def _wake_thread(self) -> None:
        """Has the thread look for work again; at most once for each look, since waking a thread is expensive."""
        look = self._looks
        if self._woken != look:
            self._requests.put(True)
            self._woken = look

    def wait_for(self, number: int, ready: _Ready[Made]) -> Made | _Failure | object:
        """Waits for the result with that number, which must have been asked for; `_GONE` if another thread took it."""
        while True:
            made = ready.get(number, _GONE)
            if made is not _GONE:
                if self.next <= number:  # a consumer made it and was interrupted before it counted it
                    self.next = number + 1
                return made
            if number < self.next:
                return ready.get(number, _GONE)
            if self.turn.get(_NEXT) == get_ident():  # an interrupt kept this thread from releasing it
                self.end_turn()
            if self.awaited <= number:
                self.awaited = number + 1
                if self._throttled:
                    self._requests.put(True)
            waiting = threading.Lock()
            waiting.acquire()
            self._waiting.append(waiting)
            if number in ready:
                continue
            if self._ended and not is_exiting():
                raise RuntimeError(f"{self.name} was stopped while something was still wanted of it")
            waiting.acquire()

    def end_turn(self) -> None:
        """Releases the lock on making the next result; called by the thread that holds it."""
        self.turn.clear()
        if self.next < self.end and self._woken != self._looks:
            self._wake_thread()
        if self._waiting:
            self._wake_consumers()

    def work(self) -> None:
        me = get_ident()
        try:
            while not self._stopping:
                self._looks += 1  # before looking, so that a request during the look wakes the thread again
                if self.next >= self.end:
                    self._requests.get()
                elif not (limited := get_memory_limit() is not None) or self.next < self.awaited:
                    if not self._make_in_turn(me, limited):
                        self._requests.get()
                else:
                    with room_for(self._cost) as fits:
                        made = fits and self._make_in_turn(me, limited)
                    if not fits:
                        self._throttled = True
                        with suppress(Empty):
                            self._requests.get(timeout=_LOOK_SECONDS)
                        self._throttled = False
                    elif not made:
                        self._requests.get()
        finally:
            self._ended = True
            self._wake_consumers()

    def _make_in_turn(self, me: int, limited: bool) -> bool:
        """Makes the next result; returns False where a consumer is making it."""
        if self.turn.setdefault(_NEXT, me) != me:
            return False
        self._make_next(limited)
        self.turn.clear()
        return True

    def _make_next(self, limited: bool) -> None:
        """Makes one result. Does not refer to the others meanwhile: an exception among them may refer to the owner."""
        ready, number = self._ready(), self.next
        make = None if ready is None or number in ready else ready.default_factory
        if make is not None:  # else a consumer made it and was interrupted before it counted it
            before = live_bytes() if limited else 0
            ready, made = None, _made(make)
            if limited:
                self._cost = max(int(self._cost * _COST_KEPT), live_bytes() - before)
            ready = self._ready()
            if ready is not None:
                ready[number] = made
                if queue_listeners:
                    self.made_at[number] = time.perf_counter()
        if ready is None:  # the owner is gone
            self._stopping = True
            return
        self.next = number + 1
        self._wake_consumers()

    def _wake_consumers(self) -> None:
        while self._waiting:
            try:
                self._waiting.popleft().release()
            except IndexError:  # another thread was faster
                return

    def stop(self) -> None:
        self._stopping = True
        self._requests.put(True)


def _made(make: Callable[[], Made]) -> Made | _Failure:
    """Calls `make`; an exception of any kind becomes the result, so that the consumer does not wait forever."""
    try:
        return make()
    except BaseException as error:
        return _Failure(error)
