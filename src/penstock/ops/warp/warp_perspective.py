"""Images seen from elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np

from penstock import _native
from penstock.gpu.types import beside, dtype_of, widest_float
from penstock.ops.names import type_name
from penstock.ops.warp import lookup
from penstock.ops.warp.warping import inverted, matrices_of, matrix_rows, stacked
from penstock.schema import Example, PerSample, examples, operator
from penstock.schema.params import Refusal
from penstock.values.dtypes import DType, float32, int16, uint8, uint16
from penstock.values.enums import InterpType
from penstock.values.spec import Spec

if TYPE_CHECKING:
    import torch

Array = np.ndarray[Any, Any]
LAYOUTS = ("HW", "HWC", "FHWC", "CHW", "FCHW")
TYPES = (uint8, int16, uint16, float32)
SHAPE = (3, 3)
BORDERS: dict[str, lookup.Border] = {
    "constant": "pad",
    "replicate": "edge",
    "reflect": "reflect_1001",
    "reflect_101": "reflect_101",
    "wrap": "wrap",
}
Borders = Annotated[
    Literal["constant", "replicate", "reflect", "reflect_101", "wrap"], Refusal("Invalid border_mode argument: {}")
]
Origin = Annotated[Literal["corner", "center"], Refusal("Invalid pixel_origin argument: {}")]
_ORIGINS = {"corner": 0.5, "center": 0.0}
# As in OpenCV, places are rounded: to whole pixels for the nearest, to parts of 32 for cubic interpolation.
_GRIDS = {InterpType.INTERP_NN: 1, InterpType.INTERP_CUBIC: 32}


def check_image(image: Spec) -> None:
    if image.dtype not in TYPES:
        raise RuntimeError(
            f"The operator accepts the following input types: uint8, int16, uint16, float. Got {type_name(image.dtype)}"
        )


def _foretell(
    image: Spec, matrix_input: Spec | None = None, *, matrix: Any, size: Any, interp_type: InterpType, **rest: Any
) -> Spec:
    check_image(image)
    if interp_type not in (InterpType.INTERP_NN, InterpType.INTERP_LINEAR, InterpType.INTERP_CUBIC):
        raise RuntimeError(f"interp_type must be INTERP_NN, INTERP_LINEAR or INTERP_CUBIC, got {interp_type}")
    if matrix_input is not None:
        if matrix is not None:
            raise RuntimeError("Matrix input and `matrix` argument should not be provided at the same time.")
        if matrix_input.dtype not in (None, float32):
            raise RuntimeError("Transformation matrix can be provided only as float32 values.")
    elif matrix is None:
        raise RuntimeError("`matrix` must be given, as an argument or as the second input")
    elif isinstance(matrix, np.ndarray):
        matrices_of(matrix[None], SHAPE)
    if isinstance(size, list):
        _sizes([size])
    return image


def _sizes(rows: Any) -> Array:
    """Rows of height and width, at least one pixel each."""
    sizes = stacked("size", rows)
    if sizes.shape[1] not in (1, 2):
        raise RuntimeError(f"`size` needs a height and a width, got {sizes.shape[1]} number(s)")
    sizes = np.broadcast_to(sizes, (len(sizes), 2))
    for wrong in sizes[~(np.abs(sizes) < 2**31)]:
        raise RuntimeError(f"`size` must be below 2147483648, got {wrong:g}")
    return np.ascontiguousarray(np.maximum(np.floor(sizes + 0.5), 1), np.int64)


def _fill(fill_value: list[float], dtype: DType) -> Array:
    """Fill values as pixels of that type; halves go to the even number, as OpenCV rounds."""
    values = np.array(fill_value or [0.0], np.float64)
    if dtype == float32:
        return values
    limits = np.iinfo(dtype.numpy)
    return np.clip(np.rint(values), limits.min, limits.max)


@operator(name="experimental.warp_perspective", layouts=LAYOUTS, frames=True, channels_last=True, infer=_foretell)
def warp_perspective(
    image: Array,
    matrix_input: Array | None = None,
    *,
    matrix: PerSample[Array] | None = None,
    inverse_map: bool = True,
    size: PerSample[list[float]] | None = None,
    interp_type: InterpType = InterpType.INTERP_LINEAR,
    border_mode: Borders = "constant",
    fill_value: list[float] = [],  # noqa: B006
    pixel_origin: Origin = "corner",
) -> Array:
    """Shows a flat image as if seen from elsewhere, by a matrix of three rows of three numbers.

        ndd.experimental.warp_perspective(images, matrix=[1, 0, 0, 0, 1, 0, 0.001, 0, 1], border_mode="replicate")

    Args:
        matrix_input: The matrix as a second input.
        matrix: The matrix as an argument. It takes x, y and 1 in the result to a multiple of x, y and 1 in the image.
        inverse_map: The matrix goes from the result to the image; otherwise from the image to the result.
        size: Height and width of the result, or one number for both; the input's by default.
        interp_type: INTERP_LINEAR, INTERP_NN or INTERP_CUBIC.
        border_mode: What lies beyond the image: "constant" shows `fill_value`, "replicate" the last pixel, "reflect"
            and "reflect_101" the image mirrored with and without its last pixel, "wrap" its other side.
        fill_value: One value, or one for every channel.
        pixel_origin: Coordinates 0, 0 are the "corner" of the first pixel, or its "center" as in OpenCV.
    """
    pixels = image if image.ndim == 3 else image[:, :, None]
    dtype = DType.by_numpy[image.dtype]
    rows = matrices_of((matrix if matrix_input is None else matrix_input)[None], SHAPE)  # type: ignore[index]
    own = (rows if inverse_map else _inverse(rows)).reshape(SHAPE).astype(np.float64)
    extents = pixels.shape[:2] if size is None else _sizes(np.asarray(size)[None])[0].tolist()
    places = _places(own, extents, _ORIGINS[pixel_origin], _GRIDS.get(interp_type, 0))
    fill = _checked_fill(fill_value, dtype, pixels.shape[2])
    made = lookup.look_up(pixels, places, interp_type, BORDERS[border_mode], fill, dtype)
    return made.reshape(*extents, *image.shape[2:])


def _places(matrix: Array, extents: Sequence[int], origin: float, grid: int) -> list[Array]:
    """Where pixels come from, rows and columns; `origin` is where the first pixel has its centre."""
    y, x = np.meshgrid(*(np.arange(n) + origin for n in extents), indexing="ij")
    with np.errstate(divide="ignore", invalid="ignore"):
        across, down, scale = (row[0] * x + row[1] * y + row[2] for row in matrix)
        centred = [place / scale - origin for place in (down, across)]
    return [((np.rint(place * grid) / grid if grid else place) + 0.5).astype(np.float32) for place in centred]


def _checked_fill(fill_value: list[float], dtype: DType, channels: int) -> list[float]:
    values = _fill(fill_value, dtype)
    if len(values) not in (1, channels):
        raise RuntimeError(
            "Number of values provided as a fill_value should match the number of channels. "
            f"Number of channels: {channels}. Number of values provided: {len(values)}."
        )
    return [float(value) for value in np.broadcast_to(values, channels)]


def _inverse(rows: Array) -> Array:
    """The opposite way; what has none leads to the first corner."""

    def of_one(row: Array) -> Array:
        try:
            return inverted(row[None], SHAPE)
        except ValueError:
            return np.zeros_like(row[None])

    return np.concatenate([of_one(row) for row in rows]) if len(rows) else rows


@warp_perspective.native(reads_others=True)
def native(
    image: Spec,
    matrix_input: Spec | None = None,
    *,
    matrix: Any,
    inverse_map: bool,
    size: Any,
    interp_type: InterpType,
    border_mode: Borders,
    fill_value: list[float],
    pixel_origin: Origin,
    others: list[_native.Samples],
) -> _native.Step:
    assert image.dtype is not None
    assert image.layout is not None
    check_image(image)
    rows = matrix_rows(matrix, others, SHAPE, inverse_map=True)
    options = _native.WarpOptions(
        image.dtype.code,
        interp_type,
        getattr(_native.Border, BORDERS[border_mode]),
        _fill(fill_value, image.dtype).tolist(),
        None if size is None else _sizes(size),
        image.layout.find("C"),
    )
    way = rows if inverse_map else _inverse(rows)
    return _native.PerspectiveWarp(options, way, _ORIGINS[pixel_origin], _GRIDS.get(interp_type, 0))


@warp_perspective.gpu
def gpu(
    image: torch.Tensor,
    matrix_input: torch.Tensor | None = None,
    *,
    matrix: Any,
    inverse_map: bool,
    size: Any,
    interp_type: InterpType,
    border_mode: Borders,
    fill_value: list[float],
    pixel_origin: Origin,
) -> torch.Tensor:
    import torch

    pixels = image if image.ndim == 4 else image[..., None]
    dtype = dtype_of(image)
    if matrix_input is None:
        rows = matrices_of(matrix[None], SHAPE)
        own = beside(rows if inverse_map else _inverse(rows), image).reshape(1, *SHAPE).to(widest_float(image))
    else:
        if matrix_input[0].numel() != SHAPE[0] * SHAPE[1]:
            matrices_of(np.zeros((1, matrix_input[0].numel())), SHAPE)  # says what is wrong
        own = matrix_input.reshape(-1, *SHAPE).to(widest_float(image))
        if not inverse_map:
            inverse, singular = torch.linalg.inv_ex(own)
            own = torch.where((singular != 0)[:, None, None], 0.0, inverse).to(torch.float32).to(own.dtype)
    extents = tuple(pixels.shape[1:3]) if size is None else _sizes(np.asarray(size)[None])[0].tolist()
    places = _places_gpu(own, extents, _ORIGINS[pixel_origin], _GRIDS.get(interp_type, 0))
    fill = _checked_fill(fill_value, dtype, pixels.shape[3])
    made = lookup.look_up_gpu(pixels, places, interp_type, BORDERS[border_mode], fill, dtype)
    return made.reshape(len(image), *extents, *image.shape[3:])


def _places_gpu(matrices: torch.Tensor, extents: Sequence[int], origin: float, grid: int) -> list[torch.Tensor]:
    """As `_places`, of matrices under a leading axis."""
    import torch

    y, x = (torch.arange(n, dtype=matrices.dtype, device=matrices.device) + origin for n in extents)
    numbers = matrices[:, :, :, None, None]
    across, down, scale = (numbers[:, k, 0] * x + numbers[:, k, 1] * y[:, None] + numbers[:, k, 2] for k in range(3))
    centred = [place / scale - origin for place in (down, across)]
    return [((torch.round(place * grid) / grid if grid else place) + 0.5).to(torch.float32) for place in centred]


warp_perspective.examples = examples(
    Example(
        "ndd.experimental.warp_perspective(image, matrix=[1.3, 0.2, -40.0, 0.0, 1.4, -30.0, 0.0, 0.003, 1.0])",
        drawn=True,
    ),
    within=1,
    share=0.999,
)
