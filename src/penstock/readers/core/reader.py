"""`Reader`: base class of the readers, which iterates over samples in order and saves where it stands."""

from __future__ import annotations

import copy
import inspect
import threading
import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, TypeAlias

import numpy as np

from penstock._native import number_all
from penstock.engine import events
from penstock.engine.hand_over import Handed
from penstock.engine.site import here
from penstock.readers.core import state as saved
from penstock.readers.core.arguments import COMMON_DOC, full_signature, read_common
from penstock.readers.core.batch_size import Use, check_use, checked_largest, checked_last, checked_size
from penstock.readers.core.epoch import Epoch
from penstock.readers.core.on_error import OnError, ReadBatch
from penstock.readers.core.order import LastBatch, Order, Visits, length_from, start_of
from penstock.readers.core.prefetch import Prefetcher, ReaderLabel, ReaderPosition
from penstock.readers.core.sample_checks import Check, CheckedSource, as_checks
from penstock.readers.core.sample_source import BadSample, Outputs, SampleSource, SourceOnDevice
from penstock.readers.core.sampler import Sampled
from penstock.readers.core.shards import Shards
from penstock.readers.core.state import ReaderState
from penstock.schema.params import Param
from penstock.storage import Storage
from penstock.values.bad_samples import checked
from penstock.values.device import Device
from penstock.values.device import device as to_device
from penstock.values.log import log

if TYPE_CHECKING:
    from typing_extensions import Self

# What a reader does not take along to another process, or into a copy.
_OF_PROCESS = {"_lock", "_source", "_order", "_prefetcher", "_use", "_unfinished", "_loop"}

# Makes the iterator over an epoch, given the function that returns its next batch.
Batches: TypeAlias = Callable[..., Iterator[Any]]


