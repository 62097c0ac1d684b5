"""Operators that combine their inputs element by element, with shapes broadcast as in NumPy."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any

import numpy as np

from penstock.ops.math.parts import in_parts, place_for
from penstock.ops.math.promotion import ResultType, result_layout
from penstock.schema.operator import Infer, Operator
from penstock.values.dtypes import DType
from penstock.values.spec import Spec

Array = np.ndarray[Any, Any]

# Below this malloc hands out warm memory, and intermediate results stay in the cache.
_DIVIDED_FROM_ELEMENTS = 1 << 15


def elementwise(name: str, result: ResultType, sign: str | None = None) -> Callable[[Callable[..., Array]], Operator]:
    """Declares a function of arrays that broadcast as an operator.

    Args:
        name: Its public name.
        result: Tells the result's type from those of the operands.
        sign: How error messages call it; the last part of the name by default.
    """
    word = name.rsplit(".", 1)[-1]

    def declare(function: Callable[..., Array]) -> Operator:
        made = Operator(_with_clear_errors(function), name=name, infer=_foretell(word, sign or word, result))

        @made.on_stack
        def stack(*arrays: Array, threads: int) -> Array:
            if all(array.size < _DIVIDED_FROM_ELEMENTS for array in arrays):
                with np.errstate(all="ignore"):
                    return function(*arrays)
            dtype = result(sign or word, tuple(DType.by_numpy[array.dtype] for array in arrays)).storage
            return in_parts(function, dtype, arrays, threads)

        return made

    return declare


def _foretell(word: str, sign: str, result: ResultType) -> Infer:
    @lru_cache(maxsize=1024)
    def infer(*specs: Spec) -> Spec:
        ndim = max(spec.ndim or 0 for spec in specs)
        dtype = result(sign, tuple(spec.dtype for spec in specs if spec.dtype is not None))
        return Spec(dtype, ndim, result_layout(word, specs, ndim))

    return infer


def _with_clear_errors(function: Callable[..., Array]) -> Callable[..., Array]:
    @wraps(function)
    def run(*arrays: Array) -> Array:
        try:
            with np.errstate(all="ignore"):
                return function(*arrays)
        except ValueError:
            shapes = [array.shape for array in arrays]
            try:
                np.broadcast_shapes(*shapes)
            except ValueError:
                raise RuntimeError(f"Can't broadcast shapes: {', '.join(map(str, shapes))}") from None
            raise

    return run


def apply(ufunc: np.ufunc, dtype: np.dtype[Any], *arrays: Array, within: np.dtype[Any] | None = None) -> Array:
    """The ufunc with its result in `dtype`, in which it also computes unless told to do so `within` another."""
    made: Array = ufunc(*arrays, out=place_for(dtype, arrays), dtype=within or dtype, casting="unsafe")
    return made if within is None else made.astype(dtype, copy=False)
