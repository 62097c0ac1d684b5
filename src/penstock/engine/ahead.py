"""Working ahead: a background thread that keeps a few things ready."""

from __future__ import annotations

import atexit
import threading
import weakref
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import Any, Generic, TypeVar

Made = TypeVar("Made")


class Ahead(Generic[Made]):
    """What `make` returns, call after call, `depth` of them made before they are asked for.

    `make` sees to its own failures. Dropping this object ends the thread, which must therefore not be reachable from
    `make`; so does `stop`, which hands over what has been made.
    """

    def __init__(self, make: Callable[[], Made], depth: int, name: str) -> None:
        self._thread = _Worker(make, depth, name)
        self._let_go = weakref.finalize(self, self._thread.stop)
        self._thread.start()

    @property
    def alive(self) -> bool:
        """A forked child inherits no threads."""
        return self._thread.is_alive()

    def take(self) -> Made:
        """The next one, in whose place another is made."""
        made = self.take_last()
        self.request()
        return made

    def request(self) -> None:
        """Has one more made."""
        self._thread.requests.put(True)

    def take_last(self) -> Made:
        """The next one, in whose place nothing is made."""
        return self._thread.ready.get()

    def stop(self) -> list[Made]:
        """Ends the thread; what it has made and nobody has taken, in order."""
        self._let_go()
        self._thread.join()
        left: list[Made] = []
        while True:
            try:
                left.append(self._thread.ready.get_nowait())
            except Empty:
                return left


class _Worker(threading.Thread, Generic[Made]):
    """Makes one thing for every request. Simple queues may be used from finalizers, conditions may not."""

    def __init__(self, make: Callable[[], Made], depth: int, name: str) -> None:
        super().__init__(name=name, daemon=True)
        self.requests: SimpleQueue[bool] = SimpleQueue()
        self.ready: SimpleQueue[Made] = SimpleQueue()
        self._make = make
        self._stopping = False
        for _ in range(depth):
            self.requests.put(True)
        _running.add(self)

    def run(self) -> None:
        while self.requests.get() and not self._stopping:
            self.ready.put(self._make())

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
