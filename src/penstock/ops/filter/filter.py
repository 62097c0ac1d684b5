"""Correlation with a filter of the user's own."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np

from penstock import _native
from penstock._native import Border
from penstock.gpu.casting import as_float32, cast_tensor
from penstock.gpu.types import beside, dtype_of
from penstock.ops.filter.spatial import axes_of_layout, per_axis, result_type, spatial_axes
from penstock.ops.image.windows import BORDER_NAMES
from penstock.ops.names import type_name
from penstock.schema import Example, PerSample, examples, operator
from penstock.schema.params import Layout, Refusal, Synonyms
from penstock.values.casting import cast_array
from penstock.values.dtypes import DType, float32, int16, uint8, uint16
from penstock.values.samples import arrays_of
from penstock.values.spec import Spec

if TYPE_CHECKING:
    import torch

Array = np.ndarray[Any, Any]
TYPES = (uint8, uint16, int16, float32)

_BORDERS = {
    "reflect_101": Border.reflect_101,
    "reflect_1001": Border.reflect_1001,
    "wrap": Border.wrap,
    "edge": Border.edge,
    "pad": Border.pad,
}


def _foretell(
    data: Spec, filter: Spec, fill_value: Spec | None = None, *, anchor: Any, dtype: Any, **rest: Any
) -> Spec:
    if data.dtype not in TYPES:
        raise RuntimeError(f"Filter CPU does not support input type {type_name(data.dtype)}.")
    if filter.dtype != float32:
        raise RuntimeError(f"Unsupported filter type: {type_name(filter.dtype)}; cast it to float32.")
    _, count = spatial_axes(data)
    if count not in (2, 3):
        raise RuntimeError(
            f"The filter operator got input with {count} spatial dimensions. However, only 2D and 3D convolutions are "
            "supported."
        )
    if filter.ndim != count:
        raise RuntimeError(
            "Filter dimensionality must match the number of spatial dimensions in the input samples. "
            f"Got {count} spatial dimensions but the filter is {filter.ndim} dimensional; a layout such as HWC tells "
            "channels from spatial dimensions"
        )
    if fill_value is not None and (fill_value.ndim != 0 or fill_value.dtype != data.dtype):
        raise RuntimeError(
            f"fill_value must be a scalar of the input's type {type_name(data.dtype)}, got "
            f"{fill_value.ndim} dimensions of {type_name(fill_value.dtype)}"
        )
    if not isinstance(anchor, Spec):
        per_axis("anchor", np.array([anchor]), count)
    return Spec(result_type(data, dtype, ()), data.ndim, data.layout)


def _places(size: int, first: int, count: int, border: str) -> Array:
    """Where in an axis of `size` the `count` positions from `first` on are taken from; -1 for nowhere."""
    wanted = np.arange(first, first + count)
    if border == "pad":
        return np.where((wanted >= 0) & (wanted < size), wanted, -1)
    if border == "edge":
        return np.clip(wanted, 0, size - 1)
    if border == "wrap":
        return wanted % size
    period, last = (2 * size, 2 * size - 1) if border == "reflect_1001" else (max(2 * size - 2, 1), 2 * size - 2)
    wanted %= period
    return np.where(wanted < size, wanted, last - wanted)


@operator(infer=_foretell, frames=True, inputs_from="cpu too")
def filter(
    data: Array,
    filter: Array,
    fill_value: Array | None = None,
    *,
    anchor: PerSample[list[int]] = [-1],  # noqa: B006
    border: Annotated[
        Literal["reflect_101", "101", "reflect_1001", "1001", "reflect", "wrap", "clamp", "edge", "constant", "pad"],
        Refusal("Unknown ``border_type`` was provided: ``{}``"),
        Synonyms(BORDER_NAMES),
    ] = "reflect_101",
    mode: Annotated[Literal["same", "valid"], Refusal("Unknown ``mode`` was provided: ``{}``")] = "same",
    dtype: DType | None = None,
    layout: Layout,
) -> Array:
    """Lays a filter over every pixel and adds up the pixels under it, weighted; the filter is not turned around.

        ndd.filter(images, np.full((5, 5), 1 / 25, np.float32))
        ndd.filter(images, sharpen, anchor=[0, 0], border="wrap")

    The filter, the second input, has two axes for images and three for volumes; there may be one for every sample.
    The third input is what lies beyond the edges with the border "constant": a scalar of the input's type, 0 if absent.

    Args:
        anchor: Which element of the filter lies on the pixel that is made, one index for all axes or one for each;
            -1 is the middle. Has no effect where `mode` is "valid".
        border: What lies beyond the edges: the image mirrored about its outermost pixels ("reflect_101", "101") or its
            edges ("reflect_1001", "1001", "reflect"), the opposite side ("wrap"), the outermost pixels ("clamp",
            "edge") or a number ("constant", "pad").
        mode: "same" keeps the size; "valid" makes only the pixels for which the filter lies inside the image.
        dtype: The input's type, or float32.
    """
    first, count = axes_of_layout(layout, data.ndim)
    anchors = per_axis("anchor", np.array([anchor]), count)[0]
    padded = data.astype(np.float64)
    if mode == "same" and data.size:
        fill = 0.0 if fill_value is None else float(fill_value)
        for axis, (size, place) in enumerate(zip(filter.shape, anchors, strict=True), first):
            before = size // 2 if place < 0 else int(place)
            places = _places(data.shape[axis], -before, data.shape[axis] + size - 1, border)
            outside = (places < 0).reshape([-1 if k == axis else 1 for k in range(data.ndim)])
            padded = np.where(outside, fill, padded.take(places, axis))
    elif mode == "same":
        return np.zeros(data.shape, (dtype or DType.by_numpy[data.dtype]).storage)
    shape = [padded.shape[first + k] - filter.shape[k] + 1 for k in range(count)]
    total = np.zeros((*padded.shape[:first], *shape, *padded.shape[first + count :]))
    for tap in product(*map(range, filter.shape)):
        window = tuple(slice(start, start + extent) for start, extent in zip(tap, shape, strict=True))
        total += float(filter[tap]) * padded[(slice(None),) * first + window]
    return cast_array(total, dtype or DType.by_numpy[data.dtype])


@filter.native(reads_others=True)
def native(
    data: Spec,
    filter: Spec,
    fill_value: Spec | None = None,
    *,
    anchor: Any,
    border: str,
    mode: str,
    dtype: DType | None,
    others: list[_native.Samples],
) -> _native.Step:
    first, count = spatial_axes(data)
    filters = [np.ascontiguousarray(others[0].sample(i)) for i in range(len(others[0]))]
    for sample, weights in enumerate(filters):
        if not weights.size:
            raise RuntimeError(f"the filter of sample {sample} is empty: its shape is {weights.shape}")
    fills = arrays_of(others[1]) if fill_value else [0]
    return _native.Filter(
        first,
        count,
        filters,
        per_axis("anchor", anchor, count),
        np.array(fills, np.float32),
        _BORDERS[border],
        mode == "valid",
        result_type(data, dtype, ()).code,
    )


@filter.gpu
def gpu(
    data: torch.Tensor,
    filter: Array,
    fill_value: Array | None = None,
    *,
    anchor: Any,
    border: str,
    mode: str,
    dtype: DType | None,
    layout: Layout,
) -> torch.Tensor:
    import torch

    if not filter.size:
        raise RuntimeError(f"the filter is empty: its shape is {filter.shape}")
    first, count = axes_of_layout(layout, data.ndim - 1)
    anchors = per_axis("anchor", np.array([anchor]), count)[0]
    padded = as_float32(data)
    if mode == "same" and not data.numel():
        return cast_tensor(padded, dtype or dtype_of(data))
    if mode == "same":
        fill = 0.0 if fill_value is None else float(fill_value)
        for axis, (size, place) in enumerate(zip(filter.shape, anchors, strict=True), 1 + first):
            before = size // 2 if place < 0 else int(place)
            places = _places(data.shape[axis], -before, data.shape[axis] + size - 1, border)
            padded = padded.index_select(axis, beside(np.maximum(places, 0), data))
            if (places < 0).any():
                shape = [-1 if k == axis else 1 for k in range(data.ndim)]
                padded = torch.where(beside(places < 0, data).reshape(shape), fill, padded)
    shape = [padded.shape[1 + first + k] - filter.shape[k] + 1 for k in range(count)]
    total = padded.new_zeros((*padded.shape[: 1 + first], *shape, *padded.shape[1 + first + count :]))
    for tap in product(*map(range, filter.shape)):
        window = padded
        for axis, (start, extent) in enumerate(zip(tap, shape, strict=True), 1 + first):
            window = window.narrow(axis, start, extent)
        total.add_(window, alpha=float(filter[tap]))
    return cast_tensor(total, dtype or dtype_of(data))


filter.examples = examples(
    Example("ndd.filter(image, [[-2.0, -1.0, 0.0], [-1.0, 1.0, 1.0], [0.0, 1.0, 2.0]])", drawn=True),
    within=1,
    share=0.999,
)
