"""What the reductions share: the axes they go over, the spec of their result and the native step."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from penstock import _native
from penstock.gpu.casting import cast_tensor
from penstock.ops.names import type_name
from penstock.ops.tensor.axes import named_axes
from penstock.values.dtypes import DType, bool_, float16, float64
from penstock.values.spec import Spec

if TYPE_CHECKING:
    import torch

Array = np.ndarray[Any, Any]
Reduction = Literal["sum", "mean", "mean_square", "rms", "variance", "std_dev", "min", "max"]

_CODES = {name: code for code, name in enumerate(get_args(Reduction))}
_REFUSED = (float16, float64, bool_)


@dataclass
class Axes:
    """The axes that are reduced: given by number or by name, all where neither is."""

    axes: list[int] | None = None
    axis_names: str | None = None
    keep_dims: bool = False

    def counted(self, layout: str, ndim: int) -> tuple[int, ...]:
        """The axes counted from the front."""
        if self.axes is not None and self.axis_names is not None:
            raise RuntimeError("Arguments `axes` and `axis_names` are mutually exclusive")
        if self.axis_names is not None:
            return tuple(named_axes(self.axis_names, layout))
        if self.axes is None:
            return tuple(range(ndim))
        for axis in self.axes:
            if not -ndim <= axis < ndim:
                raise IndexError(f"Axis index out of range: {axis} not in range [{-ndim}, {ndim - 1}]")
        found = [axis % ndim for axis in self.axes]
        for axis in found:
            if found.count(axis) > 1:
                raise ValueError(f"Duplicate axis index {axis}")
        return tuple(found)

    def spec(self, dtype: DType, input: Spec) -> Spec:
        """The spec of a result of type `dtype`."""
        assert input.ndim is not None
        assert input.layout is not None
        reduced = self.counted(input.layout, input.ndim)
        if self.keep_dims:
            return Spec(dtype, input.ndim, input.layout)
        layout = "".join(name for axis, name in enumerate(input.layout) if axis not in reduced)
        return Spec(dtype, input.ndim - len(reduced), layout)

    def step(
        self, reduction: Reduction, input: Spec, dtype: DType, ddof: int = 0, means: _native.Samples | None = None
    ) -> _native.Step:
        assert input.ndim is not None
        mask = sum(1 << axis for axis in self.counted(input.layout or "", input.ndim))
        return _native.Reduce(_CODES[reduction], mask, self.keep_dims, dtype.code, ddof, means)

    def total(self, terms: Array, layout: str, dtype: Any) -> tuple[Any, int]:
        """The sum of the terms in `dtype`, and how many of them went into each."""
        reduced = self.counted(layout, terms.ndim)
        count = int(np.prod([terms.shape[axis] for axis in reduced], dtype=np.int64))
        with np.errstate(all="ignore"):
            return np.asarray(np.sum(terms, axis=reduced, dtype=dtype, keepdims=self.keep_dims)), count

    def behind_batch(self, layout: str, data: torch.Tensor) -> tuple[int, ...]:
        """As `counted`, for samples under a leading axis."""
        return tuple(1 + axis for axis in self.counted(layout, data.ndim - 1))

    def total_gpu(self, terms: torch.Tensor, layout: str, dtype: torch.dtype) -> tuple[torch.Tensor, int]:
        """As `total`, of samples under a leading axis."""
        reduced = self.behind_batch(layout, terms)
        if not reduced:  # which torch takes for all axes
            return terms.to(dtype), 1
        return terms.sum(reduced, keepdim=self.keep_dims, dtype=dtype), math.prod(terms.shape[k] for k in reduced)


def input_type(input: Spec) -> DType:
    """The input's element type, which must be one that can be reduced."""
    if input.dtype is None or input.dtype in _REFUSED:
        raise RuntimeError(f"Unsupported input type: {type_name(input.dtype)}; cast it to float32 or an integer first")
    return input.dtype


def cut_to(values: Array, dtype: DType) -> Array:
    """Floats in another type: integers are cut off after the point and kept in their range."""
    if dtype.storage.kind == "f":
        with np.errstate(over="ignore"):
            return values.astype(dtype.storage)
    limits = np.iinfo(dtype.storage)
    inside = (values > limits.min) & (values < float(limits.max))
    cut = np.where(inside, values, 0).astype(dtype.storage)
    limit = np.where(values > 0, dtype.storage.type(limits.max), dtype.storage.type(limits.min))
    return np.where(inside, cut, limit)


def cut_to_gpu(values: torch.Tensor, dtype: DType) -> torch.Tensor:
    """As `cut_to`."""
    return cast_tensor(values if dtype.storage.kind == "f" else values.trunc(), dtype)
