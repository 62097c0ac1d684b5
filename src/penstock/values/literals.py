"""Python numbers, lists of them and enumeration members as arrays. Numbers are 32 bits wide unless told otherwise."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock.values.dtypes import ENUM_TYPES, DType, dtype, float32, int32

Array = np.ndarray[Any, Any]


def from_python(data: Any, wanted: DType | None) -> tuple[Array, DType]:
    """A fresh array with the data, of the wanted type or the one the API gives it, and that type."""
    if wanted is None:
        if type(data) is float:
            return np.array(data, np.float32), float32
        if type(data) is int and -(2**31) <= data < 2**31:
            return np.array(data, np.int32), int32
        wanted = _enumeration(data)
    if wanted is not None:
        return np.array(_readable(data), dtype=wanted.storage), wanted
    array = np.array(_readable(data))
    if array.dtype.kind not in "biuf":
        _refuse(array, data)
    if array.dtype.itemsize == 8:
        array = array.astype(np.float32) if array.dtype.kind == "f" else _narrowed(array)
    return array, dtype(array.dtype)


def int32_scalar(number: int) -> Array:
    """A Python integer as operand of arithmetic."""
    if not -(2**31) <= number < 2**31:
        raise OverflowError(f"Integer {number} is out of range for int32.")
    return np.array(number, np.int32)


def _readable(data: Any) -> Any:
    """What NumPy reads elements from. It would take a set or a generator for one object."""
    if isinstance(data, (str, bytes)):
        raise RuntimeError(f"a tensor holds numbers, got {type(data).__name__}; use numpy.frombuffer for raw bytes")
    if isinstance(data, (list, tuple, range, bool, int, float, complex)):
        return data
    try:
        return memoryview(data)
    except TypeError:
        raise TypeError(
            f"Unexpected element type {type(data)}; a tensor is made from numbers, lists or arrays"
        ) from None


def _first(data: Any) -> Any:
    while isinstance(data, (list, tuple)) and data:
        data = data[0]
    return data


def _enumeration(data: Any) -> DType | None:
    return ENUM_TYPES.get(type(_first(data)))


def _refuse(array: Array, data: Any) -> None:
    if array.dtype.kind in "US" and not isinstance(_first(data), (str, bytes)):
        raise ValueError("a tensor holds numbers, got text among them")
    if array.dtype.kind != "O":
        raise RuntimeError(f"a tensor holds real numbers, got {array.dtype}")
    for element in array.flat:
        if not isinstance(element, int):
            raise TypeError(f"Unexpected element type {type(element)}; a tensor is made from numbers, lists or arrays")
    _narrowed(array)


def _narrowed(array: Array) -> Array:
    """Integers as int32, or uint32 where they must be."""
    if array.size == 0:
        return array.astype(np.int32)
    low, high = int(array.min()), int(array.max())
    if low >= -(2**31) and high < 2**31:
        return array.astype(np.int32)
    if low < 0 or high >= 2**32:
        number, kind = (high, "uint32") if low >= 0 else (low if low < -(2**31) else high, "int32")
        raise OverflowError(f"Python integer {number} out of range for {kind}.")
    return array.astype(np.uint32)
