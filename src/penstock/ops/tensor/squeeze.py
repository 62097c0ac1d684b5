"""Axes of extent 1, taken away and put in."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from penstock._native import Pool, Samples
from penstock.ops.tensor.axes import counted_axes, named_axes
from penstock.schema import Example, PerSample, examples, operator
from penstock.schema.params import Layout
from penstock.values.spec import Spec

Array = np.ndarray[Any, Any]


def _foretell_squeezed(data: Spec, *, axes: Any, axis_names: str | None) -> Spec:
    assert data.ndim is not None
    assert data.layout is not None
    if axes is None and axis_names is None:
        raise RuntimeError("Missing argument ``axes`` or ``axis_names``.")
    if axes is not None and axis_names is not None:
        raise RuntimeError("Provided both ``axes`` and ``axis_names`` arguments")
    if isinstance(axes, Spec):
        return Spec(data.dtype, None, None)
    removed = _removed(axes, axis_names, data.layout, data.ndim)
    layout = "".join(name for axis, name in enumerate(data.layout) if axis not in removed)
    return Spec(data.dtype, data.ndim - len(removed), layout)


def _removed(axes: Any, axis_names: str | None, layout: str, ndim: int) -> list[int]:
    twice = "Specified at least twice same dimension to remove."
    return counted_axes(axes, ndim, twice) if axis_names is None else named_axes(axis_names, layout, twice)


def _squeezed(shape: tuple[int, ...], removed: list[int]) -> list[int]:
    kept = [extent for axis, extent in enumerate(shape) if axis not in removed]
    if math.prod(kept) != math.prod(shape):
        axis = next(axis for axis in removed if shape[axis] != 1)
        raise RuntimeError(
            "The volume of the new shape should match the one of the original shape. Requested a shape with "
            f"{math.prod(kept)} elements but the original shape has {math.prod(shape)} elements. Axis {axis} has "
            f"extent {shape[axis]}; only those of extent 1 can be taken away"
        )
    return kept


@operator(infer=_foretell_squeezed, numbers_only=False)
def squeeze(
    data: Array, *, axes: PerSample[list[int]] | None = None, axis_names: str | None = None, layout: Layout
) -> Array:
    """Takes away axes of extent 1; nothing is copied.

        ndd.squeeze(masks, axes=-1)
        ndd.squeeze(masks, axis_names="C")

    Args:
        axes: Which axes; negative numbers count from the last one.
        axis_names: Their names in the layout, instead.
    """
    return data.reshape(_squeezed(data.shape, _removed(axes, axis_names, layout, data.ndim)))


@squeeze.on_samples(anywhere=True)
def without_axes(pool: Pool, n: int, data: Samples, *, axes: Any, axis_names: str | None) -> Samples:
    if len(data) != n:
        data = data.select([0] * n)
    old = [data.shape(0)] if data.dense and n else data.shapes()
    rows = [None] if axes is None else axes
    removed = [_removed(row, axis_names, data.layout, data.ndim) for row in rows]
    if len({len(each) for each in removed}) > 1:
        raise RuntimeError(f"All samples must lose the same number of axes, got {[len(each) for each in removed]}")
    count = max(len(old), len(removed)) if n else 0
    shapes = [_squeezed(old[i if len(old) > 1 else 0], removed[i if len(removed) > 1 else 0]) for i in range(count)]
    same = all(each == removed[0] for each in removed)
    layout = "".join(name for axis, name in enumerate(data.layout) if axis not in removed[0]) if same else ""
    return data.reshaped(shapes, layout) if n else Samples.empty(data.code, 0, [0] * (data.ndim - len(removed[0])))


def _foretell_expanded(data: Spec, *, axes: list[int], new_axis_names: str) -> Spec:
    assert data.ndim is not None
    assert data.layout is not None
    ndim = data.ndim + len(axes)
    if max(axes, default=0) >= ndim:
        raise RuntimeError(
            "Data has not enough dimensions to add new axes at specified indices. Got "
            f"{axes} in a result of {ndim} axes"
        )
    added = counted_axes(axes, ndim, "Duplicate axis index found.")
    if not new_axis_names:
        return Spec(data.dtype, ndim, "" if axes else data.layout)
    if len(new_axis_names) != len(axes):
        raise RuntimeError(
            f"Specified {len(axes)} new dimensions, but layout contains only {len(new_axis_names)} new dimension "
            f"names: {new_axis_names!r}"
        )
    if data.ndim and not data.layout:
        raise RuntimeError("Specifying ``new_axis_names`` requires an input with a proper layout.")
    names, old = dict(zip(added, new_axis_names, strict=True)), iter(data.layout)
    return Spec(data.dtype, ndim, "".join(names[axis] if axis in names else next(old) for axis in range(ndim)))


@operator(infer=_foretell_expanded, numbers_only=False)
def expand_dims(data: Array, *, axes: list[int], new_axis_names: str = "") -> Array:
    """Puts in axes of extent 1; nothing is copied.

        ndd.expand_dims(images, axes=0, new_axis_names="F")

    Args:
        axes: Where the new axes are in the result; negative numbers count from its last axis.
        new_axis_names: What the layout calls them, a letter each. Without it the result has no layout.
    """
    return data.reshape(_expanded(data.shape, counted_axes(axes, data.ndim + len(axes))))


@expand_dims.on_samples(anywhere=True)
def with_axes(pool: Pool, n: int, data: Samples, *, axes: list[int], new_axis_names: str) -> Samples:
    if len(data) != n:
        data = data.select([0] * n)
    added = counted_axes(axes, data.ndim + len(axes))
    if not n:
        return Samples.empty(data.code, 0, [0] * (data.ndim + len(axes)))
    old = [data.shape(0)] if data.dense else data.shapes()
    return data.reshaped([_expanded(shape, added) for shape in old], "")


def _expanded(shape: tuple[int, ...], added: list[int]) -> list[int]:
    old = iter(shape)
    return [1 if axis in added else next(old) for axis in range(len(shape) + len(added))]


expand_dims.examples = examples(
    Example("ndd.expand_dims(image, axes=0, new_axis_names='F')", timed=True),
)

squeeze.examples = examples(
    Example("ndd.squeeze(grey, axes=2)", timed=True),
)
