"""Samples that are kept in memory."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock._native import Samples
from penstock.storage.sample_store import MemoryStore

KEYS = [b"a" * 16, b"b" * 16]


class MeanwhileKept:
    """Samples that another thread keeps while they are copied."""

    def __init__(self, samples: Samples, store: MemoryStore) -> None:
        self.samples, self.store = samples, store

    def sample(self, at: int) -> Any:
        return self.samples.sample(at)

    def select(self, places: list[int]) -> Samples:
        self.store.put(KEYS, [self.samples])
        return self.samples.select(places)


def test_a_sample_that_two_threads_keep_is_counted_once() -> None:
    samples = Samples.gather([np.zeros(100, np.uint8), np.ones(50, np.uint8)])
    alone, shared = MemoryStore(1 << 20), MemoryStore(1 << 20)
    alone.put(KEYS, [samples])
    shared.put(KEYS, [MeanwhileKept(samples, shared)])  # type: ignore[list-item]
    assert shared.held() == alone.held()
    kept = shared.get(KEYS[1:])
    assert kept is not None
    assert kept[0].sample(0).tobytes() == bytes([1]) * 50
