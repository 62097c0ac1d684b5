"""What becomes of samples that cannot be read: the end of the epoch, a gap that is closed, or another sample."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import numpy as np

from penstock.readers.order import Order
from penstock.readers.source import Outputs, Source, read_numbered
from penstock.values.bad_samples import BadSample, Policy, UnreadableError

OnError: TypeAlias = "Policy | Callable[[BadSample], int | None]"


class Batch(NamedTuple):
    """A batch as it was read, how many samples of the order went into it, and which of them could not be read.

    `skipped` of them stand before its first sample. Without outputs where none of the last samples of a shard can be
    read.
    """

    outputs: Outputs
    taken: int
    bad: list[BadSample]
    skipped: int

    def split(self, left: int) -> tuple[Batch, Batch]:
        """What `left` samples of the order came to, none of which could be read, and the batch without them."""
        rest = Batch(self.outputs, self.taken - left, self.bad[left:], self.skipped - left)
        return Batch((), left, self.bad[:left], left), rest


def read_batch(source: Source, order: Order, count: int, on_error: OnError) -> Batch:
    """The next `count` samples that can be read."""
    indices, places, taken = order.take(count).copy(), np.arange(count), count
    bad: list[BadSample] = []
    while True:
        try:
            return Batch(read_numbered(source, indices), taken, bad, int(places[0]))
        except UnreadableError as error:
            if on_error == "raise":
                raise error.first from None
            found = error.samples(indices)
            bad += found
            if len(bad) >= len(source) and len({each.index for each in bad}) == len(source):
                raise RuntimeError(f"none of {len(source)} samples can be read; the last: {error.first}") from None
            others = [_instead(each, on_error, order) for each in found]
            gaps = [at for at, other in zip(error.failures, others, strict=True) if other is None]
            if len(gaps) == len(indices) and order.at_end:
                return Batch((), taken, bad, taken)
            indices[[*error.failures]] = [-1 if other is None else other for other in others]
            if gaps:
                indices = np.concatenate([np.delete(indices, gaps), order.take(len(gaps))])
                places = np.concatenate([np.delete(places, gaps), np.arange(taken, taken + len(gaps))])
                taken += len(gaps)


def _instead(bad: BadSample, on_error: OnError, order: Order) -> int | None:
    """The sample to read in place of a bad one, or None to close the gap.

    Shards that are padded keep their number of batches, so nothing can move up there: the sample before it serves.
    """
    other = on_error(bad) if callable(on_error) else (bad.index + 1) % order.size if on_error == "replace" else None
    if other is None:
        return (bad.index - 1) % order.size if order.options.pad_last_batch else None
    if not 0 <= other < order.size:
        raise IndexError(f"on_error asked for sample {other} of {order.size} in place of sample {bad.index}")
    return other
