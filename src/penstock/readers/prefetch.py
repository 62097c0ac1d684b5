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


class Place(NamedTuple):
    """Where a program stands: how many epochs are behind it, and where in the order.

    Replaced as a whole, so that another thread may look at any time.
    """

    epoch: int
    position: Position


class Fetched(NamedTuple):
    """A batch, or why there is none, and where the reader stands behind it."""

    batch: Batch | Exception
    position: Position


class Prefetcher:
    """The batches of a source in order, `depth` of them read ahead.

    Dropping it ends its thread, which knows the source and the order but not this object.
    """

    def __init__(
        self,
        source: Source,
        order: Order,
        epoch: int,
        batch_size: int,
        depth: int,
        on_error: OnError,
        errors: list[BadSample],
    ) -> None:
        """`errors` is told of the samples that could not be read as the batches without them are handed out."""
        self.batch_size = batch_size
        self.place = Place(epoch, order.position)
        self._source = source
        self._visits = order.visits
        self._depth = depth
        self._on_error = on_error
        self._errors = errors
        self._start(order)

    def _start(self, order: Order) -> None:
        self._kept: Fetched | None = None
        self._thread = _Fetcher(self._source, order, self.batch_size, self._depth, self._on_error)
        weakref.finalize(self, self._thread.stop)
        self._thread.start()

    def next(self, left: int | None = None) -> Batch:
        """The next batch; raises what reading it raised, and the call after that goes on behind it.

        `left` is how many samples the epoch has left. If none of them can be read the batch is kept for the next call,
        and this one gets what is left.
        """
        if not self._thread.is_alive():  # a forked child inherits no threads, and nothing else ends this one
            self._start(Order(self._visits, self.place.position))
        batch, position = self._kept or self._fetched()
        self._kept = None
        if isinstance(batch, Exception):
            self.place = self.place._replace(position=position)
            raise batch
        if left is not None and batch.skipped >= left and batch.taken > left:
            batch, rest = batch.split(left)
            self._kept = Fetched(rest, position)
            position = self._behind(left)
        self._errors += batch.bad
        self.place = Place(self.place.epoch + (left is not None and batch.taken >= left), position)
        return batch

    def end_epoch(self) -> None:
        """Ends an epoch of which nothing is left."""
        self.place = self.place._replace(epoch=self.place.epoch + 1)

    def _fetched(self) -> Fetched:
        fetched = self._thread.ready.get()
        self._thread.requests.put(True)
        return fetched

    def _behind(self, samples: int) -> Position:
        order = Order(self._visits, self.place.position)
        order.take(samples)
        return order.position


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
