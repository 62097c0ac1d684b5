"""Reading ahead: a background thread that keeps a few batches ready."""

from __future__ import annotations

import atexit
import threading
import weakref
from queue import SimpleQueue
from typing import NamedTuple, Protocol, TypeAlias

from penstock._native import Samples
from penstock.readers.order import Indices, Order, Position

Outputs: TypeAlias = tuple[Samples, ...]


class Source(Protocol):
    """The samples of an opened data set, by index; may be asked from several threads at once."""

    def __len__(self) -> int: ...

    def read(self, indices: Indices) -> Outputs:
        """Some samples, in the order asked for: one `Samples` for each output of the reader."""
        ...


class Fetched(NamedTuple):
    """A batch, or why there is none, and where the reader stands behind it."""

    outputs: Outputs | Exception
    position: Position


class Prefetcher:
    """The batches of a source in order, `depth` of them read ahead.

    Dropping it ends its thread, which knows the source and the order but not this object.
    """

    def __init__(self, source: Source, order: Order, batch_size: int, depth: int) -> None:
        self.batch_size = batch_size
        self.position = order.position
        self._source = source
        self._size, self._options = order.size, order.options
        self._depth = depth
        self._start(order)

    def next(self) -> Outputs:
        """The next batch; raises what reading it raised, and the call after that goes on behind it."""
        if not self._thread.is_alive():  # a forked child inherits no threads, and nothing else ends this one
            self._start(Order(self._size, self._options, self.position))
        fetched = self._thread.ready.get()
        self._thread.requests.put(True)
        self.position = fetched.position
        if isinstance(fetched.outputs, Exception):
            raise fetched.outputs
        return fetched.outputs

    def _start(self, order: Order) -> None:
        self._thread = _Fetcher(self._source, order, self.batch_size, self._depth)
        weakref.finalize(self, self._thread.stop)
        self._thread.start()


class _Fetcher(threading.Thread):
    """Reads one batch for every request. Simple queues may be used from finalizers, conditions may not."""

    def __init__(self, source: Source, order: Order, batch_size: int, depth: int) -> None:
        super().__init__(name="penstock-reader", daemon=True)
        self.requests: SimpleQueue[bool] = SimpleQueue()
        self.ready: SimpleQueue[Fetched] = SimpleQueue()
        self._stopping = False
        self._source = source
        self._order = order
        self._batch_size = batch_size
        for _ in range(depth):
            self.requests.put(True)
        _running.add(self)

    def run(self) -> None:
        while self.requests.get() and not self._stopping:
            self.ready.put(self._fetch())

    def _fetch(self) -> Fetched:
        outputs: Outputs | Exception
        indices = self._order.take(self._batch_size)
        try:
            outputs = self._source.read(indices)
        except RuntimeError as error:  # a file that cannot be read: how this thread came to it helps nobody
            outputs = error.with_traceback(None)
        except Exception as error:
            outputs = error
        return Fetched(outputs, self._order.position)

    def stop(self) -> None:
        self._stopping = True
        self.requests.put(False)


_running: weakref.WeakSet[_Fetcher] = weakref.WeakSet()


@atexit.register
def _stop_all() -> None:
    """Native code may not run on while the interpreter is taken down; a read that hangs may not keep it up either."""
    for thread in list(_running):
        thread.stop()
        thread.join(timeout=5)
