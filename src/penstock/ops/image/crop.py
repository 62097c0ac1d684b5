"""Cropping."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from penstock import _native
from penstock.gpu.types import dtype_of
from penstock.ops.image import extraction
from penstock.ops.image.windows import LAYOUTS, Border, CropWindow
from penstock.schema import Example, examples, operator
from penstock.schema.params import Layout
from penstock.values.dtypes import DType
from penstock.values.spec import Spec

if TYPE_CHECKING:
    import torch

Array = np.ndarray[Any, Any]

_NO_FILL = np.zeros((1, 1), np.float32)


def _foretell(image: Spec, *, window: CropWindow, border: Border, dtype: DType | None) -> Spec:
    assert image.layout is not None
    window.check(image.layout)
    extraction.channel_axis(image.layout, border)
    return Spec(extraction.result_type(image, dtype), image.ndim, image.layout)


@operator(layouts=LAYOUTS, infer=_foretell, renamed={"output_dtype": "dtype"}, removed=("image_type",))
def crop(image: Array, *, window: CropWindow, border: Border, dtype: DType | None = None, layout: Layout) -> Array:
    """Cuts a window of given size out of an image, a volume or every frame of a sequence.

        ndd.crop(images, crop=(224, 224))
        ndd.crop(images, crop=(28, 28), crop_pos_x=ndd.random.uniform(range=(0, 1), batch_size=64))

    Args:
        crop: Height and width of the window; depth, height and width for volumes.
        crop_h: Height of the window; 0 keeps the whole height.
        crop_w: Width of the window; 0 keeps the whole width.
        crop_d: Depth of the window, or its number of frames; 0 keeps all.
        crop_pos_x: Where the window is across the width, from 0 (left) to 1 (right).
        crop_pos_y: Where it is across the height, from 0 (top) to 1 (bottom).
        crop_pos_z: Where it is across the depth, from 0 (front) to 1 (back).
        rounding: How its first pixel is found from that: "round" or "truncate".
        out_of_bounds_policy: What to do with a window larger than the image: "error"; "pad" (or "constant") with
            `fill_values`; "trim_to_shape"; or repeat the image, "edge" (or "clamp") its last pixel, "reflect_1001"
            (or "reflect") and "reflect_101" mirrored with and without its last pixel, "wrap" from the other side.
        fill_values: What to pad with: one value, or one per channel.
        dtype: uint8, float16 or float32 instead of the input's type; fractions are cut off.
    """
    box = window.box(layout, image.shape)
    channel = extraction.channel_axis(layout, border)
    return extraction.extract(image, box, border, channel, dtype or DType.by_numpy[image.dtype])


@crop.native
def native(image: Spec, *, window: CropWindow, border: Border, dtype: DType | None) -> _native.Step:
    assert image.layout is not None
    channel = extraction.channel_axis(image.layout, border)
    code = extraction.result_type(image, dtype).code
    fill = np.array([border.values], np.float32) if border.fills else _NO_FILL
    return _native.Extract(window.rule(image.layout), code, border.native, fill, channel)


@crop.gpu
def gpu(
    image: torch.Tensor, *, window: CropWindow, border: Border, dtype: DType | None, layout: Layout
) -> torch.Tensor:
    box = window.box(layout, tuple(image.shape[1:]))
    channel = extraction.channel_axis(layout, border)
    return extraction.extract_gpu(image, box, border, channel, dtype or dtype_of(image))


crop.examples = examples(
    "ndd.crop(image, crop=[20, 16])",
    Example("ndd.crop(image, crop=[120, 120], crop_pos_x=0.0)", drawn=True),
    Example('ndd.crop(image, crop=[240, 300], out_of_bounds_policy="reflect")', drawn=True),
    Example("ndd.crop(image, crop=[400, 400])", plain="image[40:440, 120:520].copy()"),
)
