"""Decoding a window of an image, given as `crop` or `slice` would be told."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock import _native
from penstock.ops.decode.image import Decoding, Tuning, blank_image, check_encoded, decode_step, decoded_alone
from penstock.ops.image.slice_bounds import SliceBounds
from penstock.ops.image.windows import Box, CropWindow
from penstock.schema import Example, examples, operator
from penstock.values.samples import as_batch_array
from penstock.values.spec import Spec

Array = np.ndarray[Any, Any]


def _cut(image: Array, box: Box) -> Array:
    (top, height), (left, width) = box[:2]
    if min(top, left) < 0 or top + height > image.shape[0] or left + width > image.shape[1]:
        raise RuntimeError(
            f"The cropping window [{top}..{top + height}, {left}..{left + width}] is not valid for image dimensions "
            f"[{image.shape[0]} x {image.shape[1]}]"
        )
    return image[top : top + height, left : left + width]


def _foretell_crop(data: Spec, *, window: CropWindow, decoding: Decoding, **rest: Any) -> Spec:
    check_encoded(data, decoding.max_bytes)
    window.check("HWC")
    return Spec(decoding.dtype, 3, "HWC")


@operator(
    name="decoders.image_crop",
    older_names=["experimental.decoders.image_crop"],
    infer=_foretell_crop,
    blank=blank_image,
    runs_on="mixed",
)
def image_crop(data: Array, *, window: CropWindow, decoding: Decoding, tuning: Tuning) -> Array:
    """Decodes a window of given size, and hardly more than that.

        ndd.decoders.image_crop(jpegs, crop=(224, 224))

    Args:
        crop: Height and width of the window.
        crop_h: Height of the window; 0 keeps the whole height.
        crop_w: Width of the window; 0 keeps the whole width.
        crop_d: Images have no depth; only here because `crop` has it.
        crop_pos_x: Where the window is across the width, from 0 (left) to 1 (right).
        crop_pos_y: Where it is across the height, from 0 (top) to 1 (bottom).
        crop_pos_z: As `crop_d`.
        rounding: How its first pixel is found from that: "round" or "truncate".
        output_type: Colours of the result, as for `decoders.image`.
        dtype: Element type, as for `decoders.image`.
        adjust_orientation: Turn the image upright as its EXIF data tells, before the window is placed.
        use_fast_idct: Trade some accuracy of JPEG decoding for speed.
        max_bytes: Images that take more memory to decode are refused; by default those of more than 2 GiB, or what the
            environment variable PENSTOCK_MAX_BYTES says.
        max_scans: Progressive JPEGs of more scans are refused.
    """
    image = decoded_alone(data, decoding)
    return _cut(image, window.box("HWC", image.shape))


@image_crop.native(needs_data=True, reads_threads=True)
def crop_step(
    data: Spec, *, window: CropWindow, decoding: Decoding, samples: _native.Samples, threads: int, **unused: Any
) -> _native.Step:
    return decode_step(samples, decoding, window.rule("HWC"), threads)


IMAGE = Spec(None, 3, "HWC")


def _foretell_slice(data: Spec, *positional: Spec, bounds: SliceBounds, decoding: Decoding, **rest: Any) -> Spec:
    check_encoded(data, decoding.max_bytes)
    bounds.check(IMAGE, positional)
    return Spec(decoding.dtype, 3, "HWC")


@operator(
    name="decoders.image_slice",
    older_names=["experimental.decoders.image_slice"],
    infer=_foretell_slice,
    blank=blank_image,
    runs_on="mixed",
)
def image_slice(
    data: Array,
    anchor: Array | None = None,
    shape_input: Array | None = None,
    *,
    bounds: SliceBounds,
    decoding: Decoding,
    tuning: Tuning,
) -> Array:
    """Decodes the part of an image between two corners, and hardly more than that.

        ndd.decoders.image_slice(jpegs, rel_start=[0.25, 0.25], rel_shape=[0.5, 0.5], axis_names="HW")

    The corners are also taken by position: `anchor` and `shape`, as integers or as fractions of the image.

    Args:
        start: First corner.
        end: Opposite corner.
        shape: Extents of the part, instead of its end.
        rel_start: First corner, in fractions of the image.
        rel_end: Opposite corner, in fractions of the image.
        rel_shape: Extents of the part, in fractions of the image.
        axes: The axes the corners are given for, instead of `axis_names`.
        axis_names: The same by name; by default width, then height.
        normalized_anchor: An `anchor` of floats is in fractions of the image.
        normalized_shape: A `shape` of floats by position is in fractions of the image.
        output_type: Colours of the result, as for `decoders.image`.
        dtype: Element type, as for `decoders.image`.
        adjust_orientation: Turn the image upright as its EXIF data tells, before the part is placed.
        use_fast_idct: Trade some accuracy of JPEG decoding for speed.
        max_bytes: Images that take more memory to decode are refused; by default those of more than 2 GiB, or what the
            environment variable PENSTOCK_MAX_BYTES says.
        max_scans: Progressive JPEGs of more scans are refused.
    """
    image = decoded_alone(data, decoding)
    positional = () if anchor is None or shape_input is None else (anchor, shape_input)
    return _cut(image, bounds.box("HWC", image.shape, positional))


@image_slice.native(needs_data=True, reads_others=True, reads_threads=True)
def slice_step(
    data: Spec,
    *positional: Spec,
    bounds: SliceBounds,
    decoding: Decoding,
    samples: _native.Samples,
    others: list[_native.Samples],
    threads: int,
    **unused: Any,
) -> _native.Step | None:
    if not all(given.uniform for given in others):
        return None
    rule = bounds.rule(IMAGE, tuple(as_batch_array(given) for given in others))
    return None if rule is None else decode_step(samples, decoding, rule, threads)


image_crop.examples = examples(
    "ndd.decoders.image_crop(jpeg, crop=[20, 30])",
    "ndd.decoders.image_crop(jpeg, crop_h=17, crop_w=23, crop_pos_x=0.3, crop_pos_y=0.9)",
    "ndd.decoders.image_crop(jpeg, crop=[16, 16], crop_pos_x=ndd.batch([0.0, 0.5, 1.0]))",
    "ndd.decoders.image_crop(jpeg, crop=[20, 30], output_type=types.GRAY)",
    Example("ndd.decoders.image_crop(jpeg, crop=[180, 180], crop_pos_x=0.2)", drawn=True),
    Example(
        "ndd.decoders.image_crop(jpeg, crop=[224, 224])",
        plain="cv2.imdecode(jpeg, cv2.IMREAD_COLOR_RGB)[68:292, 128:352].copy()",
    ),
)

image_slice.examples = examples(
    "ndd.decoders.image_slice(jpeg, start=[3, 5], end=[20, 30], axis_names='HW')",
    "ndd.decoders.image_slice(jpeg, rel_start=[0.25, 0.1], rel_shape=[0.5, 0.7], axis_names='HW')",
    Example('ndd.decoders.image_slice(jpeg, rel_start=[0.1, 0.4], rel_shape=[0.5, 0.5], axis_names="WH")', drawn=True),
    Example(
        "ndd.decoders.image_slice(jpeg, rel_start=[0.25, 0.25], rel_shape=[0.5, 0.5], axis_names='HW')",
        plain="cv2.imdecode(jpeg, cv2.IMREAD_COLOR_RGB)[90:270, 120:360].copy()",
    ),
)
