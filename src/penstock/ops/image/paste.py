"""An image on a larger canvas."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from penstock import _native
from penstock.gpu.types import beside
from penstock.ops.image.extraction import truncated
from penstock.ops.names import type_name
from penstock.schema import Example, PerSample, examples, operator
from penstock.values.dtypes import uint8
from penstock.values.spec import Spec

if TYPE_CHECKING:
    import torch

Array = np.ndarray[Any, Any]


def _foretell(
    image: Spec, *, fill_value: list[int], ratio: Any, n_channels: int, min_canvas_size: Any, **positions: Any
) -> Spec:
    if image.dtype != uint8:
        raise RuntimeError(
            f"Calling type does not match buffer data type: paste takes uint8 images, got {type_name(image.dtype)}"
        )
    if len(fill_value) not in (1, n_channels):
        raise RuntimeError(
            f'Argument "fill_value" expects either a single value or a list of {n_channels} elements. '
            f"{len(fill_value)} given; `n_channels` tells how many channels the image has"
        )
    if isinstance(ratio, float):
        _check_ratio(ratio)
    if isinstance(min_canvas_size, float):
        _check_least(min_canvas_size)
    for name in ("paste_x", "paste_y"):
        if isinstance(positions[name], float):
            _check_position(name, positions[name])
    return image


def _check_ratio(ratio: float) -> None:
    if not ratio >= 1:
        raise RuntimeError(f"ratio of less than 1 is not supported, got {ratio:g}; to cut a part out use crop")


def _check_least(size: float) -> None:
    if not size >= 0:
        raise RuntimeError(f"min_canvas_size_ of less than 0 is not supported, got {size:g}")


def _check_position(name: str, position: float) -> None:
    if not 0 <= position <= 1:
        raise RuntimeError(f"{name} must be in range [0, 1], got {position:g}")


@operator(layouts=("HWC",), infer=_foretell)
def paste(
    image: Array,
    *,
    fill_value: list[int],
    ratio: PerSample[float],
    n_channels: int = 3,
    min_canvas_size: PerSample[float] = 0.0,
    paste_x: PerSample[float] = 0.5,
    paste_y: PerSample[float] = 0.5,
) -> Array:
    """Places an image on a canvas that is larger by some ratio.

        ndd.paste(images, ratio=1.5, fill_value=[124, 116, 104])
        ndd.paste(images, ratio=ndd.random.uniform(range=[1, 4], batch_size=64), fill_value=0)

    Args:
        fill_value: Colour of the canvas: one value, or one for every channel.
        ratio: Height and width of the canvas over those of the image, at least 1.
        n_channels: How many channels the image has, where `fill_value` has a value for each.
        min_canvas_size: Least height and width of the canvas.
        paste_x: Where the image is across the width, from 0 (left) to 1 (right).
        paste_y: Where it is across the height, from 0 (top) to 1 (bottom).
    """
    _check_fill(fill_value, image.shape[2])
    size, window = _placed(image.shape[:2], ratio, min_canvas_size, paste_x, paste_y)
    canvas = np.empty((*size, image.shape[2]), np.uint8)
    canvas[...] = truncated(np.array(fill_value, np.float32), uint8)
    canvas[window] = image
    return canvas


def _check_fill(fill_value: list[int], channels: int) -> None:
    if len(fill_value) not in (1, channels):
        raise RuntimeError(f"{len(fill_value)} fill values for an image of {channels} channels")


def _placed(
    extents: tuple[int, ...], ratio: float, min_canvas_size: float, paste_x: float, paste_y: float
) -> tuple[tuple[int, ...], tuple[slice, ...]]:
    """The height and width of the canvas, and where an image of these extents is on it."""
    _check_ratio(ratio)
    _check_least(min_canvas_size)
    _check_position("paste_x", paste_x)
    _check_position("paste_y", paste_y)
    size = tuple(
        max(int(max(np.float32(ratio) * np.float32(extent), np.float32(min_canvas_size))), extent) for extent in extents
    )
    starts = [
        int(np.float32(position) * np.float32(whole - extent))
        for position, whole, extent in zip((paste_y, paste_x), size, extents, strict=True)
    ]
    return size, tuple(slice(start, start + extent) for start, extent in zip(starts, extents, strict=True))


@paste.native
def native(
    image: Spec,
    *,
    fill_value: list[int],
    ratio: Array,
    n_channels: int,
    min_canvas_size: Array,
    paste_x: Array,
    paste_y: Array,
) -> _native.Step:
    rule = _native.PasteRule(ratio, min_canvas_size, paste_y, paste_x)
    return _native.Extract(rule, uint8.code, _native.Border.pad, np.array([fill_value], np.float32), 2)


@paste.gpu
def gpu(
    image: torch.Tensor,
    *,
    fill_value: list[int],
    ratio: float,
    n_channels: int,
    min_canvas_size: float,
    paste_x: float,
    paste_y: float,
) -> torch.Tensor:
    count, *extents, channels = image.shape
    _check_fill(fill_value, channels)
    size, window = _placed(tuple(extents), ratio, min_canvas_size, paste_x, paste_y)
    fill = beside(truncated(np.array(fill_value, np.float32), uint8), image)
    canvas = fill.expand(count, *size, channels).clone()
    canvas[(slice(None), *window)] = image
    return canvas


paste.examples = examples(
    "ndd.paste(image, fill_value=[1, 2, 3], ratio=1.5)",
    Example("ndd.paste(image, ratio=1.4, fill_value=[20, 60, 120], paste_x=0.2)", drawn=True),
    Example(
        "ndd.paste(image, ratio=1.5, fill_value=[1, 2, 3])",
        plain="cv2.copyMakeBorder(image, 120, 120, 160, 160, cv2.BORDER_CONSTANT, value=(1, 2, 3))",
    ),
)
