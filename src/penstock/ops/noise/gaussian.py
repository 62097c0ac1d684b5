"""Noise of a normal distribution."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock import _native
from penstock._native import Pool, Samples
from penstock.ops.noise.kinds import refuse_types
from penstock.schema import Draw, Example, PerSample, examples, operator
from penstock.values.casting import cast_array
from penstock.values.dtypes import DType, float32, float64
from penstock.values.spec import Spec

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
    real = float64 if input.itemsize >= 4 and input.dtype != np.float32 else float32
    noise = Samples.empty(real.code, 1, input.shape)
    _native.random_normal(Pool(1), noise, draw, *(np.array([value], np.float32) for value in (mean, stddev)))
    return cast_array(input.astype(real.storage) + noise.sample(0), DType.by_numpy[input.dtype])


@gaussian.native
def native(input: Spec, *, mean: Array, stddev: Array, draw: Draw) -> _native.Step:
    return _native.Noise.gaussian(draw, mean, stddev)


gaussian.examples = examples(
    "ndd.noise.gaussian(image)",
    "ndd.noise.gaussian(image, mean=-3.5, stddev=20.0)",
    "ndd.noise.gaussian(image, stddev=ndd.batch([0.0, 5.0, 100.0]), mean=ndd.batch([1.0, 2.0, 3.0]))",
    "ndd.noise.gaussian(grey, stddev=10.0, rng=ndd.random.RNG(7))",
    Example("ndd.noise.gaussian(image, stddev=25.0)", drawn=True),
    within=1e-06,
)
