"""Operators that combine their inputs element by element, with shapes broadcast as in NumPy."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any

import numpy as np

from penstock.ops.math.promotion import ResultType, result_layout
from penstock.schema.operator import Infer, Operator
from penstock.values.samples import pooled
from penstock.values.spec import Spec

Array = np.ndarray[Any, Any]

# Below this malloc hands out warm memory too, and the shape of the result need not be worked out first.
_POOLED_FROM_ELEMENTS = 1 << 14


def elementwise(name: str, result: ResultType, sign: str | None = None) -> Callable[[Callable[..., Array]], Operator]:
    """Declares a function of arrays that broadcast as an operator.

    Args:
        name: Its public name.
        result: Tells the result's type from those of the operands.
        sign: How error messages call it; the last part of the name by default.
    """
    word = name.rsplit(".", 1)[-1]

    def declare(function: Callable[..., Array]) -> Operator:
        made = Operator(_with_clear_errors(function, 0), name=name, infer=_foretell(word, sign or word, result))
        made.on_stack(_with_clear_errors(function, 1))
        return made

    return declare


def _foretell(word: str, sign: str, result: ResultType) -> Infer:
    @lru_cache(maxsize=1024)
    def infer(*specs: Spec) -> Spec:
        ndim = max(spec.ndim or 0 for spec in specs)
        dtype = result(sign, tuple(spec.dtype for spec in specs if spec.dtype is not None))
        return Spec(dtype, ndim, result_layout(word, specs, ndim))

    return infer


def _with_clear_errors(function: Callable[..., Array], batch_axes: int) -> Callable[..., Array]:
    @wraps(function)
    def run(*arrays: Array) -> Array:
        try:
            with np.errstate(all="ignore"):
                return function(*arrays)
        except ValueError:
            shapes = [array.shape[batch_axes:] for array in arrays]
            try:
                np.broadcast_shapes(*shapes)
            except ValueError:
                raise RuntimeError(f"Can't broadcast shapes: {', '.join(map(str, shapes))}") from None
            raise

    return run


def result_buffer(dtype: np.dtype[Any], *arrays: Array) -> Array | None:
    """Pooled memory for a large result; None where NumPy may as well allocate."""
    for array in arrays:
        if array.size >= _POOLED_FROM_ELEMENTS:
            return pooled(np.broadcast_shapes(*(each.shape for each in arrays)), dtype)
    return None


def apply(ufunc: np.ufunc, dtype: np.dtype[Any], *arrays: Array, within: np.dtype[Any] | None = None) -> Array:
    """The ufunc with its result in `dtype`, in which it also computes unless told to do so `within` another."""
    made: Array = ufunc(*arrays, out=result_buffer(dtype, *arrays), dtype=within or dtype, casting="unsafe")
    return made if within is None else made.astype(dtype, copy=False)
