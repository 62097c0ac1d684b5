"""How far elements are from a mean."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock import _native
from penstock.ops.names import type_name
from penstock.ops.reductions.reducing import Axes, Reduction, cut_to, input_type
from penstock.schema import operator
from penstock.schema.operator import Operator
from penstock.schema.params import Layout
from penstock.values.dtypes import float32
from penstock.values.spec import Spec

Array = np.ndarray[Any, Any]


def _foretell(data: Spec, mean: Spec, *, over: Axes, ddof: int) -> Spec:
    input_type(data)
    if mean.dtype is not float32:
        raise RuntimeError(f"the mean must be float32, got {type_name(mean.dtype)}; cast it first")
    return over.spec(float32, data)


def _made_natively(reduction: Reduction, op: Operator) -> None:
    @op.native(reads_others=True)
    def native(data: Spec, mean: Spec, *, over: Axes, ddof: int, others: list[_native.Samples]) -> _native.Step:
        return over.step(reduction, data, float32, ddof, others[0])


def _without_ones(shape: tuple[int, ...]) -> list[int]:
    return [extent for extent in shape if extent != 1]


def _variance(data: Array, mean: Array, over: Axes, ddof: int, layout: str) -> Array:
    reduced = over.counted(layout, data.ndim)
    kept = tuple(1 if axis in reduced else extent for axis, extent in enumerate(data.shape))
    if mean.size != 1 and _without_ones(mean.shape) != _without_ones(kept):
        raise RuntimeError(
            f"a mean of shape {mean.shape} does not go with a result of shape {kept}; give one number, or one for "
            "each element of the result"
        )
    centre = mean.reshape(() if mean.size == 1 else kept).astype(np.float64)
    with np.errstate(all="ignore"):
        total, count = over.total(np.square(data - centre), layout, np.float64)
        return np.asarray(np.true_divide(total, count - ddof))


@operator(name="reductions.variance", infer=_foretell)
def variance(data: Array, mean: Array, *, over: Axes, ddof: int = 0, layout: Layout) -> Array:
    """Averages the squared distances of the elements from a mean, along axes.

        ndd.reductions.variance(images, ndd.reductions.mean(images, axis_names="HW"), axis_names="HW")

    Args:
        mean: The mean as float32: one number, or one for each element of the result.
        axes: The axes to go over, negative ones counted from the last; all without this and `axis_names`.
        axis_names: The same by name.
        keep_dims: Leave the axes in the result with extent 1.
        ddof: Taken off the number of elements the sum is divided by.
    """
    return cut_to(_variance(data, mean, over, ddof, layout), float32)


@operator(name="reductions.std_dev", infer=_foretell)
def std_dev(data: Array, mean: Array, *, over: Axes, ddof: int = 0, layout: Layout) -> Array:
    """Standard deviation of the elements from a mean, along axes: the square root of the variance.

        ndd.reductions.std_dev(images, ndd.reductions.mean(images, axis_names="HW"), axis_names="HW")

    Args:
        mean: The mean as float32: one number, or one for each element of the result.
        axes: The axes to go over, negative ones counted from the last; all without this and `axis_names`.
        axis_names: The same by name.
        keep_dims: Leave the axes in the result with extent 1.
        ddof: Taken off the number of elements the sum is divided by.
    """
    with np.errstate(invalid="ignore"):
        return cut_to(np.sqrt(_variance(data, mean, over, ddof, layout)), float32)


_made_natively("variance", variance)
_made_natively("std_dev", std_dev)