class Reader(ABC):
    """Base class of the readers. A subclass opens its source in `_open_source`; the rest is here.

    A reader opens nothing until its first step. From then on a background thread reads ahead.
    """

    _on_gpu: ClassVar[bool] = False  # whether it can hand out its samples on a GPU
    _fixed_outputs: ClassVar[int] = 2  # how many, where arguments do not decide
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
        self._start_unopened()
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
        self._to_restore: bytes | None = None

    def _start_unopened(self) -> None:
        """Sets all that belongs to this process: an opened source, and the thread that reads ahead."""
        self._lock = threading.Lock()
        self._source: SampleSource | None = None
        self._stop_reading()

    def _stop_reading(self) -> None:
        """Forgets where the program stands, and what was read ahead for it."""
        self._order: Order | None = None
        self._prefetcher: Prefetcher | None = None
        self._use: Use | None = None
        self._unfinished = False

    def __getstate__(self) -> dict[str, Any]:
        """A copy, also in another process, opens its files anew. Where the reader has run, it goes on from there."""
        kept = {name: value for name, value in vars(self).items() if name not in _OF_PROCESS}
        return {**kept, "_to_restore": self._position(), "errors": [*self.errors]}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        vars(self).update(kept)
        self._start_unopened()

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        cls.__signature__ = full_signature(cls)  # type: ignore[attr-defined]
        if cls.__doc__:
            cls.__doc__ = inspect.cleandoc(cls.__doc__) + COMMON_DOC
        else:  # help() shows what the class itself says
            cls.__doc__ = next((base.__doc__ for base in cls.__mro__[1:] if base.__doc__), None)

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
        return self._fixed_outputs

    @property
    def _output_names(self) -> Sequence[str] | None:
        """The names of the outputs if the user gets a dict of them, else None."""
        return None

    def _compiled_epoch(self, epoch: Batches, batch_size: int, ctx: Any, strict: bool) -> Iterator[Any]:
        """The iterator of `next_epoch(compile=True)`."""
        raise TypeError("only the readers of ndd can be compiled, this one hands out its samples as they are")

    def next_epoch(
        self,
        batch_size: int | None = None,
        ctx: Any = None,
        compile: bool = False,
        capture: bool = False,
        strict: bool = False,
        *,
        last_batch: LastBatch = "fill",
    ) -> Epoch[Any]:
        """Iterates over one epoch: tuples of batches, or of single samples where there is no batch size.

        The first epoch after `set_state` is the rest of the one in which the state was saved.

        Example:
            >>> for jpegs, labels in reader.next_epoch(batch_size=64, last_batch="partial"):
            ...     correct += validate(jpegs, labels)
            >>> accuracy = correct / len(reader)

        Args:
            batch_size: Samples in a batch; the reader's max_batch_size by default. The same in every epoch.
            ctx: The evaluation context the loop runs in.
            compile: Trace the first step of the loop and run the others ahead of it; see `ndd.capture`.
            capture: Another name for `compile`.
            strict: Raise where a call in a compiled loop could not be made ahead.
            last_batch: What becomes of the batch in which an epoch ends. The same in every epoch. "fill" fills it with
                the samples that come next, from which the next epoch goes on, or as `pad_last_batch` says. With the
                others an epoch is exactly the samples of the shard, whatever `pad_last_batch` says: "partial" hands
                out what is left as a smaller batch; "drop" leaves that out; "pad" repeats the last sample. With "drop"
                and "pad" all shards have equally many batches, with "partial" one may have one more than others. An
                epoch that was not finished is then continued by the next one.
        """
        size = batch_size if batch_size is not None else self._max_batch_size
        last = checked_last(last_batch, None if self._order is None else self._order.last_batch)
        begun: list[int] = []
        batches: Batches = partial(self._iterate, size, last, begun)
        upcoming = partial(self._upcoming_steps, size, last)
        if not compile and not capture:
            return Epoch(batches(), begun, upcoming)
        if size is None:
            raise ValueError("capture=True requires a non-None batch_size. Give it here, or max_batch_size above.")
        started = size if self._prefetcher is None else self._prefetcher.batch_size
        if size != started:
            raise ValueError(f"Cannot change batch_size from {started} to {size}; make a second reader for another one")
        return Epoch(self._compiled_epoch(batches, size, ctx, strict), begun, upcoming)

    def __iter__(self) -> NoReturn:
        raise TypeError("a reader is gone through an epoch at a time: for ... in reader.next_epoch(batch_size=...)")

    def __len__(self) -> int:
        """The number of samples of the reader's shard. Where shards rotate it is that of the current epoch."""
        return self._visits(len(self._opened())).lengths(self.epoch).samples

    def __bool__(self) -> bool:
        return True

    def steps(self, batch_size: int | None = None, last_batch: LastBatch = "fill") -> int:
        """The number of batches in an epoch, as for the arguments of the same names of `next_epoch`.

        Example:
            >>> schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 0.1, total_steps=90 * reader.steps(64))
        """
        size = checked_size(batch_size or self._max_batch_size or 1)
        options = self._options.ending_in(checked_last(last_batch, None))
        lengths = self._visits(len(self._opened())).lengths(self.epoch)
        return -(-length_from(0, lengths, size, last_batch, options.pad_last_batch) // size)

    def _upcoming_steps(self, batch_size: int | None, last_batch: LastBatch) -> int:
        """The number of batches that the next epoch has, or the rest of the one that is restored."""
        size = checked_size(batch_size or 1)
        if self._order is not None and self._prefetcher is not None:
            return -(-_samples_left(self._order, self._prefetcher.place) // size)
        order, epoch, left = self._first_order(last_batch, size)
        return -(-_samples_left(order, ReaderPosition(epoch, order.position, 0, left=left)) // size)

    def _iterate(
        self,
        batch_size: int | None,
        last_batch: LastBatch,
        begun: list[int],
        take: Callable[[Prefetcher, int], Handed] = Prefetcher.next,
    ) -> Iterator[Any]:
        """Iterates over one epoch, whose number of batches it appends to `begun`.

        `take` returns the next batch, given the number of samples left in the epoch.
        """
        batches = self._begin("samples" if batch_size is None else "batches", batch_size, last_batch)
        if self._unfinished:
            warnings.warn(
                "next_epoch() was called before the last iterator was exhausted: the reader continues where it stands, "
                "it does not start over",
                stacklevel=2,
            )
        assert self._order is not None
        left = _samples_left(self._order, batches.place)
        begun.append(-(-left // batches.batch_size))
        if not left:
            batches.end_epoch()

        made = partial(self._as_outputs, single=batch_size is None)
        while left > 0:
            self._unfinished = False  # if reading fails, this iterator ends
            if events.wait_listeners:
                with events.Waiting("next batch") as waiting:
                    handed = take(batches, left)
                    waiting.outputs = _outputs(handed.batch)
            else:
                handed = take(batches, left)
            outputs, error = _result(handed.batch, made)
            if error is None:
                left -= handed.batch.taken
                self._unfinished = left > 0
                if events.hand_out_listeners:
                    events.hand_out(batches.label.name, _outputs(handed.batch))
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
            if events.wait_listeners:
                with events.Waiting("next batch") as waiting:
                    handed = batches.next()
                    waiting.outputs = _outputs(handed.batch)
            else:
                handed = batches.next()
            result, error = _result(handed.batch, made)
            if events.hand_out_listeners and error is None:
                events.hand_out(batches.label.name, _outputs(handed.batch))
            try:
                del handed.before.claim[0]
            except IndexError:  # another thread has taken this batch
                continue
            batches.place = handed.behind  # delivered; no call until the return, where an interrupt could strike
            if error is not None:
                raise error
            if result is not None:
                return result
            nothing += 1
        raise RuntimeError(f"none of the samples can be read; the last: {self.errors[-1].error}")

    def shard(self, shard_id: int, num_shards: int) -> Self:
        """A new reader of one of `num_shards` parts of the same samples, with all other options as they are here.

        Example:
            >>> reader = ndd.readers.File(file_root="train", shuffle_after_epoch=True)
            >>> mine = reader.shard(dist.get_rank(), dist.get_world_size())
        """
        made = copy.copy(self)  # which opens its files anew
        made._options = replace(self._options, shard_id=shard_id, num_shards=num_shards)
        made._to_restore = None
        made.errors = []
        return made

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
        outputs = source.read(chosen)
        number_all(outputs, chosen)
        return self._as_outputs(outputs, single=False)

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
        return 0 if self._to_restore is None else self._first_order(None).epoch

    def set_epoch(self, epoch: int, last_batch: LastBatch = "fill") -> None:
        """Has the next epoch be that with this number, from its first sample on, as for torch's `DistributedSampler`.

        Epochs come one after the other without it. It is for those who begin with a later one, or leave one unfinished.

        Example:
            >>> reader.set_epoch(30)  # the order of the thirty-first epoch

        Args:
            epoch: The number of the epoch, from 0 on.
            last_batch: As `next_epoch` is given it then.
        """
        if not isinstance(epoch, (int, np.integer)) or epoch < 0:
            raise ValueError(f"an epoch is a number from 0 on, got {epoch!r}")
        visits = self._visits(len(self._opened()), checked_last(last_batch, None))
        order = Order(visits, start_of(visits, int(epoch)), last_batch)
        with self._lock:
            self._stop_reading()
            self._to_restore = saved.save(order, int(epoch), order.position, 0)

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
        return ReaderState(self, self._position() or b"")

    def set_state(self, state: ReaderState | str | bytes) -> None:
        """Lets a new reader continue from the position of another one: its next epoch is the rest of that one's.

        States of older versions, which do not tell how much is left, begin an epoch of full length there.
        """
        payload = saved.payload_of(state)
        if self._prefetcher is not None:
            raise RuntimeError(
                "Cannot set the reader's state after iteration has begun. Call `set_state` on a freshly constructed "
                "reader, before any call to `next_epoch` or `__call__`."
            )
        self._to_restore = payload
        self._checkpointing = True

    def state_dict(self) -> dict[str, str | None]:
        """The reader's position as StatefulDataLoader, Lightning and Accelerate ask for it.

        As `get_state`, but also before the first step, and without `enable_checkpointing`.
        """
        position = self._position()
        return {"state": None if position is None else str(ReaderState(self, position))}

    def load_state_dict(self, state_dict: Mapping[str, str | None]) -> None:
        """Continues from what `state_dict` returned, also where this reader has begun already.

        Loops over it that are still under way should be left.
        """
        state = state_dict["state"]
        position = None if state is None else saved.payload_of(state)
        with self._lock:
            self._stop_reading()
            self._to_restore = position

    def _position(self) -> bytes | None:
        """The position after the last batch that the program was given; None at the very beginning."""
        if self._prefetcher is None or self._order is None:
            return self._to_restore
        place = self._prefetcher.place
        return saved.save(self._order, place.epoch, place.position, place.left)

    def enable_checkpointing(self) -> None:
        """Allows `get_state`, as a checkpoint does for the readers registered with it."""
        if self._prefetcher is not None and not self._checkpointing:
            raise RuntimeError(
                f"The reader {self.name or type(self).__name__!r} has already run with checkpointing disabled. "
                "Pass `enable_checkpointing=True` to the reader's constructor."
            )
        self._checkpointing = True

    def _begin(self, use: Use, batch_size: int | None, last_batch: LastBatch = "fill") -> Prefetcher:
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
            checked_last(last_batch, None if self._order is None else self._order.last_batch)
            if self._prefetcher is None:
                self._start(size, last_batch)
                self._use = use
            assert self._prefetcher is not None
            return self._prefetcher

    def _start(self, batch_size: int, last_batch: LastBatch) -> None:
        order, epoch, left = self._first_order(last_batch, batch_size)
        smallest = order.options.smallest_shard(order.size)
        if last_batch == "drop" and smallest < batch_size and self._sampler is None:
            raise RuntimeError(f'last_batch="drop" leaves nothing of {smallest} samples in batches of {batch_size}')
        self._order = order
        depth, errors = self._options.prefetch_queue_depth, (self._on_error, self.errors)
        label = ReaderLabel(self.name or type(self).__name__, here(), self.storage)
        self._prefetcher = Prefetcher(self._read_ahead(), order, epoch, left, depth, *errors, label)

    def _first_order(self, last_batch: LastBatch | None, batch_size: int = 1) -> saved.Restored:
        """The order at the first step, fresh or from a saved state; where it is not used, `last_batch` is None."""
        size, last = len(self._opened()), last_batch or "fill"
        options = self._options.ending_in(last)
        if self._to_restore is None:
            return saved.Restored(Order(self._visits(size, last), None, last, batch_size), 0, 0)
        if last_batch is None:
            options = replace(options, pad_last_batch=saved.is_padded(self._to_restore))
        return saved.load(self._to_restore, size, options, self._sampler, last, batch_size)

    def _visits(self, size: int, last_batch: LastBatch = "fill") -> Visits:
        """The visits of a reader that begins at the beginning."""
        options = self._options.ending_in(last_batch)
        return Shards(size, options) if self._sampler is None else Sampled(size, options, self._sampler)

    def _opened(self) -> SampleSource:
        """The source, opened on the first call."""
        if self._source is None:
            source = self._open_source()
            source = CheckedSource(source, self._checks, self._as_outputs) if self._checks else source
            self._source = source if self.device == Device.CPU else SourceOnDevice(source, self.device.number)
            log("INFO", "readers", "%s: %d samples", self.name or type(self).__name__, len(source))
        return self._source

    def _checked_device(self, wanted: str | Device | None) -> Device:
        chosen = to_device(wanted or "cpu")
        assert chosen is not None
        if chosen != Device.CPU and not self._on_gpu:
            raise ValueError(
                f'{type(self).__name__} hands out its samples on the CPU; use device="cpu" and .gpu() on them'
            )
        return chosen


def _samples_left(order: Order, place: ReaderPosition) -> int:
    """The number of samples of the epoch that begins at a place; of its rest, where that is what was restored."""
    if order.by_visit:
        return order.left_in_visit(place.position)
    restored = place.left if place.number == 0 else 0
    return restored or order.epoch_length(place.epoch)


def _outputs(batch: ReadBatch | Exception) -> Outputs:
    return () if isinstance(batch, Exception) else batch.outputs


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
