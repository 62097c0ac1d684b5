"""Dilation and erosion."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from penstock import _native
from penstock._native import Border, Extreme
from penstock.gpu.casting import signed
from penstock.gpu.types import beside, dtype_of
from penstock.ops.filter.spatial import per_axis, require
from penstock.ops.names import type_name
from penstock.schema import Example, PerSample, examples, operator
from penstock.values.dtypes import float32, int16, uint8, uint16
from penstock.values.spec import Spec

if TYPE_CHECKING:
    import torch

Array = np.ndarray[Any, Any]
LAYOUTS = ("HW", "HWC", "FHWC", "CHW", "FCHW")
TYPES = (uint8, uint16, int16, float32)

# What NumPy's `pad` calls the borders, and what the native core does.
BORDERS = {
    "constant": ("constant", Border.pad),
    "replicate": ("edge", Border.edge),
    "reflect": ("symmetric", Border.reflect_1001),
    "reflect_101": ("reflect", Border.reflect_101),
    "wrap": ("wrap", Border.wrap),
}
LARGEST_MASK = 0xFFFF


BorderMode = Literal["constant", "replicate", "reflect", "reflect_101", "wrap"]


def _foretell(input: Spec, *, mask_size: Any, anchor: Any, iterations: int, border_mode: str) -> Spec:
    if input.dtype not in TYPES:
        raise RuntimeError(f"Unsupported data type: {type_name(input.dtype)}; use uint8, uint16, int16 or float32")
    if iterations < 0:
        raise RuntimeError(f"iterations must not be negative, got {iterations}")
    if not isinstance(mask_size, Spec) and not isinstance(anchor, Spec):
        _masks(np.array([mask_size]), np.array([anchor]), iterations)
    return input


def _masks(mask_size: Any, anchor: Any, iterations: int) -> tuple[Array, Array]:
    """Height and width of every sample's mask, and its anchor. Rectangles one after the other are a larger one."""
    sizes, anchors = np.broadcast_arrays(per_axis("mask_size", mask_size, 2), per_axis("anchor", anchor, 2))
    require(sizes > 0, lambda i, k: f"mask_size must be positive, got {sizes[i, k]}")
    fits = (anchors >= -1) & (anchors < sizes)
    require(fits, lambda i, k: f"the anchor {anchors[i, k]} lies outside a mask of {sizes[i, k]}")
    whole = (sizes.astype(np.int64) - 1) * iterations + 1
    require(
        whole <= LARGEST_MASK,
        lambda i, k: f"a mask of {sizes[i, k]}, {iterations} times, is larger than {LARGEST_MASK} pixels",
    )
    places = np.where(anchors < 0, sizes // 2, anchors) * iterations
    return whole.astype(np.int32), places.astype(np.int32)


def _extremes(image: Array, choose: Any, nothing: Any, sizes: Array, anchors: Array, border_mode: str) -> Array:
    """The extreme under a mask around every pixel of an image of H, W, C; `nothing` loses against any pixel."""
    border, _ = BORDERS[border_mode]
    result = image
    for axis, (size, anchor) in enumerate(zip(sizes.tolist(), anchors.tolist(), strict=True)):
        if not image.size:
            break
        widths = [(anchor, size - 1 - anchor) if k == axis else (0, 0) for k in range(image.ndim)]
        fill = {"constant_values": nothing} if border == "constant" else {}
        padded = np.pad(result, widths, border, **fill)  # type: ignore[call-overload]
        places = np.arange(image.shape[axis])
        result = choose.reduce([padded.take(places + k, axis) for k in range(size)])
    return np.asarray(result)


def _extremes_gpu(
    image: torch.Tensor, choose: Any, nothing: Any, sizes: Array, anchors: Array, border_mode: str
) -> torch.Tensor:
    """As `_extremes`, of images under a leading axis."""
    import torch

    border, _ = BORDERS[border_mode]
    result = signed(image)
    for axis, (size, anchor) in enumerate(zip(sizes.tolist(), anchors.tolist(), strict=True), 1):
        if not image.numel() or size == 1:
            continue
        extent, after = image.shape[axis], size - 1 - anchor
        fill = {"constant_values": -1} if border == "constant" else {}
        places = np.pad(np.arange(extent), (anchor, after), border, **fill)  # type: ignore[call-overload]
        padded = result.index_select(axis, beside(np.maximum(places, 0), image))
        if (places < 0).any():
            shape = [-1 if k == axis else 1 for k in range(image.ndim)]
            padded = torch.where(beside(places < 0, image).reshape(shape), np.asarray(nothing).item(), padded)
        # Spans grow by themselves, so that a mask of n pixels takes about log n steps.
        span = 1
        while span < size:
            step = min(span, size - span)
            length = padded.shape[axis] - step
            padded = choose(padded.narrow(axis, 0, length), padded.narrow(axis, step, length))
            span += step
        result = padded
    return result.to(image.dtype)


def _range(dtype: np.dtype[Any]) -> Any:
    return np.finfo(dtype) if dtype.kind == "f" else np.iinfo(dtype)


def _step(input: Spec, extreme: Extreme, mask_size: Any, anchor: Any, iterations: int, border: str) -> _native.Step:
    assert input.layout is not None
    sizes, anchors = _masks(mask_size, anchor, iterations)
    return _native.Morphology(input.layout.index("H"), extreme, sizes, anchors, BORDERS[border][1])


@operator(name="experimental.dilate", layouts=LAYOUTS, infer=_foretell, frames=True, channels_last=True)
def dilate(
    input: Array,
    *,
    mask_size: PerSample[list[int]] = [3, 3],  # noqa: B006
    anchor: PerSample[list[int]] = [-1, -1],  # noqa: B006
    iterations: int = 1,
    border_mode: BorderMode = "constant",
) -> Array:
    """Replaces every pixel by the largest one in a rectangle around it, channel by channel: bright areas grow.

        ndd.experimental.dilate(images, mask_size=[5, 5])
        ndd.experimental.dilate(images, iterations=2, border_mode="reflect_101")

    Args:
        mask_size: Height and width of the rectangle.
        anchor: Which row and column of the rectangle lies on the pixel that is replaced; -1 is the middle.
        iterations: How often to do so.
        border_mode: What lies beyond the edges: nothing that counts ("constant"), the outermost pixels ("replicate"),
            the image mirrored about its edges ("reflect") or its outermost pixels ("reflect_101"), or its opposite
            side ("wrap").
    """
    sizes, anchors = _masks(np.array([mask_size]), np.array([anchor]), iterations)
    return _extremes(input, np.maximum, _range(input.dtype).min, sizes[0], anchors[0], border_mode)


@dilate.native
def native_dilate(input: Spec, *, mask_size: Any, anchor: Any, iterations: int, border_mode: str) -> _native.Step:
    return _step(input, Extreme.largest, mask_size, anchor, iterations, border_mode)


@dilate.gpu
def gpu_dilate(input: torch.Tensor, *, mask_size: Any, anchor: Any, iterations: int, border_mode: str) -> torch.Tensor:
    import torch

    sizes, anchors = _masks(np.array([mask_size]), np.array([anchor]), iterations)
    return _extremes_gpu(input, torch.maximum, _range(dtype_of(input).storage).min, sizes[0], anchors[0], border_mode)


@operator(name="experimental.erode", layouts=LAYOUTS, infer=_foretell, frames=True, channels_last=True)
def erode(
    input: Array,
    *,
    mask_size: PerSample[list[int]] = [3, 3],  # noqa: B006
    anchor: PerSample[list[int]] = [-1, -1],  # noqa: B006
    iterations: int = 1,
    border_mode: BorderMode = "constant",
) -> Array:
    """Replaces every pixel by the smallest one in a rectangle around it, channel by channel: bright areas shrink.

        ndd.experimental.erode(images, mask_size=[5, 5])
        ndd.experimental.erode(images, anchor=[0, 0], border_mode="wrap")

    Args:
        mask_size: Height and width of the rectangle.
        anchor: Which row and column of the rectangle lies on the pixel that is replaced; -1 is the middle.
        iterations: How often to do so.
        border_mode: What lies beyond the edges: nothing that counts ("constant"), the outermost pixels ("replicate"),
            the image mirrored about its edges ("reflect") or its outermost pixels ("reflect_101"), or its opposite
            side ("wrap").
    """
    sizes, anchors = _masks(np.array([mask_size]), np.array([anchor]), iterations)
    return _extremes(input, np.minimum, _range(input.dtype).max, sizes[0], anchors[0], border_mode)


@erode.native
def native_erode(input: Spec, *, mask_size: Any, anchor: Any, iterations: int, border_mode: str) -> _native.Step:
    return _step(input, Extreme.smallest, mask_size, anchor, iterations, border_mode)


@erode.gpu
def gpu_erode(input: torch.Tensor, *, mask_size: Any, anchor: Any, iterations: int, border_mode: str) -> torch.Tensor:
    import torch

    sizes, anchors = _masks(np.array([mask_size]), np.array([anchor]), iterations)
    return _extremes_gpu(input, torch.minimum, _range(dtype_of(input).storage).max, sizes[0], anchors[0], border_mode)


dilate.examples = examples(
    Example("ndd.experimental.dilate(image, mask_size=[7, 7])", drawn=True),
    Example("ndd.experimental.dilate(image, mask_size=[3, 3])", plain="cv2.dilate(image, np.ones((3, 3), np.uint8))"),
    Example(
        "ndd.experimental.dilate(image, mask_size=[15, 15])", plain="cv2.dilate(image, np.ones((15, 15), np.uint8))"
    ),
)

erode.examples = examples(
    Example("ndd.experimental.erode(image, mask_size=[7, 7])", drawn=True),
    Example("ndd.experimental.erode(image, mask_size=[3, 3])", plain="cv2.erode(image, np.ones((3, 3), np.uint8))"),
    Example("ndd.experimental.erode(image, mask_size=[15, 15])", plain="cv2.erode(image, np.ones((15, 15), np.uint8))"),
)
