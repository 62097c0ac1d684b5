"""What every operator promises, checked by its public name; and images to check it with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from penstock import testing
from penstock.dynamic.calls.functions import function
from penstock.testing import check_gpu, on_torch_cpu
from penstock.testing.cases import Arrays, plain_only

__all__ = ["check_gpu", "check_operator", "on_torch_cpu", "photos", "plain_only"]


def photos(sizes: Sequence[tuple[int, int]], channels: int = 3, dtype: Any = np.uint8, seed: int = 0) -> Arrays:
    """Random images of the given heights and widths."""
    random = np.random.default_rng(seed)
    return [random.integers(0, 256, (*size, channels)).astype(dtype) for size in sizes]


def check_operator(path: str, samples: Arrays, *, layout: str | None = "HWC", **arguments: Any) -> Arrays:
    """`penstock.testing.check_operator` for an operator by its name, on images unless told otherwise."""
    results: Arrays = testing.check_operator(function(path), samples, layout=layout, **arguments)
    return results
