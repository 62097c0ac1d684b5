"""Conversion between colour spaces."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from penstock import _native
from penstock.gpu.casting import as_float32, cast_tensor
from penstock.ops.color.pixels import check_channels
from penstock.ops.names import type_name
from penstock.schema import Example, examples, operator
from penstock.values.casting import cast_array
from penstock.values.dtypes import uint8
from penstock.values.enums import ImageType
from penstock.values.spec import Spec

if TYPE_CHECKING:
    import torch

Array = np.ndarray[Any, Any]
LAYOUTS = ("FDHWC", "FHWC", "DHWC", "HWC")
RGB, BGR, GRAY, YCBCR = ImageType.RGB, ImageType.BGR, ImageType.GRAY, ImageType.YCbCr

# Rows give Y, Cb and Cr for red, green and blue: ITU-R BT.601, with head- and footroom.
_TO_YCBCR = np.array(
    [[0.256788224, 0.504129410, 0.097905882], [-0.148222893, -0.290992796, 0.439215690],
     [0.439215690, -0.367788315, -0.071427375]]
)  # fmt: skip
_OFFSET = np.array([16, 128, 128])
_FROM_YCBCR = np.linalg.inv(_TO_YCBCR)
_LUMA = (9798, 19235, 3735)  # OpenCV's, of 2**15
_HEADROOM = np.float32(219) / np.float32(255)


def _foretell(image: Spec, *, image_type: ImageType, output_type: ImageType) -> Spec:
    if image.dtype != uint8:
        raise RuntimeError(f"Color space conversion accept only uint8 tensors, got {type_name(image.dtype)}")
    if image_type == output_type or ImageType.ANY_DATA in (image_type, output_type):
        raise RuntimeError(f"conversion not supported: {image_type.name} to {output_type.name}")
    return image


def _map(image_type: ImageType, output_type: ImageType) -> Array | None:
    """The 3 x 4 matrix of a conversion to or from YCbCr; its last column is added. None for other conversions."""
    if output_type == YCBCR and image_type in (RGB, BGR):
        columns = slice(None, None, -1 if image_type == BGR else 1)
        return np.column_stack([_TO_YCBCR[:, columns], _OFFSET]).astype(np.float32)
    if image_type == YCBCR and output_type in (RGB, BGR):
        rows = slice(None, None, -1 if output_type == BGR else 1)
        return np.column_stack([_FROM_YCBCR, -_FROM_YCBCR @ _OFFSET])[rows].astype(np.float32)
    return None


@operator(layouts=LAYOUTS, frames=True, infer=_foretell)
def color_space_conversion(image: Array, *, image_type: ImageType, output_type: ImageType) -> Array:
    """Converts images between RGB, BGR, grey and YCbCr.

        ndd.color_space_conversion(images, image_type=types.RGB, output_type=types.GRAY)

    YCbCr is that of ITU-R BT.601 with head- and footroom: white is (235, 128, 128).

    Args:
        image_type: The colours the image has.
        output_type: The colours it is to have.
    """
    check_channels(image, 1 if image_type == GRAY else 3)
    matrix = _map(image_type, output_type)
    if matrix is not None:
        parts = [image[..., c].astype(np.float32) for c in range(3)]
        made = [row[0] * parts[0] + row[1] * parts[1] + row[2] * parts[2] + row[3] for row in matrix]
        return cast_array(np.stack(made, axis=-1), uint8)
    if image_type == GRAY:
        return _from_gray(image, output_type)
    return _to_gray(image, image_type) if output_type == GRAY else image[..., ::-1]


def _from_gray(image: Array, output_type: ImageType) -> Array:
    if output_type != YCBCR:
        return np.repeat(image, 3, axis=-1)
    luma = cast_array(image.astype(np.float32) * _HEADROOM + np.float32(16), uint8)
    return np.concatenate([luma, np.full((*image.shape[:-1], 2), 128, np.uint8)], axis=-1)


def _to_gray(image: Array, image_type: ImageType) -> Array:
    if image_type == YCBCR:
        luma = image[..., :1].astype(np.float32)
        return cast_array(luma * (np.float32(1) / _HEADROOM) - np.float32(16) / _HEADROOM, uint8)
    weights = np.array(_LUMA)[:: -1 if image_type == BGR else 1]
    return np.asarray((image @ weights + (1 << 14)) >> 15, np.uint8)[..., None]


@color_space_conversion.native
def native(image: Spec, *, image_type: ImageType, output_type: ImageType) -> _native.Step:
    matrix = _map(image_type, output_type)
    if matrix is not None:
        return _native.ColorMatrix(uint8.code, matrix.reshape(1, 12))
    return _native.ColorSpace(image_type, output_type)


@color_space_conversion.gpu
def gpu(image: torch.Tensor, *, image_type: ImageType, output_type: ImageType) -> torch.Tensor:
    import torch

    check_channels(image, 1 if image_type == GRAY else 3)
    matrix = _map(image_type, output_type)
    if matrix is not None:
        first, second, third = as_float32(image).unbind(-1)
        made = [row[0] * first + row[1] * second + row[2] * third + row[3] for row in matrix.tolist()]
        return cast_tensor(torch.stack(made, dim=-1), uint8)
    if image_type == GRAY:
        return _from_gray_gpu(image, output_type)
    return _to_gray_gpu(image, image_type) if output_type == GRAY else image.flip(-1)


def _from_gray_gpu(image: torch.Tensor, output_type: ImageType) -> torch.Tensor:
    import torch

    if output_type != YCBCR:
        return image.expand(*image.shape[:-1], 3)
    luma = cast_tensor(as_float32(image) * float(_HEADROOM) + 16, uint8)
    return torch.cat([luma, image.new_full((*image.shape[:-1], 2), 128)], dim=-1)


def _to_gray_gpu(image: torch.Tensor, image_type: ImageType) -> torch.Tensor:
    import torch

    if image_type == YCBCR:
        luma = as_float32(image[..., :1])
        return cast_tensor(luma * float(np.float32(1) / _HEADROOM) - float(np.float32(16) / _HEADROOM), uint8)
    red, green, blue = image.to(torch.int32).unbind(-1)[:: -1 if image_type == BGR else 1]
    grey = (red * _LUMA[0] + green * _LUMA[1] + blue * _LUMA[2] + (1 << 14)) >> 15
    return grey.to(torch.uint8)[..., None]


color_space_conversion.examples = examples(
    Example("ndd.color_space_conversion(image, image_type=types.RGB, output_type=types.GRAY)", drawn=True),
    Example(
        "ndd.color_space_conversion(image, image_type=types.RGB, output_type=types.YCbCr)",
        plain="cv2.cvtColor(image, cv2.COLOR_RGB2YCrCb)",
    ),
    within=1,
    share=0.999,
)
