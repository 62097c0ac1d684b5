"""What memory allows: the bytes a call has to move, and how fast this machine copies."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

# For each thread; together they are beyond any cache.
COPIED_BYTES = 128 << 20
COPIES = 12


def copy_bandwidth(threads: int) -> float:
    """Bytes read and written in a second by a copy on so many threads, the best of several."""
    import numpy as np

    source = np.ones((threads, COPIED_BYTES), np.uint8)
    target = np.zeros_like(source)

    def copy(thread: int) -> None:
        np.copyto(target[thread], source[thread])

    best = float("inf")
    with ThreadPoolExecutor(threads) as pool:
        for _ in range(COPIES):
            start = time.perf_counter()
            list(pool.map(copy, range(threads)))
            best = min(best, time.perf_counter() - start)
    return 2 * source.nbytes / best


def moved_bytes(run: Callable[[], Any], names: Mapping[str, Any]) -> int:
    """Bytes of the batches that a function names and of those it returns: each is read or written once at least."""
    code: Any = run
    given = {id(names[name]): names[name] for name in code.__code__.co_names if name in names}
    made = run()
    results = made if isinstance(made, (tuple, list)) else (made,)
    return sum(map(_bytes, (*given.values(), *results)))


def _bytes(value: Any) -> int:
    if not hasattr(value, "evaluate"):
        return 0
    if hasattr(value, "nbytes"):
        return int(value.nbytes)
    return sum(int(sample.nbytes) for sample in value)
