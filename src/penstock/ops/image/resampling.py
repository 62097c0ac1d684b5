"""What resampling means, in NumPy: every output pixel is a weighted sum of input pixels, axis by axis."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from penstock.gpu.casting import as_float32, cast_tensor
from penstock.gpu.types import beside, dtype_of
from penstock.values.casting import cast_array
from penstock.values.dtypes import DType
from penstock.values.enums import InterpType

if TYPE_CHECKING:
    import torch

Array = np.ndarray[Any, Any]


# The new size of an axis, and the interval of input pixels it covers.
Target = tuple[int, float, float]


def resample(image: Array, targets: list[Target], filters: Any, dtype: DType | None) -> Array:
    """Resamples the leading axes of an image.

    Args:
        targets: For every resampled axis its new size and the interval of input pixels it covers; lo > hi mirrors.
    """
    result = image.astype(np.float64)
    for axis, (size, lo, hi) in enumerate(targets):
        if not result.shape[axis] or not size:
            result = np.zeros((*result.shape[:axis], size, *result.shape[axis + 1 :]))
            continue
        interp = filters.for_shrinking() if abs(hi - lo) > size else filters.for_growing()
        matrix = weights(image.shape[axis], size, lo, hi, InterpType(int(interp)), filters.antialias)
        result = np.moveaxis(np.tensordot(matrix, result, (1, axis)), 0, axis)
    wanted = dtype or DType.by_numpy[image.dtype]
    return cast_array(result, wanted)


def resample_gpu(image: torch.Tensor, targets: list[Target], filters: Any, dtype: DType | None) -> torch.Tensor:
    """As `resample`, of samples under a leading axis: a product with a matrix of weights along each axis."""
    import torch

    result = as_float32(image)
    for axis, (size, lo, hi) in enumerate(targets, start=1):
        if not result.shape[axis] or not size:
            result = result.new_zeros((*result.shape[:axis], size, *result.shape[axis + 1 :]))
            continue
        interp = filters.for_shrinking() if abs(hi - lo) > size else filters.for_growing()
        matrix = weights(image.shape[axis], size, lo, hi, InterpType(int(interp)), filters.antialias)
        result = torch.tensordot(result, beside(matrix.astype(np.float32), image), dims=([axis], [1])).movedim(-1, axis)
    return cast_tensor(result, dtype or dtype_of(image))


def weights(n: int, size: int, lo: float, hi: float, interp: InterpType, antialias: bool) -> Array:
    """The matrix that takes n input pixels to `size` output pixels. Beyond the edges the edge pixel goes on."""
    scale = (hi - lo) / size
    centres = lo + (np.arange(size) + 0.5) * scale
    matrix = np.zeros((size, n))
    if interp is InterpType.INTERP_NN:
        matrix[np.arange(size), np.clip(np.floor(centres), 0, n - 1).astype(int)] = 1
        return matrix
    function, radius = _FILTERS[interp]
    stretch = max(1.0, abs(scale)) if antialias else 1.0
    reach = int(np.ceil(radius * stretch)) + 1
    for row, centre in enumerate(centres - 0.5):
        pixels = np.arange(int(np.floor(centre)) - reach, int(np.ceil(centre)) + reach + 1)
        shares = function((pixels - centre) / stretch)
        np.add.at(matrix[row], np.clip(pixels, 0, n - 1), shares / shares.sum())
    return matrix


def _triangle(x: Array) -> Array:
    return np.maximum(0.0, 1.0 - np.abs(x))


def _cubic(x: Array) -> Array:
    x = np.abs(x)
    near = (1.5 * x - 2.5) * x**2 + 1
    far = ((-0.5 * x + 2.5) * x - 4) * x + 2
    return np.where(x <= 1, near, np.where(x < 2, far, 0.0))


def _lanczos(x: Array) -> Array:
    return np.where(np.abs(x) < 3, np.sinc(x) * np.sinc(x / 3), 0.0)


def _gaussian(x: Array) -> Array:
    # Not zero at its edges, so it matters that the window is half-open.
    return np.where((x >= -1) & (x < 1), np.exp(-((2 * x) ** 2)), 0.0)


_FILTERS: dict[InterpType, tuple[Callable[[Array], Array], int]] = {
    InterpType.INTERP_LINEAR: (_triangle, 1),
    InterpType.INTERP_TRIANGULAR: (_triangle, 1),
    InterpType.INTERP_CUBIC: (_cubic, 2),
    InterpType.INTERP_LANCZOS3: (_lanczos, 3),
    InterpType.INTERP_GAUSSIAN: (_gaussian, 1),
}
