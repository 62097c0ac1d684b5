"""A grid of black squares."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from penstock import _native
from penstock.ops.names import type_name
from penstock.schema import Example, PerSample, examples, operator
from penstock.schema.params import Layout
from penstock.values.dtypes import float32, int16, int32, uint8
from penstock.values.spec import Spec

if TYPE_CHECKING:
    import torch

Array = np.ndarray[Any, Any]

# What an array without a layout is taken for.
_BY_RANK = {2: "HW", 3: "HWC", 4: "FHWC"}


def _foretell(image: Spec, *, tile: Any, **rest: Any) -> Spec:
    assert image.ndim is not None
    assert image.layout is not None
    if image.dtype not in (uint8, int16, int32, float32):
        raise RuntimeError(f"Unsupported input type: {type_name(image.dtype)}; uint8, int16, int32 and float are")
    _row_axis(image.layout, image.ndim)
    if isinstance(tile, int):
        _check_tile(tile)
    return image


def _check_tile(tile: int) -> None:
    if tile < 1:
        raise RuntimeError(f"Tile argument must be positive, got {tile}")


def _row_axis(layout: str, ndim: int) -> int:
    """Where the axis H is, with W after it."""
    layout = layout or _BY_RANK.get(ndim, "")
    if "HW" not in layout:
        raise RuntimeError(
            f"grid_mask takes images, with H and W next to one another in the layout, got {layout!r} of {ndim} "
            "dimensions"
        )
    return layout.index("HW")


@operator(infer=_foretell)
def grid_mask(
    image: Array,
    *,
    tile: PerSample[int] = 100,
    ratio: PerSample[float] = 0.5,
    angle: PerSample[float] = 0.0,
    shift_x: PerSample[float] = 0.0,
    shift_y: PerSample[float] = 0.0,
    layout: Layout,
) -> Array:
    """Blackens the squares of a regular grid, as the augmentation of that name does.

        ndd.grid_mask(images, tile=60, ratio=0.4, angle=0.3)

    Args:
        tile: Distance between the squares in pixels.
        ratio: Side of a square over that distance.
        angle: How far the grid is turned, in radians.
        shift_x: How far it is moved across, in pixels.
        shift_y: How far it is moved down.
    """
    _check_tile(tile)
    axis = _row_axis(layout, image.ndim)
    height, width = image.shape[axis : axis + 2]
    side = np.float32(tile)
    with np.errstate(invalid="ignore"):
        cosine, sine = _slopes(angle, side)
        y = np.arange(height, dtype=np.float32)[:, None]
        x = np.arange(width, dtype=np.float32)
        across = x * cosine - (y * sine + np.float32(shift_x) / side)
        down = x * sine + (y * cosine - np.float32(shift_y) / side)
        kept = (across - np.floor(across) >= np.float32(ratio)) | (down - np.floor(down) >= np.float32(ratio))
    kept = kept.reshape(height, width, *(1,) * (image.ndim - axis - 2))
    return np.where(kept, image, np.zeros((), image.dtype))


def _slopes(angle: float, side: np.float32) -> tuple[np.float32, np.float32]:
    """Cosine and sine, in tiles of that side."""
    finite = math.isfinite(angle)
    cosine, sine = (np.float32(f(angle) if finite else np.nan) / side for f in (math.cos, math.sin))
    return cosine, sine


@grid_mask.native
def native(image: Spec, *, tile: Array, ratio: Array, angle: Array, shift_x: Array, shift_y: Array) -> _native.Step:
    assert image.layout is not None
    assert image.ndim is not None
    return _native.GridMask(_row_axis(image.layout, image.ndim), tile, ratio, angle, shift_x, shift_y)


@grid_mask.gpu
def gpu(
    image: torch.Tensor, *, tile: int, ratio: float, angle: float, shift_x: float, shift_y: float, layout: Layout
) -> torch.Tensor:
    import torch

    _check_tile(tile)
    axis = 1 + _row_axis(layout, image.ndim - 1)
    height, width = image.shape[axis : axis + 2]
    side = np.float32(tile)
    cosine, sine = map(float, _slopes(angle, side))
    y = torch.arange(height, dtype=torch.float32, device=image.device)[:, None]
    x = torch.arange(width, dtype=torch.float32, device=image.device)
    across = x * cosine - (y * sine + float(np.float32(shift_x) / side))
    down = x * sine + (y * cosine - float(np.float32(shift_y) / side))
    share = float(np.float32(ratio))
    kept = (across - across.floor() >= share) | (down - down.floor() >= share)
    return torch.where(kept.reshape(height, width, *(1,) * (image.ndim - axis - 2)), image, 0)


grid_mask.examples = examples(
    "ndd.grid_mask(image)",
    "ndd.grid_mask(image, tile=17, ratio=0.4)",
    "ndd.grid_mask(image, tile=9, angle=0.3)",
    "ndd.grid_mask(image, tile=13, ratio=0.6, angle=-1.1, shift_x=3.7, shift_y=-20.0)",
    "ndd.grid_mask(image, tile=ndd.batch([3, 10, 25]), angle=ndd.batch([0.0, 0.5, 1.0]))",
    Example("ndd.grid_mask(image, tile=40, angle=0.3)", drawn=True),
)
