"""The least and the greatest element."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from penstock import _native
from penstock.gpu.casting import signed
from penstock.gpu.types import dtype_of, torch_dtype
from penstock.ops.reductions.reduction import Axes, Reduction, input_type
from penstock.schema import operator
from penstock.schema.operator import Operator
from penstock.schema.params import Layout
from penstock.values.dtypes import float32, uint64
from penstock.values.spec import Spec

if TYPE_CHECKING:
    import torch

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


def _folded_gpu(least: bool, input: torch.Tensor, over: Axes, layout: str) -> torch.Tensor:
    import torch

    dtype = dtype_of(input)
    limits = _limits(dtype.storage)
    initial = np.asarray(limits.max if least else limits.min, dtype.storage).item()
    values = signed(input)
    if dtype is uint64:  # as signed ones in the same order
        values, initial = values ^ -(2**63), initial - 2**63
    limit = torch.full((), initial, dtype=values.dtype, device=values.device)
    if dtype is float32:
        values = torch.where(values.isnan(), limit, values)
    axes = over.behind_batch(layout, values)
    fold, either = (torch.amin, torch.minimum) if least else (torch.amax, torch.maximum)
    if math.prod(values.shape[axis] for axis in axes) == 0:
        values = limit.expand([1 if k in axes else extent for k, extent in enumerate(values.shape)])
    made = either(fold(values, axes, keepdim=over.keep_dims), limit) if axes else values
    return (made ^ -(2**63)).view(torch.uint64) if dtype is uint64 else made.to(torch_dtype(dtype.code))


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


@min.gpu
def min_gpu(input: torch.Tensor, *, over: Axes, layout: Layout) -> torch.Tensor:
    return _folded_gpu(True, input, over, layout)


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


@max.gpu
def max_gpu(input: torch.Tensor, *, over: Axes, layout: Layout) -> torch.Tensor:
    return _folded_gpu(False, input, over, layout)


_made_natively("min", min)
_made_natively("max", max)
