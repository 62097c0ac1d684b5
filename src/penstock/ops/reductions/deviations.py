"""How far elements are from a mean."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from penstock import _native
from penstock.gpu.casting import as_widest_real, cast_tensor
from penstock.gpu.types import widest_real
from penstock.ops.names import type_name
from penstock.ops.reductions.reduction import Axes, Reduction, cut_to, input_type
from penstock.schema import operator
from penstock.schema.operator import Operator
from penstock.schema.params import Layout
from penstock.values.dtypes import float32
from penstock.values.spec import Spec

if TYPE_CHECKING:
    import torch

Array = np.ndarray[Any, Any]
Shape = tuple[int, ...]


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


def _mean_shape(data: Shape, mean: Shape, reduced: tuple[int, ...]) -> Shape:
    """The shape in which a mean goes with data of some shape."""
    kept = tuple(1 if axis in reduced else extent for axis, extent in enumerate(data))
    if math.prod(mean) == 1:
        return (1,) * len(data)
    if _without_ones(mean) != _without_ones(kept):
        raise RuntimeError(
            f"a mean of shape {mean} does not go with a result of shape {kept}; give one number, or one for "
            "each element of the result"
        )
    return kept


def _variance(data: Array, mean: Array, over: Axes, ddof: int, layout: str) -> Array:
    shape = _mean_shape(data.shape, mean.shape, over.counted(layout, data.ndim))
    centre = mean.reshape(shape).astype(np.float64)
    with np.errstate(all="ignore"):
        total, count = over.total(np.square(data - centre), layout, np.float64)
        return np.asarray(np.true_divide(total, count - ddof))


def _variance_gpu(data: torch.Tensor, mean: torch.Tensor, over: Axes, ddof: int, layout: str) -> torch.Tensor:
    real = widest_real(data)
    shape = _mean_shape(tuple(data.shape[1:]), tuple(mean.shape[1:]), over.counted(layout, data.ndim - 1))
    centre = mean.to(real).reshape(len(mean), *shape)
    total, count = over.total_gpu((as_widest_real(data) - centre).square(), layout, real)
    return total / (count - ddof)


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


@variance.gpu
def variance_gpu(data: torch.Tensor, mean: torch.Tensor, *, over: Axes, ddof: int, layout: Layout) -> torch.Tensor:
    return cast_tensor(_variance_gpu(data, mean, over, ddof, layout), float32)


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


@std_dev.gpu
def std_dev_gpu(data: torch.Tensor, mean: torch.Tensor, *, over: Axes, ddof: int, layout: Layout) -> torch.Tensor:
    return cast_tensor(_variance_gpu(data, mean, over, ddof, layout).sqrt(), float32)


_made_natively("variance", variance)
_made_natively("std_dev", std_dev)
