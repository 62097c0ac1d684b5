"""`Order`: the sequence of sample indices of a reader, with sharding, padding, shuffling and epochs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

Indices: TypeAlias = npt.NDArray[np.int64]


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
        """`count` indices from `offset` on; beyond the end the last one is repeated."""
        within = np.minimum(np.arange(offset, offset + count, dtype=np.int64), len(self.items) - 1)
        return within + self.items.start if isinstance(self.items, range) else self.items[within]


class Visits(Protocol):
    """The visits of a reader, one shard after the other. Thread-safe."""

    size: int
    options: OrderOptions
    first: OrderPosition

    def lengths(self, visit: int) -> tuple[int, int]:
        """The number of samples of a visit, without and with padding."""
        ...

    def lay_out(self, visit: int, generator: int) -> Visit:
        """The samples of a visit in order, shuffled from this state of the generator."""
        ...

    def saved(self, position: OrderPosition) -> dict[str, object]:
        """What a saved state needs besides the options to recreate these visits from `position` on."""
        ...


class Order:
    """An endless sequence of sample indices, taken a batch at a time."""

    def __init__(self, visits: Visits, position: OrderPosition | None = None) -> None:
        self.visits = visits
        self.size = visits.size
        self.options = visits.options
        self.position = position or visits.first
        self._visit = visits.lay_out(self.position.visit, self.position.generator)

    def epoch_length(self, epoch: int, batch_size: int = 1) -> int:
        """The number of samples of an epoch; with padding, of its full batches."""
        samples, padded = self.visits.lengths(epoch)
        return -(-padded // batch_size) * batch_size if self.options.pad_last_batch else samples

    def take(self, count: int) -> Indices:
        """The next `count` indices; with padding, a batch never reaches into the next shard."""
        if self.options.pad_last_batch:
            if self.position.offset >= self._visit.padded:
                self._visit_next()
            return self._step(count)
        parts = []
        while count:
            while self.at_end:
                self._visit_next()
            parts.append(self._step(min(count, len(self._visit.items) - self.position.offset)))
            count -= len(parts[-1])
        return parts[0] if len(parts) == 1 else np.concatenate(parts)

    def visit_of(self, start: OrderPosition, place: int) -> int:
        """The visit that a place of the order belongs to, counted in samples from `start`."""
        visit, offset = start.visit, start.offset + place
        if self.options.pad_last_batch:  # then a batch never extends into the next visit
            return visit + (start.offset >= self.visits.lengths(visit)[1])
        while offset >= (length := self.visits.lengths(visit)[0]):
            visit, offset = visit + 1, offset - length
        return visit

    @property
    def at_end(self) -> bool:
        """Whether this visit has no samples left."""
        return self.position.offset >= len(self._visit.items)

    @property
    def next_generator(self) -> int:
        """The state of the shuffling generator after this visit."""
        return self._visit.next_generator

    def left(self) -> Indices:
        """The samples of this visit that have not been taken."""
        left = len(self._visit.items) - self.position.offset
        return self._visit.take(self.position.offset, max(left, 0))

    def taken(self) -> Indices:
        """The samples of this visit that have been taken."""
        return self._visit.take(0, min(self.position.offset, len(self._visit.items)))

    def _step(self, count: int) -> Indices:
        offset = self.position.offset
        self.position = self.position._replace(offset=offset + count)
        return self._visit.take(offset, count)

    def _visit_next(self) -> None:
        self.position = OrderPosition(self.position.visit + 1, 0, self._visit.next_generator)
        self._visit = self.visits.lay_out(self.position.visit, self.position.generator)
