"""Working ahead: a background thread that keeps a few things ready.

What is made has a number and stays in its place until whoever takes it has noted down that it is taken. An interrupt
comes with a call: before the note nothing has changed, and the next call takes the same thing; behind the note no call
follows before the thing is returned. All that comes before the note may be done twice. Thus nothing is lost, handed out
twice or waited for in vain, wherever a call was interrupted.

While the thread waits it holds nothing of all this. So it ends with its owner even where an error that it has met keeps
the program's frames, and they the owner.
"""

from __future__ import annotations

import threading
import weakref
from collections import defaultdict, deque
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any, Final, Generic, NamedTuple, TypeVar

from penstock.engine.background import BackgroundThread, is_exiting

Made = TypeVar("Made")


class Ahead(Generic[Made]):
    """What `make` returns, call after call, `depth` of them made before they are asked for, numbered from `first` on.

    What `make` raises is raised to whoever takes what should have been made. Dropping this object ends the thread; so
    does `stop`, which hands over what has been made.
    """

    def __init__(self, make: Callable[[], Made], depth: int, name: str, first: int = 0) -> None:
        self._ready: _Ready[Made] = _Ready(make)
        self._thread = _Worker(self._ready, name, first)
        self._counts = first, first + depth  # the number that is taken next, and that of the first nobody asked for
        self._dropped = first  # those below are
        self._maker: int | None = None  # the thread that makes something instead of ours
        self._let_go = weakref.finalize(self, self._thread.stop)
        self._thread.ask_for(first + depth)
        self._thread.start()

    @property
    def alive(self) -> bool:
        """A forked child inherits no threads."""
        return self._thread.is_alive()

    def take(self) -> Made:
        """The next one, in whose place another is made.

        That one is asked for before this one is there, so that the thread goes on while this one changes hands.
        """
        return self._take(1)

    def take_last(self) -> Made:
        """The next one, in whose place nothing is made."""
        return self._take(0)

    def _take(self, more: int) -> Made:
        worker, ready = self._thread, self._ready
        while True:
            counts = self._counts
            number, end = counts
            end = max(end + more, number + 1)
            worker.ask_for(end)
            made: Any = worker.wait_for(number, ready)
            failed = isinstance(made, _Failure)
            if made is not _GONE and self._counts is counts:  # else another thread has taken it meanwhile
                self._counts = number + 1, end  # the note: behind it there is no call
                del ready[number]
                if failed:
                    raise made.error
                return made  # type: ignore[no-any-return]

    def take_or_make(self) -> Made:
        """As `take`; but what the thread has not begun with is made here and now, instead of being waited for."""
        worker, ready, number = self._thread, self._ready, self._counts[0]
        if number not in ready:
            me = threading.get_ident()
            try:
                if worker.turn.setdefault(_NEXT, me) == me and number not in ready:
                    self._maker = me
                    ready[number]  # the dict calls `make` and stores what it returns, with nothing to interrupt between
            finally:
                self._maker = None
                worker.pass_on(me)
        return self._take(1)

    @property
    def is_making(self) -> bool:
        """Whether the calling thread is in the middle of making something itself: it cannot stop this now."""
        return self._maker == threading.get_ident()

    def request(self) -> None:
        """Has one more made."""
        taken, end = self._counts
        self._counts = taken, end + 1
        self._thread.ask_for(end + 1)

    def ask_for(self, end: int) -> None:
        """Has all made whose numbers are below `end`."""
        self._thread.ask_for(end)

    def look(self, number: int, depth: int) -> Made | None:
        """The one with that number, and behind it so many more are made; it stays until it is dropped.

        It is for whoever notes down the number of the next one together with something else. None where another thread
        has dropped it.
        """
        self._thread.ask_for(number + 1 + depth)
        made = self._thread.wait_for(number, self._ready)
        if isinstance(made, _Failure):
            raise made.error
        return None if made is _GONE else made  # type: ignore[return-value]

    def drop(self, before: int) -> None:
        """Lets go of those with lower numbers."""
        while self._dropped < before:
            self._ready.pop(self._dropped, None)
            self._dropped += 1

    def stop(self) -> list[Made]:
        """Ends the thread; what it has made and nobody has taken, in order."""
        worker = self._thread
        worker.stop()
        worker.join()
        left = [self._ready[number] for number in sorted(self._ready) if number >= self._counts[0]]
        kept = [made for made in left if not isinstance(made, _Failure)]
        empty: _Ready[Made] = _Ready()
        self._ready = empty  # the note
        return kept


