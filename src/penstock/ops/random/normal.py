"""Normally distributed numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock import _native
from penstock._native import Pool, Samples
from penstock.ops.random.drawing import alone, foretell, room
from penstock.schema import Draw, Example, PerSample, examples, operator
from penstock.values.dtypes import DType, bool_, float16, float32
from penstock.values.spec import Spec

Array = np.ndarray[Any, Any]


def _foretell(*shape_like: Spec, shape: Any, dtype: DType | None, **rest: Any) -> Spec:
    wanted = dtype or float32
    if wanted in (float16, bool_):
        raise RuntimeError(f"Data type {wanted} is not supported; draw float32 and cast it")
    return foretell(wanted, shape, *shape_like)


@operator(name="random.normal", infer=_foretell, inputs_from="anywhere")
def normal(
    shape_like: Array | None = None,
    *,
    mean: PerSample[float] = 0.0,
    stddev: PerSample[float] = 1.0,
    shape: PerSample[list[int]] | None = None,
    dtype: DType | None = None,
    draw: Draw,
) -> Array:
    """Draws numbers from a normal distribution.

        ndd.random.normal(mean=0.0, stddev=5.0, batch_size=64)

    Args:
        shape_like: A sample whose shape the result gets.
        mean: Mean of the distribution.
        stddev: Standard deviation.
        shape: Shape of the result; a scalar by default.
        dtype: Element type, float32 by default. Whole numbers are rounded draws.
    """
    return alone(whole, shape_like, draw, dtype, mean=mean, stddev=stddev, shape=shape)


@normal.on_samples
def whole(
    pool: Pool, n: int, *shape_like: Samples, mean: Array, stddev: Array, shape: Any, dtype: DType | None, draw: Draw
) -> Samples:
    out = room(dtype or float32, n, shape, *shape_like)
    _native.random_normal(pool, out, draw, mean, stddev)
    return out


normal.examples = examples(
    "ndd.random.normal(shape=[1000])",
    "ndd.random.normal(mean=3.0, stddev=2.0, shape=[17, 3], batch_size=4)",
    "ndd.random.normal(mean=ndd.batch([0.0, 10.0]), shape=[9])",
    "ndd.random.normal(shape=[50], dtype=types.FLOAT64)",
    Example("ndd.random.normal(batch_size=256)", timed=True),
    within=1e-06,
)
