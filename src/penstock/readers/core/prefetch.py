"""Reading ahead: a few batches are ready before they are asked for.

A batch stays where it is until the program has got it, which is noted in one place, `Prefetcher.place`: whatever is
interrupted before has changed nothing, and whatever was fetched ahead of the program can be fetched again.
"""

from __future__ import annotations

from typing import NamedTuple

from penstock.engine.ahead import Ahead
from penstock.engine.claims import Claimable
from penstock.engine.hand_over import Handed
from penstock.readers.core.on_error import Batch, Met, OnError, read_batch
from penstock.readers.core.order import Order, Position
from penstock.readers.core.sample_source import BadSample, Source


class Fetched(NamedTuple):
    """A batch, or why there is none, where the reader stands behind it, and which batch it is."""

    batch: Batch | Exception
    position: Position
    number: int


class Place(NamedTuple):
    """Where a program stands: how many epochs are behind it, where in the order, and with which batch it goes on.

    `rest` is what is left of that batch, if its beginning belonged to the epoch before. Replaced as a whole, so that
    another thread may look at any time.
    """

    epoch: int
    position: Position
    number: int
    rest: Fetched | None = None


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
        self.place = Place(epoch, order.position, 0)
        self._errors = errors
        self._source = source
        self._visits = order.visits
        self._on_error = on_error
        self._warned: set[int] = set()
        self._told: dict[int, set[int]] = {}  # the numbers of the samples in `errors`, by the visit they were met in
        self._next = 0  # the number of the batch that is fetched next, unless it is behind the program
        self._start(order)

    def next(self, left: int | None = None) -> Handed:
        """The next batch, or what reading it raised.

        `left` is how many samples the epoch has left. If none of them can be read the batch is kept for the next call,
        and this one gets what is left.
        """
        self.claim(None)
        while True:
            self.rewind()
            place, fetched = self.place, self._look()
            if fetched is not None:
                handed = self.handed(fetched, left)
                if handed.before is place:  # else another thread has got it
                    return handed

    def fetch(self) -> Fetched:
        """The next batch, which must be handed out before the one fetched after it."""
        while True:
            fetched = self._look()
            if fetched is not None:
                self._next = fetched.number + 1
                return fetched

    def _look(self) -> Fetched | None:
        """The batch that is fetched next; None where another thread has got it meanwhile."""
        if not self._ahead.alive:  # a forked child inherits no threads, and nothing else ends this one
            self.place = self.place._replace(rest=None)
            self.rewind()
            self._start(Order(self._visits, self.place.position))
        place = self.place
        number = max(self._next, place.number)
        self._ahead.drop(place.number)
        if number == place.number and place.rest is not None:
            return place.rest
        found = self._ahead.look(number, self.depth)
        return None if found is None else Fetched(*found, number)

    def rewind(self) -> None:
        """All that was fetched and not handed out is fetched again."""
        self._next = 0

    def prepare(self, count: int) -> None:
        """Nothing: a reader may be read in any thread."""

    def handed(self, fetched: Fetched, left: int | None = None) -> Handed:
        """A batch for the program. Where the epoch ends inside of it, what is behind that is fetched next."""
        batch, position, number = fetched
        before, rest, ends = self.place, None, 0
        if not isinstance(batch, Exception):
            if left is not None and batch.skipped >= left and batch.taken > left:
                batch, later = batch.split(left)
                rest = Fetched(later, position, number)
                position = self._behind(left)
            ends = left is not None and batch.taken >= left
            if batch.bad:
                self._tell(batch.bad)
        return Handed(batch, self, before, Place(before.epoch + ends, position, number + (rest is None), rest))

    def hand_out(self, fetched: Fetched, left: int | None = None) -> None:
        """Moves the program's place behind a batch."""
        self.place = self.handed(fetched, left).behind

    def end_epoch(self) -> None:
        """Ends an epoch of which nothing is left."""
        self.place = self.place._replace(epoch=self.place.epoch + 1)

    def _tell(self, bad: list[Met]) -> None:
        """Lists each sample once a visit, though padding and substitutes may meet it several times; warnings once."""
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

    def _behind(self, samples: int) -> Position:
        order = Order(self._visits, self.place.position)
        order.take(samples)
        return order.position

    def _start(self, order: Order) -> None:
        source, count, on_error = self._source, self.batch_size, self._on_error
        read, first = lambda: _read(source, order, count, on_error), self.place.number
        self._ahead = Ahead(read, self.depth, "penstock-reader", first)


def _read(source: Source, order: Order, count: int, on_error: OnError) -> tuple[Batch | Exception, Position]:
    batch: Batch | Exception
    try:
        batch = read_batch(source, order, count, on_error)
    except RuntimeError as error:  # a file that cannot be read: how this thread came to it helps nobody
        batch = error.with_traceback(None)
    except Exception as error:
        batch = error
    return batch, order.position
