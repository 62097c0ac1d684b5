"""Cutting out a part by its corners."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from penstock import _native
from penstock.gpu.types import dtype_of
from penstock.ops.image import extraction
from penstock.ops.image.slice_bounds import SliceBounds
from penstock.ops.image.windows import Border
from penstock.ops.tensor.axes import assumed_layout
from penstock.schema import Example, examples, operator
from penstock.schema.params import Layout
from penstock.values.dtypes import DType
from penstock.values.samples import as_batch_array
from penstock.values.spec import Spec

if TYPE_CHECKING:
    import torch

Array = np.ndarray[Any, Any]


def _channel_axis(layout: str, ndim: int, border: Border) -> int:
    return extraction.channel_axis(assumed_layout(layout, ndim), border)


def _foretell(data: Spec, *positional: Spec, bounds: SliceBounds, border: Border, dtype: DType | None) -> Spec:
    assert data.ndim is not None
    assert data.layout is not None
    result = extraction.result_type(data, dtype)
    if not data.ndim:
        raise RuntimeError("Not supported number of dimensions: 0")
    bounds.check(data, positional)
    _channel_axis(data.layout, data.ndim, border)
    return Spec(result, data.ndim, data.layout)


@operator(infer=_foretell, renamed={"output_dtype": "dtype"}, removed=("image_type",), inputs_from="cpu too")
def slice(
    data: Array,
    anchor: Array | None = None,
    shape_input: Array | None = None,
    *,
    bounds: SliceBounds,
    border: Border,
    dtype: DType | None = None,
    layout: Layout,
) -> Array:
    """Cuts out the part between two corners, along chosen axes; the other axes stay whole.

        ndd.slice(images, rel_start=[0.25, 0.25], rel_shape=[0.5, 0.5], axis_names="HW")
        ndd.slice(signal, start=100, end=200, axes=0)

    The corners are also taken by position: `anchor` and `shape`, as integers or as fractions of the input.

    Args:
        start: First corner.
        end: Opposite corner.
        shape: Extents of the part, instead of its end.
        rel_start: First corner, in fractions of the input.
        rel_end: Opposite corner, in fractions of the input.
        rel_shape: Extents of the part, in fractions of the input.
        axes: The axes the corners are given for, instead of `axis_names`.
        axis_names: The same by name; by default width, then height.
        normalized_anchor: An `anchor` of floats is in fractions of the input.
        normalized_shape: A `shape` of floats by position is in fractions of the input.
        out_of_bounds_policy: What to do with a part that reaches beyond the input, as in `crop`.
        fill_values: What to pad with: one value, or one per channel.
        dtype: uint8, float16 or float32 instead of the input's type; fractions are cut off.
    """
    positional = () if anchor is None or shape_input is None else (anchor, shape_input)
    box = bounds.box(layout, data.shape, positional)
    channel = _channel_axis(layout, data.ndim, border)
    return extraction.extract(data, box, border, channel, dtype or DType.by_numpy[data.dtype])


@slice.native(reads_others=True)
def native(
    data: Spec,
    *positional: Spec,
    bounds: SliceBounds,
    border: Border,
    dtype: DType | None,
    others: list[_native.Samples],
) -> _native.Step | None:
    assert data.ndim is not None
    assert data.layout is not None
    if not all(samples.uniform for samples in others):
        return None
    rule = bounds.rule(data, tuple(as_batch_array(samples) for samples in others))
    if rule is None:
        return None
    channel = _channel_axis(data.layout, data.ndim, border)
    code = extraction.result_type(data, dtype).code
    return _native.Extract(rule, code, border.native, np.array([border.values], np.float32), channel)


@slice.gpu
def gpu(
    data: torch.Tensor, *positional: Array, bounds: SliceBounds, border: Border, dtype: DType | None, layout: Layout
) -> torch.Tensor:
    shape = tuple(data.shape[1:])
    box = bounds.box(layout, shape, positional)
    channel = _channel_axis(layout, len(shape), border)
    return extraction.extract_gpu(data, box, border, channel, dtype or dtype_of(data))


slice.examples = examples(
    "ndd.slice(image, start=[2, 3], end=[20, 15], axes=[0, 1])",
    "ndd.slice(image, start=[2, 3], shape=[9, 8], axis_names='HW')",
    "ndd.slice(image, rel_start=[0.1, 0.2], rel_end=[0.6, 0.7])",
    "ndd.slice(image, rel_start=[0.1, 0.2], rel_shape=[0.5, 0.5], axis_names='HW', dtype=types.FLOAT)",
    "ndd.slice(image, start=[-4, 3], end=[500, 15], axes=[0, 1], out_of_bounds_policy='pad', fill_values=[9])",
    Example('ndd.slice(image, rel_start=[0.25, 0.0], rel_end=[1.0, 0.75], axis_names="HW")', drawn=True),
    Example(
        "ndd.slice(image, rel_start=[0.1, 0.1], rel_shape=[0.8, 0.8], axis_names='HW')",
        plain="image[48:432, 64:576].copy()",
    ),
)
