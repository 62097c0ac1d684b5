"""Decoded frames as arrays of pixels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from penstock.values.enums import ImageType

if TYPE_CHECKING:
    from av.video.frame import VideoFrame

Array = np.ndarray[Any, Any]

# Chroma interpolated in both directions, BT.601 whatever the stream says, its range honoured: as DALI does.
_SCALER: dict[str, Any] = {"interpolation": 0x02 | 0x2000 | 0x40000, "src_colorspace": "itu601"}


def convert(frame: VideoFrame, out: Array, image_type: ImageType) -> None:
    out[...] = frame.to_ndarray(format="rgb24", **_SCALER)
