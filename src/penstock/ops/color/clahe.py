"""Histogram equalisation of tiles, with a limit to how much contrast it may add."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from penstock import _native
from penstock.gpu.types import beside
from penstock.ops.color.lab import lab_of_rgb, rgb_of_lab
from penstock.ops.names import type_name
from penstock.schema import Example, examples, operator
from penstock.values.dtypes import uint8
from penstock.values.spec import Spec

if TYPE_CHECKING:
    import torch

Array = np.ndarray[Any, Any]
MOST_TILES = 1 << 20


def _foretell(image: Spec, *, tiles_x: int, tiles_y: int, bins: int, **rest: Any) -> Spec:
    if image.dtype != uint8:
        raise ValueError(f"ClaheCPU currently supports only uint8 input, got {type_name(image.dtype)}")
    if tiles_x < 1 or tiles_y < 1 or tiles_x * tiles_y > MOST_TILES:
        raise ValueError(f"there can be 1 to {MOST_TILES} tiles, got {tiles_x} x {tiles_y}")
    if bins < 1 or bins & (bins - 1):
        raise ValueError(f"bins must be a power of 2, got {bins}")
    return image


@operator(layouts=("HWC",), infer=_foretell)
def clahe(
    image: Array, *, tiles_x: int, tiles_y: int, clip_limit: float, luma_only: bool = True, bins: int = 256
) -> Array:
    """Equalises the contrast of an image region by region (CLAHE).

        ndd.clahe(images, tiles_x=8, tiles_y=8, clip_limit=2.0)

    Every tile is equalised by its own histogram, in which no level counts more than the limit; in between, pixels are
    blended from the nearest tiles. Images are grey or RGB.

    Args:
        tiles_x: Number of tiles across.
        tiles_y: Number of tiles down.
        clip_limit: Most pixels a level may count, as a multiple of the average; 0 for no limit.
        luma_only: Equalise the lightness of RGB images and keep their colours; otherwise every channel by itself.
        bins: Has no effect: images of 8 bits have 256 levels. A power of 2.
    """
    import cv2

    channels = _check_channels(image.shape[-1])
    if image.size == 0:
        return image
    equalize = cv2.createCLAHE(float(np.float32(clip_limit)), (tiles_x, tiles_y)).apply
    if channels == 3 and luma_only:
        lab = cv2.cvtColor(image, cv2.COLOR_RGB2LAB)
        lab[..., 0] = equalize(np.ascontiguousarray(lab[..., 0]))
        return cv2.cvtColor(lab, cv2.COLOR_LAB2RGB)
    return np.stack([equalize(np.ascontiguousarray(image[..., c])) for c in range(channels)], axis=-1)


def _check_channels(channels: int) -> int:
    if channels not in (1, 3):
        raise ValueError(f"ClaheCPU supports 1 or 3 channels, got {channels}")
    return channels


@clahe.native
def native(image: Spec, *, tiles_x: int, tiles_y: int, clip_limit: float, luma_only: bool, bins: int) -> _native.Step:
    return _native.Clahe(tiles_x, tiles_y, float(np.float32(clip_limit)), luma_only)


@clahe.gpu
def gpu(
    image: torch.Tensor, *, tiles_x: int, tiles_y: int, clip_limit: float, luma_only: bool, bins: int
) -> torch.Tensor:
    import torch

    channels = _check_channels(image.shape[-1])
    if not image.numel():
        return image
    limit = float(np.float32(clip_limit))
    if channels == 3 and luma_only:
        lightness, a, b = lab_of_rgb(image)
        return rgb_of_lab(_equalized(lightness, tiles_y, tiles_x, limit), a, b)
    planes = image.movedim(-1, 1).flatten(0, 1).to(torch.int32)
    made = _equalized(planes, tiles_y, tiles_x, limit).to(torch.uint8)
    return made.reshape(len(image), channels, *image.shape[1:3]).movedim(1, -1)


class _Tiling:
    """How an axis is cut into tiles, the last of which may reach beyond it."""

    def __init__(self, size: int, tiles: int, padded: bool) -> None:
        """`padded`: the axis is made longer to fill the last tile, as soon as either axis needs it."""
        self.tiles = tiles
        self.tile = (size + tiles - size % tiles if padded else size) // tiles
        places = np.arange(self.tile * tiles) % max(2 * size - 2, 1)
        self.mirrored = np.where(places < size, places, 2 * size - 2 - places)
        between = np.arange(size, dtype=np.float32) * (np.float32(1) / np.float32(self.tile)) - np.float32(0.5)
        below = np.floor(between).astype(np.int64)
        # The two tiles every place lies between, and how near it is to the second.
        self.first, self.second = np.maximum(below, 0), np.minimum(below + 1, tiles - 1)
        self.share = between - below.astype(np.float32)


def _equalized(planes: torch.Tensor, rows: int, columns: int, clip_limit: float) -> torch.Tensor:
    """Planes of levels under a leading axis."""
    import torch

    height, width = planes.shape[1:]
    padded = bool(height % rows or width % columns)
    down, across = _Tiling(height, rows, padded), _Tiling(width, columns, padded)
    tables = _level_tables(planes, down, across, clip_limit).flatten(1)

    def levels(tile_rows: Array, tile_columns: Array) -> torch.Tensor:
        tile = beside(tile_rows[:, None] * columns + tile_columns, planes)
        return tables.gather(1, (tile * 256 + planes).flatten(1)).reshape(planes.shape)

    right, lower = beside(across.share, planes), beside(down.share, planes)[:, None]
    left, upper = 1 - right, 1 - lower
    above = levels(down.first, across.first) * left + levels(down.first, across.second) * right
    below = levels(down.second, across.first) * left + levels(down.second, across.second) * right
    return (above * upper + below * lower).round().to(torch.int32)


def _level_tables(planes: torch.Tensor, down: _Tiling, across: _Tiling, clip_limit: float) -> torch.Tensor:
    """What every level becomes in every tile, tiles row by row."""
    import torch

    area = down.tile * across.tile
    whole = planes.index_select(1, beside(down.mirrored, planes)).index_select(2, beside(across.mirrored, planes))
    tiles = whole.reshape(len(planes), down.tiles, down.tile, across.tiles, across.tile).transpose(2, 3)
    values = tiles.reshape(len(planes), down.tiles * across.tiles, area).to(torch.int64)
    counts = values.new_zeros((*values.shape[:2], 256)).scatter_add_(2, values, torch.ones_like(values))
    if clip_limit > 0:
        most = int(min(max(clip_limit * area / 256, 1.0), float(area)))
        excess = (counts - most).clamp(min=0).sum(dim=2, keepdim=True)
        # What is cut off goes to all levels alike, the remainder to some at equal distances.
        rest = excess % 256
        step = (256 // rest.clamp(min=1)).clamp(min=1)
        level = torch.arange(256, device=planes.device)
        extra = (level % step == 0) & (level // step < rest)
        counts = counts.clamp(max=most) + excess // 256 + extra
    scale = float(np.float32(255) / np.float32(area))
    return (counts.cumsum(dim=2).to(torch.float32) * scale).round().clamp(max=255)


clahe.examples = examples(
    "ndd.clahe(image, tiles_x=8, tiles_y=8, clip_limit=2.0)",
    "ndd.clahe(image, tiles_x=3, tiles_y=5, clip_limit=4.0, luma_only=False)",
    "ndd.clahe(grey, tiles_x=4, tiles_y=1, clip_limit=0.0, bins=128)",
    Example("ndd.clahe(image, tiles_x=4, tiles_y=4, clip_limit=4.0)", drawn=True),
)
