"""What becomes of samples that cannot be read: the end of the epoch, a gap that is closed, or another sample."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import numpy as np

from penstock.readers.core.order import Order
from penstock.readers.core.sample_source import Outputs, Source, read_numbered
from penstock.values.bad_samples import BadSample, Policy, UnreadableError

OnError: TypeAlias = "Policy | Callable[[BadSample], int | None]"


class Met(NamedTuple):
    """A bad sample, at the place of the order where it was met: the first sample of its batch stands at place 0."""

    place: int
    visit: int
    sample: BadSample


class Batch(NamedTuple):
    """A batch as it was read, how many samples of the order went into it, and which of them could not be read.

    `skipped` of them stand before its first sample. Without outputs where none of the last samples of a shard can be
    read.
    """

    outputs: Outputs
    taken: int
    bad: list[Met]
    skipped: int

    def split(self, left: int) -> tuple[Batch, Batch]:
        """What `left` samples of the order came to, none of which could be read, and the batch without them."""
        before = [met for met in self.bad if met.place < left]
        behind = [met._replace(place=met.place - left) for met in self.bad if met.place >= left]
        return Batch((), left, before, left), Batch(self.outputs, self.taken - left, behind, self.skipped - left)


def read_batch(source: Source, order: Order, count: int, on_error: OnError) -> Batch:
    """The next `count` samples that can be read."""
    start = order.position
    indices, places, taken = order.take(count).copy(), np.arange(count), count
    bad: list[Met] = []
    while True:
        try:
            outputs = read_numbered(source, indices)
            break
        except UnreadableError as error:
            if on_error == "raise":
                raise error.first from None
            found = error.samples(indices)
            for at, each in zip(error.failures, found, strict=True):
                place = int(places[at])
                bad.append(Met(place, order.visit_of(start, place), each))
            _give_up_in_time(bad, len(source), error.first)
            others = [_instead(each, on_error, order) for each in found]
            gaps = [at for at, other in zip(error.failures, others, strict=True) if other is None]
            if len(gaps) == len(indices) and order.at_end:
                return Batch((), taken, _in_order(bad), taken)
            indices[[*error.failures]] = [-1 if other is None else other for other in others]
            if gaps:
                indices = np.concatenate([np.delete(indices, gaps), order.take(len(gaps))])
                places = np.concatenate([np.delete(places, gaps), np.arange(taken, taken + len(gaps))])
                taken += len(gaps)
    doubtful: dict[int, BadSample] = getattr(source, "doubtful", _NONE)
    if doubtful:
        for place, index in zip(places.tolist(), indices.tolist(), strict=True):
            if index in doubtful:
                bad.append(Met(place, order.visit_of(start, place), doubtful[index]))
    return Batch(outputs, taken, _in_order(bad) if bad else bad, int(places[0]))


_NONE: dict[int, BadSample] = {}


def _in_order(bad: list[Met]) -> list[Met]:
    """As the order comes to them, not as they were found: files that are missing are known before those to decode."""
    return sorted(bad, key=lambda met: met.place)


def _give_up_in_time(bad: list[Met], size: int, last: Exception) -> None:
    """Ends the search for samples where there are none, or where a function asks for the same bad ones for ever."""
    if len(bad) < size:
        return
    if len({met.sample.index for met in bad}) == size:
        raise RuntimeError(f"none of {size} samples can be read; the last: {last}") from None
    place, tries = Counter(met.place for met in bad).most_common(1)[0]
    if tries > size:
        index = next(met.sample.index for met in bad if met.place == place)
        raise RuntimeError(
            f"on_error gave {tries} samples in place of sample {index}, none of which can be read; the last: {last}"
        ) from None


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
