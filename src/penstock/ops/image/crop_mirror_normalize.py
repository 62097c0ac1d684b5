"""Cropping, mirroring and normalising in one pass."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from penstock import _native
from penstock.gpu.casting import as_float32, cast_tensor
from penstock.gpu.types import beside
from penstock.ops.image import extraction
from penstock.ops.image.windows import LAYOUTS, Border, CropWindow
from penstock.ops.names import type_name
from penstock.schema import Example, PerSample, examples, operator
from penstock.schema.params import Layout
from penstock.values.casting import cast_array
from penstock.values.dtypes import DType, float16, float32, int8, int16, int32, uint8, uint16
from penstock.values.spec import Spec

if TYPE_CHECKING:
    import torch

Array = np.ndarray[Any, Any]
INPUT_TYPES = (uint8, uint16, int16, int32, float16, float32)
OUTPUT_TYPES = (uint8, int8, float16, float32)


@lru_cache
def _permutation(layout: str, output_layout: str) -> tuple[int, ...]:
    """Axis k of the result is axis [k] of the input."""
    if sorted(output_layout) != sorted(layout):
        raise RuntimeError(
            f"The requested output layout is not a permutation of input layout. Got: {output_layout!r} for {layout!r}"
        )
    return tuple([layout.index(name) for name in output_layout])


def _length(values: Any) -> int:
    """How many values a per-channel argument has; 1 where that is not known yet."""
    return len(values) if isinstance(values, (list, tuple)) else 1


def _foretell(
    image: Spec, *, window: CropWindow, mean: Any, std: Any, output_layout: str, dtype: DType, **rest: Any
) -> Spec:
    assert image.layout is not None
    if image.dtype not in INPUT_TYPES:
        raise RuntimeError(f"Not supported input type:{type_name(image.dtype)}")
    if dtype not in OUTPUT_TYPES:
        raise RuntimeError(f"Not supported output type:{type_name(dtype)}; uint8, int8, float16 and float are")
    window.check(image.layout)
    _permutation(image.layout, output_layout or image.layout)
    if 0 in (_length(mean), _length(std)):
        raise RuntimeError("`mean` and `std` need at least one value each")
    if _length(mean) != _length(std) and 1 not in (_length(mean), _length(std)):
        raise RuntimeError(
            "``mean`` and ``std`` must either be of the same size, be scalars, or one of them can be a vector and the "
            f"other a scalar. Got: {_length(mean)} and {_length(std)} values"
        )
    return Spec(dtype, image.ndim, output_layout or image.layout)


@operator(layouts=LAYOUTS, infer=_foretell, normalizes=True, renamed={"output_dtype": "dtype"}, removed=("image_type",))
def crop_mirror_normalize(
    image: Array,
    *,
    window: CropWindow,
    border: Border,
    mirror: PerSample[int] = 0,
    mean: PerSample[list[float]] = (0.0,),  # type: ignore[assignment]
    std: PerSample[list[float]] = (1.0,),  # type: ignore[assignment]
    scale: float = 1.0,
    shift: float = 0.0,
    pad_output: bool = False,
    output_layout: str = "CHW",
    dtype: DType = float32,
    layout: Layout,
) -> Array:
    """Cuts out a window, mirrors it on demand and normalises it: scale * (pixel - mean) / std + shift.

        ndd.crop_mirror_normalize(images, mean=[123.7, 116.3, 103.5], std=[58.4, 57.1, 57.4], mirror=coin)

    Args:
        crop: Height and width of the window; depth, height and width for volumes. Without it the image stays whole.
        crop_h: Height of the window; 0 keeps the whole height.
        crop_w: Width of the window; 0 keeps the whole width.
        crop_d: Depth of the window, or its number of frames; 0 keeps all.
        crop_pos_x: Where the window is across the width, from 0 (left) to 1 (right).
        crop_pos_y: Where it is across the height, from 0 (top) to 1 (bottom).
        crop_pos_z: Where it is across the depth, from 0 (front) to 1 (back).
        rounding: How its first pixel is found from that: "round" or "truncate".
        out_of_bounds_policy: What to do with a window larger than the image, as in `crop`.
        fill_values: What to pad with, not normalised: one value, one per output channel, or one per channel of the
            image, which leaves 0 for those that `pad_output` adds.
        mirror: Mirror left to right.
        mean: Subtracted from the pixels: one value, or one per channel.
        std: Divides the result: one value, or one per channel.
        scale: Factor after that.
        shift: Added at last.
        pad_output: Add channels up to a power of two, filled as the border is.
        output_layout: Order of the result's axes; "" keeps the input's.
        dtype: float32, float16, uint8 or int8; integers are rounded and saturated.
    """
    channel = layout.index("C")
    box = extraction.fitted(window.box(layout, image.shape), image.shape, border)
    taken, inside = extraction.take(image, box, border)
    per_channel = [-1 if axis == channel else 1 for axis in range(image.ndim)]
    means, inverses = _factors(mean, std, scale, shift, image.shape[channel], pad_output)
    values = (taken.astype(np.float32) - means.reshape(per_channel)) * inverses.reshape(per_channel)
    result = cast_array(values, dtype)
    extra = _made_channels(image.shape[channel], pad_output) - image.shape[channel]
    fill = _fill(border, image.shape[channel], extra, dtype).reshape(per_channel)
    widen = [(0, extra if axis == channel else 0) for axis in range(image.ndim)]
    lies_in = np.pad(np.broadcast_to(inside, result.shape), widen)
    result = np.where(lies_in, np.pad(result, widen), fill)
    if mirror:
        result = np.flip(result, layout.index("W"))
    return np.ascontiguousarray(result.transpose(_permutation(layout, output_layout or layout)))


def _made_channels(channels: int, pad_output: bool) -> int:
    return 1 << max(channels - 1, 0).bit_length() if pad_output else channels


def _factors(mean: Any, std: Any, scale: float, shift: float, channels: int, pad_output: bool) -> tuple[Array, Array]:
    """What is subtracted from each channel and what it is multiplied by, scale and shift worked in."""
    given = []
    for name, values in (("mean", mean), ("std", std)):
        if len(values) not in (1, channels, _made_channels(channels, pad_output)):
            raise RuntimeError(_mismatch(name, len(values), channels))
        given.append(np.broadcast_to(np.array(values, np.float64)[:channels], (channels,)))
    means, stds = given
    with np.errstate(divide="ignore", invalid="ignore"):
        moved = means - np.float64(np.float32(shift)) * stds / np.float32(scale)
        return moved.astype(np.float32), (np.float64(np.float32(scale)) / stds).astype(np.float32)


def _fill(border: Border, channels: int, extra: int, dtype: DType) -> Array:
    """What each channel is filled with; where only those of the image have a value, the `extra` ones are 0."""
    values: Array = np.array(border.values, np.float32)
    if len(values) not in (1, channels, channels + extra):
        raise RuntimeError(_mismatch("fill_values", len(values), channels + extra))
    if len(values) == channels > 1:
        values = np.pad(values, (0, extra))
    return np.broadcast_to(extraction.truncated(values, dtype), (channels + extra,))


def _mismatch(name: str, count: int, channels: int) -> str:
    return (
        "The number of per-channel arguments should match the number of channels in the output slice: "
        f"{count} values of `{name}` for {channels} channels"
    )


@crop_mirror_normalize.native
def native(
    image: Spec,
    *,
    window: CropWindow,
    border: Border,
    mirror: Array,
    mean: Array,
    std: Array,
    scale: float,
    shift: float,
    pad_output: bool,
    output_layout: str,
    dtype: DType,
) -> _native.Step:
    layout = image.layout
    assert layout is not None
    if isinstance(mean, list) or isinstance(std, list):
        raise RuntimeError("`mean` and `std` need the same number of values for every sample")
    return _native.CropMirrorNormalize(
        rule=window.rule(layout),
        dtype=dtype.code,
        border=border.native,
        fill=border.values,
        mirror=mirror,
        mean=mean,
        std=std,
        scale=scale,
        shift=shift,
        pads_channels=pad_output,
        width_axis=layout.index("W"),
        channel_axis=layout.index("C"),
        order=_permutation(layout, output_layout or layout),
    )


@crop_mirror_normalize.gpu
def gpu(
    image: torch.Tensor,
    *,
    window: CropWindow,
    border: Border,
    mirror: int,
    mean: Any,
    std: Any,
    scale: float,
    shift: float,
    pad_output: bool,
    output_layout: str,
    dtype: DType,
    layout: Layout,
) -> torch.Tensor:
    import torch

    shape, channel = tuple(image.shape[1:]), layout.index("C")
    box = extraction.fitted(window.box(layout, shape), shape, border)
    taken, inside = extraction.take_gpu(image, box, border)
    per_channel = [-1 if axis == channel else 1 for axis in range(len(shape))]

    means, inverses = _factors(mean, std, scale, shift, shape[channel], pad_output)
    means, inverses = means.reshape(per_channel), inverses.reshape(per_channel)
    result = cast_tensor((as_float32(taken) - beside(means, image)) * beside(inverses, image), dtype)
    extra = _made_channels(shape[channel], pad_output) - shape[channel]
    if extra or not inside.all():
        fill = _fill(border, shape[channel], extra, dtype).reshape(per_channel)
        widen = [(0, extra if axis == channel else 0) for axis in range(len(shape))]
        lies_in = np.pad(np.broadcast_to(inside, tuple(result.shape[1:])), widen)
        if extra:
            added = result.new_zeros([extra if axis == 1 + channel else n for axis, n in enumerate(result.shape)])
            result = torch.cat([result, added], dim=1 + channel)
        result = torch.where(beside(lies_in, image), result, beside(fill, image))
    if mirror:
        result = result.flip(1 + layout.index("W"))
    return result.permute(0, *(1 + axis for axis in _permutation(layout, output_layout or layout)))


crop_mirror_normalize.examples = examples(
    "ndd.crop_mirror_normalize(image, crop=[20, 16])",
    (
        "ndd.crop_mirror_normalize(image, crop=[70, 90], out_of_bounds_policy='const', fill_values=[1, 2, "
        "3], mean=[1, 2, 3], std=[1, 1, 1], pad_output=True)"
    ),
    (
        "ndd.crop_mirror_normalize(image, crop=[70, 90], out_of_bounds_policy='pad', fill_values=[1, 2, 3, "
        "4], mean=[1, 2, 3], std=[1, 1, 1], pad_output=True, output_layout='HWC')"
    ),
    "ndd.crop_mirror_normalize(image, scale=0.5, shift=3.0, mean=[10.0], std=[2.0])",
    "ndd.crop_mirror_normalize(image, dtype=types.FLOAT16, mean=[127.0], std=[64.0])",
    Example("ndd.crop_mirror_normalize(image, crop=[160, 160], mirror=1, mean=[127.0], std=[64.0])", drawn=True),
    Example(
        "ndd.crop_mirror_normalize(image, crop=[448, 448], mean=[120, 110, 100], std=[60, 61, 62])",
        plain="cv2.dnn.blobFromImage(image[16:464, 96:544], 1 / 61, mean=(120, 110, 100))",
    ),
    within=1e-05,
)
