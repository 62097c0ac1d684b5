"""Conversion between element types as the API defines it: to integers by rounding and saturation."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock.values.dtypes import DType

Array = np.ndarray[Any, Any]

# Elements converted at a time, so that intermediate results stay in the cache.
_CHUNK = 1 << 14


def cast_array(array: Array, dtype: DType) -> Array:
    """Floats round half away from zero, values beyond the range saturate, NaN becomes the lowest integer.

    To bool, a value is true where it does not round to zero.
    """
    target = dtype.storage
    if array.dtype == target:
        return array
    if target.kind == "b":
        return np.asarray(~(np.abs(array) < 0.5)) if array.dtype.kind == "f" else array.astype(bool)
    if target.kind == "f" or array.dtype.kind == "b":
        with np.errstate(over="ignore"):
            return array.astype(target)
    if array.dtype.kind == "f":
        return _rounded_to_64_bits(array, target) if target.itemsize == 8 else _rounded(array, target)
    return _saturated(array, target)


def _saturated(array: Array, target: np.dtype[Any]) -> Array:
    limits, source = np.iinfo(target), np.iinfo(array.dtype)
    low, high = max(limits.min, source.min), min(limits.max, source.max)
    if (low, high) == (source.min, source.max):
        return array.astype(target)
    return np.clip(array, array.dtype.type(low), array.dtype.type(high)).astype(target)


def _rounded(array: Array, target: np.dtype[Any]) -> Array:
    """Floats to integers of at most 32 bits, whose limits a wider float represents exactly."""
    limits = np.iinfo(target)
    kind = np.float32 if target.itemsize <= 2 and array.dtype.itemsize <= 4 else np.float64
    # The number below one half: 0.49999997 + 0.5 would be 1 in float32.
    half = np.nextafter(kind(0.5), kind(0))
    made = np.empty(array.shape, target)
    source, result = array.reshape(-1), made.reshape(-1)
    for start in range(0, source.size, _CHUNK):
        stop = start + _CHUNK
        values = np.fmax(source[start:stop], kind(limits.min), dtype=kind)
        np.fmin(values, kind(limits.max), out=values)
        values += np.copysign(half, values)
        result[start:stop] = values
    return made


def _rounded_to_64_bits(array: Array, target: np.dtype[Any]) -> Array:
    limits = np.iinfo(target)
    wide = array.astype(np.float64)
    with np.errstate(invalid="ignore"):
        rounded = np.trunc(wide + np.copysign(np.nextafter(0.5, 0), wide))
        # 2**63 - 1 is no float64: compare with the power of two above it, then put the limit in.
        above, below = rounded >= float(limits.max), ~(rounded > float(limits.min))
        result = np.where(above | below, 0, rounded).astype(target)
    return np.where(above, target.type(limits.max), np.where(below, target.type(limits.min), result))
