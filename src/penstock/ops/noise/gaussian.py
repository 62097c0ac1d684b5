"""Noise of a normal distribution."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from penstock import _native
from penstock._native import Pool, Samples
from penstock.gpu.casting import as_float32, as_widest_real, cast_tensor
from penstock.gpu.types import beside, dtype_of
from penstock.ops.noise.kinds import refuse_types
from penstock.schema import Draw, Example, PerSample, examples, operator
from penstock.values.casting import cast_array
from penstock.values.dtypes import DType, float32, float64
from penstock.values.spec import Spec

if TYPE_CHECKING:
    import torch

Array = np.ndarray[Any, Any]


def _foretell(input: Spec, **arguments: Any) -> Spec:
    refuse_types(input)
    return input


@operator(name="noise.gaussian", infer=_foretell)
def gaussian(input: Array, *, mean: PerSample[float] = 0.0, stddev: PerSample[float] = 1.0, draw: Draw) -> Array:
    """Adds normally distributed noise; the result is rounded and kept in the range of the input's type.

        ndd.noise.gaussian(images, stddev=12.0)
        ndd.noise.gaussian(images, stddev=ndd.random.uniform(range=[0, 25], batch_size=64))

    Args:
        mean: Mean of the noise.
        stddev: Its standard deviation.
    """
    dtype = DType.by_numpy[input.dtype]
    noise = _noise(dtype, input.shape, mean, stddev, draw)
    return cast_array(input.astype(noise.dtype) + noise, dtype)


def _noise(dtype: DType, shape: tuple[int, ...], mean: float, stddev: float, draw: Draw) -> Array:
    """The noise of a sample, in the type it is added in."""
    real = float64 if dtype.bits >= 32 and dtype is not float32 else float32
    noise = Samples.empty(real.code, 1, shape)
    _native.random_normal(Pool(1), noise, draw, *(np.array([value], np.float32) for value in (mean, stddev)))
    return noise.sample(0)


@gaussian.native
def native(input: Spec, *, mean: Array, stddev: Array, draw: Draw) -> _native.Step:
    return _native.Noise.gaussian(draw, mean, stddev)


@gaussian.gpu  # the CPU draws the numbers, as for random.normal
def gpu(input: torch.Tensor, *, mean: float, stddev: float, draw: Draw) -> torch.Tensor:
    dtype = dtype_of(input)
    noise = _noise(dtype, tuple(input.shape[1:]), mean, stddev, draw)
    wide = as_float32(input) if noise.dtype == np.float32 else as_widest_real(input)
    return cast_tensor(wide + beside(noise, input).to(wide.dtype), dtype)


gaussian.examples = examples(
    "ndd.noise.gaussian(image)",
    "ndd.noise.gaussian(image, mean=-3.5, stddev=20.0)",
    "ndd.noise.gaussian(image, stddev=ndd.batch([0.0, 5.0, 100.0]), mean=ndd.batch([1.0, 2.0, 3.0]))",
    "ndd.noise.gaussian(grey, stddev=10.0, rng=ndd.random.RNG(7))",
    Example("ndd.noise.gaussian(image, stddev=25.0)", drawn=True),
    within=1e-06,
)
