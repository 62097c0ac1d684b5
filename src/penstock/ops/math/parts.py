"""Large arrays are worked on in parts, on several threads."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from penstock.values import parallel
from penstock.values.samples import pooled

Array = np.ndarray[Any, Any]

_here = threading.local()

# What is made of so many elements in between fits in the caches; the calls for a part cost some 10 us.
_PART = 1 << 18
_TASKS_PER_THREAD = 2


def in_parts(function: Callable[..., Array], dtype: np.dtype[Any], arrays: tuple[Array, ...], threads: int) -> Array:
    """function(*arrays), an elementwise one whose result has type `dtype`, in pooled memory."""
    shape = np.broadcast_shapes(*(array.shape for array in arrays))
    made = pooled(shape, dtype)
    out, operands = _flattened(made, arrays)
    length = len(out)
    rows = max(1, _PART * length // max(1, out.size))
    tasks = min(max(1, math.ceil(length / rows)), threads * _TASKS_PER_THREAD)

    def task(k: int) -> None:
        end = length * (k + 1) // tasks
        with np.errstate(all="ignore"):
            for start in range(length * k // tasks, end, rows):
                part = slice(start, min(start + rows, end))
                _here.place = place = out[part]
                result = function(*[each[part] if len(each) > 1 else each for each in operands])
                if result is not place:
                    place[...] = result
        _here.place = None

    parallel.map_samples(task, tasks, made.nbytes, threads)
    return made


def place_for(dtype: np.dtype[Any], arrays: tuple[Array, ...]) -> Array | None:
    """Where a result made of these arrays may go: into the part being made, if it has that shape and type."""
    place: Array | None = getattr(_here, "place", None)
    fits = place is not None and place.dtype == dtype and any(array.shape == place.shape for array in arrays)
    return place if fits else None


def _flattened(made: Array, arrays: tuple[Array, ...]) -> tuple[Array, list[Array]]:
    """Views with the longest first axis there can be: that of all elements where nothing is broadcast but numbers."""
    if all(array.shape == made.shape or array.size == 1 for array in arrays):
        return made.reshape(-1), [array.reshape(-1) for array in arrays]
    axis = next((k for k, extent in enumerate(made.shape) if extent > 1), 0)
    kept = made.shape[axis:]
    return made.reshape(kept), [array.reshape(array.shape[axis:]) for array in arrays]
