"""Moving, stretching and shearing images and volumes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from penstock import _native
from penstock.ops.warp import lookup
from penstock.ops.warp.warping import LAYOUTS, Canvas, axes_of, inverted, matrices_of, matrix_rows
from penstock.schema import Example, PerSample, examples, operator
from penstock.values.dtypes import float32
from penstock.values.spec import Spec

if TYPE_CHECKING:
    import torch

Array = np.ndarray[Any, Any]


def _shape(axes: int) -> tuple[int, int]:
    return axes, axes + 1


def _foretell(image: Spec, mtx: Spec | None = None, *, matrix: Any, inverse_map: bool, canvas: Canvas) -> Spec:
    if mtx is not None:
        if mtx.dtype not in (None, float32):
            raise RuntimeError(f"the matrices must be float32, not {mtx.dtype}; cast them")
    elif matrix is None or np.size(matrix) == 0:
        raise RuntimeError("`matrix` argument must be provided when transforms are not passed as a regular input.")
    elif isinstance(matrix, np.ndarray):
        matrix_rows(matrix[None], (), _shape(axes_of(image)), inverse_map)
    return canvas.result(image)


@operator(layouts=LAYOUTS, frames=True, infer=_foretell, renamed={"output_dtype": "dtype"}, inputs_from="cpu too")
def warp_affine(
    data: Array,
    mtx: Array | None = None,
    *,
    matrix: PerSample[Array] | None = None,
    inverse_map: bool = True,
    canvas: Canvas,
) -> Array:
    """Moves, turns, stretches and shears an image or a volume by a matrix.

    The matrix has two rows of three numbers, for volumes three rows of four. It takes x, y (and z) in the result to
    where the pixel comes from; pixels have their centres at halves.

        ndd.warp_affine(images, matrix=[0.5, 0, 0, 0, 0.5, 0])
        ndd.warp_affine(images, ndd.transforms.shear(angles=[10, 0]), inverse_map=False, fill_value=0)

    Args:
        mtx: The matrix as a second input.
        matrix: The matrix as an argument.
        inverse_map: The matrix goes from the result to the image; otherwise from the image to the result.
        size: Height and width (depth, height and width) of the result; the input's by default.
        interp_type: INTERP_LINEAR or INTERP_NN.
        fill_value: Colour of what was outside the image; without it the edge goes on.
        dtype: The input's type, or either of the two float32.
    """
    own = _matrix(matrix if mtx is None else mtx, data.ndim - 1, inverse_map)
    return canvas.look_up(data, lookup.affine_places(own, canvas.extents(data.ndim - 1) or data.shape[:-1]))


def _matrix(given: Any, axes: int, inverse_map: bool) -> Array:
    """The matrix of one sample, from the result to the image."""
    shape = _shape(axes)
    rows = matrices_of(given[None], shape)
    own: Array = (rows if inverse_map else inverted(rows, shape))[0].reshape(shape).astype(np.float64)
    return own


@warp_affine.native(reads_others=True)
def native(
    data: Spec, mtx: Spec | None = None, *, matrix: Any, inverse_map: bool, canvas: Canvas, others: list[Any]
) -> _native.Step:
    axes = axes_of(data)
    rows = matrix_rows(matrix, others, _shape(axes), inverse_map)
    return (_native.AffineWarp if axes == 2 else _native.AffineVolumeWarp)(canvas.options(data), rows)


@warp_affine.gpu
def gpu(
    data: torch.Tensor, mtx: Array | None = None, *, matrix: Any, inverse_map: bool, canvas: Canvas
) -> torch.Tensor:
    inner = tuple(data.shape[1:-1])
    own = _matrix(matrix if mtx is None else mtx, len(inner), inverse_map)
    return canvas.look_up_gpu(data, lookup.affine_places_gpu(own, canvas.extents(len(inner)) or inner, data))


warp_affine.examples = examples(
    "ndd.warp_affine(image, matrix=[0.8, -0.5, 20.3, 0.45, 0.9, -10.7])",
    Example("ndd.warp_affine(image, matrix=[1.0, 0.4, -36.0, 0.1, 1.0, -10.0], fill_value=255)", drawn=True),
    within=1,
    share=0.999,
)
