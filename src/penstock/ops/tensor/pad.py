"""Padding to a common size."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from penstock import _native
from penstock.gpu.casting import by_bits
from penstock.gpu.types import beside, dtype_of
from penstock.ops.image.extraction import truncated
from penstock.ops.names import type_name
from penstock.ops.tensor.axes import axis_rows, check_axes, chosen_axes, per_axis
from penstock.schema import Example, PerSample, examples, operator
from penstock.schema.params import Layout
from penstock.values.dtypes import DType, float64
from penstock.values.spec import Spec

if TYPE_CHECKING:
    import torch

Array = np.ndarray[Any, Any]


def _foretell(input: Spec, *, axes: Any, axis_names: str | None, align: Any, shape: Any, **rest: Any) -> Spec:
    assert input.ndim is not None
    assert input.layout is not None
    if input.dtype == float64:
        raise RuntimeError(f"Unsupported data type: {type_name(input.dtype)}")
    if not input.ndim:
        raise RuntimeError("Unsupported number of dimensions 0")
    count = check_axes(axes, axis_names, input.layout, input.ndim)
    if isinstance(align, list) and any(multiple < 1 for multiple in align):
        raise RuntimeError(f"Values of `align` argument must be positive. Got: {align}")
    for name, values in (("align", align), ("shape", shape)):
        if isinstance(values, list) and count is not None:
            per_axis(name, np.array([values]), count)
    return input


@operator(infer=_foretell, batchwise=True)
def pad(
    input: list[Array],
    *,
    axes: PerSample[list[int]] | None = None,
    axis_names: str | None = None,
    shape: PerSample[list[int]] | None = None,
    align: PerSample[list[int]] | None = None,
    fill_value: PerSample[float] = 0.0,
    layout: Layout,
) -> list[Array]:
    """Makes samples larger at their ends: as large as the largest of the batch, a given shape or a multiple.

        ndd.pad(sentences, fill_value=-1)
        ndd.pad(images, axis_names="HW", align=[32, 32])

    Args:
        axes: The axes to pad; all without this and `axis_names`.
        axis_names: The same by name.
        shape: Extents to reach along these axes; the largest of the batch where it is not positive. Samples that are
            larger stay so.
        align: Extents become multiples of these.
        fill_value: What the new elements hold.
    """
    largest = np.max([sample.shape for sample in input], axis=0) if input else []
    result = []
    for i, sample in enumerate(input):
        own = chosen_axes(None if axes is None else _row(axes, i), axis_names, layout, sample.ndim)
        extents = _extents(i, sample.shape, largest, own, shape, align)
        fill = truncated(np.array(_row(fill_value, i), np.float32), DType.by_numpy[sample.dtype])
        made = np.full(extents, fill, sample.dtype)
        made[tuple(slice(extent) for extent in sample.shape)] = sample
        result.append(made)
    return result


def _extents(i: int, shape: tuple[int, ...], largest: Any, axes: list[int], wanted: Any, align: Any) -> list[int]:
    """The shape that sample i, of a given shape, is padded to."""
    least = per_axis("shape", _row(wanted, i)[None], len(axes))[0] if wanted is not None else [0] * len(axes)
    multiple = per_axis("align", _row(align, i)[None], len(axes))[0] if align is not None else [1] * len(axes)
    extents = list(shape)
    for axis, extent, step in zip(axes, least, multiple, strict=True):
        if step < 1:
            raise RuntimeError(f"Values of `align` argument must be positive, got {step}")
        extent = max(extents[axis], extent if extent > 0 else largest[axis])
        extents[axis] = -(-int(extent) // int(step)) * int(step)
    return extents


def _row(rows: Any, i: int) -> Any:
    return rows[i if len(rows) > 1 else 0]


@pad.native(reads_data=True)
def native(
    input: Spec,
    *,
    axes: Any,
    axis_names: str | None,
    shape: Any,
    align: Any,
    fill_value: Array,
    samples: _native.Samples | None = None,
) -> _native.Step | None:
    assert input.dtype is not None
    assert input.ndim is not None
    assert input.layout is not None
    if any(isinstance(rows, list) for rows in (axes, shape, align)):
        return None
    rows = axis_rows(axes, axis_names, input.layout, input.ndim)
    count = rows.shape[1]
    extent = np.zeros((1, count), np.int32) if shape is None else per_axis("shape", shape, count)
    if (extent <= 0).any():
        if samples is None:
            return None
        shapes = [samples.shape(0)] if samples.dense and len(samples) else samples.shapes()
        largest = np.array([[0] * input.ndim, *shapes], np.int32).max(axis=0)
        extent = np.where(extent > 0, extent, largest[rows])
    multiple = np.ones((1, count), np.int32) if align is None else per_axis("align", align, count)
    rule = _native.PadRule(rows, *(np.ascontiguousarray(values, np.int32) for values in (extent, multiple)))
    return _native.Extract(rule, input.dtype.code, _native.Border.pad, fill_value[:, None], -1)


@pad.gpu
def gpu(
    input: list[torch.Tensor],
    *,
    axes: Any,
    axis_names: str | None,
    shape: Any,
    align: Any,
    fill_value: Any,
    layout: Layout,
) -> list[torch.Tensor]:
    largest = np.max([tuple(sample.shape) for sample in input], axis=0) if input else []
    result = []
    for i, sample in enumerate(input):
        own = chosen_axes(None if axes is None else _row(axes, i), axis_names, layout, sample.ndim)
        extents = _extents(i, tuple(sample.shape), largest, own, shape, align)
        fill = beside(truncated(np.array(_row(fill_value, i), np.float32), dtype_of(sample)), sample)
        made = by_bits(lambda fill, extents=extents: fill.expand(extents).clone(), fill)
        made[tuple(slice(extent) for extent in sample.shape)] = sample
        result.append(made)
    return result


pad.examples = examples(
    "ndd.pad(image)",
    Example('ndd.pad(image, axis_names="HW", shape=[200, 280], fill_value=255)', drawn=True),
    Example(
        "ndd.pad(image, axis_names='HW', shape=[512, 672])",
        plain="cv2.copyMakeBorder(image, 0, 32, 0, 32, cv2.BORDER_CONSTANT)",
    ),
)
