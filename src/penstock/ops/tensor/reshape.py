"""The same elements in another shape."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from penstock import _native
from penstock._native import Pool, Samples
from penstock.ops.image.windows import rounded
from penstock.ops.names import type_name
from penstock.schema import Example, PerSample, examples, operator
from penstock.values.dtypes import BY_CODE, DType, Kind
from penstock.values.samples import as_batch_array
from penstock.values.spec import Spec

Array = np.ndarray[Any, Any]
Shape = tuple[int, ...]


def _foretell(data: Spec, *shape_input: Spec, **ways: Any) -> Spec:
    if not shape_input and all(way is None for way in ways.values()):
        raise RuntimeError("`reshape` is no-op: arguments specify neither new shape nor layout.")
    return foretell_reshaped(data, *shape_input, **ways)


def foretell_reshaped(
    data: Spec, shape_input: Spec | None = None, *, shape: Any, rel_shape: Any, src_dims: Any, layout: str | None
) -> Spec:
    """The spec after a change of shape, whose arguments are checked as far as they are known."""
    assert data.ndim is not None
    assert data.layout is not None
    if sum(way is not None for way in (shape_input, shape, rel_shape)) > 1:
        raise RuntimeError("Shape input, `shape` argument and `rel_shape` argument are mutually exclusive")
    if shape_input is not None:
        _check_input(shape_input)
    for extents in (shape, rel_shape):
        if isinstance(extents, list) and sum(extent < 0 for extent in extents) > 1:
            raise RuntimeError(f"Only one negative extent is allowed; got: {extents}")
    if isinstance(src_dims, list) and shape is None and shape_input is None:
        _check_sources(src_dims, data.ndim, rel_shape)
    extents = next((way for way in (shape_input, shape, rel_shape, src_dims) if way is not None), None)
    if isinstance(extents, Spec):
        return Spec(data.dtype, None, None)
    ndim = data.ndim if extents is None else len(extents)
    if layout and len(layout) != ndim:
        raise RuntimeError(f"Requested layout '{layout}' is not compatible with a {ndim}D shape")
    kept = data.layout if ndim == data.ndim else ""
    return Spec(data.dtype, ndim, kept if layout is None else layout)


def _check_input(shape: Spec) -> None:
    assert shape.dtype is not None
    if shape.dtype.kind not in (Kind.signed, Kind.unsigned):
        raise RuntimeError(f"Shape input must have integral type; got: {type_name(shape.dtype)}")
    if shape.ndim != 1:
        raise RuntimeError(f"shape input must be a list of 1D tensors, got {shape.ndim}D ones")


def _check_sources(src_dims: list[int], ndim: int, rel_shape: Any) -> None:
    for k, source in enumerate(src_dims):
        if not -1 <= source < ndim:
            raise RuntimeError(
                f"`src_dims[{k}] == {source}` is out of bounds. The indices in `src_dims` should be either valid "
                f"dimension indices in range [0..{ndim - 1}] or -1 to insert a new dimension."
            )
    if isinstance(rel_shape, list) and len(rel_shape) != len(src_dims):
        raise RuntimeError(f"`src_dims` and `rel_shape` have different lengths: {len(src_dims)} vs {len(rel_shape)}")


@operator(infer=_foretell, numbers_only=False, inputs_from="cpu too")
def reshape(
    data: Array,
    shape_input: Array | None = None,
    *,
    shape: PerSample[list[int]] | None = None,
    rel_shape: PerSample[list[float]] | None = None,
    src_dims: PerSample[list[int]] | None = None,
    layout: str | None = None,
) -> Array:
    """Sees the same elements in another shape or layout; nothing is copied.

        ndd.reshape(images, shape=[-1])
        ndd.reshape(images, src_dims=[0, 1, -1], rel_shape=[1, 1, 1], layout="HWC")

    The shape may also be the second input.

    Args:
        shape: The new extents; one of them may be -1, for whatever is left.
        rel_shape: The new extents as factors of the old ones; one of them may be -1.
        src_dims: For every new axis, the old one whose extent it has, or `rel_shape` multiplies; -1 for a new one.
        layout: Layout of the result; "" for none. Without it the layout stays where the number of axes does.
    """
    given = shape if shape_input is None else shape_input
    return data.reshape(new_shape(data.shape, given, rel_shape, src_dims))


@reshape.on_samples(anywhere=True)
def view(
    pool: Pool,
    n: int,
    data: Samples,
    shape_input: Samples | None = None,
    *,
    shape: Any,
    rel_shape: Any,
    src_dims: Any,
    layout: str | None,
) -> Samples:
    return seen_as(n, data, shape_input, (shape, rel_shape, src_dims), layout)


@reshape.native
def native(*specs: Spec, shape: Any, rel_shape: Any, src_dims: Any, layout: str | None) -> _native.Step | None:
    if len(specs) > 1 or not isinstance(shape, np.ndarray):
        return None
    return _native.Reshape(shape.astype(np.int64))


def seen_as(
    n: int,
    data: Samples,
    shape_input: Samples | None,
    given: tuple[Any, Any, Any],
    layout: str | None,
    dtype: DType | None = None,
) -> Samples:
    """The samples over the same memory; `given` are rows of `shape`, `rel_shape` and `src_dims`."""
    if len(data) != n:
        data = data.select([0] * n)
    if shape_input is not None:
        shape = as_batch_array(shape_input) if shape_input.uniform else [shape_input.sample(i) for i in range(n)]
        given = (shape, None, None)
    old = [data.shape(0)] if data.dense and n else data.shapes()
    items = (1, 1) if dtype is None else (BY_CODE[data.code].bytes, dtype.bytes)
    count = max([len(old), *(len(rows) for rows in given if rows is not None)]) if n else 0
    shapes = [
        new_shape(old[i if len(old) > 1 else 0], *(_row(rows, i) for rows in given), items=items) for i in range(count)
    ]
    if len({len(new) for new in shapes}) > 1:
        raise RuntimeError(f"All samples must have the same number of dimensions, got {shapes}")
    kept = data.layout if not shapes or len(shapes[0]) == data.ndim else ""
    return data.reshaped(shapes, kept if layout is None else layout, None if dtype is None else dtype.code)


def _row(rows: Any, i: int) -> Any:
    return None if rows is None else rows[i if len(rows) > 1 else 0]


def new_shape(old: Shape, shape: Any, rel_shape: Any, src_dims: Any, *, items: tuple[int, int] = (1, 1)) -> Shape:
    """The extents of one sample; `items` are the bytes of an element before and after."""
    if shape is not None:
        new = [int(extent) for extent in shape]
    else:
        sources = _sources(old, rel_shape, src_dims)
        factors = [1.0] * len(sources) if rel_shape is None else [float(factor) for factor in rel_shape]
        new = [-1 if factor < 0 else rounded(factor * extent) for factor, extent in zip(factors, sources, strict=True)]
        if rel_shape is None and items[0] != items[1]:
            new = _innermost_adjusted(new, *items)
    return _filled_in(new, math.prod(old) * items[0], items[1])


def _innermost_adjusted(shape: list[int], before: int, after: int) -> list[int]:
    if not shape:
        raise RuntimeError(
            f"a single number of {before} bytes is not one of {after}; give a shape to see it as several"
        )
    if shape[-1] * before % after:
        raise RuntimeError(
            "The size, in bytes, of the innermost dimension is not divisible by the size of the requested output type: "
            f"{shape[-1] * before} by {after}"
        )
    return [*shape[:-1], shape[-1] * before // after]


def _sources(old: Shape, rel_shape: Any, src_dims: Any) -> list[int]:
    """The old extent every new one refers to."""
    if src_dims is not None:
        _check_sources([int(source) for source in src_dims], len(old), None if rel_shape is None else list(rel_shape))
        return [1 if source < 0 else old[source] for source in src_dims]
    if rel_shape is None:
        return list(old)
    if any(factor >= 0 for factor in rel_shape[len(old) :]):
        raise RuntimeError(
            f"`rel_shape` has more elements ({len(rel_shape)}) than there are dimensions in the input ({len(old)}). "
            "To add new dimensions, use `src_dims` to specify the mapping between input and output dimensions."
        )
    return [old[k] if k < len(old) else 1 for k in range(len(rel_shape))]


def _filled_in(new: list[int], nbytes: int, item: int) -> Shape:
    """The extents with a negative one replaced by what is left of the bytes."""
    rest = math.prod(extent for extent in new if extent >= 0) * item
    if sum(extent < 0 for extent in new) > 1:
        raise RuntimeError(f"Only one negative extent is allowed; got: {new}")
    if rest == 0 and any(extent < 0 for extent in new):
        raise RuntimeError(f"Extent of 0 is illegal beside a negative one; got: {new}")
    made = tuple(nbytes // rest if extent < 0 else extent for extent in new)
    if math.prod(made) * item != nbytes:
        raise RuntimeError(
            "Input and output samples must occupy the same size in bytes. "
            f"{nbytes // item} elements cannot take shape {new}"
        )
    return made


reshape.examples = examples(
    Example("ndd.reshape(image, shape=[480 * 640, 3], layout='')", timed=True),
)