class _Failure(NamedTuple):
    error: BaseException


class _Ready(defaultdict[int, "Made | _Failure"], Generic[Made]):
    """What has been made, by number. It can be referred to weakly."""

    __slots__ = ("__weakref__",)


_GONE: Final = object()
_NEXT: Final = "next"


class _Worker(BackgroundThread, Generic[Made]):
    """Makes things up to the number that was asked for.

    Dicts, simple queues and locks may be used from finalizers and are whole whenever a call of them is interrupted;
    conditions are not.
    """

    def __init__(self, ready: _Ready[Made], name: str, first: int) -> None:
        super().__init__(name)
        self._ready = weakref.ref(ready)
        self.next = first  # the number of what is made next
        self.end = first  # things are made up to here
        self.turn: dict[str, int] = {}  # the thread that makes the next one; by its name, so that it knows its own turn
        self.requests: SimpleQueue[bool] = SimpleQueue()  # wakes this thread, in vain at times
        self._waiting: deque[threading.Lock] = deque()  # released when there is something new
        self._stopping = False
        self._ended = False

    def ask_for(self, end: int) -> None:
        if self.end < end:
            self.end = end
        if self.next < end:
            self.requests.put(True)

    def wait_for(self, number: int, ready: _Ready[Made]) -> Made | _Failure | object:
        """What has that number, which must have been asked for; `_GONE` where another thread has taken it."""
        while True:
            made = ready.get(number, _GONE)
            if made is not _GONE:
                if self.next <= number:  # it was made elsewhere
                    self.next = number + 1
                return made
            if number < self.next:
                return ready.get(number, _GONE)
            self.pass_on(threading.get_ident())  # a turn that was kept by a call that was interrupted
            waiting = threading.Lock()
            waiting.acquire()
            self._waiting.append(waiting)
            if number in ready:
                continue
            if self._ended and not is_exiting():
                raise RuntimeError(f"{self.name} was stopped while something was still wanted of it")
            waiting.acquire()

    def pass_on(self, me: int) -> None:
        """Ends the turn of a thread, if it is its turn."""
        if self.turn.get(_NEXT) == me:
            self.turn.clear()
            self.requests.put(True)
            self._wake()

    def work(self) -> None:
        me = threading.get_ident()
        try:
            while self.requests.get() and not self._stopping:
                while self.next < self.end and not self._stopping and self.turn.setdefault(_NEXT, me) == me:
                    self._make_next()
                    self.turn.clear()
        finally:
            self._ended = True
            self._wake()

    def _make_next(self) -> None:
        ready = self._ready()
        if ready is None:  # nobody is there to take anything
            self._stopping = True
            return
        if self.next in ready:  # it was made elsewhere
            self.next += 1
            return
        made: Made | _Failure
        make = ready.default_factory
        assert make is not None
        try:
            made = make()
        except BaseException as error:  # the one who waits for it is told, and does not wait for ever
            made = _Failure(error)
        ready[self.next] = made
        self.next += 1
        self._wake()

    def _wake(self) -> None:
        while self._waiting:
            try:
                self._waiting.popleft().release()
            except IndexError:  # another thread was faster
                return

    def stop(self) -> None:
        self._stopping = True
        self.requests.put(False)
