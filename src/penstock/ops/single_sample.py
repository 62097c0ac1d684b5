"""Native steps on a single sample, for the plain functions of operators that are written as steps only."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock import _native
from penstock._native import Failures, Pool, Samples

Array = np.ndarray[Any, Any]


def run_steps(sample: Samples, *steps: _native.Step) -> Array:
    """The result of one step after the other on this thread. Raises RuntimeError where one refuses the sample."""
    made = _native.run(Pool(1), sample, 1, steps)
    if isinstance(made, Failures):
        raise RuntimeError(made.list[0].message)
    assert made is not None
    return made.sample(0)
