"""The augmentations that AutoAugment, RandAugment and TrivialAugment choose from."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock import types
from penstock.auto_aug.core.decorator import augmentation
from penstock.auto_aug.core.magnitudes import given
from penstock.pipeline.data_node import DataNode
from penstock.pipeline.functions import function

Array = np.ndarray[Any, Any]
Shape = DataNode | tuple[int, int]
Fill = float | None
Interpolation = types.DALIInterpType | None

FILL_VALUE = 128  # of what images that are moved or turned leave behind

# PIL's filter SMOOTH, which sharpness is the way from or to.
_SMOOTH = np.array([[1, 1, 1], [1, 5, 1], [1, 1, 1]], np.float32) / 13
_ITSELF = np.array([[0, 0, 0], [0, 1, 0], [0, 0, 0]], np.float32)


def warp_x_param(magnitude: float) -> list[float]:
    """A magnitude along x."""
    return [magnitude, 0]


def warp_y_param(magnitude: float) -> list[float]:
    """A magnitude along y."""
    return [0, magnitude]


def shift_enhance_range(magnitude: float) -> float:
    """Magnitudes around 0 as factors around 1."""
    return 1 + magnitude


def sharpness_kernel(magnitude: float) -> Array:
    """A filter that sharpens by positive magnitudes, blurs by negative ones and does nothing at 0."""
    return np.asarray(_ITSELF + np.float32(magnitude) * (_ITSELF - _SMOOTH), np.float32)


def sharpness_kernel_shifted(magnitude: float) -> Array:
    """The same for magnitudes from 0 to 2, of which 1 does nothing."""
    return sharpness_kernel(magnitude - 1)


def poster_mask_uint8(magnitude: float) -> Array:
    """The mask that keeps as many of the highest bits, at least one."""
    bits = min(max(round(float(magnitude)), 1), 8)
    return np.array(0xFF & ~(0xFF >> bits), np.uint8)


def solarize_add_shift(shift: float) -> Array:
    """What solarize_add adds, which is less than 128 so that nothing overflows."""
    if shift >= 128:
        raise ValueError("The solarize_add augmentation accepts shifts from 0 to 128")
    return np.asarray(np.uint8(int(shift)))


@augmentation(mag_range=(0, 0.3), randomly_negate=True, mag_to_param=warp_x_param)
def shear_x(data: DataNode, shear: Any, fill_value: Fill = FILL_VALUE, interp_type: Interpolation = None) -> Any:
    """Slants images along x."""
    return _warped(data, function("transforms.shear")(shear=shear), fill_value, interp_type)


@augmentation(mag_range=(0, 0.3), randomly_negate=True, mag_to_param=warp_y_param)
def shear_y(data: DataNode, shear: Any, fill_value: Fill = FILL_VALUE, interp_type: Interpolation = None) -> Any:
    """Slants images along y."""
    return _warped(data, function("transforms.shear")(shear=shear), fill_value, interp_type)


@augmentation(mag_range=(0.0, 1.0), randomly_negate=True, mag_to_param=warp_x_param)
def translate_x(
    data: DataNode,
    rel_offset: Any,
    shape: Shape,
    fill_value: Fill = FILL_VALUE,
    interp_type: Interpolation = None,
) -> Any:
    """Moves images along x by a part of their width."""
    return _moved(data, rel_offset * _extent(shape, 1), fill_value, interp_type)


@augmentation(mag_range=(0, 250), randomly_negate=True, mag_to_param=warp_x_param, name="translate_x")
def translate_x_no_shape(
    data: DataNode, offset: Any, fill_value: Fill = FILL_VALUE, interp_type: Interpolation = None
) -> Any:
    """Moves images along x by a number of pixels."""
    return _moved(data, offset, fill_value, interp_type)


@augmentation(mag_range=(0.0, 1.0), randomly_negate=True, mag_to_param=warp_y_param)
def translate_y(
    data: DataNode,
    rel_offset: Any,
    shape: Shape,
    fill_value: Fill = FILL_VALUE,
    interp_type: Interpolation = None,
) -> Any:
    """Moves images along y by a part of their height."""
    return _moved(data, rel_offset * _extent(shape, 0), fill_value, interp_type)


@augmentation(mag_range=(0, 250), randomly_negate=True, mag_to_param=warp_y_param, name="translate_y")
def translate_y_no_shape(
    data: DataNode, offset: Any, fill_value: Fill = FILL_VALUE, interp_type: Interpolation = None
) -> Any:
    """Moves images along y by a number of pixels."""
    return _moved(data, offset, fill_value, interp_type)


@augmentation(mag_range=(0, 30), randomly_negate=True)
def rotate(data: DataNode, angle: Any, fill_value: Fill = FILL_VALUE, interp_type: Interpolation = None) -> Any:
    """Turns images by degrees; what leaves their size is cut off."""
    options = given(fill_value=fill_value, interp_type=interp_type)
    return function("rotate")(data, angle=angle, keep_size=True, **options)


@augmentation(mag_range=(0, 0.9), randomly_negate=True, mag_to_param=shift_enhance_range)
def brightness(data: DataNode, parameter: Any) -> Any:
    """Multiplies all values."""
    return function("brightness")(data, brightness=parameter)


@augmentation(mag_range=(0, 0.9), randomly_negate=True, mag_to_param=shift_enhance_range)
def contrast(data: DataNode, parameter: Any) -> Any:
    """Multiplies the distance of all values from the mean grey of the image."""
    return function("_tone")(data, kind="contrast", amount=parameter)


@augmentation(mag_range=(0, 0.9), randomly_negate=True, mag_to_param=shift_enhance_range)
def color(data: DataNode, parameter: Any) -> Any:
    """Multiplies the distance of colours from grey."""
    return function("saturation")(data, saturation=parameter)


@augmentation(mag_range=(0, 0.9), randomly_negate=True, mag_to_param=sharpness_kernel, param_device="auto")
def sharpness(data: DataNode, kernel: Any) -> Any:
    """Sharpens or blurs by a small filter."""
    return function("filter")(data, kernel)


@augmentation(mag_range=(0, 4), mag_to_param=poster_mask_uint8, param_device="auto")
def posterize(data: DataNode, mask: Any) -> Any:
    """Keeps the highest bits of all values."""
    return function("_tone")(data, kind="posterize", amount=mask)


@augmentation(mag_range=(256, 0), param_device="auto")
def solarize(data: DataNode, threshold: Any) -> Any:
    """Inverts values from a threshold on."""
    return function("_tone")(data, kind="solarize", amount=threshold)


@augmentation(mag_range=(0, 110), mag_to_param=solarize_add_shift, param_device="auto")
def solarize_add(data: DataNode, shift: Any) -> Any:
    """Adds to values below 128."""
    return function("_tone")(data, kind="solarize_add", amount=shift)


@augmentation
def invert(data: DataNode, _: Any) -> Any:
    """Makes negatives."""
    return function("_tone")(data, kind="invert")


@augmentation
def equalize(data: DataNode, _: Any) -> Any:
    """Spreads the values of every channel evenly."""
    return function("equalize")(data)


@augmentation
def auto_contrast(data: DataNode, _: Any) -> Any:
    """Stretches the values of every channel to the whole range; a channel of one value stays."""
    return function("_tone")(data, kind="auto_contrast")


@augmentation
def identity(data: DataNode, _: Any) -> Any:
    """Does nothing."""
    return data


def _extent(shape: Any, axis: int) -> Any:
    return shape[axis]


def _moved(data: DataNode, offset: Any, fill_value: Fill, interp_type: Interpolation) -> Any:
    return _warped(data, function("transforms.translation")(offset=offset), fill_value, interp_type)


def _warped(data: DataNode, matrix: Any, fill_value: Fill, interp_type: Interpolation) -> Any:
    options = given(fill_value=fill_value, interp_type=interp_type)
    return function("warp_affine")(data, matrix=matrix, inverse_map=False, **options)
