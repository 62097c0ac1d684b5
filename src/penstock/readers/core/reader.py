"""`Reader`: samples from storage, epoch by epoch."""

from __future__ import annotations

import inspect
import threading
import warnings
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from penstock.engine.hand_over import Handed
from penstock.readers.core.arguments import COMMON_DOC, full_signature, read_common
from penstock.readers.core.batch_size import checked_largest
from penstock.readers.core.on_error import Batch, OnError
from penstock.readers.core.prefetch import Prefetcher
from penstock.readers.core.sample_checks import Check, Checked, as_checks
from penstock.readers.core.sample_source import BadSample, Outputs, Source, read_numbered
from penstock.readers.core.standing import Standing
from penstock.schema.params import Param
from penstock.storage import Storage
from penstock.values.bad_samples import checked
from penstock.values.device import Device
from penstock.values.device import device as to_device


class Reader(Standing):
    """Base of the readers. A subclass says in `_open_source` where its samples come from; the rest is here.

    A reader opens nothing until its first step. From then on a background thread reads ahead.
    """

    _shuffles_listing: ClassVar[bool] = True  # DALI does so where it lists files, not where it opens archives

    def __init__(
        self,
        max_batch_size: int | None = None,
        name: str | None = None,
        device: str | Device | None = "cpu",
        num_inputs: int | None = None,
        *,
        enable_checkpointing: bool = False,
        on_error: OnError | None = "raise",
        check: Check | Sequence[Check | None] | None = None,
        sampler: Iterable[int] | None = None,
        storage: Storage | None = None,
        max_bytes: int | None = None,
        **common: Any,
    ) -> None:
        self._lock = threading.Lock()
        self._checkpointing = enable_checkpointing
        self.name = name
        self.errors: list[BadSample] = []
        self.device = _on_cpu(type(self), device)
        if num_inputs:
            raise ValueError(f"readers have no inputs, got num_inputs={num_inputs}")
        self._options = replace(read_common(type(self), common), shuffles_listing=self._shuffles_listing)
        self.storage = storage or Storage()
        if self._options.dont_use_mmap:
            self.storage = replace(self.storage, map_files=False)
        if max_bytes is not None:
            self.storage = replace(self.storage, max_bytes=int(max_bytes))
        if self._options.shuffle_after_epoch_seed is not None and not self._options.shuffle_after_epoch:
            warnings.warn("shuffle_after_epoch_seed has no effect without shuffle_after_epoch", stacklevel=3)
        self._max_batch_size = checked_largest(max_batch_size)
        self._on_error = checked(on_error)
        self._checks = as_checks(check)
        self._sampler = sampler
        self._source: Source | None = None
        self._unfinished = False

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        cls.__signature__ = full_signature(cls)  # type: ignore[attr-defined]
        if cls.__doc__:
            cls.__doc__ = inspect.cleandoc(cls.__doc__) + COMMON_DOC

    @classmethod
    def _own_params(cls) -> Mapping[str, Param]:
        """Arguments that the constructor does not name."""
        return {}

    @abstractmethod
    def _open_source(self) -> Source:
        """Finds the samples. Called once, before the first step; RuntimeError where there is nothing to read."""

    def _as_outputs(self, outputs: Outputs, single: bool) -> Any:
        """What the user gets for a batch, or for the one sample of a batch of one."""
        return outputs

    @property
    def _output_count(self) -> int:
        """How many things a sample consists of."""
        return 2

    @property
    def _output_names(self) -> Sequence[str] | None:
        """What they are called, where the user gets them by name."""
        return None

    def _compiled_epoch(self, batch_size: int, ctx: Any, strict: bool) -> Iterator[Any]:
        """The iterator of `next_epoch(compile=True)`."""
        raise TypeError("only the readers of ndd can be compiled, this one hands out its samples as they are")

    def next_epoch(
        self,
        batch_size: int | None = None,
        ctx: Any = None,
        compile: bool = False,
        capture: bool = False,
        strict: bool = False,
    ) -> Iterator[Any]:
        """Iterates over one epoch: tuples of batches, or of single samples where there is no batch size.

        Args:
            batch_size: Samples in a batch; the reader's max_batch_size by default. The same in every epoch.
            ctx: The evaluation context the loop runs in.
            compile: Trace the first step of the loop and run the others ahead of it; see `ndd.capture`.
            capture: Another name for `compile`.
            strict: Raise where a call in a compiled loop could not be made ahead.
        """
        size = batch_size if batch_size is not None else self._max_batch_size
        if not compile and not capture:
            return self._iterate(size)
        if size is None:
            raise ValueError("capture=True requires a non-None batch_size. Give it here, or max_batch_size above.")
        started = size if self._prefetcher is None else self._prefetcher.batch_size
        if size != started:
            raise ValueError(f"Cannot change batch_size from {started} to {size}; make a second reader for another one")
        return self._compiled_epoch(size, ctx, strict)

    def _iterate(
        self,
        batch_size: int | None,
        take: Callable[[Prefetcher, int], Handed] = Prefetcher.next,
    ) -> Iterator[Any]:
        """An epoch; `take` gets the next batch when so many samples are left."""
        batches = self._begin("samples" if batch_size is None else "batches", batch_size)
        if self._unfinished:
            warnings.warn(
                "next_epoch() was called before the last iterator was exhausted: the reader continues where it stands, "
                "it does not start over",
                stacklevel=2,
            )
        assert self._order is not None
        left = self._order.epoch_length(batches.place.epoch, batches.batch_size)
        if not left:
            batches.end_epoch()

        def made(outputs: Outputs) -> Any:
            return self._as_outputs(outputs, batch_size is None)

        while left > 0:
            self._unfinished = False  # should reading fail, this iterator is over
            handed = take(batches, left)
            outputs, error = _result(handed.batch, made)
            if error is None:
                left -= handed.batch.taken
                self._unfinished = left > 0
            batches.place = handed.behind  # it is the program's now; an interrupt would come with a call
            if error is not None:
                raise error
            del handed
            if outputs is not None:
                yield outputs

    def __call__(self, *, batch_size: int | None = None) -> Any:
        """The next sample, or the next batch. The batch size is the same in every call."""
        return self._called(batch_size, lambda outputs: alone(self._as_outputs(outputs, single=batch_size is None)))

    def _batches(self, batch_size: int | None) -> Prefetcher:
        """The batches from here on, without end, for whoever keeps the time between fetching and handing out."""
        return self._begin("calls", batch_size)

    def _called(self, batch_size: int | None, made: Callable[[Outputs], Any]) -> Any:
        """What is `made` of the next batch."""
        batches, nothing = self._batches(batch_size), 0
        while nothing <= self._options.num_shards:  # a shard may end in samples that cannot be read
            handed = batches.next()
            result, error = _result(handed.batch, made)
            if batches.place is handed.before:  # else another thread has got it
                batches.place = handed.behind  # it is the program's now; an interrupt would come with a call
                if error is not None:
                    raise error
                if result is not None:
                    return result
                nothing += 1
        raise RuntimeError(f"none of the samples can be read; the last: {self.errors[-1].error}")

    def read(self, indices: Iterable[int]) -> Any:
        """The samples with these numbers as one batch, wherever the reader stands.

        Example:
            >>> jpegs, labels = reader.read([17, 4, 17])
        """
        source = self._opened()
        chosen = np.fromiter(indices, np.int64)
        wrong = chosen[(chosen < 0) | (chosen >= len(source))]
        if len(wrong):
            raise IndexError(f"there is no sample {wrong[0]}, the reader has {len(source)}")
        return self._as_outputs(read_numbered(source, chosen), single=False)

    def get_metadata(self, batch_size: int | None = None) -> dict[str, int]:
        """Size and sharding of the data set."""
        size, options = len(self._opened()), self._options
        options.check(size)
        return {
            "epoch_size": size,
            "epoch_size_padded": options.largest_shard(size) * options.num_shards if options.pad_last_batch else size,
            "number_of_shards": options.num_shards,
            "shard_id": options.shard_id,
            "pad_last_batch": int(options.pad_last_batch),
            "stick_to_shard": int(options.stick_to_shard),
        }

    def _opened(self) -> Source:
        if self._source is None:
            source = self._open_source()
            self._source = Checked(source, self._checks, self._as_outputs) if self._checks else source
        return self._source


def _result(batch: Batch | Exception, made: Callable[[Outputs], Any]) -> tuple[Any, Exception | None]:
    """What the program gets for a batch, or what is raised to it; neither where there are no samples."""
    if isinstance(batch, Exception):
        return None, batch
    try:
        return made(batch.outputs) if batch.outputs else None, None
    except Exception as error:
        return None, error


def outputs_of(reader: Reader) -> tuple[int, Sequence[str] | None]:
    """How many things a sample of a reader consists of, and what they are called where the user gets them by name."""
    return reader._output_count, reader._output_names


def alone(outputs: Any) -> Any:
    """What a call returns: an output without others is not in a tuple."""
    return outputs[0] if isinstance(outputs, tuple) and len(outputs) == 1 else outputs


def _on_cpu(reader: type, place: str | Device | None) -> Device:
    chosen = to_device(place or "cpu")
    if chosen is None or chosen.device_type != "cpu":
        raise ValueError(f'{reader.__name__} hands out its samples on the CPU; use device="cpu" and .gpu() on them')
    return chosen
