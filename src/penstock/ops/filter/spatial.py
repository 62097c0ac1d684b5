"""What filters have in common: which axes they run along, arguments per axis, and the element type of the result."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from penstock.gpu.types import beside
from penstock.ops.names import type_name
from penstock.values.dtypes import DType, float32
from penstock.values.spec import Spec

if TYPE_CHECKING:
    import torch

Array = np.ndarray[Any, Any]

MAX_AXES = 3


def spatial_axes(spec: Spec) -> tuple[int, int]:
    """The first of the axes that are filtered, and how many there are: all but frames and channels."""
    assert spec.ndim is not None
    return axes_of_layout(spec.layout or "", spec.ndim)


def axes_of_layout(layout: str, ndim: int) -> tuple[int, int]:
    if not layout:
        if not ndim:
            raise RuntimeError(
                "Input data with empty layout cannot have no dimensions: there is nothing to filter along"
            )
        if ndim > MAX_AXES:
            raise RuntimeError(
                f"Input data with empty layout cannot have more than {MAX_AXES} dimensions, got input with {ndim} "
                "dimensions. A layout would tell frames and channels"
            )
        return 0, ndim
    first = 2 if layout[:2] in ("FC", "CF") else int(layout[0] in "FC")
    names = layout[first:-1] if len(layout) > first and layout[-1] == "C" else layout[first:]
    if not names:
        raise RuntimeError(f"No spatial axes found in the layout: {layout}")
    if "C" in names:
        raise RuntimeError(f"Only channel-first or channel-last layouts are supported, got: {layout}.")
    if "F" in names:
        raise RuntimeError(f"For sequences, layout should begin with 'F' or 'C', got: {layout}.")
    if len(names) > MAX_AXES:
        raise RuntimeError(f"Too many dimensions, found: {len(names)} data axes, maximum supported is: {MAX_AXES}.")
    return first, len(names)


def result_type(data: Spec, dtype: DType | None, refused: tuple[DType, ...]) -> DType:
    """The element type of the result: the input's or float32."""
    assert data.dtype is not None
    if data.dtype in refused:
        raise RuntimeError(f"Unsupported data type: {type_name(data.dtype)}")
    if dtype not in (None, data.dtype, float32):
        raise RuntimeError("Output data type must be same as input, FLOAT or skipped (defaults to input type)")
    return dtype or data.dtype


def per_axis(name: str, rows: Any, count: int) -> Array:
    """Rows of one value per axis, from rows (or a list of arrays) that may have one for all axes."""
    if not len(rows):
        return np.zeros((0, count), rows.dtype)
    each = [np.ravel(row) for row in rows] if isinstance(rows, list) else [rows.reshape(len(rows), -1)]
    for sample, row in enumerate(each):
        if row.shape[-1] not in (1, count):
            raise RuntimeError(
                f"Argument {name} for sample {sample} is expected to have 1 or {count} elements, got: {row.shape[-1]}."
            )
    return np.ascontiguousarray(
        np.concatenate([np.broadcast_to(row, (row.size // row.shape[-1], count)) for row in each])
    )


def require(fits: Array, message: Callable[[int, int], str], where: str = " for sample: {}, axis: {}.") -> None:
    """Raises what `message` says of the first sample and axis that does not fit, and `where` that is."""
    if not fits.all():
        sample, axis = np.argwhere(~fits)[0].tolist()
        raise RuntimeError(message(sample, axis) + where.format(sample, axis))


def mirrored(size: int, first: int, count: int) -> Array:
    """Where in an axis of `size` the `count` positions from `first` on are found, mirrored about its ends."""
    period = max(2 * size - 2, 1)
    places = np.arange(first, first + count) % period
    return np.where(places < size, places, period - places)


def correlate(array: Array, window: Array, axis: int) -> Array:
    """What a filter along one axis means: a weighted sum of neighbours, mirrored about the outermost elements."""
    size, radius = array.shape[axis], len(window) // 2
    if not array.size:
        return array
    padded = array.take(mirrored(size, -radius, size + 2 * radius), axis)
    parts = (weight * padded.take(np.arange(k, k + size), axis) for k, weight in enumerate(window))
    return np.asarray(sum(parts))


def correlate_gpu(tensor: torch.Tensor, window: Array, axis: int) -> torch.Tensor:
    """As `correlate`, of single precision numbers."""
    if not tensor.numel():
        return tensor
    size, radius = tensor.shape[axis], len(window) // 2
    padded = tensor.index_select(axis, beside(mirrored(size, -radius, size + 2 * radius), tensor))
    total = padded.narrow(axis, 0, size) * float(window[0])
    for k, weight in enumerate(window[1:].tolist(), 1):
        total.add_(padded.narrow(axis, k, size), alpha=weight)
    return total
