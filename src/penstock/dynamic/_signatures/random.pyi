"""Signatures of ndd.random. Written by tools/gen.py."""
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
def beta(
    shape_like: TensorLike | None = None,
    /,
    *,
    alpha: float | Tensor | None = 1.0,
    beta: float | Tensor | None = 1.0,
    shape: int | Sequence[int] | Array | Tensor | None = None,
    dtype: DTypeLike | None = None,
    rng: RNG | None = None,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Draws numbers between 0 and 1 from a beta distribution.

        ndd.random.beta(alpha=0.2, beta=0.2, batch_size=64)

    Args:
        shape_like: A sample whose shape the result gets.
        alpha: First shape parameter, positive.
        beta: Second shape parameter, positive.
        shape: Shape of the result; a scalar by default.
        dtype: Element type: float32 by default, or float64.
    """
@overload
def beta(
    shape_like: Operand | None = None,
    /,
    *,
    alpha: float | Tensor | Batch | None = 1.0,
    beta: float | Tensor | Batch | None = 1.0,
    shape: int | Sequence[int] | Array | Tensor | Batch | None = None,
    dtype: DTypeLike | None = None,
    rng: RNG | None = None,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def choice(
    a: TensorLike,
    shape_like: TensorLike | None = None,
    /,
    *,
    p: float | Sequence[float] | Array | Tensor | None = None,
    shape: int | Sequence[int] | Array | Tensor | None = None,
    rng: RNG | None = None,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Picks elements at random, from range(a) or along the first axis of an array.

        ndd.random.choice(10, shape=[3])
        ndd.random.choice([0, 90, 180, 270], p=[0.7, 0.1, 0.1, 0.1], batch_size=64)

    Args:
        a: How many there are to pick from, or what to pick from.
        shape_like: A sample whose shape the result gets.
        p: How likely each is, or one number for all; all alike by default.
        shape: How many to pick; one by default.
    """
@overload
def choice(
    a: Operand,
    shape_like: Operand | None = None,
    /,
    *,
    p: float | Sequence[float] | Array | Tensor | Batch | None = None,
    shape: int | Sequence[int] | Array | Tensor | Batch | None = None,
    rng: RNG | None = None,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def coin_flip(
    shape_like: TensorLike | None = None,
    /,
    *,
    probability: float | Tensor | None = 0.5,
    shape: int | Sequence[int] | Array | Tensor | None = None,
    dtype: DTypeLike | None = None,
    rng: RNG | None = None,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Draws 1 with a given probability, else 0.

        ndd.flip(images, horizontal=ndd.random.coin_flip(batch_size=64))

    Args:
        shape_like: A sample whose shape the result gets.
        probability: How often 1 comes up, from 0 to 1.
        shape: Shape of the result; a scalar by default.
        dtype: Element type: int32 by default, bool or uint8.
    """
@overload
def coin_flip(
    shape_like: Operand | None = None,
    /,
    *,
    probability: float | Tensor | Batch | None = 0.5,
    shape: int | Sequence[int] | Array | Tensor | Batch | None = None,
    dtype: DTypeLike | None = None,
    rng: RNG | None = None,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def normal(
    shape_like: TensorLike | None = None,
    /,
    *,
    mean: float | Tensor | None = 0.0,
    stddev: float | Tensor | None = 1.0,
    shape: int | Sequence[int] | Array | Tensor | None = None,
    dtype: DTypeLike | None = None,
    rng: RNG | None = None,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Draws numbers from a normal distribution.

        ndd.random.normal(mean=0.0, stddev=5.0, batch_size=64)

    Args:
        shape_like: A sample whose shape the result gets.
        mean: Mean of the distribution.
        stddev: Standard deviation.
        shape: Shape of the result; a scalar by default.
        dtype: Element type, float32 by default. Whole numbers are rounded draws.
    """
@overload
def normal(
    shape_like: Operand | None = None,
    /,
    *,
    mean: float | Tensor | Batch | None = 0.0,
    stddev: float | Tensor | Batch | None = 1.0,
    shape: int | Sequence[int] | Array | Tensor | Batch | None = None,
    dtype: DTypeLike | None = None,
    rng: RNG | None = None,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def uniform(
    shape_like: TensorLike | None = None,
    /,
    *,
    range: float | Sequence[float] | Array | Tensor | None = [-1.0, 1.0],
    values: float | Sequence[float] | Array | Tensor | None = None,
    shape: int | Sequence[int] | Array | Tensor | None = None,
    dtype: DTypeLike | None = None,
    rng: RNG | None = None,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Draws numbers evenly from a range, or from a list of values.

        ndd.random.uniform(range=[0.8, 1.2], batch_size=64)
        ndd.random.uniform(values=[0, 90, 180, 270], shape=[2])

    Args:
        shape_like: A sample whose shape the result gets.
        range: Lowest value, and the one all are below.
        values: Values to draw from, instead of a range.
        shape: Shape of the result; a scalar by default.
        dtype: Element type, float32 by default. Whole numbers are rounded draws, from bounds without their fractions.
    """
@overload
def uniform(
    shape_like: Operand | None = None,
    /,
    *,
    range: float | Sequence[float] | Array | Tensor | Batch | None = [-1.0, 1.0],
    values: float | Sequence[float] | Array | Tensor | Batch | None = None,
    shape: int | Sequence[int] | Array | Tensor | Batch | None = None,
    dtype: DTypeLike | None = None,
    rng: RNG | None = None,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...
