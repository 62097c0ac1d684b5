"""`Reader`: samples from storage, epoch by epoch."""

from __future__ import annotations

import inspect
import threading
import warnings
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, ClassVar, Literal

import numpy as np

from penstock.readers import state as saved
from penstock.readers.arguments import COMMON_DOC, full_signature, read_common
from penstock.readers.on_error import OnError, checked
from penstock.readers.order import Order
from penstock.readers.prefetch import Prefetcher
from penstock.readers.sampler import Sampled
from penstock.readers.shards import Shards
from penstock.readers.source import BadSample, Outputs, Source, read_numbered
from penstock.readers.state import ReaderState
from penstock.readers.storage import Storage
from penstock.schema.params import Param
from penstock.values.device import Device
from penstock.values.device import device as to_device

Use = Literal["samples", "batches", "calls"]


class Reader(ABC):
    """Base of the readers. A subclass says in `open_source` where its samples come from; the rest is here.

    A reader opens nothing until its first step. From then on a background thread reads ahead.
    """

    shuffles_listing: ClassVar[bool] = True  # DALI does so where it lists files, not where it opens archives

    def __init__(
        self,
        max_batch_size: int | None = None,
        name: str | None = None,
        device: str | Device | None = "cpu",
        num_inputs: int | None = None,
        *,
        enable_checkpointing: bool = False,
        on_error: OnError | None = "raise",
        sampler: Iterable[int] | None = None,
        storage: Storage | None = None,
        **common: Any,
    ) -> None:
        self.name = name
        self.errors: list[BadSample] = []
        self.storage = storage or Storage()
        self.device = _on_cpu(type(self), device)
        if num_inputs:
            raise ValueError(f"readers have no inputs, got num_inputs={num_inputs}")
        self._options = replace(read_common(type(self), common), shuffles_listing=self.shuffles_listing)
        if self._options.shuffle_after_epoch_seed is not None and not self._options.shuffle_after_epoch:
            warnings.warn("shuffle_after_epoch_seed has no effect without shuffle_after_epoch", stacklevel=3)
        self._max_batch_size = None if max_batch_size is None else _checked(max_batch_size)
        self._checkpointing = enable_checkpointing
        self._on_error = checked(on_error)
        self._sampler = sampler
        self._lock = threading.Lock()
        self._source: Source | None = None
        self._use: Use | None = None
        self._order: Order | None = None
        self._prefetcher: Prefetcher | None = None
        self._to_restore: bytes | None = None
        self._epoch = 0
        self._unfinished = False

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        cls.__signature__ = full_signature(cls)  # type: ignore[attr-defined]
        if cls.__doc__:
            cls.__doc__ = inspect.cleandoc(cls.__doc__) + COMMON_DOC

    @classmethod
    def own_params(cls) -> Mapping[str, Param]:
        """Arguments that the constructor does not name."""
        return {}

    @abstractmethod
    def open_source(self) -> Source:
        """Finds the samples. Called once, before the first step; RuntimeError where there is nothing to read."""

    def as_outputs(self, outputs: Outputs, single: bool) -> Any:
        """What the user gets for a batch, or for the one sample of a batch of one."""
        return outputs

    def compiled_epoch(self, batch_size: int | None, ctx: Any) -> Iterator[Any]:
        """The iterator of `next_epoch(compile=True)`."""
        raise NotImplementedError("compile=True is not available; leave it out to run the loop as it is written")

    def next_epoch(
        self, batch_size: int | None = None, ctx: Any = None, compile: bool = False, capture: bool = False
    ) -> Iterator[Any]:
        """Iterates over one epoch: tuples of batches, or of single samples where there is no batch size.

        Args:
            batch_size: Samples in a batch; the reader's max_batch_size by default. The same in every epoch.
            ctx: The evaluation context the loop runs in.
            compile: Trace the first step of the loop and run the others ahead of it.
            capture: Another name for `compile`.
        """
        if compile or capture:
            return self.compiled_epoch(batch_size, ctx)
        return self._iterate(batch_size if batch_size is not None else self._max_batch_size)

    def _iterate(self, batch_size: int | None) -> Iterator[Any]:
        batches = self._begin("samples" if batch_size is None else "batches", batch_size)
        if self._unfinished:
            warnings.warn(
                "next_epoch() was called before the last iterator was exhausted: the reader continues where it stands, "
                "it does not start over",
                stacklevel=2,
            )
        assert self._order is not None
        left = self._order.epoch_length(self._epoch, batches.batch_size)
        self._epoch += left == 0
        while left > 0:
            self._unfinished = False  # should reading fail, this iterator is over
            batch = batches.next()
            left -= batch.taken
            self._unfinished = left > 0
            self._epoch += left <= 0
            if batch.outputs:
                yield self.as_outputs(batch.outputs, single=batch_size is None)

    def __call__(self, *, batch_size: int | None = None) -> Any:
        """The next sample, or the next batch. The batch size is the same in every call."""
        return alone(self.as_outputs(self._called(batch_size), single=batch_size is None))

    def _called(self, batch_size: int | None) -> Outputs:
        batches = self._begin("calls", batch_size)
        return batches.next().outputs or batches.next().outputs  # a shard may end in samples that cannot be read

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
        return self.as_outputs(read_numbered(source, chosen), single=False)

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

    def get_state(self, *, cuda_stream: Any = None) -> ReaderState:
        """Where the reader stands: right behind the last batch the program was given, whatever is read ahead."""
        if self._prefetcher is None or self._order is None:
            raise RuntimeError(
                "Cannot get the reader's state before its first iteration. "
                "Call `next_epoch` once before calling `get_state`."
            )
        if not self._checkpointing:
            raise RuntimeError(
                f"The reader {self.name or type(self).__name__!r} was initialized with checkpointing disabled. "
                "Pass `enable_checkpointing=True` to the reader's constructor."
            )
        return ReaderState(self, saved.save(self._order, self._epoch, self._prefetcher.position))

    def set_state(self, state: ReaderState | str | bytes) -> None:
        """Lets a new reader go on where another one stood. Its next epoch has full length from there."""
        payload = saved.payload_of(state)
        if self._prefetcher is not None:
            raise RuntimeError(
                "Cannot set the reader's state after iteration has begun. Call `set_state` on a freshly constructed "
                "reader, before any call to `next_epoch` or `__call__`."
            )
        self._to_restore = payload
        self._checkpointing = True

    def enable_checkpointing(self) -> None:
        """Allows `get_state`, as a checkpoint does for the readers registered with it."""
        if self._prefetcher is not None and not self._checkpointing:
            raise RuntimeError(
                f"The reader {self.name or type(self).__name__!r} has already run with checkpointing disabled. "
                "Pass `enable_checkpointing=True` to the reader's constructor."
            )
        self._checkpointing = True

    def _opened(self) -> Source:
        if self._source is None:
            self._source = self.open_source()
        return self._source

    def _begin(self, use: Use, batch_size: int | None) -> Prefetcher:
        """Starts reading, or makes sure that it goes on the way it was started."""
        with self._lock:
            if self._use not in (None, use):
                raise RuntimeError(
                    "Cannot mix `samples`, `batches` and `_run`/`__call__` on the same reader. "
                    "Make one reader for each way of using it."
                )
            size = 1 if batch_size is None else _checked(batch_size)
            self._check_size(use, size)
            if self._prefetcher is None:
                self._start(size)
                self._use = use
            assert self._prefetcher is not None
            return self._prefetcher

    def _start(self, batch_size: int) -> None:
        source, options = self._opened(), self._options
        if self._to_restore is not None:
            self._order, self._epoch = saved.load(self._to_restore, len(source), options, self._sampler)
        elif self._sampler is not None:
            self._order = Order(Sampled(len(source), options, self._sampler))
        else:
            self._order = Order(Shards(len(source), options))
        errors = (self._on_error, self.errors)
        self._prefetcher = Prefetcher(source, self._order, batch_size, options.prefetch_queue_depth, *errors)

    def _check_size(self, use: Use, size: int) -> None:
        largest, started = self._max_batch_size, self._prefetcher
        if use == "calls":
            if started is not None and size != started.batch_size:
                relation = "larger" if size > started.batch_size else "smaller"
                raise RuntimeError(
                    f"The batch size {size} is {relation} than the `max_batch_size` {started.batch_size} of the first "
                    "call; all calls of a reader take the same size"
                )
            if largest is not None and size > largest:
                raise RuntimeError(
                    f"The batch size {size} is larger than the `max_batch_size` {largest} specified when the operator "
                    "was created."
                )
        elif started is not None and size != started.batch_size:
            raise ValueError(
                f"`batch_size` {size} is different than the `max_batch_size` {started.batch_size} used in the previous "
                "call; a reader keeps its batch size, make a second reader for another one"
            )
        elif largest is not None and size > largest:
            raise ValueError(
                f"`batch_size` {size} is larger than the `max_batch_size` {largest} specified when the operator was "
                "created"
            )


def alone(outputs: Any) -> Any:
    """What a call returns: an output without others is not in a tuple."""
    return outputs[0] if isinstance(outputs, tuple) and len(outputs) == 1 else outputs


def _checked(batch_size: Any) -> int:
    if not isinstance(batch_size, (int, np.integer)) or batch_size < 1:
        raise RuntimeError(f"Invalid value for argument max_batch_size: {batch_size!r}; it is a whole number from 1 on")
    return int(batch_size)


def _on_cpu(reader: type, place: str | Device | None) -> Device:
    chosen = to_device(place or "cpu")
    if chosen is None or chosen.device_type != "cpu":
        raise ValueError(f'{reader.__name__} hands out its samples on the CPU; use device="cpu" and .gpu() on them')
    return chosen
