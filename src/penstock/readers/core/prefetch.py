"""`Prefetcher`: a background thread reads a few batches before the program asks for them.

A batch stays in the queue until it has been delivered. The only record of that is `Prefetcher.place`, set last and in
one assignment: an interrupt before it changes nothing, and batches fetched but not delivered can be fetched again.
"""

from __future__ import annotations

import threading
from contextlib import suppress
from functools import partial
from typing import NamedTuple

from penstock._native import BatchQueue, BatchReader
from penstock.engine import events
from penstock.engine.hand_over import Handed
from penstock.engine.lookahead import Lookahead
from penstock.engine.site import Site
from penstock.engine.source_lease import LeasedSource
from penstock.engine.stage_timer import WorkClock
from penstock.readers.core.disk_read_ahead import DiskReadAhead
from penstock.readers.core.on_error import BadSampleAt, OnError, ReadBatch, read_batch
from penstock.readers.core.order import Order, OrderPosition
from penstock.readers.core.sample_source import BadSample, Outputs, SampleSource
from penstock.storage import Storage
from penstock.values.log import log
from penstock.values.new_tuple import new_tuple


class FetchedBatch(NamedTuple):
    """A batch with its outputs, or the exception that reading it raised; the position after it; and its number."""

    batch: ReadBatch | Exception
    position: OrderPosition
    number: int
    outputs: Outputs = ()
    error: Exception | None = None
    single: bool = False


class ReaderPosition(NamedTuple):
    """What has been delivered to the program: finished epochs, position in the order, and the number of the next batch.

    `rest` is the remainder of that batch, if its beginning belonged to the epoch before. `left` is the number of
    samples left in an epoch that has begun, 0 between epochs. Positions are replaced, never changed, so that any thread
    may read one at any time. Of threads that take batches, the one that empties `claim` gets the next batch.
    """

    epoch: int
    position: OrderPosition
    number: int
    rest: FetchedBatch | None = None
    left: int = 0
    claim: list[None] | None = None


class ReaderLabel(NamedTuple):
    """What events tell of a reader: its name, the line that began to read, and its storage, which has a cache."""

    name: str
    site: Site
    storage: Storage


