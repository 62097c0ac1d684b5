"""The base of iterators that programs write themselves: what DALI calls `_DaliBaseIterator`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from penstock.pipeline.pipeline import Pipeline
from penstock.plugin.base_iterator import BaseIterator, Outputs
from penstock.plugin.epochs import LastBatchPolicy


class CustomIterator(BaseIterator):
    """Leaves the steps of `__next__` to subclasses, which make what they like of the outputs.

        def __next__(self):
            if self._first_batch is not None:
                batch, self._first_batch = self._first_batch, None
                return batch
            outputs = self._get_outputs()
            ...
            self._schedule_runs()
            self._advance_and_check_drop_last()
            if self._reader_name:
                is_short, samples = self._remove_padded()

    A subclass that makes its first batch early keeps it in `_first_batch`.
    """

    def __init__(
        self,
        pipelines: Pipeline | Sequence[Pipeline],
        size: int = -1,
        reader_name: str | None = None,
        auto_reset: str | bool | None = False,
        fill_last_batch: bool | None = None,
        last_batch_padded: bool = False,
        last_batch_policy: LastBatchPolicy = LastBatchPolicy.FILL,
        prepare_first_batch: bool = True,
    ) -> None:
        self._first_batch: Any = None
        self._before_first: list[bytes] | None = None
        self._left: list[int] = []
        self._ever_consumed = False
        self._prepare_first_batch = prepare_first_batch
        super().__init__(
            pipelines, size, reader_name, auto_reset, fill_last_batch, last_batch_padded, last_batch_policy,
            prepare_first_batch=False,
        )  # fmt: skip

    @classmethod
    def __subclasshook__(cls, other: type) -> Any:
        """All iterators of frameworks are such to programs that ask."""
        return True if cls is CustomIterator and BaseIterator in other.__mro__ else NotImplemented

    def __next__(self) -> Any:
        raise NotImplementedError(f"{type(self).__name__} has no __next__")

    def checkpoints(self) -> list[bytes]:
        return self._before_first if self._held and self._before_first is not None else super().checkpoints()

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        super().load_state_dict(state_dict)
        self._first_batch = self._before_first = None

    def _get_outputs(self) -> Outputs:
        """The batch of each pipeline for this step; StopIteration where the epoch ends."""
        if self._before_first is None and all(pipeline.checkpointing for pipeline in self._pipelines):
            self._before_first = super().checkpoints()
        outputs = self._outputs()
        samples = self._samples(outputs)
        self._left = [*samples, *[0] * (len(outputs) - len(samples))]
        return outputs

    def _schedule_runs(self, release_outputs: bool = True) -> None:
        """Nothing is left to do: pipelines go on by themselves, and outputs live as long as they are used."""

    def _advance_and_check_drop_last(self, dry_run: bool = False, end_iteration: bool = True) -> bool:
        """Counts the step; whether the epoch is over. A batch to be dropped has ended it in `_get_outputs` already."""
        if not dry_run:
            self._epochs.step += 1
        return self._epochs.over

    def _remove_padded(self) -> tuple[list[bool], list[int]]:
        """Whether some samples of each batch do not belong to the epoch, and how many do, which come first."""
        return [count < self.batch_size for count in self._left], self._left

    def _end_iteration(self) -> NoReturn:
        """Ends the epoch."""
        if self._auto_reset:
            self.reset()
        raise StopIteration

    def _converted(self, outputs: Outputs, samples: Sequence[int]) -> Any:
        return outputs

    @property
    def _held(self) -> bool:
        """Whether there is a batch that was made early and that the program has not got yet."""
        return self._first_batch is not None

    @property
    def _finished(self) -> bool:
        return self._ended or (not self._held and self._epochs.over)
