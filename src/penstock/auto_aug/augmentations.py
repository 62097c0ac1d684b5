"""The augmentations that AutoAugment, RandAugment and TrivialAugment choose from."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock import types
from penstock.auto_aug.core.decorator import augmentation
from penstock.auto_aug.core.node_or_value import given, operator_of, part

Array = np.ndarray[Any, Any]
Shape = Any  # height and width: two numbers, or a node or Batch
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
def shear_x(data: Any, shear: Any, fill_value: Fill = FILL_VALUE, interp_type: Interpolation = None) -> Any:
    """Slants images along x."""
    return _warped(data, operator_of(data, "transforms.shear")(shear=shear), fill_value, interp_type)


@augmentation(mag_range=(0, 0.3), randomly_negate=True, mag_to_param=warp_y_param)
def shear_y(data: Any, shear: Any, fill_value: Fill = FILL_VALUE, interp_type: Interpolation = None) -> Any:
    """Slants images along y."""
    return _warped(data, operator_of(data, "transforms.shear")(shear=shear), fill_value, interp_type)


@augmentation(mag_range=(0.0, 1.0), randomly_negate=True, mag_to_param=warp_x_param)
def translate_x(
    data: Any,
    rel_offset: Any,
    shape: Shape,
    fill_value: Fill = FILL_VALUE,
    interp_type: Interpolation = None,
) -> Any:
    """Moves images along x by a part of their width."""
    return _moved(data, part(shape, 1) * rel_offset, fill_value, interp_type)


@augmentation(mag_range=(0, 250), randomly_negate=True, mag_to_param=warp_x_param, name="translate_x")
def translate_x_no_shape(
    data: Any, offset: Any, fill_value: Fill = FILL_VALUE, interp_type: Interpolation = None
) -> Any:
    """Moves images along x by a number of pixels."""
    return _moved(data, offset, fill_value, interp_type)


@augmentation(mag_range=(0.0, 1.0), randomly_negate=True, mag_to_param=warp_y_param)
def translate_y(
    data: Any,
    rel_offset: Any,
    shape: Shape,
    fill_value: Fill = FILL_VALUE,
    interp_type: Interpolation = None,
) -> Any:
    """Moves images along y by a part of their height."""
    return _moved(data, part(shape, 0) * rel_offset, fill_value, interp_type)


@augmentation(mag_range=(0, 250), randomly_negate=True, mag_to_param=warp_y_param, name="translate_y")
def translate_y_no_shape(
    data: Any, offset: Any, fill_value: Fill = FILL_VALUE, interp_type: Interpolation = None
) -> Any:
    """Moves images along y by a number of pixels."""
    return _moved(data, offset, fill_value, interp_type)


@augmentation(mag_range=(0, 30), randomly_negate=True)
def rotate(data: Any, angle: Any, fill_value: Fill = FILL_VALUE, interp_type: Interpolation = None) -> Any:
    """Turns images by degrees; what leaves their size is cut off."""
    options = given(fill_value=fill_value, interp_type=interp_type)
    return operator_of(data, "rotate")(data, angle=angle, keep_size=True, **options)


@augmentation(mag_range=(0, 0.9), randomly_negate=True, mag_to_param=shift_enhance_range)
def brightness(data: Any, parameter: Any) -> Any:
    """Multiplies all values."""
    return operator_of(data, "brightness")(data, brightness=parameter)


@augmentation(mag_range=(0, 0.9), randomly_negate=True, mag_to_param=shift_enhance_range)
def contrast(data: Any, parameter: Any) -> Any:
    """Multiplies the distance of all values from the mean grey of the image."""
    return operator_of(data, "_tone")(data, kind="contrast", amount=parameter)


@augmentation(mag_range=(0, 0.9), randomly_negate=True, mag_to_param=shift_enhance_range)
def color(data: Any, parameter: Any) -> Any:
    """Multiplies the distance of colours from grey."""
    return operator_of(data, "saturation")(data, saturation=parameter)


@augmentation(mag_range=(0, 0.9), randomly_negate=True, mag_to_param=sharpness_kernel, param_device="auto")
def sharpness(data: Any, kernel: Any) -> Any:
    """Sharpens or blurs by a small filter."""
    return operator_of(data, "filter")(data, kernel)


@augmentation(mag_range=(0, 4), mag_to_param=poster_mask_uint8, param_device="auto")
def posterize(data: Any, mask: Any) -> Any:
    """Keeps the highest bits of all values."""
    return operator_of(data, "_tone")(data, kind="posterize", amount=mask)


@augmentation(mag_range=(256, 0), param_device="auto")
def solarize(data: Any, threshold: Any) -> Any:
    """Inverts values from a threshold on."""
    return operator_of(data, "_tone")(data, kind="solarize", amount=threshold)


@augmentation(mag_range=(0, 110), mag_to_param=solarize_add_shift, param_device="auto")
def solarize_add(data: Any, shift: Any) -> Any:
    """Adds to values below 128."""
    return operator_of(data, "_tone")(data, kind="solarize_add", amount=shift)


@augmentation
def invert(data: Any, _: Any) -> Any:
    """Makes negatives."""
    return operator_of(data, "_tone")(data, kind="invert")


@augmentation
def equalize(data: Any, _: Any) -> Any:
    """Spreads the values of every channel evenly."""
    return operator_of(data, "equalize")(data)


@augmentation
def auto_contrast(data: Any, _: Any) -> Any:
    """Stretches the values of every channel to the whole range; a channel of one value stays."""
    return operator_of(data, "_tone")(data, kind="auto_contrast")


@augmentation
def identity(data: Any, _: Any) -> Any:
    """Does nothing."""
    return data


def _moved(data: Any, offset: Any, fill_value: Fill, interp_type: Interpolation) -> Any:
    return _warped(data, operator_of(data, "transforms.translation")(offset=offset), fill_value, interp_type)


def _warped(data: Any, matrix: Any, fill_value: Fill, interp_type: Interpolation) -> Any:
    options = given(fill_value=fill_value, interp_type=interp_type)
    return operator_of(data, "warp_affine")(data, matrix=matrix, inverse_map=False, **options)
