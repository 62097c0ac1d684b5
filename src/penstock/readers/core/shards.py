"""Sharding and shuffling as DALI does them, and the rest of an epoch redistributed over other shards."""

from __future__ import annotations

import threading
from typing import NamedTuple

import numpy as np

from penstock import _native
from penstock.readers.core.order import Indices, OrderOptions, OrderPosition, Visit, VisitLengths

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
        self._lock = threading.Lock()
        self._all: Indices | None = None
        self._shuffles = 0

    def lengths(self, visit: int) -> VisitLengths:
        options = self.options
        return VisitLengths(len(self._part(visit)), options.largest_shard(self.size), options.smallest_shard(self.size))

    def members(self, visit: int) -> Indices | range:
        """The samples of a visit's shard, before they pass through the shuffling buffer."""
        part = self._part(visit)
        options = self.options
        if (options.random_shuffle and options.shuffles_listing) or options.shuffle_after_epoch:
            with self._lock:
                return self._shuffled(visit)[part.start : part.stop].copy()
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

    def _shuffled(self, visit: int) -> Indices:
        """All samples in the order in which they are cut into shards; an epoch's shuffle starts from the last one's."""
        options = self.options
        if self._all is None or self._shuffles > visit + 1:
            self._all, self._shuffles = np.arange(self.size, dtype=np.int64), 0
            if options.random_shuffle and options.shuffles_listing:
                _native.shuffle(self._all, _SHUFFLE_SEED)
        if options.shuffle_after_epoch:
            seed = _SHUFFLE_SEED if options.shuffle_after_epoch_seed is None else options.shuffle_after_epoch_seed
            while self._shuffles <= visit:
                self._shuffles += 1
                _native.shuffle_wide(self._all, (seed + self._shuffles * _EPOCH_STRIDE) & 0xFFFFFFFFFFFFFFFF)
        return self._all


class EpochRemainder(NamedTuple):
    """The rest of an epoch that some readers did not finish, to be redistributed over other shards.

    `left` are the samples not yet read in it, `ahead` those of the next epoch that faster shards have already read.
    `saved` is the combined state this was computed from, which the states of the continuing readers contain.
    """

    epoch: int
    generator: int
    left: Indices
    ahead: Indices
    saved: dict[str, object]


class Resharded:
    """Visits that first share out the rest of an unfinished epoch in equal parts, then continue with whole epochs."""

    def __init__(self, shards: Shards, rest: EpochRemainder) -> None:
        self.size = shards.size
        self.options = shards.options
        self.first = OrderPosition(rest.epoch if len(rest.left) else rest.epoch + 1, 0, rest.generator)
        self._shards = shards
        self._rest = rest

    def lengths(self, visit: int) -> VisitLengths:
        if visit == self._rest.epoch:
            return VisitLengths(len(self._part()), self._padded(), self.options.smallest_shard(len(self._rest.left)))
        lengths = self._shards.lengths(visit)
        if visit == self._rest.epoch + 1 and len(self._rest.ahead):
            left = len(self._not_ahead(visit))
            return lengths._replace(samples=left, smallest=min(left, lengths.smallest))
        return lengths

    def lay_out(self, visit: int, generator: int) -> Visit:
        if visit == self._rest.epoch:
            return Visit(self._part(), self._padded(), generator)
        if visit == self._rest.epoch + 1 and len(self._rest.ahead):
            return self._shards.shuffled(self._not_ahead(visit), generator)
        return self._shards.lay_out(visit, generator)

    def saved(self, position: OrderPosition) -> dict[str, object]:
        return {"rest": self._rest.saved} if position.visit <= self._rest.epoch + 1 else {}

    def _part(self) -> Indices:
        left, shards = self._rest.left, self.options.num_shards
        part = cut(len(left), self.options.shard_id, shards)
        if not part and len(left) and self.options.pad_last_batch:
            return left[-1:]  # repeated, so that this shard has as many batches as the others
        return left[part.start : part.stop]

    def _padded(self) -> int:
        return self.options.largest_shard(len(self._rest.left))

    def _not_ahead(self, visit: int) -> Indices:
        members = np.asarray(self._shards.members(visit), np.int64)
        return members[~np.isin(members, self._rest.ahead)]
