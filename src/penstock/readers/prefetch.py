"""Reading ahead: a few batches are ready before they are asked for."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import NamedTuple

from penstock.engine.ahead import Ahead
from penstock.engine.claims import Claimable
from penstock.readers.on_error import Batch, Met, OnError, read_batch
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


class Prefetcher(Claimable):
    """The batches of a source in order, `depth` of them read ahead.

    A batch is fetched first and handed out later: where the program stands depends on the latter alone.
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
        self.depth = depth
        self.place = Place(epoch, order.position)
        self._source = source
        self._visits = order.visits
        self._on_error = on_error
        self._errors = errors
        self._warned: set[int] = set()
        self._told: dict[int, set[int]] = {}  # the numbers of the samples in `errors`, by the visit they were met in
        self._start(order)

    def next(self, left: int | None = None) -> Batch:
        """The next batch; raises what reading it raised, and the call after that goes on behind it.

        `left` is how many samples the epoch has left. If none of them can be read the batch is kept for the next call,
        and this one gets what is left.
        """
        self.claim(None)
        batch, rest = self.hand_out(self.fetch(), left)
        if rest is not None:
            self.put_back([rest])
        if isinstance(batch, Exception):
            raise batch
        return batch

    def fetch(self) -> Fetched:
        """The next batch, which `hand_out` must be given before the one fetched after it."""
        if not self._ahead.alive:  # a forked child inherits no threads, and nothing else ends this one
            self._start(Order(self._visits, self.place.position))
        return self._kept.popleft() if self._kept else self._ahead.take()

    def put_back(self, batches: Iterable[Fetched]) -> None:
        """Takes back batches that were fetched but not handed out, in their order."""
        self._kept.extendleft(reversed([*batches]))

    def hand_out(self, fetched: Fetched, left: int | None = None) -> tuple[Batch | Exception, Fetched | None]:
        """Moves the program's place behind a batch; what must be handed out next where the epoch ends inside of it."""
        batch, position = fetched
        rest = None
        if isinstance(batch, Exception):
            self.place = self.place._replace(position=position)
            return batch, None
        if left is not None and batch.skipped >= left and batch.taken > left:
            batch, later = batch.split(left)
            rest = Fetched(later, position)
            position = self._behind(left)
        self._tell(batch.bad)
        self.place = Place(self.place.epoch + (left is not None and batch.taken >= left), position)
        return batch, rest

    def end_epoch(self) -> None:
        """Ends an epoch of which nothing is left."""
        self.place = self.place._replace(epoch=self.place.epoch + 1)

    def _tell(self, bad: list[Met]) -> None:
        """Lists each sample once a visit, though padding and substitutes may meet it several times; warnings once."""
        for met in bad:
            if met.sample.warning:
                if met.sample.index not in self._warned:
                    self._warned.add(met.sample.index)
                    self._errors.append(met.sample)
                continue
            if met.visit not in self._told:
                self._told = {visit: told for visit, told in self._told.items() if visit >= met.visit - 1}
            told = self._told.setdefault(met.visit, set())
            if met.sample.index not in told:
                told.add(met.sample.index)
                self._errors.append(met.sample)

    def _behind(self, samples: int) -> Position:
        order = Order(self._visits, self.place.position)
        order.take(samples)
        return order.position

    def _start(self, order: Order) -> None:
        self._kept: deque[Fetched] = deque()
        source, count, on_error = self._source, self.batch_size, self._on_error
        self._ahead = Ahead(lambda: _fetched(source, order, count, on_error), self.depth, "penstock-reader")


def _fetched(source: Source, order: Order, count: int, on_error: OnError) -> Fetched:
    batch: Batch | Exception
    try:
        batch = read_batch(source, order, count, on_error)
    except RuntimeError as error:  # a file that cannot be read: how this thread came to it helps nobody
        batch = error.with_traceback(None)
    except Exception as error:
        batch = error
    return Fetched(batch, order.position)
