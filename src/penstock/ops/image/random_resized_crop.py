"""A random part of an image, brought to a fixed size."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from penstock import _native
from penstock.ops.image import resampling
from penstock.ops.image.random_window import RandomWindow
from penstock.ops.image.resize import Filters, resize_step, result_type
from penstock.schema import Draw, Example, examples, operator
from penstock.values.dtypes import DType
from penstock.values.spec import Spec

if TYPE_CHECKING:
    import torch

Array = np.ndarray[Any, Any]
LAYOUTS = ("HWC", "CHW", "FHWC", "FCHW", "CFHW")


def _foretell(image: Spec, *, size: list[int], window: RandomWindow, dtype: DType | None, **rest: Any) -> Spec:
    window.check()
    if len(size) not in (1, 2) or min(size) < 1:
        raise RuntimeError(f"`size` must be one or two positive numbers, got {size}")
    return Spec(result_type(image, dtype), image.ndim, image.layout)


@operator(layouts=LAYOUTS, channels_last=True, infer=_foretell)
def random_resized_crop(
    image: Array,
    *,
    size: list[int],
    window: RandomWindow,
    filters: Filters,
    dtype: DType | None = None,
    minibatch_size: int = 32,
    temp_buffer_hint: int = 0,
    draw: Draw,
) -> Array:
    """Cuts a random window out of an image and resizes it, as image classifiers are trained.

        ndd.random_resized_crop(images, size=[224, 224])

    Args:
        size: Height and width of the result, or one number for both.
        random_area: Range of the share of the image the window covers.
        random_aspect_ratio: Range of its width over its height.
        num_attempts: How often to try for a window that fits, before the largest allowed one is taken.
        interp_type: Filter for both shrinking and growing.
        mag_filter: Filter where the image grows, if not `interp_type`.
        min_filter: Filter where the image shrinks, if not `interp_type`.
        antialias: Widen the filter when shrinking.
        dtype: The input's type, or float32.
        minibatch_size: Has no effect on the CPU.
        temp_buffer_hint: Has no effect on the CPU.
    """
    return resampling.resample(image, _targets(size, window, draw, *image.shape[:2]), filters, dtype)


def _targets(size: list[int], window: RandomWindow, draw: Draw, rows: int, columns: int) -> list[resampling.Target]:
    """The window of one sample as targets of a resampling."""
    top, left, height, width = window.alone(draw, rows, columns)
    return [(size[0], float(top), float(top + height)), (size[-1], float(left), float(left + width))]


@random_resized_crop.native
def native(
    image: Spec,
    *,
    size: list[int],
    window: RandomWindow,
    filters: Filters,
    dtype: DType | None,
    draw: Draw,
    **unused: Any,
) -> _native.Step:
    assert image.layout is not None
    rule = _native.ResizeRule(
        2, np.array([[size[0], size[-1]]], np.float32), _native.ResizeMode.standard, None, None, None, False, False
    )
    rule.set_window(window.rule(draw, image.layout.index("H"), image.layout.index("W")))
    return resize_step(image, rule, filters, dtype)


@random_resized_crop.gpu
def gpu(
    image: torch.Tensor,
    *,
    size: list[int],
    window: RandomWindow,
    filters: Filters,
    dtype: DType | None,
    draw: Draw,
    **unused: Any,
) -> torch.Tensor:
    targets = _targets(size, window, draw, image.shape[1], image.shape[2])
    return resampling.resample_gpu(image, targets, filters, dtype)


random_resized_crop.examples = examples(
    "ndd.random_resized_crop(image, size=[32, 24])",
    "ndd.random_resized_crop(image, size=[32, 24], random_area=[0.1, 0.3], random_aspect_ratio=[0.5, 2.0])",
    "ndd.random_resized_crop(image, size=64, interp_type=types.INTERP_CUBIC)",
    Example("ndd.random_resized_crop(image, size=[120, 120], random_area=[0.1, 0.3])", drawn=True),
    Example("ndd.random_resized_crop(image, size=[224, 224])", timed=True),
    within=1,
)
