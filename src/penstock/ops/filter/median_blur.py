"""Median filter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from penstock import _native
from penstock.gpu.casting import signed
from penstock.gpu.types import beside
from penstock.ops.filter.spatial import per_axis, require
from penstock.ops.names import type_name
from penstock.schema import Example, PerSample, examples, operator
from penstock.values.dtypes import float32, int16, int32, uint8, uint16
from penstock.values.spec import Spec

if TYPE_CHECKING:
    import torch

Array = np.ndarray[Any, Any]
LAYOUTS = ("HW", "HWC", "FHWC", "CHW", "FCHW")
TYPES = (uint8, uint16, int16, int32, float32)
LARGEST_WINDOW = 255  # as far as OpenCV's counters of bytes reach


def _foretell(input: Spec, *, window_size: Any) -> Spec:
    if input.dtype not in TYPES:
        raise RuntimeError(
            f"Unsupported data type: {type_name(input.dtype)}; use uint8, uint16, int16, int32 or float32"
        )
    if not isinstance(window_size, Spec):
        _windows(np.array([window_size]))
    return input


def _windows(window_size: Any) -> Array:
    """Height and width of every sample's window."""
    sizes = per_axis("window_size", window_size, 2)
    fits = (sizes > 0) & (sizes % 2 == 1) & (sizes <= LARGEST_WINDOW)
    require(fits, lambda i, k: f"window_size must be odd, from 1 to {LARGEST_WINDOW}, got {sizes[i, k]}")
    return sizes


def _in_opencv(image: Array, height: int, width: int) -> Array | None:
    """By OpenCV, where it has the type and the window: square ones, of bytes or no larger than 5."""
    import cv2

    if height != width or image.dtype == np.int32 or (height > 5 and image.dtype != np.uint8):
        return None
    planes = image if image.ndim == 3 else image[..., None]
    if planes.shape[-1] in (1, 3, 4):
        return cv2.medianBlur(np.ascontiguousarray(planes), height).reshape(image.shape)
    each = [cv2.medianBlur(np.ascontiguousarray(planes[..., k]), height) for k in range(planes.shape[-1])]
    return np.stack(each, axis=-1)


@operator(name="experimental.median_blur", layouts=LAYOUTS, infer=_foretell, frames=True, channels_last=True)
def median_blur(input: Array, *, window_size: PerSample[list[int]] = [3, 3]) -> Array:  # noqa: B006
    """Replaces every pixel by the median of a window around it, channel by channel: specks vanish, edges stay.

        ndd.experimental.median_blur(images, window_size=[5, 5])

    Beyond the edges the outermost pixels go on.

    Args:
        window_size: Odd height and width of the window, or one number for both.
    """
    height, width = _windows(np.array([window_size]))[0].tolist()
    if not input.size or height == width == 1:
        return input
    done = _in_opencv(input, height, width)
    if done is not None:
        return done
    around = [(height // 2, height // 2), (width // 2, width // 2), (0, 0)][: input.ndim]
    windows = np.lib.stride_tricks.sliding_window_view(np.pad(input, around, "edge"), (height, width), axis=(0, 1))
    middle = height * width // 2
    flat = windows.reshape(*input.shape, height * width)
    return np.ascontiguousarray(np.partition(flat, middle, axis=-1)[..., middle])


@median_blur.native
def native(input: Spec, *, window_size: Any) -> _native.Step | None:
    assert input.layout is not None
    sizes = _windows(window_size)
    if not np.isin(sizes, (1, 3, 5)).all() or (sizes[:, 0] != sizes[:, 1]).any():
        return None
    return _native.MedianBlur(input.layout.index("H"), np.ascontiguousarray(sizes[:, 0]))


@median_blur.gpu
def gpu(input: torch.Tensor, *, window_size: Any) -> torch.Tensor:
    height, width = _windows(np.array([window_size]))[0].tolist()
    if not input.numel() or height == width == 1:
        return input
    windows = signed(input)
    for axis, size in ((1, height), (2, width)):
        extent = input.shape[axis]
        places = np.clip(np.arange(-(size // 2), extent + size // 2), 0, extent - 1)
        windows = windows.index_select(axis, beside(places, input)).unfold(axis, size, 1)
    return windows.flatten(-2).median(dim=-1).values.to(input.dtype)


median_blur.examples = examples(
    Example("ndd.experimental.median_blur(image, window_size=[9, 9])", drawn=True),
    Example("ndd.experimental.median_blur(image, window_size=[3, 3])", plain="cv2.medianBlur(image, 3)"),
    Example("ndd.experimental.median_blur(image, window_size=[5, 5])", plain="cv2.medianBlur(image, 5)"),
)
