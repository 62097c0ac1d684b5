"""Sums and the averages made of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from penstock import _native
from penstock.gpu.casting import as_widest_real, signed
from penstock.gpu.types import dtype_of, torch_dtype, widest_real
from penstock.ops.names import type_name
from penstock.ops.reductions.reduction import Axes, Reduction, cut_to, cut_to_gpu, input_type
from penstock.schema import operator
from penstock.schema.operator import Infer, Operator
from penstock.schema.params import Layout
from penstock.values.dtypes import DType, Kind, float32, int64, uint64
from penstock.values.spec import Spec

if TYPE_CHECKING:
    import torch

Array = np.ndarray[Any, Any]


def _result_types(reduction: Reduction, element: DType) -> list[DType]:
    """What a result may be made in, its default first."""
    wide = int64 if element.kind is Kind.signed else uint64
    if reduction in ("mean", "rms"):
        return [float32, element]
    if element is float32:
        return [float32]
    if reduction == "mean_square":
        return [float32, wide]
    return [wide] if element.bits == 64 else [wide, element, float32]


def _result_type(reduction: Reduction, element: DType, dtype: DType | None) -> DType:
    possible = _result_types(reduction, element)
    if dtype is not None and dtype not in possible:
        raise RuntimeError(
            f"Unsupported types: {type_name(element)}, {type_name(dtype)}; a {reduction} of {type_name(element)} can "
            f"be {' or '.join(map(type_name, possible))}"
        )
    return dtype or possible[0]


def _foretell(reduction: Reduction) -> Infer:
    def infer(input: Spec, *, over: Axes, dtype: DType | None) -> Spec:
        return over.spec(_result_type(reduction, input_type(input), dtype), input)

    return infer


def _made_natively(reduction: Reduction, op: Operator) -> None:
    @op.native
    def native(input: Spec, *, over: Axes, dtype: DType | None) -> _native.Step:
        return over.step(reduction, input, _result_type(reduction, input_type(input), dtype))


@operator(name="reductions.sum", infer=_foretell("sum"))
def sum(input: Array, *, over: Axes, dtype: DType | None = None, layout: Layout) -> Array:
    """Adds up the elements along axes.

        ndd.reductions.sum(images, axis_names="HW")

    Args:
        axes: The axes to go over, negative ones counted from the last; all without this and `axis_names`.
        axis_names: The same by name.
        keep_dims: Leave the axes in the result with extent 1.
        dtype: Element type of the result: 64-bit integers for integers by default. Narrower ones wrap, as in `+`.
    """
    total, _ = over.total(input, layout, np.float64 if input.dtype.kind == "f" else f"{input.dtype.kind}8")
    with np.errstate(over="ignore"):
        return np.asarray(total, _result_type("sum", DType.by_numpy[input.dtype], dtype).storage)


@sum.gpu
def sum_gpu(input: torch.Tensor, *, over: Axes, dtype: DType | None, layout: Layout) -> torch.Tensor:
    import torch

    element = dtype_of(input)
    result = _result_type("sum", element, dtype)
    if element is float32:
        return over.total_gpu(input, layout, widest_real(input))[0].to(torch.float32)
    total, _ = over.total_gpu(signed(input), layout, torch.int64)  # of 64 unsigned bits, too: they wrap alike
    return total.view(torch.uint64) if result is uint64 else total.to(torch_dtype(result.code))


@operator(name="reductions.mean", infer=_foretell("mean"))
def mean(input: Array, *, over: Axes, dtype: DType | None = None, layout: Layout) -> Array:
    """Averages the elements along axes. The average of nothing is NaN.

        ndd.reductions.mean(images, axis_names="HW")

    Args:
        axes: The axes to go over, negative ones counted from the last; all without this and `axis_names`.
        axis_names: The same by name.
        keep_dims: Leave the axes in the result with extent 1.
        dtype: Element type of the result: float32 by default, or the input's, where it is cut off after the point.
    """
    is_exact = input.dtype.kind != "f" and input.dtype.itemsize < 8
    total, count = over.total(input, layout, np.int64 if is_exact else np.float64)
    with np.errstate(all="ignore"):
        return cut_to(np.true_divide(total, count), dtype or float32)


@mean.gpu
def mean_gpu(input: torch.Tensor, *, over: Axes, dtype: DType | None, layout: Layout) -> torch.Tensor:
    import torch

    element, real = dtype_of(input), widest_real(input)
    if element is not float32 and element.bits < 64:
        total, count = over.total_gpu(signed(input), layout, torch.int64)
    else:
        total, count = over.total_gpu(as_widest_real(input), layout, real)
    return cut_to_gpu(total.to(real) / count, dtype or float32)


def _mean_of_squares_gpu(input: torch.Tensor, over: Axes, layout: str) -> torch.Tensor:
    total, count = over.total_gpu(as_widest_real(input).square(), layout, widest_real(input))
    return total / count


def _mean_of_squares(input: Array, over: Axes, layout: str) -> Array:
    total, count = over.total(np.square(input, dtype=np.float64), layout, np.float64)
    with np.errstate(all="ignore"):
        return np.asarray(np.true_divide(total, count))


@operator(name="reductions.mean_square", infer=_foretell("mean_square"))
def mean_square(input: Array, *, over: Axes, dtype: DType | None = None, layout: Layout) -> Array:
    """Averages the squares of the elements along axes.

        ndd.reductions.mean_square(audio, axes=[0])

    Args:
        axes: The axes to go over, negative ones counted from the last; all without this and `axis_names`.
        axis_names: The same by name.
        keep_dims: Leave the axes in the result with extent 1.
        dtype: Element type of the result: float32 by default, or for integers the 64-bit one of their kind.
    """
    return cut_to(_mean_of_squares(input, over, layout), dtype or float32)


@mean_square.gpu
def mean_square_gpu(input: torch.Tensor, *, over: Axes, dtype: DType | None, layout: Layout) -> torch.Tensor:
    return cut_to_gpu(_mean_of_squares_gpu(input, over, layout), dtype or float32)


@operator(name="reductions.rms", infer=_foretell("rms"))
def rms(input: Array, *, over: Axes, dtype: DType | None = None, layout: Layout) -> Array:
    """Square root of the average of the squares of the elements along axes.

        ndd.reductions.rms(audio, axes=[0])

    Args:
        axes: The axes to go over, negative ones counted from the last; all without this and `axis_names`.
        axis_names: The same by name.
        keep_dims: Leave the axes in the result with extent 1.
        dtype: Element type of the result: float32 by default, or the input's, where it is cut off after the point.
    """
    return cut_to(np.sqrt(_mean_of_squares(input, over, layout)), dtype or float32)


@rms.gpu
def rms_gpu(input: torch.Tensor, *, over: Axes, dtype: DType | None, layout: Layout) -> torch.Tensor:
    return cut_to_gpu(_mean_of_squares_gpu(input, over, layout).sqrt(), dtype or float32)


_made_natively("sum", sum)
_made_natively("mean", mean)
_made_natively("mean_square", mean_square)
_made_natively("rms", rms)
