"""RGB and Lab of 8 bits on accelerators, in the whole numbers OpenCV computes with: native/kernels/color/lab.cc."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from penstock.gpu.types import beside

if TYPE_CHECKING:
    import torch

Array = np.ndarray[Any, Any]

# Of the numbers, how many bits are behind the point.
LINEAR_BITS, COEFFICIENT_BITS, ROOT_BITS, CUBE_BITS, LIGHT_BITS = 3, 12, 15, 14, 12
_ONE = 1 << CUBE_BITS
_WHITE = np.array([0.950456, 1, 1.088754])
_TO_XYZ = np.array([[0.412453, 0.357580, 0.180423], [0.212671, 0.715160, 0.072169], [0.019334, 0.119193, 0.950227]])
_FROM_XYZ = np.array(
    [[3.240479, -1.53715, -0.498535], [-0.969256, 1.875991, 0.041556], [0.055648, -0.204043, 1.057311]]
)


class _Tables(NamedTuple):
    linear: Array  # light of a level
    root: Array  # cube root of light, but for the darkest
    luminance: Array  # Y of a lightness
    luminance_root: Array  # its cube root
    level: Array  # of light
    to_xyz: list[list[int]]
    from_xyz: list[list[int]]


@cache
def _tables() -> _Tables:
    x = np.arange(256) / 255.0
    linear = 255 * (1 << LINEAR_BITS) * np.where(x <= 0.04045, x / 12.92, ((x + 0.055) / 1.055) ** 2.4)
    lightness = np.arange(256) * 100 / 255.0
    y = np.where(lightness <= 8, lightness * 27 / 24389, ((lightness + 16) / 116) ** 3)
    f = np.where(lightness <= 8, y * 841 / 108 + 16.0 / 116, (lightness + 16) / 116)
    places = np.arange(384 << LINEAR_BITS, dtype=np.float32) / np.float32(255 << LINEAR_BITS)
    dark = places * np.float32(7.787) + np.float32(0.13793103448275862)
    root = np.where(places < np.float32(0.008856), dark, _root_rounded_down(places))
    light = np.arange(1 << LIGHT_BITS) / (1 << LIGHT_BITS)
    level = 255 * np.where(light <= 0.0031308, light * 12.92, 1.055 * light ** (1 / 2.4) - 0.055)
    scale = 1 << COEFFICIENT_BITS
    return _Tables(
        _whole(linear),
        _whole(np.float32(1 << ROOT_BITS) * root),
        _whole(_ONE * y),
        _whole(_ONE * f),
        _whole(level),
        _whole(scale * _TO_XYZ / _WHITE[:, None]).tolist(),
        _whole(scale * _FROM_XYZ * _WHITE).tolist(),
    )


def _whole(values: Array) -> Array:
    return np.rint(values).astype(np.int32)


def _root_rounded_down(x: Array) -> Array:
    """OpenCV cuts off what does not fit, which shows where halves are rounded afterwards."""
    exact = np.cbrt(x.astype(np.float64))
    nearest = exact.astype(np.float32)
    return np.where(nearest > exact, np.nextafter(nearest, np.float32(0)), nearest)


def _rounded(total: torch.Tensor, bits: int) -> torch.Tensor:
    return (total + (1 << (bits - 1))) >> bits


def lab_of_rgb(rgb: torch.Tensor) -> list[torch.Tensor]:
    """Lightness and the two colours of images, channels last, as int32 from 0 to 255."""
    import torch

    tables = _tables()
    red, green, blue = beside(tables.linear, rgb)[rgb.to(torch.int64)].unbind(-1)
    root = beside(tables.root, rgb)
    x, y, z = (
        root[_rounded(red * row[0] + green * row[1] + blue * row[2], COEFFICIENT_BITS).to(torch.int64)]
        for row in tables.to_xyz
    )
    middle, black = 128 << ROOT_BITS, (16 * 255 * (1 << ROOT_BITS) + 50) // 100
    sums = ((116 * 255 + 50) // 100 * y - black, 500 * (x - y) + middle, 200 * (y - z) + middle)
    return [_rounded(each, ROOT_BITS).clamp(0, 255) for each in sums]


def rgb_of_lab(lightness: torch.Tensor, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """Images of uint8, channels last, from int32."""
    import torch

    tables = _tables()
    place = lightness.to(torch.int64)
    y, f = beside(tables.luminance, place)[place], beside(tables.luminance_root, place)[place]
    x = _cubed(f + ((5 * a * 53687 + (1 << 7)) >> 13) - 128 * _ONE // 500)
    z = _cubed(f - ((b * 41943 + (1 << 4)) >> 9) + (128 * _ONE // 200 - 1))
    bits = COEFFICIENT_BITS + CUBE_BITS - LIGHT_BITS
    light = [_rounded(row[0] * x + row[1] * y + row[2] * z, bits) for row in tables.from_xyz]
    level = beside(tables.level.astype(np.uint8), place)
    return level[torch.stack(light, dim=-1).clamp(0, (1 << LIGHT_BITS) - 1).to(torch.int64)]


def _cubed(f: torch.Tensor) -> torch.Tensor:
    """The cube, but for the darkest."""
    import torch

    dark = torch.div(f * 108, 841, rounding_mode="trunc") - _ONE * 16 // 116 * 108 // 841
    return torch.where(f <= _ONE * 6 // 29, dark, ((f * f) >> CUBE_BITS) * f >> CUBE_BITS)
