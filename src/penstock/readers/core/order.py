"""Which sample comes next: shards, padding, shuffling and epochs, the same for every reader."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

Indices: TypeAlias = npt.NDArray[np.int64]


@dataclass(frozen=True)
class OrderOptions:
    """The arguments of a reader that decide its order; `readers.Reader` documents them.

    `shuffles_listing` is no argument: it is what DALI does in some readers, all samples shuffled before any is held.
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
        if self.shuffle_after_epoch and self.random_shuffle and self.shuffles_listing:  # others take both, in DALI too
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
        """What padding brings every shard of `size` samples to."""
        return -(-size // self.num_shards)

    @property
    def rotates(self) -> bool:
        """Whether the reader moves on to the next shard when it is through with one."""
        return not (self.stick_to_shard or self.shuffle_after_epoch)


class Position(NamedTuple):
    """Where a reader stands: `offset` samples, padding included, into its `visit`-th shard.

    `generator` is the state of the shuffling generator when that visit began: from it the visit is laid out anew.
    """

    visit: int
    offset: int
    generator: int


class Visit(NamedTuple):
    """The samples of a shard in the order in which a reader hands them out, and the generator's state after it."""

    items: Indices | range
    padded: int
    next_generator: int

    def take(self, offset: int, count: int) -> Indices:
        """`count` indices from `offset` on; past the end the last one is repeated."""
        within = np.minimum(np.arange(offset, offset + count, dtype=np.int64), len(self.items) - 1)
        return within + self.items.start if isinstance(self.items, range) else self.items[within]


class Visits(Protocol):
    """The shards that a reader visits, one after the other. May be asked from several threads."""

    size: int
    options: OrderOptions
    first: Position

    def lengths(self, visit: int) -> tuple[int, int]:
        """How many samples the visit has, and how many after padding."""
        ...

    def lay_out(self, visit: int, generator: int) -> Visit: ...

    def saved(self, position: Position) -> dict[str, object]:
        """What a state needs besides the options for these visits to be made again from `position` on."""
        ...


class Order:
    """An endless sequence of sample indices, taken a batch at a time."""

    def __init__(self, visits: Visits, position: Position | None = None) -> None:
        self.visits = visits
        self.size = visits.size
        self.options = visits.options
        self.position = position or visits.first
        self._visit = visits.lay_out(self.position.visit, self.position.generator)

    def epoch_length(self, epoch: int, batch_size: int = 1) -> int:
        """How many samples the epoch has; with padding, those of full batches."""
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

    def visit_of(self, start: Position, place: int) -> int:
        """The visit in which the order comes to a place, counted in samples from `start` on."""
        visit, offset = start.visit, start.offset + place
        if self.options.pad_last_batch:  # then a batch belongs to one visit, also where it reaches beyond its end
            return visit + (start.offset >= self.visits.lengths(visit)[1])
        while offset >= (length := self.visits.lengths(visit)[0]):
            visit, offset = visit + 1, offset - length
        return visit

    @property
    def at_end(self) -> bool:
        """Whether the next sample is one of another visit."""
        return self.position.offset >= len(self._visit.items)

    @property
    def next_generator(self) -> int:
        """The state of the shuffling generator when this visit is over."""
        return self._visit.next_generator

    def left(self) -> Indices:
        """What has not been taken of this visit."""
        left = len(self._visit.items) - self.position.offset
        return self._visit.take(self.position.offset, max(left, 0))

    def taken(self) -> Indices:
        """What has been taken of this visit."""
        return self._visit.take(0, min(self.position.offset, len(self._visit.items)))

    def _step(self, count: int) -> Indices:
        offset = self.position.offset
        self.position = self.position._replace(offset=offset + count)
        return self._visit.take(offset, count)

    def _visit_next(self) -> None:
        self.position = Position(self.position.visit + 1, 0, self._visit.next_generator)
        self._visit = self.visits.lay_out(self.position.visit, self.position.generator)
