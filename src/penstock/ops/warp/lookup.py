"""What looking an image up between and beyond its pixels means, in NumPy and on accelerators."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from penstock.gpu.casting import as_float32, cast_tensor, signed
from penstock.gpu.types import widest_float
from penstock.values.casting import cast_array
from penstock.values.dtypes import DType
from penstock.values.enums import InterpType

if TYPE_CHECKING:
    import torch

Array = np.ndarray[Any, Any]
Border = Literal["pad", "edge", "reflect_1001", "reflect_101", "wrap"]

# Beyond every image, and far from the end of what a conversion to whole numbers bears.
_FAR = 2.0**30


def check_filter(interp_type: InterpType) -> None:
    if interp_type not in (InterpType.INTERP_NN, InterpType.INTERP_LINEAR):
        raise RuntimeError(f"Only nearest and linear interpolation is supported, got {interp_type}")


def look_up(
    image: Array, places: Sequence[Array], interp_type: InterpType, border: Border, fill: Any, dtype: DType
) -> Array:
    """The image, channels last, at places given for each of its axes; pixels have their centre at a half.

    Args:
        fill: What a `pad` border shows: one value, or one for every channel.
    """
    if image.size == 0 and border != "pad" and places[0].size * image.shape[-1]:
        raise RuntimeError("an empty image has no edge to show; give a fill value or an empty size")
    with np.errstate(invalid="ignore"):
        known = [np.where(np.abs(place) <= _FAR, place, _elsewhere(place, border)) for place in places]
    if interp_type == InterpType.INTERP_NN:
        return cast_array(_pixels(image, [np.floor(place) for place in known], border, fill), dtype)
    first = [np.floor(place - 0.5) for place in known]
    weights = [_weights(interp_type, place - 0.5 - low) for place, low in zip(known, first, strict=True)]
    taps = len(weights[0])
    total = np.zeros((*places[0].shape, image.shape[-1]))
    for corner in product(range(taps), repeat=len(places)):
        at = [low + k - (taps // 2 - 1) for low, k in zip(first, corner, strict=True)]
        share = np.prod([weights[axis][k] for axis, k in enumerate(corner)], axis=0)
        total += share[..., None] * _pixels(image, at, border, fill)
    return cast_array(total.astype(np.float32), dtype)


def _elsewhere(place: Array, border: Border) -> Array:
    """What is far off or no number: out of the image, at its nearer edge, or at its start where it is repeated."""
    if border in ("pad", "edge"):
        return np.where(place > 0, _FAR, -_FAR)
    return np.full_like(place, 0.5)


def _weights(interp_type: InterpType, share: Array) -> list[Array]:
    """The weights of the pixels around a place that is `share` beyond the last one before it."""
    if interp_type == InterpType.INTERP_LINEAR:
        return [1 - share, share]
    if interp_type == InterpType.INTERP_CUBIC:
        a, t, u = -0.75, share, 1 - share
        outer = [a * (d**3 - 5 * d**2 + 8 * d - 4) for d in (1 + t, 1 + u)]
        inner = [(a + 2) * d**3 - (a + 3) * d**2 + 1 for d in (t, u)]
        return [outer[0], *inner, outer[1]]
    windowed = [np.sinc(share - k) * np.sinc((share - k) / 3) for k in range(-2, 4)]
    return [weight / sum(windowed) for weight in windowed]


def _pixels(image: Array, index: list[Array], border: Border, fill: Any) -> Array:
    """Pixels at whole places, as doubles."""
    if image.size == 0:
        return np.broadcast_to(np.asarray(fill, np.float64), (*index[0].shape, image.shape[-1]))
    extents = image.shape[:-1]
    inside = np.all([(i >= 0) & (i < n) for i, n in zip(index, extents, strict=True)], axis=0)
    nearest = tuple(_repeated(i.astype(np.int64), n, border) for i, n in zip(index, extents, strict=True))
    pixels = image[nearest].astype(np.float64)
    return np.where(inside[..., None], pixels, fill) if border == "pad" else pixels


def _repeated(index: Array, extent: int, border: Border) -> Array:
    """The places on an axis that a border shows in place of those beyond it."""
    if border == "wrap":
        wrapped: Array = index % extent
        return wrapped
    if border == "reflect_1001":
        turned = index % (2 * extent)
        return np.where(turned < extent, turned, 2 * extent - 1 - turned)
    if border == "reflect_101" and extent > 1:
        turned = index % (2 * extent - 2)
        return np.where(turned < extent, turned, 2 * extent - 2 - turned)
    return np.clip(index, 0, extent - 1)


def affine_places(matrix: Array, extents: Sequence[int]) -> list[Array]:
    """Where the pixels of a result of that size come from: for each axis, outermost first.

    Args:
        matrix: Rows of x, y (and z), from coordinates in the result to those in the image.
    """
    grid = np.stack(np.meshgrid(*(np.arange(n) + 0.5 for n in extents), indexing="ij"))[::-1]
    with np.errstate(invalid="ignore", over="ignore"):
        rows = np.tensordot(matrix[:, :-1], grid, axes=1) + matrix[:, -1].reshape(-1, *[1] * len(extents))
        return [row.astype(np.float32) for row in rows[::-1]]


def look_up_gpu(
    image: torch.Tensor,
    places: Sequence[torch.Tensor],
    interp_type: InterpType,
    border: Border,
    fill: Any,
    dtype: DType,
) -> torch.Tensor:
    """As `look_up`, of images under a leading axis.

    Args:
        places: For each axis of the images, under a leading axis of 1 where they are the same for all of them.
    """
    import torch

    extents, channels = tuple(image.shape[1:-1]), image.shape[-1]
    shape = tuple(places[0].shape[1:])
    if not image.numel() and border != "pad" and math.prod(shape) * channels:
        raise RuntimeError("an empty image has no edge to show; give a fill value or an empty size")
    nearest = interp_type == InterpType.INTERP_NN
    flat = (signed(image) if nearest else as_float32(image)).reshape(len(image), math.prod(extents), channels)
    filled = torch.tensor(fill, dtype=flat.dtype, device=flat.device) if border == "pad" else None

    def pixels(index: list[torch.Tensor]) -> torch.Tensor:
        return _pixels_gpu(flat, extents, [each.to(torch.int64) for each in index], border, filled)

    known = [_known_gpu(place, border) for place in places]
    if nearest:
        total = pixels([place.floor() for place in known])
    else:
        first = [(place - 0.5).floor() for place in known]
        weights = [_weights_gpu(interp_type, place - 0.5 - low) for place, low in zip(known, first, strict=True)]
        taps = len(weights[0])
        total = flat.new_zeros(())
        for corner in product(range(taps), repeat=len(places)):
            at = [low + (k - (taps // 2 - 1)) for low, k in zip(first, corner, strict=True)]
            share = math.prod((weights[axis][k] for axis, k in enumerate(corner)), start=flat.new_ones(()))
            total = total + share.reshape(len(share), -1, 1) * pixels(at)
    return cast_tensor(total, dtype).reshape(len(image), *shape, channels)


def _known_gpu(place: torch.Tensor, border: Border) -> torch.Tensor:
    """Places with those that are far off or no number replaced, as `_elsewhere` does."""
    import torch

    if border in ("pad", "edge"):
        return torch.nan_to_num(place, nan=-_FAR).clamp(-_FAR, _FAR)
    return torch.where(place.abs() <= _FAR, place, 0.5)


def _weights_gpu(interp_type: InterpType, share: torch.Tensor) -> list[torch.Tensor]:
    """As `_weights`."""
    if interp_type == InterpType.INTERP_LINEAR:
        return [1 - share, share]
    if interp_type == InterpType.INTERP_CUBIC:
        a, t, u = -0.75, share, 1 - share
        outer = [a * (d**3 - 5 * d**2 + 8 * d - 4) for d in (1 + t, 1 + u)]
        inner = [(a + 2) * d**3 - (a + 3) * d**2 + 1 for d in (t, u)]
        return [outer[0], *inner, outer[1]]
    windowed = [(share - k).sinc() * ((share - k) / 3).sinc() for k in range(-2, 4)]
    whole = sum(windowed[1:], start=windowed[0])
    return [weight / whole for weight in windowed]


def _pixels_gpu(
    flat: torch.Tensor, extents: Sequence[int], index: list[torch.Tensor], border: Border, fill: torch.Tensor | None
) -> torch.Tensor:
    """Pixels at whole places: an axis for the images, one for the places and one for the channels."""
    import torch

    count, channels = len(flat), flat.shape[-1]
    rows = len(index[0])
    if not flat.numel():
        assert fill is not None
        return fill.expand(count, index[0][0].numel(), channels)
    position = torch.zeros_like(index[0])
    for places, extent in zip(index, extents, strict=True):
        position = position * extent + _repeated_gpu(places, extent, border)
    position = position.reshape(rows, -1)
    if rows == 1:
        found = flat.index_select(1, position[0])
    else:
        found = flat.gather(1, position[..., None].expand(count, position.shape[1], channels))
    if fill is None:
        return found
    inside = torch.ones_like(index[0], dtype=torch.bool)
    for places, extent in zip(index, extents, strict=True):
        inside = inside & (places >= 0) & (places < extent)
    return torch.where(inside.reshape(rows, -1, 1), found, fill)


def _repeated_gpu(index: torch.Tensor, extent: int, border: Border) -> torch.Tensor:
    """As `_repeated`."""
    import torch

    if border == "wrap":
        return index % extent
    if border == "reflect_1001":
        turned = index % (2 * extent)
        return torch.minimum(turned, 2 * extent - 1 - turned)
    if border == "reflect_101" and extent > 1:
        turned = index % (2 * extent - 2)
        return torch.minimum(turned, 2 * extent - 2 - turned)
    return index.clamp(0, extent - 1)


def affine_places_gpu(matrix: Array, extents: Sequence[int], image: torch.Tensor) -> list[torch.Tensor]:
    """As `affine_places`, on the device of an image and under a leading axis of 1."""
    import torch

    kind = widest_float(image)
    axes = [torch.arange(n, dtype=kind, device=image.device) + 0.5 for n in extents][::-1]
    shaped = [
        axis.reshape(1, *(-1 if k == len(axes) - 1 - place else 1 for k in range(len(axes))))
        for place, axis in enumerate(axes)
    ]
    rows = []
    for *factors, shift in matrix.tolist():
        row = sum(
            (factor * axis for factor, axis in zip(factors, shaped, strict=True)), start=torch.zeros_like(shaped[0])
        )
        rows.append((row + shift).to(torch.float32).expand(1, *extents))
    return rows[::-1]
