"""Working ahead: a background thread that keeps a few things ready."""

from __future__ import annotations

import atexit
import threading
import weakref
from collections import deque
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import Any, Generic, NamedTuple, TypeVar

Made = TypeVar("Made")


class Ahead(Generic[Made]):
    """What `make` returns, call after call, `depth` of them made before they are asked for.

    What `make` raises is raised to whoever takes what should have been made. Dropping this object ends the thread and
    must therefore not be prevented by `make` referring to it; so does `stop`, which hands over what has been made.
    """

    def __init__(self, make: Callable[[], Made], depth: int, name: str) -> None:
        self._thread = _Worker(make, depth, name)
        self._asked: deque[bool] = deque()  # for what calls did not take that were interrupted
        self._maker: int | None = None  # the thread that makes something instead of ours
        self._let_go = weakref.finalize(self, self._thread.stop)
        self._thread.start()

    @property
    def alive(self) -> bool:
        """A forked child inherits no threads."""
        return self._thread.is_alive()

    def take(self) -> Made:
        """The next one, in whose place another is made.

        That one is asked for before this one is there, so that the thread goes on while this one changes hands.
        """
        try:
            self._asked.pop()
        except IndexError:
            self.request()
        try:
            made = self._thread.ready.get()
        except BaseException:
            self._asked.append(True)
            raise
        return _told(made)

    def take_or_make(self) -> Made:
        """As `take`; but what the thread has not begun with is made here and now, instead of being waited for."""
        worker = self._thread
        if worker.ready.empty() and worker.busy.acquire(blocking=False):
            self._maker = threading.get_ident()
            try:
                if worker.ready.empty():
                    return worker.make()
            finally:
                self._maker = None
                worker.busy.release()
        return self.take()

    @property
    def is_making(self) -> bool:
        """Whether the calling thread is in the middle of making something itself: it cannot stop this now."""
        return self._maker == threading.get_ident()

    def request(self) -> None:
        """Has one more made."""
        self._thread.requests.put(True)

    def take_last(self) -> Made:
        """The next one, in whose place nothing is made."""
        return _told(self._thread.ready.get())

    def stop(self) -> list[Made]:
        """Ends the thread; what it has made and nobody has taken, in order."""
        self._let_go()
        self._thread.join()
        left: list[Made] = []
        while True:
            try:
                made = self._thread.ready.get_nowait()
            except Empty:
                return left
            if not isinstance(made, _Failure):
                left.append(made)


class _Failure(NamedTuple):
    error: BaseException


def _told(made: Made | _Failure) -> Made:
    if isinstance(made, _Failure):
        raise made.error
    return made


class _Worker(threading.Thread, Generic[Made]):
    """Makes one thing for every request. Simple queues may be used from finalizers, conditions may not."""

    def __init__(self, make: Callable[[], Made], depth: int, name: str) -> None:
        super().__init__(name=name, daemon=True)
        self.requests: SimpleQueue[bool] = SimpleQueue()
        self.ready: SimpleQueue[Made | _Failure] = SimpleQueue()
        self.make = make
        self.busy = threading.Lock()  # held by whoever makes the next one
        self._stopping = False
        for _ in range(depth):
            self.requests.put(True)
        _running.add(self)

    def run(self) -> None:
        while self.requests.get() and not self._stopping:
            with self.busy:
                try:
                    self.ready.put(self.make())
                except BaseException as error:  # the one who waits for it is told, and does not wait for ever
                    self.ready.put(_Failure(error))
        del self.make  # and what it holds: other threads wait to be let go

    def stop(self) -> None:
        self._stopping = True
        self.requests.put(False)


_running: weakref.WeakSet[_Worker[Any]] = weakref.WeakSet()


@atexit.register
def _stop_all() -> None:
    """Native code may not run on while the interpreter is taken down; work that hangs may not keep it up either."""
    for thread in list(_running):
        thread.stop()
        thread.join(timeout=5)
