"""A part of a resized image, perhaps mirrored."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from penstock import _native
from penstock.ops.image import resampling
from penstock.ops.image.resize import LAYOUTS, Filters, Target, resize_step, result_type, spatial_axes
from penstock.ops.image.windows import CropWindow
from penstock.schema import Example, PerSample, examples, operator
from penstock.values.dtypes import DType
from penstock.values.spec import Spec

if TYPE_CHECKING:
    import torch

Array = np.ndarray[Any, Any]


def _foretell(image: Spec, *, target: Target, window: CropWindow, dtype: DType | None, **rest: Any) -> Spec:
    assert image.layout is not None
    target.check(spatial_axes(image.layout))
    window.check(image.layout)
    return Spec(result_type(image, dtype), image.ndim, image.layout)


def _rule(axes: str, layout: str, target: Target, window: CropWindow, mirror: Array) -> _native.ResizeRule:
    """The rule of a resize that makes only the window, from per-sample rows."""
    rule = target.rule(axes)
    rule.set_crop(window.rule(layout), np.ascontiguousarray(mirror, np.int32))
    return rule


@operator(layouts=LAYOUTS, channels_last=True, infer=_foretell)
def resize_crop_mirror(
    image: Array,
    *,
    target: Target,
    window: CropWindow,
    mirror: PerSample[int] = 0,
    filters: Filters,
    dtype: DType | None = None,
    minibatch_size: int = 32,
    temp_buffer_hint: int = 0,
) -> Array:
    """Resizes an image, cuts a window out of the result and mirrors it, all in one pass.

        ndd.resize_crop_mirror(images, resize_shorter=256, crop=[224, 224], mirror=flags)

    Only the pixels of the window are computed. It may reach beyond the resized image: the edge pixel goes on there.

    Args:
        size: Height and width (depth, height and width for volumes); 0 keeps the aspect ratio, negative mirrors.
        resize_x: Width of the resized image.
        resize_y: Its height.
        resize_z: Its depth.
        resize_shorter: Length of its shorter edge; the aspect ratio is kept.
        resize_longer: Length of its longer edge; the aspect ratio is kept.
        mode: "default" fills in missing extents by aspect ratio, "stretch" leaves them as they are, "not_larger" and
            "not_smaller" keep the aspect ratio and fit the result inside or around the size.
        max_size: Upper limit of the extents.
        subpixel_scale: Shift the sampled region by fractions of a pixel so that a rounded size keeps the exact scale.
        roi_start: First corner of the region to resample.
        roi_end: Opposite corner; beyond the first mirrors.
        roi_relative: The region is given in fractions of the input's size.
        crop: Height and width of the window; depth, height and width for volumes.
        crop_h: Height of the window; 0 keeps the whole height.
        crop_w: Width of the window; 0 keeps the whole width.
        crop_d: Depth of the window; 0 keeps all.
        crop_pos_x: Where the window is across the width, from 0 (left) to 1 (right).
        crop_pos_y: Where it is across the height, from 0 (top) to 1 (bottom).
        crop_pos_z: Where it is across the depth, from 0 (front) to 1 (back).
        rounding: How its first pixel is found from that: "round" or "truncate".
        mirror: 1 mirrors left to right, 2 top to bottom, 4 front to back; sums of these do several.
        interp_type: Filter for both shrinking and growing.
        mag_filter: Filter where the image grows, if not `interp_type`.
        min_filter: Filter where the image shrinks, if not `interp_type`.
        antialias: Widen the filter when shrinking.
        dtype: The input's type, or float32.
        minibatch_size: Has no effect on the CPU.
        temp_buffer_hint: Has no effect on the CPU.
    """
    return resampling.resample(image, _targets(list(image.shape[:-1]), target, window, mirror), filters, dtype)


def _targets(extents: list[int], target: Target, window: CropWindow, mirror: int) -> list[resampling.Target]:
    """What one sample of these extents is resampled to."""
    axes = "DHW"[-len(extents) :]
    rows: dict[str, Any] = {
        name: np.asarray(value, np.float32)[None]
        for name, value in vars(window).items()
        if name != "rounding" and value is not None
    }
    rule = _rule(axes, axes, target.of_one_sample(), replace(window, **rows), np.array([mirror]))
    return rule.targets(extents)


@resize_crop_mirror.native
def native(
    image: Spec,
    *,
    target: Target,
    window: CropWindow,
    mirror: Array,
    filters: Filters,
    dtype: DType | None,
    **unused: Any,
) -> _native.Step:
    assert image.layout is not None
    rule = _rule(spatial_axes(image.layout), image.layout, target, window, mirror)
    return resize_step(image, rule, filters, dtype)


@resize_crop_mirror.gpu
def gpu(
    image: torch.Tensor,
    *,
    target: Target,
    window: CropWindow,
    mirror: int,
    filters: Filters,
    dtype: DType | None,
    **unused: Any,
) -> torch.Tensor:
    targets = _targets(list(image.shape[1:-1]), target, window, mirror)
    return resampling.resample_gpu(image, targets, filters, dtype)


resize_crop_mirror.examples = examples(
    "ndd.resize_crop_mirror(image, size=[50, 60])",
    "ndd.resize_crop_mirror(image, size=[50, 60], crop=[20, 30], mirror=1)",
    "ndd.resize_crop_mirror(image, resize_longer=80, crop_h=21, crop_w=20, crop_pos_x=0.3, crop_pos_y=0.9)",
    "ndd.resize_crop_mirror(image, size=[51, 67], crop=[20, 31], crop_pos_x=0.3, rounding='truncate')",
    "ndd.resize_crop_mirror(image, size=[51, 67], crop=[20, 30], roi_start=[10, 5], roi_end=[40, 50])",
    Example("ndd.resize_crop_mirror(image, resize_shorter=150, crop=[120, 120], mirror=1)", drawn=True),
    Example(
        "ndd.resize_crop_mirror(image, resize_shorter=256, crop=[224, 224], mirror=1)",
        plain="cv2.flip(cv2.resize(image, (341, 256), interpolation=cv2.INTER_AREA)[16:240, 58:282], 1)",
    ),
    within=1,
    share=0.999,
)
