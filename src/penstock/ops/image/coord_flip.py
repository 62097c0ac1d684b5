"""Mirrored points."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from penstock import _native
from penstock.ops.names import type_name
from penstock.schema import PerSample, operator
from penstock.values.dtypes import float32
from penstock.values.spec import Spec

if TYPE_CHECKING:
    import torch

Array = np.ndarray[Any, Any]

_NAMES = "xyz"


def _foretell(input: Spec, *, layout: str, **rest: Any) -> Spec:
    if input.dtype is not float32:
        raise RuntimeError(f"Input is expected to be float, got {type_name(input.dtype)}")
    if input.ndim != 2:
        raise RuntimeError(f"points are rows of a 2-D array, got {input.ndim} dimensions")
    _checked(layout)
    return input


def _checked(layout: str) -> str:
    """Names of the coordinates in the order they have."""
    for name in layout:
        if name not in _NAMES or layout.count(name) > 1:
            raise RuntimeError(
                f"Unexpected number of dimensions {len(layout)}; a layout names each of x, y and z once, got {layout!r}"
            )
    return layout or _NAMES


@operator(infer=_foretell)
def coord_flip(
    input: Array,
    *,
    flip_x: PerSample[int] = 1,
    flip_y: PerSample[int] = 0,
    flip_z: PerSample[int] = 0,
    center_x: PerSample[float] = 0.5,
    center_y: PerSample[float] = 0.5,
    center_z: PerSample[float] = 0.5,
    layout: str = "",
) -> Array:
    """Mirrors points: coordinates c become 2 center - c.

        ndd.coord_flip(landmarks, flip_x=ndd.random.coin_flip(batch_size=64))

    Args:
        flip_x: Mirror left to right.
        flip_y: Mirror top to bottom.
        flip_z: Mirror front to back.
        center_x: The x coordinate that stays where it is.
        center_y: The y coordinate that stays where it is.
        center_z: The z coordinate that stays where it is.
        layout: The order of the coordinates; x, xy or xyz by default.
    """
    names = _checked(layout)
    if input.shape[1] > len(names):
        raise RuntimeError(f"points of {input.shape[1]} coordinates, of which only {len(names)} have a name")
    flips, centers = {"x": flip_x, "y": flip_y, "z": flip_z}, {"x": center_x, "y": center_y, "z": center_z}
    made = input.copy()
    for k, name in enumerate(names[: input.shape[1]]):
        if flips[name]:
            made[:, k] = np.float32(2) * np.float32(centers[name]) - input[:, k]
    return made


@coord_flip.native
def native(input: Spec, *, layout: str, **flips: Any) -> _native.Step:
    names = _checked(layout)
    shape = max(len(values) for values in flips.values()), len(names)
    factors, shifts = np.ones(shape, np.float32), np.zeros(shape, np.float32)
    for k, name in enumerate(names):
        is_flipped = flips[f"flip_{name}"] != 0
        factors[:, k] = np.where(is_flipped, -1, 1)
        shifts[:, k] = np.where(is_flipped, 2 * flips[f"center_{name}"], 0)
    return _native.ScalePoints(factors, shifts, True, float32.code)


@coord_flip.gpu
def gpu(input: torch.Tensor, *, layout: str, **flips: Any) -> torch.Tensor:
    names = _checked(layout)
    if input.shape[2] > len(names):
        raise RuntimeError(f"points of {input.shape[2]} coordinates, of which only {len(names)} have a name")
    made = input.clone()
    for k, name in enumerate(names[: input.shape[2]]):
        if flips[f"flip_{name}"]:
            made[:, :, k] = float(np.float32(2) * np.float32(flips[f"center_{name}"])) - input[:, :, k]
    return made
