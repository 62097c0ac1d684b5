"""The extents of samples, as data."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock._native import Pool, Samples
from penstock.schema import operator
from penstock.values.dtypes import DType, int64
from penstock.values.spec import Spec

Array = np.ndarray[Any, Any]


def _foretell(input: Spec, *, dtype: DType | None) -> Spec:
    return Spec(dtype or int64, 1)


@operator(name="_shape", infer=_foretell, numbers_only=False, inputs_from="anywhere")
def shape(input: Array, *, dtype: DType | None = None) -> Array:
    """Tells the extents of samples.

    Args:
        dtype: Element type of the result; int64 by default.
    """
    return np.array(input.shape, (dtype or int64).storage)


@shape.on_samples
def shapes(pool: Pool, n: int, samples: Samples, *, dtype: DType | None) -> Samples:
    return Samples.wrap(np.array(samples.shapes(), (dtype or int64).storage).reshape(n, samples.ndim))
