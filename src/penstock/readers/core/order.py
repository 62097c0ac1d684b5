"""`Order`: the sequence of sample indices of a reader, with sharding, padding, shuffling and epochs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from penstock._native import UpcomingBatches
from penstock.values.new_tuple import new_tuple

if TYPE_CHECKING:
    from typing_extensions import Self

Indices: TypeAlias = npt.NDArray[np.int64]
LastBatch: TypeAlias = Literal["fill", "partial", "drop", "pad"]

_CUT_AHEAD = 32  # batches


@dataclass(frozen=True)
class OrderOptions:
    """The arguments of a reader that decide its order; `readers.Reader` documents them.

    `shuffles_listing` is no argument: with `random_shuffle`, readers that list files shuffle the whole list first, as
    DALI does, before samples pass through the shuffling buffer.
    """

    shard_id: int = 0
    num_shards: int = 1
    stick_to_shard: bool = False
    pad_last_batch: bool = False
    random_shuffle: bool = False
    initial_fill: int = 1024
    seed: int = -1
    shuffle_after_epoch: bool = False
    shuffle_after_epoch_seed: int | None = None
    shuffles_listing: bool = True

    def ending_in(self, last_batch: LastBatch) -> Self:
        """These options, with the padding that such a last batch of an epoch needs."""
        return self if last_batch == "fill" else replace(self, pad_last_batch=last_batch == "pad")

    def check(self, size: int) -> None:
        """Refuses what cannot be done with `size` samples."""
        if (
            self.shuffle_after_epoch and self.random_shuffle and self.shuffles_listing
        ):  # other readers accept both, as in DALI
            raise RuntimeError("shuffle_after_epoch and random_shuffle cannot be both true")
        if self.shuffle_after_epoch and self.stick_to_shard:
            raise RuntimeError("shuffle_after_epoch and stick_to_shard cannot be both true")
        if self.random_shuffle and self.initial_fill < 1:
            raise RuntimeError(f"initial_fill must be at least 1 to shuffle, got {self.initial_fill}")
        if self.num_shards > size:
            raise RuntimeError(
                f"The number of input samples: {size}, needs to be at least equal to the requested number of shards: "
                f"{self.num_shards}."
            )

    def largest_shard(self, size: int) -> int:
        """The length of the largest shard of `size` samples, to which padding extends the others."""
        return -(-size // self.num_shards)

    def smallest_shard(self, size: int) -> int:
        """The length of the smallest shard of `size` samples."""
        return size // self.num_shards

    @property
    def rotates(self) -> bool:
        """Whether the reader moves on to the next shard after each epoch."""
        return not (self.stick_to_shard or self.shuffle_after_epoch)


class OrderPosition(NamedTuple):
    """A position in an order: `offset` samples, padding included, into its `visit`-th shard.

    `generator` is the state of the shuffling generator at the start of that visit, from which its order can be drawn
    again.
    """

    visit: int
    offset: int
    generator: int


class Visit(NamedTuple):
    """One pass over a shard: its samples in the order they are read, and the generator's state afterwards."""

    items: Indices | range
    padded: int
    next_generator: int

    def take(self, offset: int, count: int) -> Indices:
        """`count` indices from `offset` on, in an array of their own; beyond the end the last one is repeated."""
        if offset + count <= len(self.items):
            part = self.items[offset : offset + count]
            return np.arange(part.start, part.stop, dtype=np.int64) if isinstance(part, range) else part.copy()
        within = np.minimum(np.arange(offset, offset + count, dtype=np.int64), len(self.items) - 1)
        return within + self.items.start if isinstance(self.items, range) else self.items[within]


class VisitLengths(NamedTuple):
    """The number of samples of a visit: its own, with padding, and in the smallest of the shards of that epoch."""

    samples: int
    padded: int
    smallest: int


