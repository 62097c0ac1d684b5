"""Matrices that move points."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock.ops.transforms.chaining import alone, chained, foretell, rows, with_translation
from penstock.schema import PerSample, operator
from penstock.values.spec import Spec

Array = np.ndarray[Any, Any]


def _foretell(*input: Spec, offset: Any, reverse_order: bool) -> Spec:
    return foretell(*input, offset=offset)


@operator(name="transforms.translation", infer=_foretell, frames=True, runs_on="cpu")
def translation(input: Array | None = None, *, offset: PerSample[list[float]], reverse_order: bool = False) -> Array:
    """Makes the matrix of an affine transform that moves points.

        ndd.transforms.translation(offset=[10, 20])
        ndd.transforms.translation(ndd.transforms.scale(scale=[2, 2]), offset=[10, 20])

    Args:
        input: A transform to go before this one.
        offset: How far along each axis.
        reverse_order: Let the transform given as input go after this one.
    """
    return alone(stack, input, {"offset": offset}, reverse_order=reverse_order)


@translation.on_stack
def stack(*input: Array, offset: Any, reverse_order: bool) -> Array:
    distances = rows("offset", offset)
    linear = np.eye(distances.shape[1], dtype=np.float32)[None]
    return chained(with_translation(linear, distances), input, reverse_order)
