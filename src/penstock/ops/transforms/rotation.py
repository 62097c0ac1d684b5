"""Matrices that turn points."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock.ops.math.angles import cosine_and_sine
from penstock.ops.transforms.chaining import about, alone, chained, foretell, rows
from penstock.schema import PerSample, operator
from penstock.values.spec import Spec

Array = np.ndarray[Any, Any]


def _foretell(*input: Spec, angle: Any, axis: Any, center: Any, reverse_order: bool) -> Spec:
    return foretell(*input, axis=axis, center=center)


@operator(name="transforms.rotation", infer=_foretell, frames=True, runs_on="cpu")
def rotation(
    input: Array | None = None,
    *,
    angle: PerSample[float],
    axis: PerSample[list[float]] | None = None,
    center: PerSample[list[float]] | None = None,
    reverse_order: bool = False,
) -> Array:
    """Makes the matrix of a rotation, in the plane or about an axis in space.

        ndd.transforms.rotation(angle=30, center=[320, 240])
        ndd.transforms.rotation(angle=ndd.random.uniform(range=[-10, 10], batch_size=64), axis=[0, 0, 1])

    Args:
        input: A transform to go before this one.
        angle: In degrees, counterclockwise where y points up, or as seen from the tip of `axis`.
        axis: Direction of the axis to rotate about in space, of any length; without it the rotation is in the plane.
        center: The point that stays where it is; the origin by default.
        reverse_order: Let the transform given as input go after this one.
    """
    vectors = {"angle": angle, "axis": axis, "center": center}
    return alone(stack, input, vectors, reverse_order=reverse_order)


@rotation.on_stack
def stack(*input: Array, angle: Array, axis: Any, center: Any, reverse_order: bool) -> Array:
    turn = np.radians(angle.reshape(-1, 1, 1), dtype=np.float32)
    linear = _in_plane(turn) if axis is None else _in_space(turn, rows("axis", axis, 3))
    return chained(about(linear, center), input, reverse_order)


def _in_plane(turn: Array) -> Array:
    c, s = cosine_and_sine(turn)
    return np.concatenate([c, -s, s, c], axis=1).reshape(-1, 2, 2)


def _in_space(turn: Array, axis: Array) -> Array:
    """Rodrigues' formula: cos I + (1 - cos) a a' + sin [a]x."""
    with np.errstate(invalid="ignore"):
        unit = axis / np.sqrt(np.sum(np.square(axis), axis=1, keepdims=True))
    x, y, z = unit.T
    zero = np.zeros_like(x)
    cross = np.stack([zero, -z, y, z, zero, -x, -y, x, zero], axis=1).reshape(-1, 3, 3)
    c, s = cosine_and_sine(turn)
    made: Array = c * np.eye(3, dtype=np.float32) + (1 - c) * unit[:, :, None] * unit[:, None, :] + s * cross
    return made
