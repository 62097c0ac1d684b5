"""The Laplace operator."""

from __future__ import annotations

from collections.abc import Iterator
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
from penstock.values.dtypes import DType, bool_, float64
from penstock.values.spec import Spec

if TYPE_CHECKING:
    import torch

Array = np.ndarray[Any, Any]
REFUSED = (bool_, float64)
LARGEST_WINDOW = 31
NO_SCALE = [1.0]


def _foretell(
    input: Spec, *, window_size: Any, smoothing_size: Any, scale: Any, normalized_kernel: bool, dtype: DType | None
) -> Spec:
    made = result_type(input, dtype, REFUSED)
    _, count = spatial_axes(input)
    if normalized_kernel and scale != NO_SCALE:
        raise RuntimeError("Parameter ``scale`` cannot be specified when ``normalized_kernel`` is set to True")
    if not isinstance(window_size, Spec):
        _derivatives(np.array([window_size]), count)
    if smoothing_size is not None and not isinstance(smoothing_size, Spec):
        _smoothing(np.array([smoothing_size]), count)
    if not isinstance(scale, Spec):
        per_axis("scale", np.array([scale]), count)
    return Spec(made, input.ndim, input.layout)


def _derivatives(window_size: Any, count: int) -> Array:
    sizes = per_axis("window_size", window_size, count)
    _require_odd(sizes, 3, "Window size")
    return sizes


def _smoothing(smoothing_size: Any, count: int) -> Array | None:
    if smoothing_size is None:
        return None
    sizes = per_axis("smoothing_size", smoothing_size, count)
    _require_odd(sizes, 1, "Smoothing window size")
    return sizes


def _require_odd(sizes: Array, smallest: int, name: str) -> None:
    fits = (sizes >= smallest) & (sizes <= LARGEST_WINDOW) & (sizes % 2 == 1)
    require(
        fits,
        lambda i, k: f"{name} must be an odd integer between {smallest} and {LARGEST_WINDOW}, got {sizes[i, k]}",
        " for sample: {}.",
    )


def _window(start: list[int], size: int) -> Array:
    """`start` convolved with [1, 1] until it has that size."""
    window = np.array(start, np.float64)
    while len(window) < size:
        window = np.convolve(window, [1, 1])
    return window


@operator(infer=_foretell, frames=True)
def laplacian(
    input: Array,
    *,
    window_size: PerSample[list[int]] = [3],  # noqa: B006
    smoothing_size: PerSample[list[int]] | None = None,
    scale: PerSample[list[float]] = NO_SCALE,
    normalized_kernel: bool = False,
    dtype: DType | None = None,
    layout: Layout,
) -> Array:
    """Sums the second derivatives along the spatial axes, each smoothed along the others: edges and spots stand out.

        ndd.laplacian(images, window_size=5, normalized_kernel=True)
        ndd.laplacian(images, smoothing_size=1, dtype=ndd.float32)

    The windows are those of the Sobel filter; beyond the edges the image is mirrored. All axes but frames and
    channels, at most three, are used; without a layout, all.

    Args:
        window_size: Odd size, 3 to 31, of the derivative's window: one for all axes or one for each.
        smoothing_size: Odd size, 1 to 31, of the smoothing window along each axis; the derivative's size by default.
        scale: Factor of each derivative: one for all axes or one for each.
        normalized_kernel: Scale every derivative so that its size does not depend on that of the windows.
        dtype: The input's type, or float32.
    """
    first, count = axes_of_layout(layout, input.ndim)
    total = np.zeros(input.shape)
    for windows, factor in _parts(count, window_size, smoothing_size, scale, normalized_kernel):
        part = input.astype(np.float64)
        for axis, window in enumerate(windows, first):
            part = correlate(part, window, axis)
        total += part * factor
    return cast_array(total, dtype or DType.by_numpy[input.dtype])


def _parts(
    count: int, window_size: Any, smoothing_size: Any, scale: Any, normalized_kernel: bool
) -> Iterator[tuple[list[Array], float]]:
    """For the derivative along every axis the windows along all of them, and its factor; one sample's arguments."""
    sizes = _derivatives(np.array([window_size]), count)[0]
    smoothing = None if smoothing_size is None else _smoothing(np.array([smoothing_size]), count)
    factors = per_axis("scale", np.array([scale]), count)[0]
    for axis in range(count):
        windows, power = [], -2
        for other in range(count):
            size = int(sizes[axis] if other == axis or smoothing is None else smoothing[0, other])
            windows.append(_window([1, -2, 1] if other == axis else [1], size))
            power += size - 1
        yield windows, factors[axis] * (2.0**-power if normalized_kernel else 1)


@laplacian.native
def native(
    input: Spec, *, window_size: Any, smoothing_size: Any, scale: Any, normalized_kernel: bool, dtype: DType | None
) -> _native.Step:
    first, count = spatial_axes(input)
    return _native.Laplacian(
        first,
        count,
        _derivatives(window_size, count),
        _smoothing(smoothing_size, count),
        per_axis("scale", scale, count),
        normalized_kernel,
        result_type(input, dtype, REFUSED).code,
    )


@laplacian.gpu
def gpu(
    input: torch.Tensor,
    *,
    window_size: Any,
    smoothing_size: Any,
    scale: Any,
    normalized_kernel: bool,
    dtype: DType | None,
    layout: Layout,
) -> torch.Tensor:
    first, count = axes_of_layout(layout, input.ndim - 1)
    real = as_float32(input)
    total = real.new_zeros(real.shape)
    for windows, factor in _parts(count, window_size, smoothing_size, scale, normalized_kernel):
        part = real
        for axis, window in enumerate(windows, 1 + first):
            part = correlate_gpu(part, window, axis)
        total += part * float(factor)
    return cast_tensor(total, dtype or dtype_of(input))


laplacian.examples = examples(
    "ndd.laplacian(image)",
    Example("ndd.laplacian(image, window_size=5)", compared=True, plain="cv2.Laplacian(image, cv2.CV_8U, ksize=5)"),
    "ndd.laplacian(image, window_size=[5, 3], normalized_kernel=True)",
    "ndd.laplacian(image, window_size=7, smoothing_size=1, scale=0.25)",
    "ndd.laplacian(image, window_size=ndd.batch([3, 5, 7]), normalized_kernel=True)",
    Example("ndd.laplacian(image, scale=4.0)", drawn=True),
    Example("ndd.laplacian(image, window_size=3)", plain="cv2.Laplacian(image, cv2.CV_8U, ksize=3)"),
    within=1,
    share=0.999,
)
