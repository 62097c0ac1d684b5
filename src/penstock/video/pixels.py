"""Converts decoded frames to pixels: by BT.601 whatever the stream declares, with its range, as DALI does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from penstock._native import YuvTarget, planes_to_pixels
from penstock.values.enums import ImageType

if TYPE_CHECKING:
    from av.video.frame import VideoFrame
    from av.video.plane import VideoPlane

Array = np.ndarray[Any, Any]

TARGETS = {ImageType.RGB: YuvTarget.rgb, ImageType.YCbCr: YuvTarget.ycbcr, ImageType.GRAY: YuvTarget.gray}

# Whether chroma has half the rows and columns. Other formats, and odd sizes, are converted by swscale.
_HALVED = {"420": (True, True), "422": (False, True), "440": (True, False), "444": (False, False)}
_PLANAR = {f"yuv{full}{kind}p": halved for kind, halved in _HALVED.items() for full in ("", "j")}
_BILINEAR, _FULL_CHROMA, _ACCURATE = 0x02, 0x2000, 0x40000
_SCALER: dict[str, Any] = {"interpolation": _BILINEAR | _FULL_CHROMA | _ACCURATE, "src_colorspace": "itu601"}
_FULL_RANGE = 2


def convert(frame: VideoFrame, out: Array, image_type: ImageType) -> None:
    """Converts a frame into a contiguous uint8 array of its size, layout HWC."""
    halved = _PLANAR.get(frame.format.name)
    if halved is None or (halved[0] and frame.height % 2) or (halved[1] and frame.width % 2):
        if image_type == ImageType.RGB:
            out[...] = frame.to_ndarray(format="rgb24", **_SCALER)
            return
        frame = frame.reformat(format="yuv444p", dst_colorspace="itu601", dst_color_range="MPEG", **_SCALER)
    y, u, v = map(_plane, frame.planes)
    full = frame.color_range == _FULL_RANGE or frame.format.name.startswith("yuvj")
    planes_to_pixels(out, y, u, v, full, TARGETS[image_type])


def _plane(plane: VideoPlane) -> Array:
    stride = plane.line_size
    rows: Array = np.frombuffer(memoryview(plane), np.uint8).reshape(plane.height, abs(stride))[:, : plane.width]
    return rows if stride > 0 else rows[::-1]