def length_from(offset: int, lengths: VisitLengths, batch_size: int, last_batch: LastBatch, padded: bool) -> int:
    """The number of samples of an epoch from an offset on; with padding, or without the last ones, of full batches."""
    if padded:
        return -(-max(lengths.padded - offset, 0) // batch_size) * batch_size
    whole = lengths.smallest // batch_size * batch_size if last_batch == "drop" else lengths.samples
    return max(whole - offset, 0)


class Visits(Protocol):
    """The visits of a reader, one shard after the other. Thread-safe."""

    size: int
    options: OrderOptions
    first: OrderPosition

    def lengths(self, visit: int) -> VisitLengths:
        """The number of samples of a visit."""
        ...

    def lay_out(self, visit: int, generator: int) -> Visit:
        """The samples of a visit in order, shuffled from this state of the generator."""
        ...

    def saved(self, position: OrderPosition) -> dict[str, object]:
        """What a saved state needs besides the options to recreate these visits from `position` on."""
        ...


def start_of(visits: Visits, visit: int) -> OrderPosition:
    """The position at which a visit begins. `random_shuffle` draws all visits from one stream, so it is replayed."""
    generator = visits.first.generator
    if visits.options.random_shuffle:
        for earlier in range(visit):
            generator = visits.lay_out(earlier, generator).next_generator
    return OrderPosition(visit, 0, generator)


class UnfinishedVisit(NamedTuple):
    """A visit that a reader is in the middle of, or at the beginning of. It is laid out only where that is needed."""

    visits: Visits
    position: OrderPosition

    @property
    def size(self) -> int:
        """The number of its samples that have not been taken."""
        return max(self.visits.lengths(self.position.visit).samples - self.position.offset, 0)

    @property
    def next_generator(self) -> int:
        """The state of the shuffling generator after the visit."""
        return self._laid_out().next_generator

    def left(self) -> Indices:
        """The samples that have not been taken."""
        return self._laid_out().take(self.position.offset, self.size)

    def taken(self) -> Indices:
        """The samples that have been taken."""
        visit = self._laid_out()
        return visit.take(0, min(self.position.offset, len(visit.items)))

    def _laid_out(self) -> Visit:
        return self.visits.lay_out(self.position.visit, self.position.generator)


_NOT_KNOWN = UpcomingBatches(np.empty((0, 1), np.int64), [], OrderPosition(0, 0, 0))


class Order:
    """An endless sequence of sample indices, taken a batch at a time.

    With `last_batch="fill"` batches go on into the next shard, or are padded where the options say so. Otherwise an
    epoch is a visit, and none of its batches reaches beyond it.
    """

    def __init__(
        self,
        visits: Visits,
        position: OrderPosition | None = None,
        last_batch: LastBatch = "fill",
        batch_size: int = 1,
    ) -> None:
        self.visits = visits
        self.size = visits.size
        self.options = visits.options
        self.position = position or visits.first
        self.last_batch = last_batch
        self.batch_size = batch_size
        self.by_visit = last_batch != "fill"  # an epoch is a visit
        self._crosses = not self.by_visit and not self.options.pad_last_batch
        self._visit = visits.lay_out(self.position.visit, self.position.generator)
        self.upcoming = _NOT_KNOWN

    def epoch_length(self, epoch: int, batch_size: int | None = None) -> int:
        """The number of samples of an epoch; with padding, or without the last ones, of its full batches."""
        return self._length(epoch, 0, batch_size or self.batch_size)

    def left_in_visit(self, position: OrderPosition) -> int:
        """The same, of the rest of a visit from this position on."""
        return self._length(position.visit, position.offset, self.batch_size)

    def _length(self, visit: int, offset: int, batch_size: int) -> int:
        padded = self.options.pad_last_batch
        return length_from(offset, self.visits.lengths(visit), batch_size, self.last_batch, padded)

    def take(self, count: int) -> Indices:
        """The next `count` indices for a new batch; fewer at the end of an epoch that is a visit."""
        taken = self.upcoming.take(self.position, count)
        if taken is None:
            self.upcoming = self._cut_ahead(count)
            taken = self.upcoming.take(self.position, count)
        if taken is not None:
            indices, self.position = taken
            return indices
        skipped = 0
        while not self._crosses and not self.left_in_visit(self.position):
            if skipped > self.options.num_shards:
                raise RuntimeError(f"no epoch has {self.batch_size} samples")
            self.visit_next()
            skipped += 1
        return self.take_more(count)

    def _cut_ahead(self, count: int) -> UpcomingBatches:
        """Cuts the indices of the next batches, as far as they are whole and end inside of this visit.

        NumPy takes tens of microseconds for one, when its code has left the caches since the batch before. Where an
        epoch is a visit, its last batch is left out: another visit begins behind it.
        """
        left = len(self._visit.items) - self.position.offset
        if self.by_visit:
            left = min(left, self.left_in_visit(self.position) - 1)
        batches = min(max(left, 0) // count, _CUT_AHEAD) if count > 0 else 0
        rows = self._visit.take(self.position.offset, batches * count).reshape(batches, count)
        return UpcomingBatches(rows, [*rows], self.position)

    def take_more(self, count: int) -> Indices:
        """The next `count` indices for a batch that has others already; with padding, those of its shard."""
        if self.options.pad_last_batch:
            return self._step(count)
        if self.by_visit:
            return self._step(min(count, self.left_in_visit(self.position)))
        parts = []
        while count:
            left = len(self._visit.items) - self.position.offset
            if left > 0:
                parts.append(self._step(min(count, left)))
                count -= len(parts[-1])
            else:
                self.visit_next()
        return parts[0] if len(parts) == 1 else np.concatenate(parts)

    def visit_of(self, start: OrderPosition, place: int) -> int:
        """The visit that a place of the order belongs to, counted in samples from `start`, where a batch began."""
        if not self._crosses:
            return self.position.visit
        visit, offset = start.visit, start.offset + place
        while offset >= (length := self.visits.lengths(visit).samples):
            visit, offset = visit + 1, offset - length
        return visit

    def ahead(self, begin: int, end: int) -> Indices:
        """Those of the indices from the position on, counted from there, that belong to this visit; none are taken."""
        offset = self.position.offset
        left = len(self._visit.items) - offset
        return self._visit.take(offset + begin, max(min(end, left) - begin, 0))

    @property
    def at_end(self) -> bool:
        """Whether this visit has no samples left."""
        return self.position.offset >= len(self._visit.items)

    def _step(self, count: int) -> Indices:
        visit, offset, generator = self.position
        self.position = new_tuple(OrderPosition, (visit, offset + count, generator))
        return self._visit.take(offset, count)

    def visit_next(self) -> None:
        """Leaves what is left of this visit and goes on to the next one."""
        self.position = OrderPosition(self.position.visit + 1, 0, self._visit.next_generator)
        self._visit = self.visits.lay_out(self.position.visit, self.position.generator)
