"""Images bent by a map."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from penstock import _native
from penstock.gpu.types import dtype_of
from penstock.ops.warp import lookup
from penstock.ops.warp.warp_perspective import Origin, check_image
from penstock.schema import Example, examples, operator
from penstock.values.dtypes import DType, float32
from penstock.values.enums import InterpType
from penstock.values.spec import Spec

if TYPE_CHECKING:
    import torch

Array = np.ndarray[Any, Any]
FILTERS = (InterpType.INTERP_NN, InterpType.INTERP_LINEAR, InterpType.INTERP_CUBIC, InterpType.INTERP_LANCZOS3)


def _foretell(image: Spec, mapx: Spec, mapy: Spec, *, interp: InterpType, pixel_origin: Origin) -> Spec:
    check_image(image)
    if interp not in FILTERS:
        raise RuntimeError(f"interp must be INTERP_NN, INTERP_LINEAR, INTERP_CUBIC or INTERP_LANCZOS3, got {interp}")
    for name, spec in (("mapx", mapx), ("mapy", mapy)):
        if spec.dtype not in (None, float32):
            raise RuntimeError(f"{name} must be float32, not {spec.dtype}; cast it")
        if spec.ndim not in (None, 2, 3):
            raise RuntimeError(f"{name} must have a row for every row of the result, got {spec.ndim} dimensions")
    return image


@operator(name="experimental.remap", layouts=("HWC", "FHWC"), frames=True, infer=_foretell)
def remap(
    image: Array,
    mapx: Array,
    mapy: Array,
    *,
    interp: InterpType = InterpType.INTERP_LINEAR,
    pixel_origin: Origin = "corner",
) -> Array:
    """Takes every pixel of the result from where two maps say; what lies beyond the image is 0.

        ndd.experimental.remap(images, columns + waves, rows)

    Args:
        mapx: For every pixel of the result, the x it comes from.
        mapy: For every pixel of the result, the y it comes from.
        interp: INTERP_LINEAR, INTERP_NN, INTERP_CUBIC or INTERP_LANCZOS3.
        pixel_origin: Coordinates 0, 0 are the "corner" of the first pixel, or its "center" as in OpenCV.
    """
    _check_maps(mapx.shape, mapy.shape)
    places = [plane.reshape(mapx.shape[:2]) for plane in (mapy, mapx)]
    if pixel_origin == "center":
        rounds = interp == InterpType.INTERP_NN
        places = [(np.rint(place) if rounds else place) + np.float32(0.5) for place in places]
    return lookup.look_up(image, places, interp, "pad", 0.0, DType.by_numpy[image.dtype])


def _check_maps(across: tuple[int, ...], down: tuple[int, ...]) -> None:
    if across[:2] != down[:2]:
        raise RuntimeError(f"the maps differ in size: {across[:2]} across and {down[:2]} down")
    for shape in (across, down):
        if len(shape) == 3 and shape[2] != 1:
            raise RuntimeError(f"a map has one value for every pixel, not {shape[2]}")


@remap.native(reads_others=True)
def native(
    image: Spec, mapx: Spec, mapy: Spec, *, interp: InterpType, pixel_origin: Origin, others: list[_native.Samples]
) -> _native.Step:
    assert image.dtype is not None
    check_image(image)
    centred = pixel_origin == "center"
    options = _native.WarpOptions(image.dtype.code, interp, _native.Border.pad, [0.0], None, 2)
    map_x, map_y = others
    return _native.Remap(options, map_x, map_y, 0.5 if centred else 0.0, centred and interp == InterpType.INTERP_NN)


@remap.gpu
def gpu(
    image: torch.Tensor, mapx: torch.Tensor, mapy: torch.Tensor, *, interp: InterpType, pixel_origin: Origin
) -> torch.Tensor:
    _check_maps(tuple(mapx.shape[1:]), tuple(mapy.shape[1:]))
    places = [plane.reshape(mapx.shape[:3]) for plane in (mapy, mapx)]
    if pixel_origin == "center":
        rounds = interp == InterpType.INTERP_NN
        places = [(place.round() if rounds else place) + 0.5 for place in places]
    return lookup.look_up_gpu(image, places, interp, "pad", 0.0, dtype_of(image))


remap.examples = examples(
    Example("ndd.experimental.remap(image, mapx, mapy)", drawn=True),
)
