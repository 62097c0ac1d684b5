"""NumPy arrays into batch storage and back."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock._native import Samples
from penstock.values.dtypes import DType

Array = np.ndarray[Any, Any]


def from_array(array: Array) -> Samples:
    """The rows of an array as samples."""
    return Samples.wrap(np.ascontiguousarray(array))


def from_arrays(arrays: list[Array], dtype: DType | None = None, ndim: int | None = None) -> Samples:
    """Arrays as samples, in one block where their shapes agree. An empty list needs dtype and ndim."""
    if not arrays:
        if dtype is None:
            raise ValueError("Element type must be specified if the list is empty")
        return Samples.empty(dtype.code, 0, [0] * (ndim or 0))
    first = arrays[0]
    if len(arrays) == 1:
        return Samples.wrap_one(np.ascontiguousarray(first) if first.ndim else first)
    if all(array.shape == first.shape and array.dtype == first.dtype for array in arrays):
        block = Samples.empty(DType.by_numpy[first.dtype].code, len(arrays), first.shape)
        np.stack(arrays, out=block.array())
        return block
    return Samples.gather([np.ascontiguousarray(array) for array in arrays])


def as_batch_array(samples: Samples) -> Array:
    """All samples as one array with a leading batch axis; copied only where they do not lie together."""
    if samples.dense:
        return samples.array()
    block = Samples.empty(samples.code, len(samples), samples.shape(0))
    array = block.array()
    for i in range(len(samples)):
        array[i] = samples.sample(i)
    return array


def padded(samples: Samples) -> Samples:
    """One block with room for the largest extent along every axis, zero beyond each sample."""
    shapes = samples.shapes()
    largest = [max(extents) for extents in zip(*shapes, strict=True)]
    block = Samples.empty(samples.code, len(samples), largest)
    array = block.array()
    array[...] = 0
    for i, shape in enumerate(shapes):
        array[(i, *(slice(extent) for extent in shape))] = samples.sample(i)
    block.layout = samples.layout
    return block
