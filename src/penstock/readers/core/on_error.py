"""`on_error` of readers: raise for a sample that cannot be read, skip it, or read another one instead."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import numpy as np

from penstock._native import number_all
from penstock.readers.core.order import Indices, Order
from penstock.readers.core.sample_source import Outputs, SampleSource
from penstock.values.bad_samples import BadSample, OnErrorMode, UnreadableError
from penstock.values.new_tuple import new_tuple

OnError: TypeAlias = "OnErrorMode | Callable[[BadSample], int | None]"


class BadSampleAt(NamedTuple):
    """A sample that could not be read, at a place of the order, counted from the first sample of its batch."""

    place: int
    visit: int
    sample: BadSample


class ReadBatch(NamedTuple):
    """A batch as read: its outputs, how many samples of the order it consumed, and which of them could not be read.

    The first `skipped` samples of the order could not be read. If the last samples of a shard are all unreadable, there
    are no outputs.
    """

    outputs: Outputs
    taken: int
    bad: list[BadSampleAt]
    skipped: int

    def split(self, left: int) -> tuple[ReadBatch, ReadBatch]:
        """Splits off the first `left` samples of the order, none of which could be read, as a batch without outputs."""
        before = [met for met in self.bad if met.place < left]
        behind = [met._replace(place=met.place - left) for met in self.bad if met.place >= left]
        rest = ReadBatch(self.outputs, self.taken - left, behind, self.skipped - left)
        return ReadBatch((), left, before, left), rest


def read_batch(source: SampleSource, order: Order, count: int, on_error: OnError) -> ReadBatch:
    """Reads the next `count` samples; those that cannot be read are replaced or skipped as `on_error` says."""
    start = order.position
    indices = order.take(count)
    taken = len(indices)
    places: Indices | None = None  # those of `indices` in the order: all of them in turn, unless samples were skipped
    bad: list[BadSampleAt] = []
    while True:
        try:
            outputs = source.read(indices)
            number_all(outputs, indices)
            break
        except UnreadableError as error:
            if on_error == "raise":
                raise error.first from None
            found = error.samples(indices)
            if places is None:
                places = np.arange(len(indices))
            for at, each in zip(error.failures, found, strict=True):
                place = int(places[at])
                bad.append(BadSampleAt(place, order.visit_of(start, place), each))
            _give_up_in_time(bad, len(source), error.first)
            others = [_instead(each, on_error, order) for each in found]
            gaps = [at for at, other in zip(error.failures, others, strict=True) if other is None]
            if len(gaps) == len(indices) and order.at_end:
                return ReadBatch((), taken, _in_order(bad), taken)
            indices[[*error.failures]] = [-1 if other is None else other for other in others]
            if gaps:
                more = order.take_more(len(gaps))
                indices = np.concatenate([np.delete(indices, gaps), more])
                places = np.concatenate([np.delete(places, gaps), np.arange(taken, taken + len(more))])
                taken += len(more)
            if not len(indices):
                return ReadBatch((), taken, _in_order(bad), taken)
    if len(indices) < count and order.last_batch == "drop":
        return ReadBatch((), taken, _in_order(bad), taken)
    doubtful: dict[int, BadSample] = getattr(source, "doubtful", _NONE)
    if doubtful:
        in_order = range(taken) if places is None else places.tolist()
        for place, index in zip(in_order, indices.tolist(), strict=True):
            if index in doubtful:
                bad.append(BadSampleAt(place, order.visit_of(start, place), doubtful[index]))
    return new_tuple(
        ReadBatch, (outputs, taken, _in_order(bad) if bad else bad, 0 if places is None else int(places[0]))
    )


_NONE: dict[int, BadSample] = {}


def _in_order(bad: list[BadSampleAt]) -> list[BadSampleAt]:
    """Sorts bad samples by place: missing files are found before those that fail to decode, wherever they stand."""
    return sorted(bad, key=lambda met: met.place)


def _give_up_in_time(bad: list[BadSampleAt], size: int, last: Exception) -> None:
    """Raises if no sample can be read, or if a user's function keeps asking for unreadable ones: else it would loop."""
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
    """The index of the sample to read in place of a bad one, or None to skip it.

    A padded shard has a fixed number of batches, so no sample can be skipped there: the one before it is read again.
    """
    other = on_error(bad) if callable(on_error) else (bad.index + 1) % order.size if on_error == "replace" else None
    if other is None:
        return (bad.index - 1) % order.size if order.options.pad_last_batch else None
    if not 0 <= other < order.size:
        raise IndexError(f"on_error asked for sample {other} of {order.size} in place of sample {bad.index}")
    return other
