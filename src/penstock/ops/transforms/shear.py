"""Matrices that slant."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock.ops.math.angles import tangent
from penstock.ops.transforms.chaining import about, alone, chained, foretell
from penstock.schema import PerSample, operator
from penstock.values.spec import Spec

Array = np.ndarray[Any, Any]

# For each row of a matrix, the columns its coefficients go to: all but the one on the diagonal.
_PLACES = {dims: np.array([[j for j in range(dims) if j != i] for i in range(dims)]) for dims in (2, 3)}


def _foretell(*input: Spec, shear: Any, angles: Any, center: Any, reverse_order: bool) -> Spec:
    if (shear is None) == (angles is None):
        raise RuntimeError("One and only one of the following arguments is expected: ``shear`` or ``angles``")
    if isinstance(angles, list):
        _check_angles(np.array(angles))
    given = shear if angles is None else angles
    if isinstance(given, list):
        _coefficients(np.array([given]))
    return foretell(*input, center=center)


def _check_angles(angles: Array) -> None:
    for angle in angles[~(np.abs(angles) <= 90)]:
        raise RuntimeError(f"Angle is expected to be in the range [-90, 90]. Got: {angle:g}")


@operator(name="transforms.shear", infer=_foretell, frames=True, runs_on="cpu")
def shear(
    input: Array | None = None,
    *,
    shear: PerSample[list[float]] | None = None,
    angles: PerSample[list[float]] | None = None,
    center: PerSample[list[float]] | None = None,
    reverse_order: bool = False,
) -> Array:
    """Makes the matrix of an affine transform that slants along the axes.

        ndd.transforms.shear(shear=[0.2, 0.0])
        ndd.transforms.shear(angles=[15, 0], center=[320, 240])

    Args:
        input: A transform to go before this one.
        shear: In the plane how much x grows with y, and y with x. In space six numbers, two for each of x, y and z:
            how much it grows with the other two. As an array also of shape (2, 1) or (3, 2).
        angles: The same as angles in degrees, from -90 to 90, whose tangents are the factors.
        center: The point that stays where it is; the origin by default.
        reverse_order: Let the transform given as input go after this one.
    """
    return alone(stack, input, {"shear": shear, "angles": angles, "center": center}, reverse_order=reverse_order)


@shear.on_stack
def stack(*input: Array, shear: Any, angles: Any, center: Any, reverse_order: bool) -> Array:
    given = shear if angles is None else angles
    if isinstance(given, list):
        raise RuntimeError("coefficients for different numbers of axes: such samples are made one by one")
    if angles is not None:
        _check_angles(given)
        given = tangent(np.radians(given, dtype=np.float32))
    factors = _coefficients(given)
    dims = factors.shape[1]
    linear = np.zeros((len(factors), dims, dims), np.float32)
    linear[:, np.arange(dims)[:, None], _PLACES[dims]] = factors
    linear += np.eye(dims, dtype=np.float32)
    return chained(about(linear, center), input, reverse_order)


def _coefficients(given: Array) -> Array:
    """Given as a list or a matrix, as one matrix of D x (D - 1) per sample."""
    shape = given.shape[1:]
    for dims in _PLACES:
        if shape in ((dims * (dims - 1),), (dims, dims - 1)):
            return given.reshape(-1, dims, dims - 1)
    raise RuntimeError(f"Shear takes 2 or 6 numbers, or a matrix of 2 x 1 or 3 x 2; got {' x '.join(map(str, shape))}")
