"""Reading ahead: a background thread that keeps a few batches ready."""

from __future__ import annotations

import atexit
import threading
import weakref
from queue import SimpleQueue
from typing import NamedTuple

from penstock.readers.on_error import Batch, OnError, read_batch
from penstock.readers.order import Order, Position
from penstock.readers.source import BadSample, Source


class Fetched(NamedTuple):
    """A batch, or why there is none, and where the reader stands behind it."""

    batch: Batch | Exception
    position: Position


class Prefetcher:
    """The batches of a source in order, `depth` of them read ahead.

    Dropping it ends its thread, which knows the source and the order but not this object.
    """

    def __init__(
        self, source: Source, order: Order, batch_size: int, depth: int, on_error: OnError, errors: list[BadSample]
    ) -> None:
        """`errors` is told of the samples that could not be read as the batches without them are handed out."""
        self.batch_size = batch_size
        self.position = order.position
        self._source = source
        self._visits = order.visits
        self._depth = depth
        self._on_error = on_error
        self._errors = errors
        self._start(order)

    def next(self) -> Batch:
        """The next batch; raises what reading it raised, and the call after that goes on behind it."""
        if not self._thread.is_alive():  # a forked child inherits no threads, and nothing else ends this one
            self._start(Order(self._visits, self.position))
        fetched = self._thread.ready.get()
        self._thread.requests.put(True)
        self.position = fetched.position
        if isinstance(fetched.batch, Exception):
            raise fetched.batch
        self._errors += fetched.batch.bad
        return fetched.batch

    def _start(self, order: Order) -> None:
        self._thread = _Fetcher(self._source, order, self.batch_size, self._depth, self._on_error)
        weakref.finalize(self, self._thread.stop)
        self._thread.start()


class _Fetcher(threading.Thread):
    """Reads one batch for every request. Simple queues may be used from finalizers, conditions may not."""

    def __init__(self, source: Source, order: Order, batch_size: int, depth: int, on_error: OnError) -> None:
        super().__init__(name="penstock-reader", daemon=True)
        self.requests: SimpleQueue[bool] = SimpleQueue()
        self.ready: SimpleQueue[Fetched] = SimpleQueue()
        self._stopping = False
        self._source = source
        self._order = order
        self._batch_size = batch_size
        self._on_error = on_error
        for _ in range(depth):
            self.requests.put(True)
        _running.add(self)

    def run(self) -> None:
        while self.requests.get() and not self._stopping:
            self.ready.put(self._fetch())

    def _fetch(self) -> Fetched:
        batch: Batch | Exception
        try:
            batch = read_batch(self._source, self._order, self._batch_size, self._on_error)
        except RuntimeError as error:  # a file that cannot be read: how this thread came to it helps nobody
            batch = error.with_traceback(None)
        except Exception as error:
            batch = error
        return Fetched(batch, self._order.position)

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
