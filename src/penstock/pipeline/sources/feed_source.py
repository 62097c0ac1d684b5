"""The base of sources of the user's own data, and the source whose batches are given to `feed_input`."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

from penstock._native import Samples
from penstock.pipeline.sources.batch_from_arrays import DeclaredInput, as_samples, with_layout
from penstock.pipeline.sources.source import SourceBatch


class ExternalSource:
    """A source of the user's own data with declared outputs; the base of fed sources and of callbacks."""

    path = "external_source"
    background = True

    def __init__(self, declared: list[DeclaredInput]) -> None:
        self.declared = declared
        self.batch_size = 0
        self._kept: dict[int, Any] = {}  # batches by iteration, for those that the program has not got yet

    def start(self, batch_size: int, iteration: int) -> None:
        self.batch_size = batch_size
        for each in self.declared:
            each.check()

    def hand_out(self, before: int) -> None:
        for iteration in [*self._kept]:
            if iteration < before:
                self._kept.pop(iteration, None)

    def rewind(self) -> None: ...

    def reset(self, iteration: int) -> None: ...

    def state(self) -> Any:
        return None

    def restore(self, state: Any) -> None: ...

    def outputs(self, batches: Sequence[Any]) -> tuple[Samples, ...]:
        if len(batches) != len(self.declared):
            raise ValueError(f"Expected {len(self.declared)} outputs from the source, got {len(batches)}")
        made = tuple(map(DeclaredInput.labelled, self.declared, map(as_samples, batches)))
        if len(made) > 1 and len(sizes := {*map(len, made)}) > 1:
            raise RuntimeError(f"Batch size clash! The outputs of one source have batches of {sorted(sizes)} samples")
        if len(made[0]) > self.batch_size:
            raise RuntimeError(
                "The external source callback returned an unexpected batch size. "
                f"Expected batch_size <= {self.batch_size}, actual: {len(made[0])}"
            )
        return made


class FeedSource(ExternalSource):
    """A source whose batches the user gives to `feed_input`."""

    def __init__(self, declared: list[DeclaredInput], repeat_last: bool = False, blocking: bool = False) -> None:
        super().__init__(declared)
        self._repeat_last = repeat_last
        self._blocking = blocking
        self._last: tuple[Samples, ...] | None = None
        self._end = 0  # the first iteration that is neither fed nor scheduled: the next batch is for it
        self._was_fed = False
        self._more = threading.Condition()

    def afresh(self) -> Any:
        return FeedSource(self.declared, self._repeat_last, self._blocking)

    def start(self, batch_size: int, iteration: int) -> None:
        super().start(batch_size, iteration)
        self._end = iteration

    def feed(self, data: Any, layout: str | None) -> None:
        """Takes a batch for the next iteration; one for each output where there are several."""
        batches = [data] if len(self.declared) == 1 else data
        made = [_fed(declared, as_samples(each), layout) for declared, each in zip(self.declared, batches, strict=True)]
        self._give([tuple(made)])

    def _give(self, following: Sequence[Any]) -> None:
        """Stores one value for each of the next iterations that have none."""
        with self._more:
            end = self._end + len(following)
            self._kept.update(zip(range(self._end, end), following, strict=True))
            self._end = end
            self._was_fed = True
            self._more.notify()

    def is_fed_for(self, iteration: int) -> bool:
        return iteration < self._end

    def schedule(self, iteration: int) -> None:
        """Notes that an iteration is scheduled. If the source is blocking, waits first until there is data for it."""
        with self._more:
            if self._blocking:
                self._more.wait_for(lambda: iteration < self._end or (self._repeat_last and self._was_fed))
            self._end = max(self._end, iteration + 1)

    def fetch(self, number: int) -> SourceBatch:
        batches = self._kept.get(number)
        if batches is None and self._repeat_last:
            batches = self._last
        if batches is None:
            return SourceBatch((), _nothing_was_fed())
        self._kept[number] = self._last = batches
        return SourceBatch(batches)


def _nothing_was_fed() -> IndexError:
    return IndexError(
        "Critical error in pipeline:\nAttempted to peek the data batch that doesn't exist. "
        "Add more elements to the DALI input operator."
    )


def _fed(declared: DeclaredInput, samples: Samples, layout: str | None) -> Samples:
    if layout:
        if declared.layout not in (None, layout):
            raise RuntimeError(f'Expected data with layout: "{declared.layout}" and got: "{layout}".')
        samples = with_layout(samples, layout)
    return declared.labelled(samples)
