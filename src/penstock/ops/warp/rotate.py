"""Turning images and volumes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from penstock import _native
from penstock.ops.warp import lookup
from penstock.ops.warp.warping import LAYOUTS, Canvas, axes_of, stacked
from penstock.schema import Example, PerSample, examples, operator
from penstock.values.spec import Spec

if TYPE_CHECKING:
    import torch

Array = np.ndarray[Any, Any]


def _foretell(image: Spec, *, angle: Any, axis: Any, keep_size: bool, canvas: Canvas) -> Spec:
    if axes_of(image) == 3 and axis is None:
        raise RuntimeError("Argument `axis` is required to turn a volume")
    if isinstance(axis, list) and axes_of(image) == 3:
        _check_axes(stacked("axis", [axis]))
    return canvas.result(image)


def _check_axes(rows: Array) -> Array:
    if rows.shape[1] != 3:
        raise RuntimeError(f"Unexpected number of elements in argument `axis`: {rows.shape[1]}; expected: 3")
    return rows


@operator(layouts=LAYOUTS, frames=True, infer=_foretell, renamed={"output_dtype": "dtype"})
def rotate(
    image: Array,
    *,
    angle: PerSample[float],
    axis: PerSample[list[float]] | None = None,
    keep_size: bool = False,
    canvas: Canvas,
) -> Array:
    """Turns an image about its centre, or a volume about an axis through it.

    The result is made large enough for the whole turned image. The frames of a sequence share one size, also where
    each has an angle of its own.

        ndd.rotate(images, angle=ndd.random.uniform(range=(-20, 20), batch_size=64), fill_value=0)

    Args:
        angle: Degrees, counter-clockwise.
        axis: For volumes: the axis to turn about, as x, y and z. It needs not have length 1.
        keep_size: Keep the size of the input and cut off what does not fit.
        size: Height and width (depth, height and width) of the result, with the image in its middle.
        interp_type: INTERP_LINEAR or INTERP_NN.
        fill_value: Colour of what was outside the image; without it the edge goes on.
        dtype: The input's type, or either of the two float32.
    """
    matrix, extents = _turned(image.shape[:-1], angle, axis, keep_size, canvas)
    return canvas.look_up(image, lookup.affine_places(matrix, extents))


def _turned(inner: Sequence[int], angle: float, axis: Any, keep_size: bool, canvas: Canvas) -> tuple[Array, list[int]]:
    """The matrix from the result to an image of that size, and the size of the result."""
    turned = _native.Rotation(float(angle), [0.0, 0.0, -1.0] if len(inner) == 2 else [float(u) for u in _about(axis)])
    box = [*inner[::-1], 1][:3]
    extents = canvas.extents(len(inner)) or (list(inner) if keep_size else turned.canvas(box)[: len(inner)][::-1])
    matrix = np.array(turned.between([*extents[::-1], 1][:3], box)).reshape(3, 4)
    return matrix[: len(inner), [*range(len(inner)), 3]], extents


def _about(axis: Any) -> Array:
    rows: Array = _check_axes(stacked("axis", [axis]))[0]
    return rows


@rotate.native
def native(image: Spec, *, angle: Array, axis: Any, keep_size: bool, canvas: Canvas) -> _native.Step:
    options = canvas.options(image)
    if axes_of(image) == 2:
        return _native.Rotate(options, angle, keep_size)
    return _native.RotateVolume(options, angle, _check_axes(stacked("axis", axis)), keep_size)


@rotate.gpu
def gpu(image: torch.Tensor, *, angle: float, axis: Any, keep_size: bool, canvas: Canvas) -> torch.Tensor:
    matrix, extents = _turned(tuple(image.shape[1:-1]), angle, axis, keep_size, canvas)
    return canvas.look_up_gpu(image, lookup.affine_places_gpu(matrix, extents, image))


rotate.examples = examples(
    "ndd.rotate(image, angle=30.0)",
    "ndd.rotate(image, angle=-123.4, fill_value=17.6)",
    "ndd.rotate(image, angle=ndd.batch([10.0, 95.0, -45.0]))",
    "ndd.rotate(image, angle=30.0, keep_size=True)",
    "ndd.rotate(image, angle=30.0, size=[50, 71])",
    Example("ndd.rotate(image, angle=20.0, fill_value=255)", drawn=True),
    Example("ndd.rotate(image, angle=20.0, keep_size=True)", drawn=True),
    Example(
        "ndd.rotate(image, angle=30.0, keep_size=True, fill_value=0)",
        plain=(
            "cv2.warpAffine(image, np.array([[0.866, 0.5, -77.1], [-0.5, 0.866, 192.2]], np.float32), (640, "
            "480), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)"
        ),
    ),
    within=1,
    share=0.999,
)
