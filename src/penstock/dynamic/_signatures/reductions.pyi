"""Signatures of ndd.reductions. Written by tools/gen.py."""
# mypy: disable-error-code="overload-overlap"

from collections.abc import Callable, Sequence
from typing import Any, Literal, overload

from penstock.dynamic._signatures import Array, ArrayLike, DTypeLike, Operand, TensorLike
from penstock.dynamic.values.batch import Batch
from penstock.dynamic.values.tensor import Tensor
from penstock.engine.rng import RNG
from penstock.storage import Storage
from penstock.values.bad_samples import BadSample
from penstock.values.device import Device
from penstock.values.dtypes import uint8, uint16, uint32, uint64, int8, int16, int32, int64, float16, float32, float64
from penstock.values.enums import ImageType, InterpType

@overload
def max(
    input: TensorLike,
    /,
    *,
    axes: int | Sequence[int] | Array | None = None,
    axis_names: str | None = None,
    keep_dims: bool | None = False,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """The greatest element along axes.

        ndd.reductions.max(images, axis_names="HW")

    NaN is passed over. Where there is no element, the result is the lowest number of the type.

    Args:
        axes: The axes to go over, negative ones counted from the last; all without this and `axis_names`.
        axis_names: The same by name.
        keep_dims: Leave the axes in the result with extent 1.
    """
@overload
def max(
    input: Operand,
    /,
    *,
    axes: int | Sequence[int] | Array | None = None,
    axis_names: str | None = None,
    keep_dims: bool | None = False,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def mean(
    input: TensorLike,
    /,
    *,
    axes: int | Sequence[int] | Array | None = None,
    axis_names: str | None = None,
    keep_dims: bool | None = False,
    dtype: DTypeLike | None = None,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Averages the elements along axes. The average of nothing is NaN.

        ndd.reductions.mean(images, axis_names="HW")

    Args:
        axes: The axes to go over, negative ones counted from the last; all without this and `axis_names`.
        axis_names: The same by name.
        keep_dims: Leave the axes in the result with extent 1.
        dtype: Element type of the result: float32 by default, or the input's, where it is cut off after the point.
    """
@overload
def mean(
    input: Operand,
    /,
    *,
    axes: int | Sequence[int] | Array | None = None,
    axis_names: str | None = None,
    keep_dims: bool | None = False,
    dtype: DTypeLike | None = None,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def mean_square(
    input: TensorLike,
    /,
    *,
    axes: int | Sequence[int] | Array | None = None,
    axis_names: str | None = None,
    keep_dims: bool | None = False,
    dtype: DTypeLike | None = None,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Averages the squares of the elements along axes.

        ndd.reductions.mean_square(audio, axes=[0])

    Args:
        axes: The axes to go over, negative ones counted from the last; all without this and `axis_names`.
        axis_names: The same by name.
        keep_dims: Leave the axes in the result with extent 1.
        dtype: Element type of the result: float32 by default, or for integers the 64-bit one of their kind.
    """
@overload
def mean_square(
    input: Operand,
    /,
    *,
    axes: int | Sequence[int] | Array | None = None,
    axis_names: str | None = None,
    keep_dims: bool | None = False,
    dtype: DTypeLike | None = None,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def min(
    input: TensorLike,
    /,
    *,
    axes: int | Sequence[int] | Array | None = None,
    axis_names: str | None = None,
    keep_dims: bool | None = False,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """The least element along axes.

        ndd.reductions.min(images, axis_names="HW")

    NaN is passed over. Where there is no element, the result is the largest number of the type.

    Args:
        axes: The axes to go over, negative ones counted from the last; all without this and `axis_names`.
        axis_names: The same by name.
        keep_dims: Leave the axes in the result with extent 1.
    """
@overload
def min(
    input: Operand,
    /,
    *,
    axes: int | Sequence[int] | Array | None = None,
    axis_names: str | None = None,
    keep_dims: bool | None = False,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def rms(
    input: TensorLike,
    /,
    *,
    axes: int | Sequence[int] | Array | None = None,
    axis_names: str | None = None,
    keep_dims: bool | None = False,
    dtype: DTypeLike | None = None,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Square root of the average of the squares of the elements along axes.

        ndd.reductions.rms(audio, axes=[0])

    Args:
        axes: The axes to go over, negative ones counted from the last; all without this and `axis_names`.
        axis_names: The same by name.
        keep_dims: Leave the axes in the result with extent 1.
        dtype: Element type of the result: float32 by default, or the input's, where it is cut off after the point.
    """
@overload
def rms(
    input: Operand,
    /,
    *,
    axes: int | Sequence[int] | Array | None = None,
    axis_names: str | None = None,
    keep_dims: bool | None = False,
    dtype: DTypeLike | None = None,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def std_dev(
    data: TensorLike,
    mean: TensorLike,
    /,
    *,
    axes: int | Sequence[int] | Array | None = None,
    axis_names: str | None = None,
    keep_dims: bool | None = False,
    ddof: int | None = 0,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Standard deviation of the elements from a mean, along axes: the square root of the variance.

        ndd.reductions.std_dev(images, ndd.reductions.mean(images, axis_names="HW"), axis_names="HW")

    Args:
        mean: The mean as float32: one number, or one for each element of the result.
        axes: The axes to go over, negative ones counted from the last; all without this and `axis_names`.
        axis_names: The same by name.
        keep_dims: Leave the axes in the result with extent 1.
        ddof: Taken off the number of elements the sum is divided by.
    """
@overload
def std_dev(
    data: Operand,
    mean: Operand,
    /,
    *,
    axes: int | Sequence[int] | Array | None = None,
    axis_names: str | None = None,
    keep_dims: bool | None = False,
    ddof: int | None = 0,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def sum(
    input: TensorLike,
    /,
    *,
    axes: int | Sequence[int] | Array | None = None,
    axis_names: str | None = None,
    keep_dims: bool | None = False,
    dtype: DTypeLike | None = None,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Adds up the elements along axes.

        ndd.reductions.sum(images, axis_names="HW")

    Args:
        axes: The axes to go over, negative ones counted from the last; all without this and `axis_names`.
        axis_names: The same by name.
        keep_dims: Leave the axes in the result with extent 1.
        dtype: Element type of the result: 64-bit integers for integers by default. Narrower ones wrap, as in `+`.
    """
@overload
def sum(
    input: Operand,
    /,
    *,
    axes: int | Sequence[int] | Array | None = None,
    axis_names: str | None = None,
    keep_dims: bool | None = False,
    dtype: DTypeLike | None = None,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def variance(
    data: TensorLike,
    mean: TensorLike,
    /,
    *,
    axes: int | Sequence[int] | Array | None = None,
    axis_names: str | None = None,
    keep_dims: bool | None = False,
    ddof: int | None = 0,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Averages the squared distances of the elements from a mean, along axes.

        ndd.reductions.variance(images, ndd.reductions.mean(images, axis_names="HW"), axis_names="HW")

    Args:
        mean: The mean as float32: one number, or one for each element of the result.
        axes: The axes to go over, negative ones counted from the last; all without this and `axis_names`.
        axis_names: The same by name.
        keep_dims: Leave the axes in the result with extent 1.
        ddof: Taken off the number of elements the sum is divided by.
    """
@overload
def variance(
    data: Operand,
    mean: Operand,
    /,
    *,
    axes: int | Sequence[int] | Array | None = None,
    axis_names: str | None = None,
    keep_dims: bool | None = False,
    ddof: int | None = 0,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...
