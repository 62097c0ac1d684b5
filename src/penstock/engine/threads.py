"""Thread pools and the default number of threads: as set, else from the environment, else from the machine."""

from __future__ import annotations

import os
from functools import cache
from operator import index
from pathlib import Path

from penstock._native import Pool
from penstock.values.device import Device

_PER_CORE_LIMIT = 100
_chosen: int | None = None
_pools: dict[int, Pool] = {}
# The pool of contexts without one of their own; empty until somebody asks for it.
default_pools: list[Pool] = []


def set_num_threads(n: int | None) -> None:
    """Sets the number of threads of contexts without a pool of their own; None goes back to the default."""
    global _chosen
    if n is not None:
        if not isinstance(n, int):
            raise TypeError(f"the number of threads must be an int or None, got {type(n).__name__}")
        if n <= 0:
            raise ValueError(f"the number of threads must be positive, got {n}")
    _chosen = None if n is None else _checked(n)
    default_pools.clear()


def _checked(n: int) -> int:
    try:
        number = index(n)
    except TypeError:
        raise TypeError(f"the number of threads must be an int, got {type(n).__name__}") from None
    if number < 0:
        raise ValueError(f"the number of threads must not be negative, got {number}")
    if number > _PER_CORE_LIMIT * _cores():
        raise ValueError(f"{number} threads are more than {_PER_CORE_LIMIT} per core ({_cores()} cores)")
    return number


def get_num_threads() -> int:
    """Returns the number of threads of contexts without a pool of their own.

    It is that of `set_num_threads`, else of PENSTOCK_NUM_THREADS or DALI_NUM_THREADS, which are read once, else the
    number of CPUs that the process may use.
    """
    return _chosen if _chosen is not None else _default()[0]


def origin() -> str:
    """Returns, as text for the user, which of the settings determines the number of threads."""
    return "set_num_threads" if _chosen is not None else _default()[1]


@cache
def _default() -> tuple[int, str]:
    for name in ("PENSTOCK_NUM_THREADS", "DALI_NUM_THREADS"):
        text = os.environ.get(name)
        if text:
            if not text.isdigit() or int(text) == 0:
                raise ValueError(f"{name} must be a positive whole number, got {text!r}")
            return int(text), name
    cores, quota = _cores(), _cgroup_quota()
    if quota is not None and quota < cores:
        return max(1, quota), "CPU quota of the control group"
    return cores, "CPUs this process may run on"


def shared_pool(n: int) -> Pool:
    """Returns the process-wide pool of n threads."""
    pool = _pools.get(n)
    return _pools.setdefault(n, Pool(n)) if pool is None else pool


def default_pool() -> Pool:
    """Returns the pool of contexts without one of their own."""
    n = get_num_threads()
    pool = shared_pool(n)
    default_pools[:] = [pool]
    if n != get_num_threads():  # another thread has set it meanwhile
        default_pools.clear()
    return pool


class ThreadPool:
    """Worker threads of an `EvalContext`: ``EvalContext(thread_pool=ndd.ThreadPool(4))``.

    A `device_id` of -1 is that of the current GPU; None, or a machine without one, has none.
    """

    def __init__(self, num_threads: int | None = None, *, device_id: int | None = -1) -> None:
        n = get_num_threads() if num_threads is None else _checked(num_threads)
        device = None if device_id is None else Device.current() if device_id == -1 else Device("gpu", device_id)
        self._device_id = None if device is None else device.device_id
        self.native = Pool(n)

    @classmethod
    def over(cls, pool: Pool) -> ThreadPool:
        """The threads of a pool that is there already."""
        made = cls.__new__(cls)
        made._device_id = None
        made.native = pool
        return made

    @property
    def num_threads(self) -> int:
        return self.native.threads

    @property
    def device_id(self) -> int | None:
        """The number of its GPU; None where it has none."""
        return self._device_id


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _cgroup_quota() -> int | None:
    try:
        limit, period = Path("/sys/fs/cgroup/cpu.max").read_text().split()
        return None if limit == "max" else -(-int(limit) // int(period))
    except (OSError, ValueError):
        pass
    try:
        base = Path("/sys/fs/cgroup/cpu")
        limit_us, period_us = (int((base / name).read_text()) for name in ("cpu.cfs_quota_us", "cpu.cfs_period_us"))
        return None if limit_us <= 0 else -(-limit_us // period_us)
    except (OSError, ValueError):
        return None