class Prefetcher(LeasedSource):
    """The batches of a source in order, up to `depth` of them read ahead.

    A batch is fetched first and handed out later; only the latter moves the reader's position. Code that runs ahead of
    the program, such as a compiled loop, fetches several batches before it hands out the first.
    """

    background = True  # a reader may be read in any thread

    def __init__(
        self,
        source: SampleSource,
        order: Order,
        epoch: int,
        left: int,
        depth: int,
        on_error: OnError,
        errors: list[BadSample],
        label: ReaderLabel,
    ) -> None:
        """Unreadable samples are appended to `errors` when the batches that lack them are handed out.

        `left` is the number of samples left of the epoch in which a restored reader was saved.
        """
        self.batch_size = order.batch_size
        self.depth = depth
        self.label = label
        self.place = ReaderPosition(epoch, order.position, 0, left=left, claim=[None])
        self._errors = errors
        self._source = source
        self._visits = order.visits
        self._last_batch = order.last_batch
        self._on_error = on_error
        self._warned: set[int] = set()
        self._told: dict[int, set[int]] = {}  # indices of the samples in `errors`, by visit
        self._start(order)

    def next(self, left: int | None = None) -> Handed:
        """Fetches the next batch, or the exception that reading it raised, ready to be handed out.

        `left` is the number of samples left in the epoch. If none of them can be read, this call ends the epoch without
        samples, and the batch, which consists of samples of the next epoch, is kept for the next call.
        """
        if self._holder is not None:
            self.claim(None)
        while True:
            place = self.place
            handed: Handed | None = None if left is None else self._usual.next(place, left, self)
            if handed is None:
                handed = self.handed(self.fetch(place.number), left)
            if handed.before is place and self.place is place:  # else another thread has taken it
                return handed

    @property
    def following(self) -> int:
        """The number of the batch that the program gets next."""
        return self.place.number

    def fetch(self, number: int) -> FetchedBatch:
        """The batch with that number, or the one that the program gets next where that is behind it."""
        found: FetchedBatch | None = self._usual.fetch(self.place, number)
        if found is not None:
            return found
        while True:
            fetched = self._look(max(number, self.place.number))
            if fetched is not None:
                return fetched

    def _look(self, number: int) -> FetchedBatch | None:
        """The batch with that number; None where another thread has got it meanwhile."""
        if not self._ahead.thread.running:  # only in a forked child, which inherits no threads
            self.place = self.place._replace(rest=None)
            self._start(self._order())
        place, ahead = self.place, self._ahead
        ahead.drop(place.number)
        if number == place.number and place.rest is not None:
            return place.rest
        return ahead.look(number, self.depth)

    def handed(self, fetched: FetchedBatch, left: int | None = None) -> Handed:
        """Prepares the delivery of a batch. If the epoch ends inside of it, the remainder is fetched next."""
        batch, position, number = fetched.batch, fetched.position, fetched.number
        before, rest, ends, still = self.place, None, 0, 0
        if not isinstance(batch, Exception):
            if left is not None and batch.skipped >= left and batch.taken > left:
                batch, later = batch.split(left)
                rest = FetchedBatch(later, position, number, later.outputs)
                position = self._behind(left)
            if left is not None:
                still = max(left - batch.taken, 0)
                ends = not still
            if batch.bad:
                self._tell(batch.bad)
        behind = new_tuple(
            ReaderPosition, (before.epoch + ends, position, number + (rest is None), rest, still, [None])
        )
        return new_tuple(Handed, (batch, self, before, behind))

    def hand_out(self, fetched: FetchedBatch, left: int | None = None) -> None:
        """Delivers a batch: moves the reader's position past it."""
        self.place = self.handed(fetched, left).behind

    def end_epoch(self) -> None:
        """Counts an epoch that has no samples left as finished."""
        order = self._order()
        if order.by_visit:
            order.visit_next()
        self.place = self.place._replace(epoch=self.place.epoch + 1, position=order.position, claim=[None])

    def _tell(self, bad: list[BadSampleAt]) -> None:
        """Adds bad samples to `errors`: once for each visit, though padding may repeat a sample; warnings only once."""
        for met in bad:
            if met.sample.warning:
                if met.sample.index not in self._warned:
                    self._errors.append(met.sample)
                    self._warned.add(met.sample.index)
                continue
            if met.visit not in self._told:
                self._told = {visit: told for visit, told in self._told.items() if visit >= met.visit - 1}
            told = self._told.setdefault(met.visit, set())
            if met.sample.index not in told:
                self._errors.append(met.sample)
                told.add(met.sample.index)
                log("INFO", "readers", "%s: sample %d is bad: %s", self.label.name, met.sample.index, met.sample.error)

    def _behind(self, samples: int) -> OrderPosition:
        order = self._order()
        order.take(samples)
        return order.position

    def _order(self) -> Order:
        """The order from what has been delivered on."""
        return Order(self._visits, self.place.position, self._last_batch, self.batch_size)

    def _start(self, order: Order) -> None:
        source, storage, first = self._source, self.label.storage, self.place.number
        read = partial(_read, source, order, self._on_error, self.label, DiskReadAhead(source))
        files, listeners = getattr(source, "files", None), events.read_listeners
        make = BatchReader(read, order, files, storage, listeners, first, ReadBatch, FetchedBatch)
        self._ahead = ahead = Lookahead(make, self.depth, "penstock-reader", first)
        unheard = (ahead.look_unheard, ahead.drop, ahead.thread, events.queue_listeners)
        self._usual = BatchQueue(*unheard, self.depth, Handed)


def _read(
    source: SampleSource, order: Order, on_error: OnError, label: ReaderLabel, disk: DiskReadAhead, number: int
) -> FetchedBatch:
    """Reads the next batch, or what came instead. Its number is that of the queue, which calls this once for each."""
    batch: ReadBatch | None = None
    failed: Exception | None = None
    try:
        if label.storage.from_disk:
            disk.look(order)
        if events.read_listeners:
            batch = _read_and_tell(source, order, on_error, label)
        else:
            batch = read_batch(source, order, order.batch_size, on_error)
    except RuntimeError as error:  # a file that cannot be read; the traceback of this thread would not help the user
        failed = error.with_traceback(None)
    except Exception as error:
        failed = error
    if order.by_visit and not order.left_in_visit(order.position):
        with suppress(Exception):  # what a sampler raises for the next epoch is raised there
            order.visit_next()  # the position behind the last batch of an epoch is the beginning of the next
    outputs = () if batch is None else batch.outputs
    return new_tuple(FetchedBatch, (batch or failed, order.position, number, outputs, failed, False))


def _read_and_tell(source: SampleSource, order: Order, on_error: OnError, label: ReaderLabel) -> ReadBatch:
    """As `read_batch`; announces how long it took."""
    clock, before = WorkClock(), label.storage.cache_use
    batch = read_batch(source, order, order.batch_size, on_error)
    seconds, of_threads, cpu = clock.read()
    after = label.storage.cache_use
    events.announce(
        events.BatchRead(
            reader=label.name,
            samples=len(batch.outputs[0]) if batch.outputs else 0,
            bytes=sum(samples.nbytes for samples in batch.outputs),
            seconds=seconds,
            cpu=cpu,
            waited=seconds * max(0.0, 1 - cpu / max(of_threads, 1e-9)),
            cached=after.cached - before.cached,
            fetched=after.fetched - before.fetched,
            site=label.site,
            started=clock.started,
            thread=threading.get_native_id(),
            batch=events.batch_key(batch.outputs),
        )
    )
    return batch
