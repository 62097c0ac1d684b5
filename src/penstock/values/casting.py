"""Conversion between element types as the API defines it: to integers by rounding and saturation."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock.values.dtypes import DType, Kind

Array = np.ndarray[Any, Any]


def cast_array(array: Array, dtype: DType) -> Array:
    """Floats round half away from zero, values beyond the range saturate, NaN becomes the lowest integer.

    To bool, a value is true where it does not round to zero.
    """
    target = dtype.storage
    if array.dtype == target:
        return array
    if target.kind == "b":
        return np.asarray(~(np.abs(array) < 0.5)) if array.dtype.kind == "f" else array.astype(bool)
    if target.kind == "f":
        with np.errstate(over="ignore"):
            return array.astype(target)
    return _to_integer(array, target)


def _to_integer(array: Array, target: np.dtype[Any]) -> Array:
    limits = np.iinfo(target)
    if array.dtype.kind == "b":
        return array.astype(target)
    if array.dtype.kind != "f":
        source = np.iinfo(array.dtype)
        low, high = max(limits.min, source.min), min(limits.max, source.max)
        return np.clip(array, array.dtype.type(low), array.dtype.type(high)).astype(target)
    wide = array.astype(np.float64)
    with np.errstate(invalid="ignore"):
        rounded = np.trunc(wide + np.copysign(0.5, wide))
        # 2**63 - 1 is no float64: compare with the power of two above it, then put the limit in.
        above, below = rounded >= float(limits.max) , ~(rounded > float(limits.min))
        result = np.where(above | below, 0, rounded).astype(target)
    result[above] = limits.max
    result[below] = limits.min
    return np.asarray(result)


def is_number(dtype: DType) -> bool:
    return dtype.kind is not Kind.enum
