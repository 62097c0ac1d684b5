"""Where a reader stands, and how it starts to read from there."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any

from penstock.readers.core import state as saved
from penstock.readers.core.arguments import Common
from penstock.readers.core.batch_size import Use, check_use, checked_size
from penstock.readers.core.on_error import OnError
from penstock.readers.core.order import Order
from penstock.readers.core.prefetch import Prefetcher
from penstock.readers.core.sample_source import BadSample, Source
from penstock.readers.core.sampler import Sampled
from penstock.readers.core.shards import Shards
from penstock.readers.core.state import ReaderState


class Standing(ABC):
    """The part of a reader that goes from batch to batch, and can be saved and restored."""

    name: str | None
    errors: list[BadSample]
    _options: Common
    _max_batch_size: int | None
    _on_error: OnError
    _sampler: Iterable[int] | None
    _checkpointing: bool
    _lock: threading.Lock
    _use: Use | None = None
    _order: Order | None = None
    _prefetcher: Prefetcher | None = None
    _to_restore: bytes | None = None

    @abstractmethod
    def _opened(self) -> Source:
        """Where samples come from."""

    def _read_ahead(self) -> Source:
        """What batches are read from before they are asked for."""
        return self._opened()

    @property
    def epoch(self) -> int:
        """How many epochs are behind the reader; the one that a batch ends counts as soon as it is handed out.

        Example:
            >>> while reader.epoch < 90:  # also where it went on from a saved state
            ...     for jpegs, labels in reader.next_epoch(batch_size=64):
        """
        if self._prefetcher is not None:
            return self._prefetcher.place.epoch
        return 0 if self._to_restore is None else self._first_order()[1]

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
        return ReaderState(self, saved.save(self._order, self._prefetcher.place.epoch, self._prefetcher.place.position))

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

    def _begin(self, use: Use, batch_size: int | None) -> Prefetcher:
        """Starts reading, or makes sure that it goes on the way it was started."""
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
        """The order in which samples come from the first step on, and how many epochs are behind it."""
        size, options = len(self._opened()), self._options
        if self._to_restore is not None:
            return saved.load(self._to_restore, size, options, self._sampler)
        return Order(Shards(size, options) if self._sampler is None else Sampled(size, options, self._sampler)), 0
