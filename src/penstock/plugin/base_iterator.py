"""What the iterators of all frameworks have in common: epochs, the first batch, checkpoints."""

from __future__ import annotations

import logging
import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from penstock.pipeline.iterator_adapter import IteratorAdapter
from penstock.pipeline.pipeline import Pipeline
from penstock.pipeline.values.tensors import Output
from penstock.plugin.arguments import check_size, checked_policy, checked_reset, listed
from penstock.plugin.epochs import Endless, Epochs, LastBatchPolicy, epochs_of_reader

__all__ = ["BaseIterator", "LastBatchPolicy", "Outputs"]

Outputs = Sequence[tuple[Output, ...]]


class BaseIterator(ABC):
    """Iterates over the batches of pipelines, epoch after epoch.

    A failed batch counts as handed out: the next step goes on with the one behind it.

    Args:
        pipelines: A pipeline, or several with the same batch size, a batch of each of which makes a step.
        size: Samples in an epoch, of all pipelines together; -1 where the epoch ends when the source does, whatever
            the policy.
        reader_name: Name of the reader that tells the size of an epoch and whether it is padded, instead of `size`.
        auto_reset: Begin the next epoch where one ends, without `reset`; `iter` does so too.
        fill_last_batch: Older way to say FILL (True) or PARTIAL (False).
        last_batch_padded: With `size`: the source fills the last batch of an epoch itself.
        last_batch_policy: What becomes of the batch in which an epoch ends.
        prepare_first_batch: Make the first batch at once, so that mistakes in the pipelines show here.
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
        several = listed(pipelines)
        policy = checked_policy(last_batch_policy, fill_last_batch)
        check_size(several, size, reader_name, last_batch_padded)
        self._auto_reset = checked_reset(auto_reset)
        self._reader_name = reader_name
        self._last_batch_policy = policy
        self._by_size = reader_name is None and size > 0
        self._pipelines = [IteratorAdapter(pipeline) for pipeline in several]
        self.batch_size = several[0].max_batch_size
        self._shards: Sequence[int] = [0] * len(several)
        self._epochs: Epochs
        if reader_name is not None:
            metadata = [pipeline.reader_meta(reader_name) for pipeline in several]
            self._epochs, self._shards = epochs_of_reader(metadata, self.batch_size, policy)
        elif size > 0:
            self._epochs = Epochs([math.ceil(size)], self.batch_size * len(several), policy, last_batch_padded)
        else:
            self._epochs = Endless(self.batch_size)
        self._given_size = size
        self._ended = False  # the source has, wherever in the epoch
        self._may_have_ended = False  # exactly where the epoch did
        self._prepared: Any = None
        self._before_prepared: list[bytes] | None = None
        self._restore()
        if prepare_first_batch:
            self._prepare_first()

    def __iter__(self) -> Any:
        if self._finished:
            self.reset()
        return self

    def __next__(self) -> Any:
        """The next batch."""
        if self._prepared is not None:
            batch, self._prepared, self._before_prepared = self._prepared, None, None
            return batch
        return self._make()

    def next(self) -> Any:
        """The next batch."""
        return next(self)

    def __len__(self) -> int:
        """Batches in the current epoch; 0 where that is not known."""
        return self._epochs.length

    @property
    def size(self) -> int:
        """Samples in the current epoch; -1 where that is not known."""
        return self._epochs.size if self._given_size < 0 else self._given_size

    # Names that training scripts and subclasses read.
    @property
    def _size(self) -> int:
        """As `size`."""
        return self.size

    @property
    def _num_gpus(self) -> int:
        """How many pipelines there are."""
        return len(self._pipelines)

    @property
    def _pipes(self) -> list[Pipeline]:
        """The pipelines."""
        return [each.pipeline for each in self._pipelines]

    @property
    def _shards_num(self) -> int:
        """In how many shards the data set is read; without a reader there is one."""
        return self._epochs.shard_count

    @property
    def _shards_id(self) -> list[int]:
        """The shard of each pipeline in the first epoch."""
        return [*self._shards]

    @property
    def _size_no_pad(self) -> int:
        """Samples in all shards."""
        return self._epochs.samples

    @property
    def _counter(self) -> int:
        """Samples that the steps of the current epoch have taken, of all pipelines together where they share `size`."""
        return self._epochs.step * self.batch_size * (len(self._pipelines) if self._by_size else 1)

    def reset(self) -> None:
        """Begins the next epoch, where the current one is finished."""
        if self._ended:
            self._start_over()
        elif self._finished:
            self._drop()
            self._epochs.next()
            self._may_have_ended = True
        elif self._epochs.step:
            logging.warning("DALI iterator does not support resetting while epoch is not finished. Ignoring...")

    def checkpoints(self) -> list[bytes]:
        """Where the program stands, for each pipeline: for the argument `checkpoint` of the pipelines to go on."""
        if self._before_prepared is not None:
            return self._before_prepared
        return [pipeline.checkpoint(self._epochs.state()) for pipeline in self._pipelines]

    def state_dict(self) -> dict[str, Any]:
        """Where the program stands, for Lightning and Accelerate; the pipelines need `enable_checkpointing=True`."""
        return {"pipelines": [saved.decode() for saved in self.checkpoints()]}

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Goes on from what `state_dict` returned: the next batch is the one behind it, in this object or a new one."""
        saved = state_dict["pipelines"]
        if len(saved) != len(self._pipelines):
            raise ValueError(f"the state is that of {len(saved)} pipelines, there are {len(self._pipelines)}")
        for pipeline, checkpoint in zip(self._pipelines, saved, strict=True):
            pipeline.restart(checkpoint)
        self._prepared = self._before_prepared = None
        self._ended = self._may_have_ended = False
        self._restore()

    @abstractmethod
    def _converted(self, outputs: Outputs, samples: Sequence[int]) -> Any:
        """What the program gets: of the batch of each pipeline so many samples."""

    @property
    def _finished(self) -> bool:
        return self._ended or (self._prepared is None and self._epochs.over)

    def _make(self) -> Any:
        outputs = self._outputs()
        samples = self._samples(outputs)
        self._epochs.step += 1
        return self._converted(outputs, samples)

    def _outputs(self) -> Outputs:
        """The batch of each pipeline for the next step, which the caller counts; a failed one is counted here."""
        try:
            return self._take()
        except StopIteration:
            if self._auto_reset:
                self.reset()
            raise
        except Exception:
            self._epochs.step += 1
            raise

    def _take(self) -> Outputs:
        if self._finished:
            raise StopIteration
        try:
            return self._asked()
        except StopIteration:
            self._ended = True
            if not self._may_have_ended:
                raise
        self._start_over()
        return self._take()

    def _asked(self) -> Outputs:
        """The next batch of each pipeline; what failed in one of them is raised when all have been asked."""
        outputs, errors = [], []
        for pipeline in self._pipelines:
            try:
                outputs.append(pipeline.take())
            except Exception as error:
                errors.append(error)
        for failure in sorted(errors, key=lambda each: not isinstance(each, StopIteration)):
            raise failure
        self._may_have_ended = False
        return outputs

    def _samples(self, outputs: Outputs) -> Sequence[int]:
        """How many samples of each batch belong to the epoch. Pipelines of which none are come last and are left out,
        unless each has its own shard.
        """
        sizes = [len(batch[0]) for batch in outputs]
        if not self._by_size:
            if isinstance(self._epochs, Endless):
                return sizes
            return [min(self._epochs.left(shard), size) for shard, size in zip(self._shards, sizes, strict=True)]
        if any(size != self.batch_size for size in sizes):
            raise AssertionError(
                "Variable batch size is not supported by the iterator when its size is set explicitly: "
                f"{self.batch_size} samples were expected, got {sizes}; with size=-1 any number will do"
            )
        left = self._epochs.left(0)
        return [min(self.batch_size, left - before) for before in range(0, left, self.batch_size)]

    def _drop(self) -> None:
        for _ in range(self._epochs.dropped):
            try:
                self._asked()
            except StopIteration:
                self._start_over()
            except Exception:  # nobody will miss this batch
                continue

    def _start_over(self) -> None:
        for pipeline in self._pipelines:
            pipeline.reset()
        self._epochs.start_over()
        self._ended = self._may_have_ended = False

    def _prepare(self) -> Any:
        """The batch that comes next, made already."""
        if self._prepared is None:
            before = self.checkpoints() if all(pipeline.checkpointing for pipeline in self._pipelines) else None
            self._prepared = self._make()
            self._before_prepared = before
        return self._prepared

    def _prepare_first(self) -> None:
        if self._epochs.step and self._epochs.over:  # as the checkpoint says: next() has to tell the program so
            return
        try:
            self._prepare()
        except StopIteration:
            self._report_no_data_in_pipeline()

    def _report_no_data_in_pipeline(self) -> NoReturn:
        raise RuntimeError(
            "It seems that there is no data in the pipeline: the source has ended already, or "
            f"LastBatchPolicy.DROP is set and the smallest shard has less than a batch of {self.batch_size}"
        ) from None

    def _restore(self) -> None:
        restored = self._pipelines[0].restored()
        if restored:
            self._epochs.restore(restored)
        elif restored is not None:
            logging.warning(
                "Iterator data was not saved in the checkpoint, which is that of a pipeline alone: "
                "this epoch has full length from there"
            )
