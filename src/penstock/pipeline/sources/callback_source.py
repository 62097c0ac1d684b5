"""The source of a pipeline that takes batches from a callback, an iterable or a generator function."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

from penstock._native import Samples
from penstock.interop.frameworks import is_array
from penstock.pipeline.sources.batch_from_arrays import DeclaredInput
from penstock.pipeline.sources.callback import Callback
from penstock.pipeline.sources.feed_source import ExternalSource
from penstock.pipeline.sources.source import SourceBatch
from penstock.values.new_tuple import new_tuple
from penstock.values.sample_info import BatchInfo, SampleInfo


class CallbackSource(ExternalSource):
    """Batches from the user's own callback, which may be told the epoch and the number of the batch in it."""

    def __init__(self, callback: Callback, declared: list[DeclaredInput], several: bool, background: bool) -> None:
        super().__init__(declared)
        self.callback = callback
        self.background = background
        self.num_outputs = len(declared) if several else None
        self._pulled: list[Any] = []  # the items pulled so far for the batch that is being fetched
        self.epoch = 0
        self._first = 0  # the first iteration of this epoch

    def afresh(self) -> CallbackSource:
        """Returns a source with the same callback, beginning with its first epoch.

        Pipelines that share an iterable share its items: each gets the next one.
        """
        return CallbackSource(self.callback, self.declared, self.num_outputs is not None, self.background)

    def fetch(self, number: int) -> SourceBatch:
        """Returns the batch of an iteration. An error of the callback takes the place of a batch: it is raised once."""
        batch: SourceBatch | None = self._kept.get(number)
        if batch is None:
            try:
                batch = new_tuple(SourceBatch, (self._made(number), None, False))
            except Exception as error:
                batch = SourceBatch((), error)
            none: list[Any] = []
            self._kept[number] = batch
            self._pulled = none
        return batch

    def _made(self, iteration: int) -> tuple[Samples, ...]:
        """Calls the callback. Items that it gave before an interrupt are kept, so it is not called for them again."""
        return self.outputs(self._columns(self.number(iteration)))

    def number(self, iteration: int) -> int:
        """Returns the number of an iteration in its epoch."""
        return iteration - self._first

    def _columns(self, number: int) -> Sequence[Any]:
        callback, pulled = self.callback, self._pulled
        if callback.batch:
            if not pulled:
                callback.pull(BatchInfo(number, self.epoch) if callback.takes_place else None, pulled)
            return in_outputs(pulled[0], self.num_outputs)
        places = sample_places(number, self.epoch, self.batch_size, range(self.batch_size))
        for place in places[len(pulled) :]:
            callback.pull(place, pulled)
        rows = [in_outputs(item, self.num_outputs) for item in pulled]
        return [*zip(*rows, strict=True)]

    def reset(self, iteration: int) -> None:
        self.callback.restart()
        if self.callback.is_restarted:
            self._kept.clear()
            self._pulled = []
        for number, batch in [*self._kept.items()]:
            if batch.error is not None:
                del self._kept[number]
        self.epoch += 1
        self._first = iteration

    def state(self) -> Any:
        return {"epoch": self.epoch, "first": self._first}

    def restore(self, state: Any) -> None:
        self.epoch, self._first = int(state["epoch"]), int(state["first"])

    def warn_of_checkpoints(self) -> None:
        """Warns of a callback that takes no place, so that it cannot continue from a checkpoint."""
        if not self.callback.takes_place:
            warnings.warn(
                "Checkpointing enabled in a pipeline with external source operator, with "
                f"{self.callback.name} as a 'source'. It is not told its place, so its state is no part of the "
                "checkpoint: when one is loaded, the source must be brought to the right place by the program. A "
                "callable that takes the number of the batch, a BatchInfo or a SampleInfo goes on by itself.",
                stacklevel=4,
            )


def in_outputs(item: Any, count: int | None) -> Sequence[Any]:
    """Splits an item into one value for each output. Where `count` is None, the item itself is the only output."""
    if count is None:
        return (item,)
    if not isinstance(item, (list, tuple)) and not is_array(item):
        raise ValueError(f"Expected {count} outputs from the source, got a {type(item).__name__}")
    if len(item) != count:
        raise ValueError(f"Expected {count} outputs from the source, got {len(item)}")
    return item  # type: ignore[no-any-return]


def sample_places(number: int, epoch: int, batch_size: int, places: range) -> list[SampleInfo]:
    """Returns the sample infos of some indices of a batch."""
    return [SampleInfo(number * batch_size + place, place, number, epoch) for place in places]
