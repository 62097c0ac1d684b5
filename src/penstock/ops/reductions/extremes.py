"""The least and the greatest element."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock import _native
from penstock.ops.reductions.reducing import Axes, Reduction, input_type
from penstock.schema import operator
from penstock.schema.operator import Operator
from penstock.schema.params import Layout
from penstock.values.spec import Spec

Array = np.ndarray[Any, Any]


def _foretell(input: Spec, *, over: Axes) -> Spec:
    return over.spec(input_type(input), input)


def _made_natively(reduction: Reduction, op: Operator) -> None:
    @op.native
    def native(input: Spec, *, over: Axes) -> _native.Step:
        return over.step(reduction, input, input_type(input))


def _limits(dtype: np.dtype[Any]) -> Any:
    return np.finfo(dtype) if dtype.kind == "f" else np.iinfo(dtype)


def _folded(ufunc: np.ufunc, input: Array, over: Axes, layout: str, initial: Any) -> Array:
    axes = over.counted(layout, input.ndim)
    return np.asarray(ufunc.reduce(input, axes, keepdims=over.keep_dims, initial=initial))


@operator(name="reductions.min", infer=_foretell)
def min(input: Array, *, over: Axes, layout: Layout) -> Array:
    """The least element along axes.

        ndd.reductions.min(images, axis_names="HW")

    NaN is passed over. Where there is no element, the result is the largest number of the type.

    Args:
        axes: The axes to go over, negative ones counted from the last; all without this and `axis_names`.
        axis_names: The same by name.
        keep_dims: Leave the axes in the result with extent 1.
    """
    return _folded(np.fmin, input, over, layout, _limits(input.dtype).max)


@operator(name="reductions.max", infer=_foretell)
def max(input: Array, *, over: Axes, layout: Layout) -> Array:
    """The greatest element along axes.

        ndd.reductions.max(images, axis_names="HW")

    NaN is passed over. Where there is no element, the result is the lowest number of the type.

    Args:
        axes: The axes to go over, negative ones counted from the last; all without this and `axis_names`.
        axis_names: The same by name.
        keep_dims: Leave the axes in the result with extent 1.
    """
    return _folded(np.fmax, input, over, layout, _limits(input.dtype).min)


_made_natively("min", min)
_made_natively("max", max)
