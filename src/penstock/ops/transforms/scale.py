"""Matrices that make things larger or smaller."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock.ops.transforms.chaining import MOST_DIMS, about, alone, chained, foretell, rows
from penstock.schema import PerSample, operator
from penstock.values.spec import Spec

Array = np.ndarray[Any, Any]


def _foretell(*input: Spec, scale: Any, center: Any, ndim: int | None, reverse_order: bool) -> Spec:
    if ndim is not None and ndim > MOST_DIMS:
        raise RuntimeError(f"Unsupported number of dimensions {ndim}; 1 to {MOST_DIMS} are")
    return foretell(*input, scale=scale, center=center)


@operator(name="transforms.scale", infer=_foretell, frames=True, runs_on="cpu")
def scale(
    input: Array | None = None,
    *,
    scale: PerSample[list[float]],
    center: PerSample[list[float]] | None = None,
    ndim: int | None = None,
    reverse_order: bool = False,
) -> Array:
    """Makes the matrix of an affine transform that scales along the axes.

        ndd.transforms.scale(scale=[2.0, 0.5], center=[320, 240])
        ndd.transforms.scale(scale=2.0, ndim=2)

    Args:
        input: A transform to go before this one.
        scale: Factor for each axis, or one for all.
        center: The point that stays where it is; the origin by default.
        ndim: How many axes a single factor is for, where there is no input to tell; one by default.
        reverse_order: Let the transform given as input go after this one.
    """
    return alone(stack, input, {"scale": scale, "center": center}, ndim=ndim, reverse_order=reverse_order)


@scale.on_stack
def stack(*input: Array, scale: Any, center: Any, ndim: int | None, reverse_order: bool) -> Array:
    factors = rows("scale", scale)
    if factors.shape[1] == 1:
        dims = input[0].shape[1] if input else max(ndim or 1, 1)
        factors = np.broadcast_to(factors, (len(factors), dims))
    linear = factors[:, :, None] * np.eye(factors.shape[1], dtype=np.float32)
    return chained(about(linear, center), input, reverse_order)
