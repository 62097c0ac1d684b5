"""What cutting out a window means, in NumPy."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from penstock.gpu.casting import by_bits, cast_tensor, signed
from penstock.gpu.types import beside, dtype_of
from penstock.ops.image.windows import Border, Box
from penstock.ops.names import type_name
from penstock.values.casting import cast_array
from penstock.values.dtypes import DType, bool_, float16, float32, float64, uint8
from penstock.values.spec import Spec

if TYPE_CHECKING:
    import torch

Array = np.ndarray[Any, Any]


def result_type(data: Spec, dtype: DType | None) -> DType:
    """The element type a window is converted to; refuses the types crop and slice do not have."""
    assert data.dtype is not None
    if data.dtype == bool_:
        raise RuntimeError("Not supported input type: bool")
    if dtype not in (None, data.dtype, uint8, float16, float32):
        raise RuntimeError(f"Not supported output type: {type_name(dtype)}; uint8, float16 and float are")
    return dtype or data.dtype


def channel_axis(layout: str, border: Border) -> int:
    """Where the channels are, for fill values of their own; -1 where there is one value for all."""
    if len(border.values) == 1:
        return -1
    if "C" not in layout:
        raise RuntimeError(
            "Multi-channel fill_values was provided but channel dimension could not be found in layout "
            f"{layout!r}; give one value, or a layout with a C"
        )
    return layout.index("C")


def extract(data: Array, box: Box, border: Border, channel: int, dtype: DType) -> Array:
    """The window `box` of `data` in another element type, with what lies beyond the edges made up."""
    box = fitted(box, data.shape, border)
    taken, inside = take(data, box, border)
    taken = truncated(taken, dtype)
    if not border.fills or inside.all():
        return taken
    values: Array = np.array(border.values, np.float32)
    if len(values) > 1:
        if len(values) != taken.shape[channel]:
            raise RuntimeError(
                f"Multi-channel fill value does not match the number of channels in the output: {len(values)} values "
                f"for {taken.shape[channel]} channels"
            )
        values = values.reshape([-1 if axis == channel else 1 for axis in range(taken.ndim)])
    return np.where(inside, taken, truncated(values, dtype))


def fitted(box: Box, shape: tuple[int, ...], border: Border) -> Box:
    """The window as far as the policy lets it reach."""
    result = []
    for (anchor, extent), size in zip(box, shape, strict=True):
        if anchor < 0 or anchor + extent > size:
            if border.out_of_bounds_policy == "error":
                raise RuntimeError(
                    f"Slice can't be placed out of bounds with current policy. Got: input_shape={_text(shape)}, "
                    f"slice_anchor={_text([a for a, _ in box])}, slice_shape={_text([e for _, e in box])}; "
                    'out_of_bounds_policy="pad" would fill the rest'
                )
            if border.out_of_bounds_policy == "trim_to_shape":
                low, high = (min(max(bound, 0), size) for bound in (anchor, anchor + extent))
                anchor, extent = low, high - low
            elif size == 0 and not border.fills:
                raise RuntimeError(f"an input of shape {_text(shape)} has no pixels to repeat beyond its edges")
        result.append((anchor, extent))
    return result


def take(data: Array, box: Box, border: Border) -> tuple[Array, Array]:
    """The elements at the places of the window, and which of them lie inside; the others are just any."""
    inside = np.ones((1,) * data.ndim, bool)
    for axis, (anchor, extent) in enumerate(box):
        if (anchor, extent) == (0, data.shape[axis]):
            continue
        places = _folded(anchor + np.arange(extent), data.shape[axis], border.out_of_bounds_policy)
        lies_in = (places >= 0) & (places < data.shape[axis])
        if not data.shape[axis]:
            data = np.zeros((*data.shape[:axis], 1, *data.shape[axis + 1 :]), data.dtype)
        data = np.take(data, np.where(lies_in, places, 0), axis)
        inside = inside & lies_in.reshape([-1 if k == axis else 1 for k in range(data.ndim)])
    return np.ascontiguousarray(data), inside


def extract_gpu(data: torch.Tensor, box: Box, border: Border, channel: int, dtype: DType) -> torch.Tensor:
    """As `extract`, of samples under a leading axis, along which the window is whole."""
    import torch

    shape = tuple(data.shape[1:])
    box = fitted(box, shape, border)
    taken, inside = take_gpu(data, box, border)
    taken = truncated_gpu(taken, dtype)
    if not border.fills or inside.all():
        return taken
    values: Array = np.array(border.values, np.float32)
    if len(values) > 1 and len(values) != taken.shape[1 + channel]:
        raise RuntimeError(
            f"Multi-channel fill value does not match the number of channels in the output: {len(values)} values "
            f"for {taken.shape[1 + channel]} channels"
        )
    fill = beside(truncated(values, dtype), taken)
    if len(values) > 1:
        fill = fill.reshape([-1 if axis == 1 + channel else 1 for axis in range(taken.ndim)])
    return torch.where(beside(inside, taken), taken, fill)


def take_gpu(data: torch.Tensor, box: Box, border: Border) -> tuple[torch.Tensor, Array]:
    """As `take`, of samples under a leading axis; what lies inside is the same for all."""
    inside = np.ones((1,) * (data.ndim - 1), bool)
    for axis, (anchor, extent) in enumerate(box):
        size = data.shape[1 + axis]
        if (anchor, extent) == (0, size):
            continue
        if anchor >= 0 and anchor + extent <= size:
            data = data.narrow(1 + axis, anchor, extent)
            continue
        places = _folded(anchor + np.arange(extent), size, border.out_of_bounds_policy)
        lies_in = (places >= 0) & (places < size)
        if not size:
            data = data.new_zeros((*data.shape[: 1 + axis], 1, *data.shape[2 + axis :]))
        data = by_bits(partial(_selected, axis=1 + axis, places=beside(np.where(lies_in, places, 0), data)), data)
        inside = inside & lies_in.reshape([-1 if k == axis else 1 for k in range(data.ndim - 1)])
    return data, inside


def _selected(data: torch.Tensor, axis: int, places: torch.Tensor) -> torch.Tensor:
    return data.index_select(axis, places)


def truncated_gpu(values: torch.Tensor, dtype: DType) -> torch.Tensor:
    """As `truncated`."""
    source, target = dtype_of(values).storage, dtype.storage
    if target.kind == "b":
        return signed(values) != 0
    if target.kind != "f":
        return cast_tensor(values.trunc() if source.kind == "f" else values, dtype)
    if target != source and (target == np.float16 or source == np.float64):
        import torch

        limit = float(np.finfo(target).max)
        values = cast_tensor(values, float64).to(torch.float64).clamp(-limit, limit)
    return cast_tensor(values, dtype)


def _folded(places: Array, size: int, policy: str) -> Array:
    """Places beyond the edges led back inside, where the policy repeats the input."""
    if policy == "edge":
        return np.clip(places, 0, size - 1)
    if policy == "wrap":
        return places % size
    if policy == "reflect_1001":
        places = places % (2 * size)
        return np.asarray(np.minimum(places, 2 * size - 1 - places))
    if policy == "reflect_101":
        places = places % max(2 * size - 2, 1)
        return np.asarray(np.minimum(places, 2 * size - 2 - places))
    return places


def truncated(values: Array, dtype: DType) -> Array:
    """Values in another type: cut off after the point and kept in its range."""
    target = dtype.storage
    if target.kind == "b":
        return np.asarray(values != 0)
    if target.kind != "f":
        return cast_array(np.trunc(values) if values.dtype.kind == "f" else values, dtype)
    if target != values.dtype and (target == np.float16 or values.dtype == np.float64):
        limit = float(np.finfo(target).max)
        values = np.clip(values.astype(np.float64), -limit, limit)
    return values.astype(target, copy=False)


def _text(extents: Any) -> str:
    return "{" + " x ".join(map(str, extents)) + "}"
