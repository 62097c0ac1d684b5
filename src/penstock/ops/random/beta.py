"""Beta distributed numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock import _native
from penstock._native import Pool, Samples
from penstock.ops.names import type_name
from penstock.ops.random.drawing import alone, foretell, room
from penstock.schema import Draw, Example, PerSample, examples, operator
from penstock.values.dtypes import DType, float32, float64
from penstock.values.spec import Spec

Array = np.ndarray[Any, Any]


def _foretell(*shape_like: Spec, alpha: Any, beta: Any, shape: Any, dtype: DType | None) -> Spec:
    wanted = dtype or float32
    if wanted not in (float32, float64):
        raise RuntimeError(f"Data type {type_name(wanted)} is not supported. Supported types are : float, double")
    for name, value in (("alpha", alpha), ("beta", beta)):
        if not isinstance(value, Spec):
            _check_positive(name, np.array([value], np.float32))
    return foretell(wanted, shape, *shape_like)


def _check_positive(name: str, values: Array) -> Array:
    positive = (values > 0) & (values < np.inf)
    if not positive.all():
        index = positive.argmin()
        raise RuntimeError(
            f"The `{name}` must be a positive float32, got `{values[index]:g}` for sample at index {index}."
        )
    return values


@operator(name="random.beta", infer=_foretell, runs_on="cpu", inputs_from="anywhere")
def beta(
    shape_like: Array | None = None,
    *,
    alpha: PerSample[float] = 1.0,
    beta: PerSample[float] = 1.0,
    shape: PerSample[list[int]] | None = None,
    dtype: DType | None = None,
    draw: Draw,
) -> Array:
    """Draws numbers between 0 and 1 from a beta distribution.

        ndd.random.beta(alpha=0.2, beta=0.2, batch_size=64)

    Args:
        shape_like: A sample whose shape the result gets.
        alpha: First shape parameter, positive.
        beta: Second shape parameter, positive.
        shape: Shape of the result; a scalar by default.
        dtype: Element type: float32 by default, or float64.
    """
    return alone(whole, shape_like, draw, dtype, alpha=alpha, beta=beta, shape=shape)


@beta.on_samples
def whole(
    pool: Pool, n: int, *shape_like: Samples, alpha: Array, beta: Array, shape: Any, dtype: DType | None, draw: Draw
) -> Samples:
    out = room(dtype or float32, n, shape, *shape_like)
    _native.random_beta(pool, out, draw, _check_positive("alpha", alpha), _check_positive("beta", beta))
    return out


beta.examples = examples(
    "ndd.random.beta(shape=[500])",
    "ndd.random.beta(alpha=0.4, beta=2.5, shape=[500])",
    "ndd.random.beta(alpha=3.0, beta=5.0, shape=[50], dtype=types.FLOAT64)",
    Example("ndd.random.beta(alpha=2.0, beta=3.0, batch_size=256)", timed=True),
    within=1e-05,
)
