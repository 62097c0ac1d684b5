"""Histogram equalisation of tiles, with a limit to how much contrast it may add."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock import _native
from penstock.ops.names import type_name
from penstock.schema import Example, examples, operator
from penstock.values.dtypes import uint8
from penstock.values.spec import Spec

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

    channels = image.shape[-1]
    if channels not in (1, 3):
        raise ValueError(f"ClaheCPU supports 1 or 3 channels, got {channels}")
    if image.size == 0:
        return image
    equalize = cv2.createCLAHE(float(np.float32(clip_limit)), (tiles_x, tiles_y)).apply
    if channels == 3 and luma_only:
        lab = cv2.cvtColor(image, cv2.COLOR_RGB2LAB)
        lab[..., 0] = equalize(np.ascontiguousarray(lab[..., 0]))
        return cv2.cvtColor(lab, cv2.COLOR_LAB2RGB)
    return np.stack([equalize(np.ascontiguousarray(image[..., c])) for c in range(channels)], axis=-1)


@clahe.native
def native(image: Spec, *, tiles_x: int, tiles_y: int, clip_limit: float, luma_only: bool, bins: int) -> _native.Step:
    return _native.Clahe(tiles_x, tiles_y, float(np.float32(clip_limit)), luma_only)


clahe.examples = examples(
    "ndd.clahe(image, tiles_x=8, tiles_y=8, clip_limit=2.0)",
    "ndd.clahe(image, tiles_x=3, tiles_y=5, clip_limit=4.0, luma_only=False)",
    "ndd.clahe(grey, tiles_x=4, tiles_y=1, clip_limit=0.0, bins=128)",
    Example("ndd.clahe(image, tiles_x=4, tiles_y=4, clip_limit=4.0)", drawn=True),
)
