"""The marks that JPEG compression leaves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from penstock import _native
from penstock.ops.color.jpeg_blocks import distorted
from penstock.ops.names import type_name
from penstock.schema import Example, PerSample, examples, operator
from penstock.values.dtypes import uint8
from penstock.values.spec import Spec

if TYPE_CHECKING:
    import torch

Array = np.ndarray[Any, Any]


def _foretell(input: Spec, *, quality: Any) -> Spec:
    if input.dtype != uint8:
        raise RuntimeError(
            f"Calling type does not match buffer data type: JPEG is made of uint8 images, got {type_name(input.dtype)}"
        )
    return input


@operator(layouts=("HWC", "FHWC"), infer=_foretell, frames=True)
def jpeg_compression_distortion(input: Array, *, quality: PerSample[int] = 50) -> Array:
    """Leaves on RGB images the marks of having been stored as a JPEG, with chroma at half the resolution.

        ndd.jpeg_compression_distortion(images, quality=ndd.random.uniform(range=(20, 90), batch_size=64))

    Args:
        quality: From 1, the worst, to 100, the best; numbers beyond are taken for the nearest of them.
    """
    import cv2

    _check_channels(input.shape[2])
    if not input.size:
        return input
    settings = [cv2.IMWRITE_JPEG_QUALITY, min(max(int(quality), 1), 100)]
    _, stored = cv2.imencode(".jpg", input[..., ::-1], settings)
    decoded = cv2.imdecode(stored, cv2.IMREAD_COLOR)
    assert decoded is not None
    return np.ascontiguousarray(decoded[..., ::-1])


def _check_channels(channels: int) -> None:
    if channels != 3:
        raise RuntimeError(
            f"Invalid number of channels. Expected a channel-last layout, with 3 channels (RGB), got {channels}"
        )


@jpeg_compression_distortion.native
def native(input: Spec, *, quality: Array) -> _native.Step:
    return _native.JpegDistortion(quality)


@jpeg_compression_distortion.gpu
def gpu(input: torch.Tensor, *, quality: int) -> torch.Tensor:
    _check_channels(input.shape[3])
    return distorted(input, min(max(int(quality), 1), 100)) if input.numel() else input


jpeg_compression_distortion.examples = examples(
    "ndd.jpeg_compression_distortion(image)",
    Example("ndd.jpeg_compression_distortion(image, quality=5)", drawn=True),
    Example(
        "ndd.jpeg_compression_distortion(image, quality=50)",
        plain="cv2.imdecode(cv2.imencode('.jpg', image, [1, 50])[1], 1)",
    ),
)
