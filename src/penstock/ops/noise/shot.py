"""The noise of counting photons."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock import _native
from penstock._native import Samples
from penstock.ops.noise.kinds import refuse_types
from penstock.ops.single_sample import run_steps
from penstock.schema import Draw, Example, PerSample, examples, operator
from penstock.values.spec import Spec

Array = np.ndarray[Any, Any]


def _foretell(input: Spec, **arguments: Any) -> Spec:
    refuse_types(input)
    return input


@operator(name="noise.shot", infer=_foretell, by_cpu=True)
def shot(input: Array, *, factor: PerSample[float] = 12.0, draw: Draw) -> Array:
    """Makes every value a random count, as dark photos have it: Poisson(value / factor) * factor.

        ndd.noise.shot(images, factor=8.0)

    For data on a GPU it is the CPU that counts, since how many numbers it draws depends on the values: they go there
    and come back.

    Args:
        factor: The larger, the stronger the noise. 0 makes everything 0.
    """
    return run_steps(Samples.wrap_one(input), _native.Noise.shot(draw, np.array([factor], np.float32)))


@shot.native
def native(input: Spec, *, factor: Array, draw: Draw) -> _native.Step:
    return _native.Noise.shot(draw, factor)


shot.examples = examples(
    "ndd.noise.shot(image)",
    "ndd.noise.shot(image, factor=1.0)",
    Example("ndd.noise.shot(image, factor=20.0)", drawn=True),
)
