"""Sharding and shuffling as DALI does them, and the rest of an epoch redistributed over other shards."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from penstock import _native
from penstock.readers.core.order import Indices, OrderOptions, OrderPosition, UnfinishedVisit, Visit, VisitLengths

# DALI's constants: a seed gives the same order in both libraries.
_SHUFFLE_SEED = 524287
_EPOCH_STRIDE = 1 << 32


def cut(size: int, shard: int, shards: int) -> range:
    """The part of `size` samples that belongs to a shard."""
    return range(shard * size // shards, (shard + 1) * size // shards)


class Shards:
    """Visits of shards: `num_shards` nearly equal parts of the data set."""

    def __init__(self, size: int, options: OrderOptions) -> None:
        options.check(size)
        self.size = size
        self.options = options
        self.first = OrderPosition(0, 0, _native.window_state(options.seed & 0xFFFFFFFF))
        self._listing = _ShuffledListing(size, options)

    def of_shard(self, shard: int) -> Shards:
        """The visits of another shard. Both use one shuffled listing, which takes 8 bytes for each sample."""
        other = Shards(self.size, replace(self.options, shard_id=shard))
        other._listing = self._listing
        return other

    def lengths(self, visit: int) -> VisitLengths:
        options = self.options
        return VisitLengths(len(self._part(visit)), options.largest_shard(self.size), options.smallest_shard(self.size))

    def members(self, visit: int) -> Indices | range:
        """The samples of a visit's shard, before they pass through the shuffling buffer."""
        part = self._part(visit)
        options = self.options
        if (options.random_shuffle and options.shuffles_listing) or options.shuffle_after_epoch:
            return self._listing.part(visit, part)
        return part

    def lay_out(self, visit: int, generator: int) -> Visit:
        return self.shuffled(self.members(visit), generator)

    def shuffled(self, members: Indices | range, generator: int) -> Visit:
        """A visit of `members`, in the order in which they leave the shuffling buffer of `initial_fill` samples."""
        if self.options.random_shuffle and len(members):
            items = np.array(members, np.int64)
            generator = _native.shuffle_window(items, self.options.initial_fill, generator)
            members = items
        return Visit(members, self.options.largest_shard(self.size), generator)

    def saved(self, position: OrderPosition) -> dict[str, object]:
        return {}

    def _part(self, visit: int) -> range:
        shards = self.options.num_shards
        return cut(self.size, (self.options.shard_id + visit * self.options.rotates) % shards, shards)


class _ShuffledListing:
    """All samples in the order in which they are cut into shards; an epoch's shuffle starts from the last one's."""

    def __init__(self, size: int, options: OrderOptions) -> None:
        self._size = size
        self._options = options
        self._lock = threading.Lock()
        self._all: Indices | None = None
        self._shuffles = 0

    def part(self, visit: int, part: range) -> Indices:
        """Some of the samples, in the order for a visit."""
        with self._lock:
            return self._shuffled(visit)[part.start : part.stop].copy()

    def _shuffled(self, visit: int) -> Indices:
        options = self._options
        if self._all is None or self._shuffles > visit + 1:
            self._all, self._shuffles = np.arange(self._size, dtype=np.int64), 0
            if options.random_shuffle and options.shuffles_listing:
                _native.shuffle(self._all, _SHUFFLE_SEED)
        if options.shuffle_after_epoch:
            seed = _SHUFFLE_SEED if options.shuffle_after_epoch_seed is None else options.shuffle_after_epoch_seed
            while self._shuffles <= visit:
                self._shuffles += 1
                _native.shuffle_wide(self._all, (seed + self._shuffles * _EPOCH_STRIDE) & 0xFFFFFFFFFFFFFFFF)
        return self._all


class EpochRemainder:
    """The rest of an epoch that some readers did not finish, to be redistributed over other shards.

    It is made up of the visits of the old shards. A new shard lays out those few that its part begins and ends in, so
    that neither time nor memory grows with the number of samples of all shards.

    Args:
        epoch: The number of the epoch.
        unfinished: What is left of it, by shard.
        ahead: The visits of shards that are in the next epoch already.
        saved: The combined state this comes from, which the states of the continuing readers contain.
    """

    def __init__(
        self,
        epoch: int,
        unfinished: Sequence[UnfinishedVisit],
        ahead: Sequence[UnfinishedVisit],
        saved: dict[str, object],
    ) -> None:
        self.epoch = epoch
        self.saved = saved
        self._unfinished = unfinished
        self._ahead = ahead
        self._ends: Indices = np.cumsum([visit.size for visit in unfinished], dtype=np.int64)
        self.size = int(self._ends[-1])

    @cached_property
    def generator(self) -> int:
        """The state of the shuffling generator after the epoch."""
        return self._unfinished[0].next_generator

    @property
    def any_ahead(self) -> bool:
        """Whether samples of the next epoch have been read."""
        return any(visit.position.offset for visit in self._ahead)

    @cached_property
    def ahead(self) -> Indices:
        """The samples of the next epoch that faster shards have already read."""
        return np.concatenate([visit.taken() for visit in self._ahead])

    def left(self, part: range) -> Indices:
        """Some of the samples that have not been read, in the order of the old shards."""
        if not part:
            return np.empty(0, np.int64)
        first, last = np.searchsorted(self._ends, [part.start, part.stop - 1], "right").tolist()
        begin = part.start - (int(self._ends[first - 1]) if first else 0)
        found = np.concatenate([visit.left() for visit in self._unfinished[first : last + 1]])
        return found[begin : begin + len(part)]


class Resharded:
    """Visits that first share out the rest of an unfinished epoch in equal parts, then continue with whole epochs."""

    def __init__(self, shards: Shards, rest: EpochRemainder) -> None:
        self.size = shards.size
        self.options = shards.options
        self.first = OrderPosition(rest.epoch if rest.size else rest.epoch + 1, 0, rest.generator)
        self._shards = shards
        self._rest = rest

    def lengths(self, visit: int) -> VisitLengths:
        if visit == self._rest.epoch:
            return VisitLengths(len(self._part), self._padded(), self.options.smallest_shard(self._rest.size))
        lengths = self._shards.lengths(visit)
        if visit == self._rest.epoch + 1 and self._rest.any_ahead:
            left = len(self._not_ahead)
            return lengths._replace(samples=left, smallest=min(left, lengths.smallest))
        return lengths

    def lay_out(self, visit: int, generator: int) -> Visit:
        if visit == self._rest.epoch:
            return Visit(self._rest.left(self._part), self._padded(), generator)
        if visit == self._rest.epoch + 1 and self._rest.any_ahead:
            return self._shards.shuffled(self._not_ahead, generator)
        return self._shards.lay_out(visit, generator)

    def saved(self, position: OrderPosition) -> dict[str, object]:
        return {"rest": self._rest.saved} if position.visit <= self._rest.epoch + 1 else {}

    @property
    def _part(self) -> range:
        size = self._rest.size
        part = cut(size, self.options.shard_id, self.options.num_shards)
        if not part and size and self.options.pad_last_batch:
            return range(size - 1, size)  # repeated, so that this shard has as many batches as the others
        return part

    def _padded(self) -> int:
        return self.options.largest_shard(self._rest.size)

    @cached_property
    def _not_ahead(self) -> Indices:
        """This shard's samples of the epoch after the rest, without those that were read already."""
        members = np.asarray(self._shards.members(self._rest.epoch + 1), np.int64)
        return members[~np.isin(members, self._rest.ahead)]
