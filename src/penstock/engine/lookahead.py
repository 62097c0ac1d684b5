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


class Lookahead(Generic[Made]):
    """What `make` returns, call after call, `depth` of them made before they are asked for, numbered from `first` on.

    What `make` raises is raised to whoever takes what should have been made. Dropping this object ends the thread; so
    does `stop`.
    """

    def __init__(self, make: Callable[[], Made], depth: int, name: str, first: int = 0) -> None:
        self._ready: _Ready[Made] = _Ready(make)
        self._thread = _Worker(self._ready, name, first)
        self._next = first  # the number of what `take_or_make` takes next
        self._dropped = first  # those below are
        self._maker: int | None = None  # the thread that makes something instead of ours
        self._let_go = weakref.finalize(self, self._thread.stop)
        self._thread.ask_for(first + depth)
        self._thread.start()

    @property
    def alive(self) -> bool:
        """A forked child inherits no threads."""
        return self._thread.is_alive()

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

    def take_or_make(self, depth: int) -> Made:
        """The next one, and behind it so many more are made.

        What the thread has not begun with is made here and now, instead of being waited for. Not to be mixed with
        `look` and `drop`.
        """
        worker, ready = self._thread, self._ready
        while True:
            number = self._next
            if number not in ready:
                self._make_here(number)
            worker.ask_for(number + 1 + depth)
            made: Any = worker.wait_for(number, ready)
            failed = type(made) is _Failure
            if made is not _GONE and self._next == number:  # else another thread has taken it meanwhile
                self._next = number + 1  # the note: behind it there is no call
                del ready[number]
                if failed:
                    raise made.error
                return made  # type: ignore[no-any-return]

    def _make_here(self, number: int) -> None:
        """Makes something on the calling thread, unless the other one is at it; what that raises is raised here."""
        worker, me = self._thread, threading.get_ident()
        if worker.turn.setdefault(_NEXT, me) != me:
            return
        try:
            if worker.next <= number:
                self._maker = me
                self._ready[number]  # the dict calls `make` and stores what it returns: nothing to interrupt between
                worker.next = number + 1
        finally:
            self._maker = None
            worker.end_turn()

    @property
    def is_making(self) -> bool:
        """Whether the calling thread is in the middle of making something itself: it cannot stop this now."""
        return self._maker == threading.get_ident()

    def stop(self) -> None:
        """Ends the thread, and drops what it has made."""
        self._thread.stop()
        self._thread.join()
        self._let_go.detach()
        self._ready.clear()


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
        self._looks = 0  # how often it has looked for something to do, and slept where there was nothing
        self._roused = 0  # the last of these looks that somebody has told of something new
        self._requests: SimpleQueue[bool] = SimpleQueue()  # wakes this thread, in vain at times
        self._waiting: deque[threading.Lock] = deque()  # released when there is something new
        self._stopping = False
        self._ended = False

    def ask_for(self, end: int) -> None:
        if self.end < end:
            self.end = end
        if self.next < end:
            self._rouse()

    def _rouse(self) -> None:
        """Has this thread look again, which it does once: to wake it costs as much as a small thing to make."""
        look = self._looks
        if self._roused != look:
            self._requests.put(True)
            self._roused = look

    def wait_for(self, number: int, ready: _Ready[Made]) -> Made | _Failure | object:
        """What has that number, which must have been asked for; `_GONE` where another thread has taken it."""
        while True:
            made = ready.get(number, _GONE)
            if made is not _GONE:
                if self.next <= number:  # it was made elsewhere, and that was interrupted
                    self.next = number + 1
                return made
            if number < self.next:
                return ready.get(number, _GONE)
            if self.turn.get(_NEXT) == threading.get_ident():  # kept by a call that was interrupted
                self.end_turn()
            waiting = threading.Lock()
            waiting.acquire()
            self._waiting.append(waiting)
            if number in ready:
                continue
            if self._ended and not is_exiting():
                raise RuntimeError(f"{self.name} was stopped while something was still wanted of it")
            waiting.acquire()

    def end_turn(self) -> None:
        """For the thread whose turn it is: another may make the next one."""
        self.turn.clear()
        if self.next < self.end:
            self._rouse()
        if self._waiting:
            self._wake()

    def work(self) -> None:
        me = threading.get_ident()
        try:
            while not self._stopping:
                self._looks += 1  # before it does: what is asked for behind its back wakes it
                if self.next < self.end and self.turn.setdefault(_NEXT, me) == me:
                    self._make_next()
                    self.turn.clear()
                else:
                    self._requests.get()
        finally:
            self._ended = True
            self._wake()

    def _make_next(self) -> None:
        """Makes one thing. What was made before is not held meanwhile: an error in it may refer to the owner."""
        ready, number = self._ready(), self.next
        make = None if ready is None or number in ready else ready.default_factory
        if make is not None:  # else it was made elsewhere, and that was interrupted
            ready, made = None, _made(make)
            ready = self._ready()
            if ready is not None:
                ready[number] = made
        if ready is None:  # nobody is there to take anything
            self._stopping = True
            return
        self.next = number + 1
        self._wake()

    def _wake(self) -> None:
        while self._waiting:
            try:
                self._waiting.popleft().release()
            except IndexError:  # another thread was faster
                return

    def stop(self) -> None:
        self._stopping = True
        self._requests.put(True)


def _made(make: Callable[[], Made]) -> Made | _Failure:
    """What `make` returns or raises: the one who waits for it is told, and does not wait for ever."""
    try:
        return make()
    except BaseException as error:
        return _Failure(error)
