"""Decoding a random part of an image."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock import _native
from penstock.ops.decode.image import (
    Decoding,
    Tuning,
    blank_image,
    check_encoded,
    check_min_size,
    decode_step,
    decoded_alone,
)
from penstock.ops.image.random_window import RandomWindow
from penstock.schema import Draw, Example, examples, operator
from penstock.values.spec import Spec

Array = np.ndarray[Any, Any]


def _foretell(data: Spec, *, decoding: Decoding, window: RandomWindow, min_size: list[int] | None, **rest: Any) -> Spec:
    check_encoded(data, decoding.max_bytes)
    check_min_size(min_size)
    window.check()
    return Spec(decoding.dtype, 3, "HWC")


@operator(
    name="decoders.image_random_crop",
    older_names=["experimental.decoders.image_random_crop"],
    infer=_foretell,
    blank=blank_image,
    runs_on="mixed",
)
def image_random_crop(
    data: Array,
    *,
    window: RandomWindow,
    decoding: Decoding,
    tuning: Tuning,
    draw: Draw,
    min_size: list[int] | None = None,
) -> Array:
    """Decodes a random window of each image, and hardly more than that.

        crops = ndd.resize(ndd.decoders.image_random_crop(jpegs), size=[224, 224])

    Args:
        random_area: Range of the share of the image the window covers.
        random_aspect_ratio: Range of its width over its height.
        num_attempts: How often to try for a window that fits, before the largest allowed one is taken.
        output_type: Colours of the result, as for `decoders.image`.
        dtype: Element type, as for `decoders.image`.
        adjust_orientation: Turn the image upright as its EXIF data tells, before the window is chosen.
        use_fast_idct: Trade some accuracy of JPEG decoding for speed.
        max_bytes: Images that take more memory to decode are refused; by default those of more than 2 GiB, or what the
            environment variable PENSTOCK_MAX_BYTES says.
        max_scans: Progressive JPEGs of more scans are refused.
        min_size: Height and width that suffice for the window, as for `decoders.image`: of JPEGs it is decoded at a
            half, a quarter or an eighth of its size where that is not below them.
    """
    image = decoded_alone(data, decoding)
    top, left, height, width = window.alone(draw, *image.shape[:2])
    if min_size is not None:
        return decoded_alone(data, decoding, _fixed_window(top, left, height, width), min_size)
    return image[top : top + height, left : left + width]


def _fixed_window(top: int, left: int, height: int, width: int) -> _native.WindowRule:
    corner, extent = np.array([[top, left]], np.float64), np.array([[height, width]], np.float64)
    pixels = _native.Unit.pixels
    return _native.SliceRule(np.array([[0, 1]], np.int32), corner, pixels, extent, pixels, True)


@image_random_crop.native(needs_data=True, reads_threads=True)
def native(
    data: Spec,
    *,
    window: RandomWindow,
    decoding: Decoding,
    draw: Draw,
    min_size: list[int] | None,
    samples: _native.Samples,
    threads: int,
    **unused: Any,
) -> _native.Step:
    return decode_step(samples, decoding, window.rule(draw, 0, 1), threads, min_size)


image_random_crop.examples = examples(
    Example("ndd.decoders.image_random_crop(jpeg)", compared=True, timed=True),
    "ndd.decoders.image_random_crop(jpeg, random_area=[0.2, 0.5], random_aspect_ratio=[0.9, 1.1])",
    "ndd.decoders.image_random_crop(jpeg, num_attempts=1, random_area=[0.9, 1.0])",
    Example("ndd.decoders.image_random_crop(jpeg, random_area=[0.2, 0.4])", drawn=True),
)
