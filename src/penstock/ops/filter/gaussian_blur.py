"""Gaussian blur."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from penstock import _native
from penstock.gpu.casting import as_float32, cast_tensor
from penstock.gpu.types import dtype_of
from penstock.ops.filter.spatial import (
    axes_of_layout,
    correlate,
    correlate_gpu,
    per_axis,
    require,
    result_type,
    spatial_axes,
)
from penstock.schema import Example, PerSample, examples, operator
from penstock.schema.params import Layout
from penstock.values.casting import cast_array
from penstock.values.dtypes import DType, bool_
from penstock.values.spec import Spec

if TYPE_CHECKING:
    import torch

Array = np.ndarray[Any, Any]

# Rows are padded by half a window on either side, so a window decides how much memory is needed.
LARGEST_WINDOW = 0xFFFF


def _foretell(input: Spec, *, sigma: Any, window_size: Any, dtype: DType | None) -> Spec:
    made = result_type(input, dtype, (bool_,))
    _, count = spatial_axes(input)
    if not isinstance(sigma, Spec) and not isinstance(window_size, Spec):
        _windows(None if sigma is None else np.array([sigma], np.float32), np.array([window_size]), count)
    return Spec(made, input.ndim, input.layout)


def _windows(sigma: Any, window_size: Any, count: int) -> tuple[Array, Array]:
    """Standard deviation and window of every sample and axis, those not given made from the other.

    A deviation of 0 that was given is that of a window of one element, which changes nothing.
    """
    given = sigma is not None
    sigma = sigma if given else np.zeros((1, 1), np.float32)
    sigma, size = np.broadcast_arrays(per_axis("sigma", sigma, count), per_axis("window_size", window_size, count))
    require(sigma >= 0, lambda i, k: f"`sigma` must have non-negative values, got {sigma[i, k]:g}")
    require(
        size >= 0,
        lambda i, k: f"`window_size` must have non-negative values, got {size[i, k]}",
        " for sample: {}, axis : {}.",
    )
    require((sigma > 0) | (size > 0), lambda i, k: "`sigma` and `window_size` shouldn't be 0 at the same time")
    reach = np.minimum(np.ceil(sigma * np.float32(3)), LARGEST_WINDOW)
    made = np.where(size == 0, 2 * reach + 1, size).astype(np.int32)
    require(
        made % 2 == 1,
        lambda i, k: f"Kernel window should have odd length, got: {made[i, k]}.",
        " It is that of sample: {}, axis: {}.",
    )
    require(
        made <= LARGEST_WINDOW,
        lambda i, k: (
            f"a sigma of {sigma[i, k]:g} and a window of {size[i, k]} are too large: windows have at most "
            f"{LARGEST_WINDOW} elements"
        ),
    )
    if given:
        made = np.where(sigma == 0, 1, made).astype(np.int32)
    return np.where(sigma == 0, (made // 2 - 1) * 0.3 + 0.8, sigma).astype(np.float32), made


@operator(infer=_foretell, frames=True)
def gaussian_blur(
    input: Array,
    *,
    sigma: PerSample[list[float]] | None = None,
    window_size: PerSample[list[int]] = [0],  # noqa: B006
    dtype: DType | None = None,
    layout: Layout,
) -> Array:
    """Blurs along the spatial axes with a Gaussian window; beyond the edges the image is mirrored.

        ndd.gaussian_blur(images, sigma=2.0)
        ndd.gaussian_blur(images, window_size=ndd.batch([3, 5, 11]))

    All axes but frames and channels, at most three, are blurred; without a layout, all.

    Args:
        sigma: Standard deviation, one for all axes or one for each; 0 leaves the image as it is. Where it is not
            given it is made from `window_size`: 0.3 * (window_size / 2 - 1) + 0.8, with the half rounded down.
        window_size: Odd length of the window, one for all axes or one for each; 0 makes it from `sigma`:
            2 * ceil(3 * sigma) + 1.
        dtype: The input's type, or float32.
    """
    first, count = axes_of_layout(layout, input.ndim)
    sigmas, sizes = _windows(None if sigma is None else np.array([sigma]), np.array([window_size]), count)
    result = input.astype(np.float64)
    for axis, (deviation, size) in enumerate(zip(sigmas[0], sizes[0], strict=True), first):
        result = correlate(result, _window(deviation, size), axis)
    return cast_array(result, dtype or DType.by_numpy[input.dtype])


def _window(deviation: np.float32, size: int) -> Array:
    window: Array = np.exp(-((np.arange(size) - size // 2) ** 2) / (2 * np.float64(deviation) ** 2))
    window /= window.sum()
    return window


@gaussian_blur.native
def native(input: Spec, *, sigma: Any, window_size: Any, dtype: DType | None) -> _native.Step:
    first, count = spatial_axes(input)
    sigmas, sizes = _windows(sigma, window_size, count)
    return _native.GaussianBlur(first, count, sigmas, sizes, result_type(input, dtype, (bool_,)).code)


@gaussian_blur.gpu
def gpu(input: torch.Tensor, *, sigma: Any, window_size: Any, dtype: DType | None, layout: Layout) -> torch.Tensor:
    first, count = axes_of_layout(layout, input.ndim - 1)
    sigmas, sizes = _windows(None if sigma is None else np.array([sigma]), np.array([window_size]), count)
    result = as_float32(input)
    for axis, (deviation, size) in enumerate(zip(sigmas[0], sizes[0], strict=True), 1 + first):
        result = correlate_gpu(result, _window(deviation, size), axis)
    return cast_tensor(result, dtype or dtype_of(input))


gaussian_blur.examples = examples(
    Example("ndd.gaussian_blur(image, sigma=3.0)", drawn=True),
    Example("ndd.gaussian_blur(image, window_size=3, sigma=0.8)", plain="cv2.GaussianBlur(image, (3, 3), 0.8)"),
    Example("ndd.gaussian_blur(image, window_size=7, sigma=1.4)", plain="cv2.GaussianBlur(image, (7, 7), 1.4)"),
    Example("ndd.gaussian_blur(image, window_size=31, sigma=5.0)", plain="cv2.GaussianBlur(image, (31, 31), 5.0)"),
    Example(
        "ndd.gaussian_blur(float_image, window_size=7, sigma=1.4)", plain="cv2.GaussianBlur(float_image, (7, 7), 1.4)"
    ),
    within=1,
    share=0.999,
)
