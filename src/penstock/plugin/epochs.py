"""Where epochs begin and end in the endless batches of pipelines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any


class LastBatchPolicy(Enum):
    """What becomes of the batch in which an epoch ends.

    FILL hands it out whole; what is in it of the next epoch counts for that one, unless it is padding. DROP does not
    hand it out. PARTIAL hands out only the samples that belong to the epoch.
    """

    FILL = 0
    DROP = 1
    PARTIAL = 2


class Epochs:
    """How many batches the current epoch has, and how many of them are behind the program.

    All shards of the data set are looked at, also those that other processes read: every process makes the same number
    of steps.
    """

    def __init__(
        self,
        shards: Sequence[int],
        batch_size: int,
        policy: LastBatchPolicy,
        padded: bool,
        rotating: bool = False,
    ) -> None:
        """`padded`: the source fills the last batch of every shard itself. `rotating`: it reads the next shard then."""
        self._shards = shards
        self._batch_size = batch_size
        self._policy = policy
        self._padded = padded
        self._rotating = rotating
        self._epoch = 0
        self._ahead = [0] * len(shards)  # samples of this epoch that came in the last batch of the one before
        self.step = 0

    @property
    def shard_count(self) -> int:
        return len(self._shards)

    @property
    def samples(self) -> int:
        """In all shards."""
        return sum(self._shards)

    @property
    def length(self) -> int:
        """Batches that are handed out in this epoch."""
        if self._policy is LastBatchPolicy.DROP:
            return min(self._shards) // self._batch_size
        left = max(size - ahead for size, ahead in zip(self._sizes(), self._ahead, strict=True))
        return max(1, self._batches(left))

    @property
    def dropped(self) -> int:
        """Batches behind these that belong to the epoch and are not handed out."""
        if self._policy is not LastBatchPolicy.DROP:
            return 0
        in_all = max(self._shards) if self._padded else min(self._shards)
        return self._batches(in_all) - self.length

    @property
    def over(self) -> bool:
        return self.step >= self.length

    @property
    def size(self) -> int:
        """Samples of a shard in this epoch, in whole batches where the last one is filled from the next epoch."""
        if self._policy is LastBatchPolicy.DROP:
            return min(self._shards)
        return max(self._shards) if self._padded else self.length * self._batch_size

    def left(self, shard: int) -> int:
        """How many samples of a shard belong to the epoch in this batch."""
        if self._policy is not LastBatchPolicy.PARTIAL:
            return self._batch_size
        return min(max(self._sizes()[shard] - self.step * self._batch_size, 0), self._batch_size)

    def next(self) -> None:
        """Goes on to the next epoch."""
        if self._policy is LastBatchPolicy.FILL and not self._padded:
            taken, sizes = self.length * self._batch_size, self._sizes()
            self._ahead = [ahead + taken - size for ahead, size in zip(self._ahead, sizes, strict=True)]
        self._epoch += 1
        self.step = 0

    def start_over(self) -> None:
        """The source has ended and begins anew."""
        self._ahead = [0] * len(self._shards)
        self.step = 0

    def state(self) -> dict[str, Any]:
        return {"epoch": self._epoch, "step": self.step, "ahead": self._ahead}

    def restore(self, state: Mapping[str, Any]) -> None:
        self._epoch, self.step = state["epoch"], state["step"]
        if len(state["ahead"]) == len(self._ahead):  # else the data set is sharded in another way now
            self._ahead = [*state["ahead"]]

    def _sizes(self) -> Sequence[int]:
        """Of the shard that each reader is at in this epoch."""
        first = self._epoch % len(self._shards) if self._rotating else 0
        return [*self._shards[first:], *self._shards[:first]]

    def _batches(self, samples: int) -> int:
        return -(-samples // self._batch_size)


class Endless(Epochs):
    """Epochs that end where the source does."""

    def __init__(self, batch_size: int) -> None:
        super().__init__([0], batch_size, LastBatchPolicy.FILL, padded=True)

    @property
    def length(self) -> int:
        return 0

    @property
    def over(self) -> bool:
        return False

    @property
    def size(self) -> int:
        return -1


def epochs_of_reader(
    metadata: Sequence[Mapping[str, int]], batch_size: int, policy: LastBatchPolicy
) -> tuple[Epochs, list[int]]:
    """The epochs of a reader that every pipeline has, and the shard of each of them in the first epoch."""
    first = metadata[0]
    for key, argument in _ALIKE.items():
        if any(other[key] != first[key] for other in metadata):
            values = [other[key] for other in metadata]
            raise AssertionError(f"Reader Operator should have the same {argument} in all the pipelines, got {values}")
    size, count = first["epoch_size"], first["number_of_shards"]
    shards = [size * (shard + 1) // count - size * shard // count for shard in range(count)]
    epochs = Epochs(shards, batch_size, policy, bool(first["pad_last_batch"]), not first["stick_to_shard"])
    return epochs, [each["shard_id"] for each in metadata]


_ALIKE = {
    "epoch_size": "size value",
    "number_of_shards": "`num_shards` argument set",
    "pad_last_batch": "`pad_last_batch` argument set",
    "stick_to_shard": "`stick_to_shard` argument set",
}
