"""Arrays of one value."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from penstock import _native
from penstock._native import Pool, Samples
from penstock.ops.names import type_name
from penstock.ops.random.drawing import rank, room
from penstock.schema import Example, PerSample, examples, operator
from penstock.values.casting import cast_array
from penstock.values.dtypes import BY_CODE, NUMERIC, DType, int32
from penstock.values.samples import converted, from_array
from penstock.values.spec import Spec

Array = np.ndarray[Any, Any]


def _foretell_shaped(dtype: DType | None, shape: Any, layout: str | None, *like: Spec) -> Spec:
    ndim = rank(shape, *like)
    if layout and ndim not in (None, len(layout)):
        raise RuntimeError(f"Layout {layout!r} has {len(layout)} dimensions but output shape has {ndim} dimensions.")
    return Spec(dtype, None, None) if ndim is None else Spec(dtype, ndim, layout or "")


def _labelled(samples: Samples, layout: str | None) -> Samples:
    if layout and len(layout) != samples.ndim:
        raise RuntimeError(f"Layout {layout!r} has {len(layout)} dimensions, the result {samples.ndim}")
    samples.layout = layout or ""
    return samples


def _fill(pool: Pool, out: Samples, values: Samples) -> Samples:
    """Fills every sample with its value; a value of fewer axes is repeated as NumPy does."""
    alike = out.dense and values.dense
    checked = min(len(out), 1) if alike else len(out)
    shapes = [(out.shape(i), values.shape(i if len(values) > 1 else 0)) for i in range(checked)]
    for i, (wanted, given) in enumerate(shapes):
        if not _fits(wanted, given):
            raise RuntimeError(f"Shapes {list(wanted)} and {list(given)} can't be broadcast in sample {i}")
    if all(_repeats(wanted, given) for wanted, given in shapes):
        _native.fill(pool, out, values)
    else:
        for i in range(len(out)):
            out.sample(i)[...] = values.sample(i if len(values) > 1 else 0)
    return out


def _fits(wanted: tuple[int, ...], given: tuple[int, ...]) -> bool:
    tail = wanted[len(wanted) - len(given) :]
    return len(given) <= len(wanted) and all(mine in (1, theirs) for mine, theirs in zip(given, tail, strict=True))


def _repeats(wanted: tuple[int, ...], given: tuple[int, ...]) -> bool:
    """Whether the result is the value over and over, without a part of it being repeated in between."""
    while given and given[0] == 1:
        given = given[1:]
    return not given or wanted[len(wanted) - len(given) :] == given


def _foretell_full(fill_value: Spec, *, shape: Any, layout: str | None) -> Spec:
    return _foretell_shaped(fill_value.dtype, shape, layout, *([fill_value] if shape is None else []))


@operator(infer=_foretell_full, runs_on="cpu")
def full(fill_value: Array, *, shape: PerSample[list[int]] | None = None, layout: str | None = None) -> Array:
    """Repeats a value to fill an array.

        ndd.full(0.5, shape=[480, 640])
        ndd.full(labels, shape=[10])

    The elements have the type of the value. One that is an array itself is broadcast as in NumPy.

    Args:
        shape: Shape of the result; that of the value by default.
        layout: Layout of the result.
    """
    return np.broadcast_to(fill_value, fill_value.shape if shape is None else shape)


@full.on_samples
def whole_full(pool: Pool, n: int, fill_value: Samples, *, shape: Any, layout: str | None) -> Samples:
    like = [fill_value] if shape is None else []
    out = _labelled(room(BY_CODE[fill_value.code], n, shape, *like), layout)
    return _fill(pool, out, fill_value)


def _foretell_full_like(data_like: Spec, fill_value: Spec) -> Spec:
    return data_like


@operator(infer=_foretell_full_like, runs_on="cpu", inputs_from="anywhere")
def full_like(data_like: Array, fill_value: Array) -> Array:
    """Repeats a value to fill an array of the shape, type and layout of another.

        ndd.full_like(images, [124, 116, 104])

    Args:
        fill_value: Converted to the element type of `data_like`, and broadcast as in NumPy.
    """
    return np.broadcast_to(cast_array(fill_value, DType.by_numpy[data_like.dtype]), data_like.shape)


@full_like.on_samples
def whole_full_like(pool: Pool, n: int, data_like: Samples, fill_value: Samples) -> Samples:
    dtype = BY_CODE[data_like.code]
    return _fill(pool, room(dtype, n, None, data_like), converted(fill_value, dtype))


def _foretell_constant(*data_like: Spec, dtype: DType | None, shape: Any = None, layout: str | None = None) -> Spec:
    if dtype is not None and dtype not in NUMERIC:
        known = ", ".join(type_name(each) for each in NUMERIC)
        raise RuntimeError(f"Data type {type_name(dtype)} is currently not supported. Supported types are : {known}")
    if data_like:
        return data_like[0] if dtype is None else data_like[0]._replace(dtype=dtype)
    return _foretell_shaped(dtype, shape, layout)


@cache
def _single(code: int, value: int) -> Samples:
    return from_array(np.full(1, value, BY_CODE[code].storage))


def _constant(pool: Pool, out: Samples, value: int) -> Samples:
    _native.fill(pool, out, _single(out.code, value))
    return out


@operator(infer=_foretell_constant, runs_on="cpu")
def ones(*, dtype: DType = int32, shape: PerSample[list[int]] | None = None, layout: str | None = None) -> Array:
    """An array of ones.

        ndd.ones(shape=[480, 640, 3], dtype=ndd.uint8, layout="HWC", batch_size=8)

    Args:
        dtype: Element type.
        shape: Shape of the result; a single number by default.
        layout: Layout of the result.
    """
    return np.ones(() if shape is None else shape, dtype.storage)


@ones.on_samples
def whole_ones(pool: Pool, n: int, *, dtype: DType, shape: Any, layout: str | None) -> Samples:
    return _constant(pool, _labelled(room(dtype, n, shape), layout), 1)


@operator(infer=_foretell_constant, runs_on="cpu")
def zeros(*, dtype: DType = int32, shape: PerSample[list[int]] | None = None, layout: str | None = None) -> Array:
    """An array of zeros.

        ndd.zeros(shape=[480, 640, 3], dtype=ndd.uint8, layout="HWC", batch_size=8)

    Args:
        dtype: Element type.
        shape: Shape of the result; a single number by default.
        layout: Layout of the result.
    """
    return np.zeros(() if shape is None else shape, dtype.storage)


@zeros.on_samples
def whole_zeros(pool: Pool, n: int, *, dtype: DType, shape: Any, layout: str | None) -> Samples:
    return _constant(pool, _labelled(room(dtype, n, shape), layout), 0)


@operator(infer=_foretell_constant, runs_on="cpu", inputs_from="anywhere")
def ones_like(data_like: Array, *, dtype: DType | None = None) -> Array:
    """Ones in the shape and layout of another array.

        ndd.ones_like(masks, dtype=ndd.float32)

    Args:
        dtype: Element type; that of `data_like` by default.
    """
    return np.ones_like(data_like, None if dtype is None else dtype.storage)


@ones_like.on_samples
def whole_ones_like(pool: Pool, n: int, data_like: Samples, *, dtype: DType | None) -> Samples:
    return _constant(pool, room(dtype or BY_CODE[data_like.code], n, None, data_like), 1)


@operator(infer=_foretell_constant, runs_on="cpu", inputs_from="anywhere")
def zeros_like(data_like: Array, *, dtype: DType | None = None) -> Array:
    """Zeros in the shape and layout of another array.

        ndd.zeros_like(images)

    Args:
        dtype: Element type; that of `data_like` by default.
    """
    return np.zeros_like(data_like, None if dtype is None else dtype.storage)


@zeros_like.on_samples
def whole_zeros_like(pool: Pool, n: int, data_like: Samples, *, dtype: DType | None) -> Samples:
    return _constant(pool, room(dtype or BY_CODE[data_like.code], n, None, data_like), 0)


full.examples = examples(
    "ndd.full(7, shape=[2, 3])",
    "ndd.full([1, 2, 3], shape=[2, 3], layout='HW')",
    "ndd.full(ndd.batch([1, 2]), shape=ndd.batch([[1], [2]]))",
    "ndd.full(True, shape=3, batch_size=2)",
)

full_like.examples = examples(
    "ndd.full_like(image, 7)",
)

ones.examples = examples(
    Example("ndd.ones(batch_size=256)", timed=True),
)
