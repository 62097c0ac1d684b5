"""`ndd.set_memory_limit`: how much memory batches may take before whatever runs ahead of the program waits.

Readers, compiled loops and pipelines make batches before they are asked for, a few of them each. With a limit they go
on only while there is room for one more. A batch that somebody waits for is always made: a limit that is too small
makes a loop slower, and never stops it.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from penstock import _native

VARIABLE = "PENSTOCK_MEMORY_LIMIT"

_chosen: int | None = None
_lock = threading.Lock()
_promised = 0  # bytes of batches that are being made ahead


def set_memory_limit(max_bytes: int | None) -> None:
    """Has readers, compiled loops and pipelines wait instead of running ahead while batches take more memory.

        ndd.set_memory_limit(4 << 30)

    Counted is the memory of batches in this process: those that were made ahead, and those that the program holds. One
    that the program waits for is always made. docs/guides/performance.md tells how much a loop takes without a limit.

    Args:
        max_bytes: The limit; None for what the environment variable PENSTOCK_MEMORY_LIMIT says, or no limit.
    """
    global _chosen
    if max_bytes is not None:
        if isinstance(max_bytes, bool) or not isinstance(max_bytes, int):
            raise TypeError(f"the memory limit is a number of bytes or None, got {type(max_bytes).__name__}")
        if max_bytes < 1:
            raise ValueError(f"the memory limit must be positive, got {max_bytes}")
    _chosen = max_bytes
    _native.limit_memory_ahead(max_bytes is not None or bool(os.environ.get(VARIABLE)))


def get_memory_limit() -> int | None:
    """Returns the limit on the memory of batches, as set or as PENSTOCK_MEMORY_LIMIT says; None without one."""
    return _stated() if _chosen is None else _chosen


@cache
def _stated() -> int | None:
    stated = os.environ.get(VARIABLE)
    if not stated:
        return None
    if not stated.isdecimal() or int(stated) < 1:
        raise ValueError(f"{VARIABLE} must be a whole number of bytes, at least 1, got {stated!r}")
    return int(stated)


def live_bytes() -> int:
    """The memory of all batches that are there now."""
    live: int = _native.arena_use()[0]
    return live


@contextmanager
def room_for(cost: int) -> Iterator[bool]:
    """Whether a batch that takes so many bytes fits under the limit; inside, its memory is kept for it.

    Otherwise loops that look at the same time would all find the same room. Memory that waits for the next batches
    counts as well, but goes back to the system before anybody waits for it.
    """
    global _promised
    limit = get_memory_limit()
    if limit is None:
        yield True
        return
    with _lock:
        live, kept = _native.arena_use()
        fits = live + _promised + cost <= limit
        if fits:
            _promised += cost
    if not fits:
        yield False
        return
    try:
        if live + max(kept, cost) > limit:
            _native.trim_arena()
        yield True
    finally:
        with _lock:
            _promised -= cost


def _forget_promises() -> None:
    """Forgets, in a forked child, batches that threads of its parent were making, and a lock that one of them held."""
    global _lock, _promised
    _lock, _promised = threading.Lock(), 0


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_promises)
