"""Runs plain Python functions over samples. NumPy and OpenCV let go of the interpreter lock, so threads can help."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

# Handing a sample to a thread costs some 20 us; smaller work is done where it is.
_THREADED_FROM_BYTES = 1 << 18

_executors: dict[int, ThreadPoolExecutor] = {}
_lock = threading.Lock()


def map_samples(one: Callable[[int], Any], n: int, nbytes: int, threads: int) -> list[Any]:
    """[one(0), ..., one(n - 1)]; the first failure, by sample, is raised."""
    if n <= 1 or threads <= 1 or nbytes < _THREADED_FROM_BYTES:
        return [one(i) for i in range(n)]
    return list(_executor(threads).map(one, range(n)))


def _executor(threads: int) -> ThreadPoolExecutor:
    """The same threads for the whole process."""
    from concurrent.futures import ThreadPoolExecutor  # with logging and more behind it: on first use

    with _lock:
        if threads not in _executors:
            _executors[threads] = ThreadPoolExecutor(threads, thread_name_prefix="penstock-samples")
        return _executors[threads]


def _forget_threads() -> None:
    """After a fork the threads are gone; the next call makes new ones."""
    global _lock
    _executors.clear()
    _lock = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_threads)
