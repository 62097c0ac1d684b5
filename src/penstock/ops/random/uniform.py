"""Evenly distributed numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock import _native
from penstock._native import Pool, Samples
from penstock.ops.random.drawing import alone, foretell, room
from penstock.schema import Draw, Example, PerSample, examples, operator
from penstock.values.dtypes import DType, bool_, enumeration_of, float16, float32
from penstock.values.samples import from_arrays
from penstock.values.spec import Spec

Array = np.ndarray[Any, Any]


def _foretell(*shape_like: Spec, range: Any, values: Any, shape: Any, dtype: DType | None) -> Spec:
    wanted = dtype or float32
    if wanted in (float16, bool_) or enumeration_of(wanted) is not None:
        raise RuntimeError(f"Data type {wanted} is not supported; draw float32 and cast it")
    if isinstance(values, list):
        _check_values([values])
    elif values is None and isinstance(range, list):
        _check_range([range])
    return foretell(wanted, shape, *shape_like)


def _check_range(rows: Any) -> Array:
    if isinstance(rows, np.ndarray) and rows.shape == (1, 2) and rows.dtype == np.float32 and rows[0, 0] < rows[0, 1]:
        return rows  # as in most calls; to look at many rows takes 5 us
    wrong = next((row for row in rows if np.size(row) != 2), None)
    if wrong is not None:
        raise RuntimeError(f"`range` takes a lowest and a highest value, got {np.ravel(wrong).tolist()}")
    bounds = np.asarray(rows, np.float32).reshape(len(rows), 2)
    ordered = bounds[:, 0] < bounds[:, 1]
    if not ordered.all():
        low, high = bounds[ordered.argmin()]
        raise RuntimeError(f"Invalid range [{low:g}, {high:g}).")
    return bounds


def _check_values(rows: Any) -> list[Array]:
    if any(len(row) == 0 for row in rows):
        raise RuntimeError("`values` needs at least one value to draw from")
    return [np.asarray(row, np.float32) for row in rows]


@operator(name="random.uniform", infer=_foretell, inputs_from="anywhere")
def uniform(
    shape_like: Array | None = None,
    *,
    range: PerSample[list[float]] = [-1.0, 1.0],  # noqa: B006
    values: PerSample[list[float]] | None = None,
    shape: PerSample[list[int]] | None = None,
    dtype: DType | None = None,
    draw: Draw,
) -> Array:
    """Draws numbers evenly from a range, or from a list of values.

        ndd.random.uniform(range=[0.8, 1.2], batch_size=64)
        ndd.random.uniform(values=[0, 90, 180, 270], shape=[2])

    Args:
        shape_like: A sample whose shape the result gets.
        range: Lowest value, and the one all are below.
        values: Values to draw from, instead of a range.
        shape: Shape of the result; a scalar by default.
        dtype: Element type, float32 by default. Whole numbers are rounded draws, from bounds without their fractions.
    """
    return alone(whole, shape_like, draw, dtype, range=range, values=values, shape=shape)


@uniform.on_samples
def whole(
    pool: Pool, n: int, *shape_like: Samples, range: Array, values: Any, shape: Any, dtype: DType | None, draw: Draw
) -> Samples:
    out = room(dtype or float32, n, shape, *shape_like)
    if values is not None:
        _native.random_from_values(pool, out, draw, from_arrays(_check_values(values)))
    else:
        bounds = _check_range(range)
        whole_numbers = (dtype or float32).kind is not DType.Kind.float
        _native.random_uniform(pool, out, draw, np.trunc(bounds) if whole_numbers else bounds)
    return out


@uniform.draws_numbers
def numbers(*, range: Array, values: Any, shape: Any, dtype: DType | None) -> _native.NumberSource | None:
    if values is not None or (dtype or float32).kind is not DType.Kind.float:
        return None
    [[low, high]] = _check_range(range).tolist()
    return _native.NumberSource.uniform((dtype or float32).code, low, high)


uniform.examples = examples(
    "ndd.random.uniform()",
    "ndd.random.uniform(shape=[1000])",
    "ndd.random.uniform(range=[-5.0, 12.5], shape=[17, 3], batch_size=4)",
    "ndd.random.uniform(range=[0, 100], shape=[500], dtype=types.INT32)",
    "ndd.random.uniform(values=[1, 5, 7.5], shape=[300])",
    Example("ndd.random.uniform(batch_size=256)", timed=True),
)
