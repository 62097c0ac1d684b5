"""The order given by a user's sampler: any iterable of sample indices."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator

import numpy as np

from penstock.readers.core.order import Indices, OrderOptions, OrderPosition, Visit, VisitLengths


class Sampled:
    """Visits drawn from a sampler, one for each epoch; its `set_epoch`, if it has one, is called before."""

    def __init__(self, size: int, options: OrderOptions, sampler: Iterable[int]) -> None:
        if isinstance(sampler, Iterator):
            raise TypeError("sampler can be gone through only once; give a list, or what starts anew each epoch")
        if options.num_shards > 1 or options.random_shuffle or options.shuffle_after_epoch:
            raise ValueError("a sampler decides the order: leave out shuffling and shards, or let the sampler do them")
        self.size = size
        self.options = options
        self.first = OrderPosition(0, 0, 1)
        self._sampler = sampler
        self._lock = threading.Lock()
        self._lengths: dict[int, int] = {}
        self._latest: tuple[int, Indices] = (-1, np.empty(0, np.int64))

    def lengths(self, visit: int) -> VisitLengths:
        with self._lock:
            if visit not in self._lengths:
                self._ask(visit)
            return VisitLengths(*[self._lengths[visit]] * 3)

    def lay_out(self, visit: int, generator: int) -> Visit:
        with self._lock:
            if self._latest[0] != visit:
                self._ask(visit)
            items = self._latest[1]
        return Visit(items, len(items), generator)

    def saved(self, position: OrderPosition) -> dict[str, object]:
        return {"sampler": True}

    def _ask(self, epoch: int) -> None:
        if hasattr(self._sampler, "set_epoch"):
            self._sampler.set_epoch(epoch)
        items = np.fromiter(self._sampler, np.int64)
        if not len(items):
            raise RuntimeError(f"sampler gave no samples for epoch {epoch}")
        wrong = items[(items < 0) | (items >= self.size)]
        if len(wrong):
            raise IndexError(f"sampler asked for sample {wrong[0]}, the reader has {self.size}")
        self._lengths[epoch] = len(items)
        self._latest = (epoch, items)
