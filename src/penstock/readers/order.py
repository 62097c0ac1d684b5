"""Which sample comes next: shards, padding, shuffling and epochs, the same for every reader."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from penstock import _native

Indices: TypeAlias = npt.NDArray[np.int64]

# Both are the real library's, so that a seed means the same order in both.
_SHUFFLE_SEED = 524287
_EPOCH_STRIDE = 1 << 32


@dataclass(frozen=True)
class OrderOptions:
    """The arguments of a reader that decide its order; `readers.Reader` documents them."""

    shard_id: int = 0
    num_shards: int = 1
    stick_to_shard: bool = False
    pad_last_batch: bool = False
    random_shuffle: bool = False
    initial_fill: int = 1024
    seed: int = -1
    shuffle_after_epoch: bool = False
    shuffle_after_epoch_seed: int | None = None

    def check(self, size: int) -> None:
        """Refuses what cannot be done with `size` samples."""
        if self.shuffle_after_epoch and self.random_shuffle:
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


class Order:
    """An endless sequence of sample indices, taken a batch at a time.

    The reader visits one shard after the other; a visit is laid out as a whole, so taking a batch is a slice.
    """

    def __init__(self, size: int, options: OrderOptions, position: Position | None = None) -> None:
        options.check(size)
        self.size = size
        self.options = options
        self._padded_shard = options.largest_shard(size)
        self._all: Indices | None = None
        self._shuffles = 0
        self._items: Indices | None = None
        self._next_generator = 0
        self.position = position or Position(0, 0, _native.window_state(options.seed & 0xFFFFFFFF))
        self._lay_out()

    def epoch_length(self, epoch: int, batch_size: int = 1) -> int:
        """How many batches the epoch has. Batches are always full."""
        start, stop = self._bounds(epoch)
        samples = self._padded_shard if self.options.pad_last_batch else stop - start
        return -(-samples // batch_size)

    def take(self, count: int) -> Indices:
        """The next `count` indices; with padding, a batch never reaches into the next shard."""
        if self.options.pad_last_batch:
            if self.position.offset >= self._padded_shard:
                self._visit_next()
            return self._step(count)
        parts = []
        while count:
            if self.position.offset >= self._length:
                self._visit_next()
            parts.append(self._step(min(count, self._length - self.position.offset)))
            count -= len(parts[-1])
        return parts[0] if len(parts) == 1 else np.concatenate(parts)

    def _bounds(self, visit: int) -> tuple[int, int]:
        shards = self.options.num_shards
        shard = (self.options.shard_id + visit * self.options.rotates) % shards
        return shard * self.size // shards, (shard + 1) * self.size // shards

    def _step(self, count: int) -> Indices:
        offset = self.position.offset
        self.position = self.position._replace(offset=offset + count)
        within = np.minimum(np.arange(offset, offset + count, dtype=np.int64), self._length - 1)
        return within + self._start if self._items is None else self._items[within]

    def _visit_next(self) -> None:
        self.position = Position(self.position.visit + 1, 0, self._next_generator)
        self._lay_out()

    def _lay_out(self) -> None:
        """Puts the samples of the shard being visited in order."""
        visit, _, generator = self.position
        self._start, stop = self._bounds(visit)
        self._length = stop - self._start
        self._next_generator = generator
        if self.options.random_shuffle:
            if self._all is None:
                self._all = np.arange(self.size, dtype=np.int64)
                _native.shuffle(self._all, _SHUFFLE_SEED)
            self._items = self._all[self._start : stop].copy()
            self._next_generator = _native.shuffle_window(self._items, self.options.initial_fill, generator)
        elif self.options.shuffle_after_epoch:
            self._items = self._shuffled_after(visit)[self._start : stop]

    def _shuffled_after(self, epoch: int) -> Indices:
        """All samples in the order of that epoch: each epoch shuffles what the one before it left."""
        if self._all is None:
            self._all = np.arange(self.size, dtype=np.int64)
        seed = self.options.shuffle_after_epoch_seed
        seed = _SHUFFLE_SEED if seed is None else seed
        while self._shuffles <= epoch:
            self._shuffles += 1
            _native.shuffle_wide(self._all, (seed + self._shuffles * _EPOCH_STRIDE) & 0xFFFFFFFFFFFFFFFF)
        return self._all
