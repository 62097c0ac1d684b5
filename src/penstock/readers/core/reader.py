"""`Reader`: base class of the readers, which iterates over samples in order and saves where it stands."""

from __future__ import annotations

import inspect
import threading
import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from penstock.engine.hand_over import Handed
from penstock.readers.core import state as saved
from penstock.readers.core.arguments import COMMON_DOC, full_signature, read_common
from penstock.readers.core.batch_size import Use, check_use, checked_largest, checked_size
from penstock.readers.core.on_error import OnError, ReadBatch
from penstock.readers.core.order import Order
from penstock.readers.core.prefetch import Prefetcher
from penstock.readers.core.sample_checks import Check, CheckedSource, as_checks
from penstock.readers.core.sample_source import BadSample, Outputs, SampleSource, SourceOnDevice, read_numbered
from penstock.readers.core.sampler import Sampled
from penstock.readers.core.shards import Shards
from penstock.readers.core.state import ReaderState
from penstock.schema.params import Param
from penstock.storage import Storage
from penstock.values.bad_samples import checked
from penstock.values.device import Device
from penstock.values.device import device as to_device


class Reader(ABC):
    """Base class of the readers. A subclass opens its source in `_open_source`; the rest is here.

    A reader opens nothing until its first step. From then on a background thread reads ahead.
    """

    _on_gpu: ClassVar[bool] = False  # whether it can hand out its samples on a GPU
    _shuffles_listing: ClassVar[bool] = True  # DALI shuffles lists of files as a whole, but not archives

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
        self.device = self._checked_device(device)
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
        self._source: SampleSource | None = None
        self._order: Order | None = None
        self._prefetcher: Prefetcher | None = None
        self._use: Use | None = None
        self._to_restore: bytes | None = None
        self._unfinished = False

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        cls.__signature__ = full_signature(cls)  # type: ignore[attr-defined]
        if cls.__doc__:
            cls.__doc__ = inspect.cleandoc(cls.__doc__) + COMMON_DOC

    @classmethod
    def _own_params(cls) -> Mapping[str, Param]:
        """Arguments that the constructor takes among its keywords without naming them."""
        return {}

    @abstractmethod
    def _open_source(self) -> SampleSource:
        """Finds the samples. Called once, before the first step; raises RuntimeError if there is nothing to read."""

    def _read_ahead(self) -> SampleSource:
        """The source that the background thread reads batches from."""
        return self._opened()

    def _as_outputs(self, outputs: Outputs, single: bool) -> Any:
        """Converts the outputs of a batch to what the user gets; `single` where the user asked for one sample."""
        return outputs

    @property
    def _output_count(self) -> int:
        """The number of outputs."""
        return 2

    @property
    def _output_names(self) -> Sequence[str] | None:
        """The names of the outputs if the user gets a dict of them, else None."""
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
        """Iterates over one epoch. `take` returns the next batch, given the number of samples left in the epoch."""
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
            self._unfinished = False  # if reading fails, this iterator ends
            handed = take(batches, left)
            outputs, error = _result(handed.batch, made)
            if error is None:
                left -= handed.batch.taken
                self._unfinished = left > 0
            batches.place = handed.behind  # delivered; no call until the yield, where an interrupt could strike
            if error is not None:
                raise error
            del handed
            if outputs is not None:
                yield outputs

    def __call__(self, *, batch_size: int | None = None) -> Any:
        """The next sample, or the next batch. The batch size is the same in every call."""
        return self._called(batch_size, lambda outputs: alone(self._as_outputs(outputs, single=batch_size is None)))

    def _batches(self, batch_size: int | None) -> Prefetcher:
        """The prefetcher, for a caller that fetches batches itself and hands them out later."""
        return self._begin("calls", batch_size)

    def _called(self, batch_size: int | None, made: Callable[[Outputs], Any]) -> Any:
        """The result of `made` for the next batch with at least one readable sample."""
        batches, nothing = self._batches(batch_size), 0
        while nothing <= self._options.num_shards:  # a shard may end in samples that cannot be read
            handed = batches.next()
            result, error = _result(handed.batch, made)
            if batches.place is handed.before:  # else another thread has taken this batch
                batches.place = handed.behind  # delivered; no call until the return, where an interrupt could strike
                if error is not None:
                    raise error
                if result is not None:
                    return result
                nothing += 1
        raise RuntimeError(f"none of the samples can be read; the last: {self.errors[-1].error}")

    def read(self, indices: Iterable[int]) -> Any:
        """Reads the samples with these numbers as one batch, without moving the reader's position.

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

    @property
    def epoch(self) -> int:
        """The number of finished epochs. An epoch is finished as soon as its last batch is handed out.

        Example:
            >>> while reader.epoch < 90:  # also after a saved state was restored
            ...     for jpegs, labels in reader.next_epoch(batch_size=64):
        """
        if self._prefetcher is not None:
            return self._prefetcher.place.epoch
        return 0 if self._to_restore is None else self._first_order()[1]

    def get_state(self, *, cuda_stream: Any = None) -> ReaderState:
        """The reader's position: after the last batch that the program was given, not after those read ahead."""
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
        return ReaderState(self, saved.save(self._order, self._prefetcher.place.epoch, self._prefetcher.place.position))

    def set_state(self, state: ReaderState | str | bytes) -> None:
        """Lets a new reader continue from the position of another one. Its next epoch has full length from there."""
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

    def _begin(self, use: Use, batch_size: int | None) -> Prefetcher:
        """Starts reading ahead; later calls must use the reader in the same way and with the same batch size."""
        with self._lock:
            if self._use not in (None, use):
                raise RuntimeError(
                    "Cannot mix `samples`, `batches` and `_run`/`__call__` on the same reader. "
                    "Make one reader for each way of using it."
                )
            size = 1 if batch_size is None else checked_size(batch_size)
            started = None if self._prefetcher is None else self._prefetcher.batch_size
            check_use(use, size, self._max_batch_size, started)
            if self._prefetcher is None:
                self._start(size)
                self._use = use
            assert self._prefetcher is not None
            return self._prefetcher

    def _start(self, batch_size: int) -> None:
        self._order, epoch = self._first_order()
        depth, errors = self._options.prefetch_queue_depth, (self._on_error, self.errors)
        self._prefetcher = Prefetcher(self._read_ahead(), self._order, epoch, batch_size, depth, *errors)

    def _first_order(self) -> tuple[Order, int]:
        """The order at the first step, fresh or from a saved state, and the number of finished epochs."""
        size, options = len(self._opened()), self._options
        if self._to_restore is not None:
            return saved.load(self._to_restore, size, options, self._sampler)
        return Order(Shards(size, options) if self._sampler is None else Sampled(size, options, self._sampler)), 0

    def _opened(self) -> SampleSource:
        """The source, opened on the first call."""
        if self._source is None:
            source = self._open_source()
            source = CheckedSource(source, self._checks, self._as_outputs) if self._checks else source
            self._source = source if self.device == Device.CPU else SourceOnDevice(source, self.device.number)
        return self._source

    def _checked_device(self, wanted: str | Device | None) -> Device:
        chosen = to_device(wanted or "cpu")
        assert chosen is not None
        if chosen != Device.CPU and not self._on_gpu:
            raise ValueError(
                f'{type(self).__name__} hands out its samples on the CPU; use device="cpu" and .gpu() on them'
            )
        return chosen


def _result(batch: ReadBatch | Exception, made: Callable[[Outputs], Any]) -> tuple[Any, Exception | None]:
    """The result of `made` for a batch, or the exception to raise; both None for a batch without samples."""
    if isinstance(batch, Exception):
        return None, batch
    try:
        return made(batch.outputs) if batch.outputs else None, None
    except Exception as error:
        return None, error


def outputs_of(reader: Reader) -> tuple[int, Sequence[str] | None]:
    """The number of a reader's outputs, and their names if the user gets a dict of them."""
    return reader._output_count, reader._output_names


def alone(outputs: Any) -> Any:
    """Unpacks a tuple of one output, as calls return it."""
    return outputs[0] if isinstance(outputs, tuple) and len(outputs) == 1 else outputs
