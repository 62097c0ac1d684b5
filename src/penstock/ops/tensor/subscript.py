"""Python indexing as an operator."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock.schema.operator import operator
from penstock.values.spec import Spec

Array = np.ndarray[Any, Any]


def _foretell(data: Spec, *bounds: Spec, kinds: list[str]) -> Spec:
    assert data.ndim is not None
    gone = {axis for axis, kind in enumerate(kinds) if kind == "@"}
    for bound in bounds:
        if bound.ndim:
            raise RuntimeError("Array indices must be scalar (0D); to pick several elements use slices")
    layout = "".join(name for axis, name in enumerate(data.layout or "") if axis not in gone)
    return Spec(data.dtype, data.ndim - len(gone), layout)


@operator(name="_subscript", infer=_foretell)
def subscript(data: Array, *bounds: Array, kinds: list[str]) -> Array:
    """A part of an array by integers and ranges.

    Args:
        kinds: For every axis "@" for an index, or which of start, stop and step are given, e.g. ":--".
    """
    return np.ascontiguousarray(data[_ranges(data.shape, [int(bound) for bound in bounds], kinds)])


@subscript.on_stack
def stacked(data: Array, *bounds: Array, kinds: list[str]) -> Array:
    numbers = []
    for bound in bounds:
        if (bound != bound.flat[0]).any():
            return np.stack([_one(data, bounds, kinds, i) for i in range(len(data))])
        numbers.append(int(bound.flat[0]))
    return np.ascontiguousarray(data[(slice(None), *_ranges(data.shape[1:], numbers, kinds))])


def _one(data: Array, bounds: tuple[Array, ...], kinds: list[str], i: int) -> Array:
    sample = data[i]
    return sample[_ranges(sample.shape, [int(b.reshape(-1)[i if len(b) > 1 else 0]) for b in bounds], kinds)]


def _ranges(shape: tuple[int, ...], bounds: list[int], kinds: list[str]) -> tuple[Any, ...]:
    left = iter(bounds)
    result: list[Any] = []
    for axis, kind in enumerate(kinds):
        if kind == "@":
            index = next(left)
            if not -shape[axis] <= index < shape[axis]:
                raise IndexError(f"Index {index} is out of bounds for dimension {axis} with size {shape[axis]}")
            result.append(index)
        else:
            start, stop, step = (next(left) if part == ":" else None for part in kind)
            if step == 0:
                raise RuntimeError(f"the step of the range along axis {axis} is zero")
            result.append(slice(start, stop, step))
    return tuple(result)
