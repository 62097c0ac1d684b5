"""InterpolationMode: how pixels between others are found."""

from __future__ import annotations

from enum import Enum
from typing import Any

from penstock.values.enums import InterpType


class InterpolationMode(Enum):
    """The ways that torchvision knows. BOX and HAMMING are those of PIL alone."""

    NEAREST = "nearest"
    NEAREST_EXACT = "nearest-exact"
    BILINEAR = "bilinear"
    BICUBIC = "bicubic"
    BOX = "box"
    HAMMING = "hamming"
    LANCZOS = "lanczos"


# By the numbers that PIL gives them.
_NUMBERS = {
    0: InterpolationMode.NEAREST, 1: InterpolationMode.LANCZOS, 2: InterpolationMode.BILINEAR,
    3: InterpolationMode.BICUBIC, 4: InterpolationMode.BOX, 5: InterpolationMode.HAMMING,
}  # fmt: skip
_TYPES = {
    InterpolationMode.NEAREST: InterpType.INTERP_NN,
    InterpolationMode.NEAREST_EXACT: InterpType.INTERP_NN,
    InterpolationMode.BILINEAR: InterpType.INTERP_LINEAR,
    InterpolationMode.BICUBIC: InterpType.INTERP_CUBIC,
    InterpolationMode.LANCZOS: InterpType.INTERP_LANCZOS3,
}


def interp_type(mode: InterpolationMode | int) -> Any:
    """The type by which `resize` knows a mode."""
    found = mode if isinstance(mode, InterpolationMode) else _NUMBERS.get(mode)
    if found is None:
        raise ValueError(f"Interpolation int {mode} is not a valid PIL code; expected one of {[*_NUMBERS]}")
    if found not in _TYPES:
        names = ", ".join(each.name for each in _TYPES)
        raise NotImplementedError(f"Interpolation mode: {mode} is not supported; there are {names}")
    return _TYPES[found]
