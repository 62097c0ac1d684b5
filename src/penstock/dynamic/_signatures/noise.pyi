"""Signatures of ndd.noise. Written by tools/gen.py."""
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
def gaussian(
    input: TensorLike,
    /,
    *,
    mean: float | Tensor | None = 0.0,
    stddev: float | Tensor | None = 1.0,
    rng: RNG | None = None,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Adds normally distributed noise; the result is rounded and kept in the range of the input's type.

        ndd.noise.gaussian(images, stddev=12.0)
        ndd.noise.gaussian(images, stddev=ndd.random.uniform(range=[0, 25], batch_size=64))

    Args:
        mean: Mean of the noise.
        stddev: Its standard deviation.
    """
@overload
def gaussian(
    input: Operand,
    /,
    *,
    mean: float | Tensor | Batch | None = 0.0,
    stddev: float | Tensor | Batch | None = 1.0,
    rng: RNG | None = None,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def salt_and_pepper(
    input: TensorLike,
    /,
    *,
    prob: float | Tensor | None = 0.05,
    salt_vs_pepper: float | Tensor | None = 0.5,
    salt_val: float | Tensor | None = None,
    pepper_val: float | Tensor | None = None,
    per_channel: bool | None = False,
    rng: RNG | None = None,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Replaces random pixels with salt, the brightest value there is, or pepper, the darkest.

        ndd.noise.salt_and_pepper(images, prob=0.1)
        ndd.noise.salt_and_pepper(images, prob=0.02, salt_vs_pepper=1.0, salt_val=200)

    Args:
        prob: Probability of a pixel being replaced.
        salt_vs_pepper: How many of the replaced pixels are salt, from 0 to 1.
        salt_val: What salt is: 1 for floats, else the largest value of the type.
        pepper_val: What pepper is: -1 for floats, else the smallest value of the type.
        per_channel: Replace the channels of a pixel one by one, not all together.
    """
@overload
def salt_and_pepper(
    input: Operand,
    /,
    *,
    prob: float | Tensor | Batch | None = 0.05,
    salt_vs_pepper: float | Tensor | Batch | None = 0.5,
    salt_val: float | Tensor | Batch | None = None,
    pepper_val: float | Tensor | Batch | None = None,
    per_channel: bool | None = False,
    rng: RNG | None = None,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def shot(
    input: TensorLike,
    /,
    *,
    factor: float | Tensor | None = 12.0,
    rng: RNG | None = None,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Makes every value a random count, as dark photos have it: Poisson(value / factor) * factor.

        ndd.noise.shot(images, factor=8.0)

    For data on a GPU it is the CPU that counts, since how many numbers it draws depends on the values: they go there
    and come back.

    Args:
        factor: The larger, the stronger the noise. 0 makes everything 0.
    """
@overload
def shot(
    input: Operand,
    /,
    *,
    factor: float | Tensor | Batch | None = 12.0,
    rng: RNG | None = None,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...
