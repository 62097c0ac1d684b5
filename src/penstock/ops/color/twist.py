"""Hue, saturation, brightness and contrast as one linear map of colours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from penstock import _native
from penstock.gpu.casting import as_float32, cast_tensor
from penstock.gpu.types import dtype_of
from penstock.ops.color.pixels import check_channels, converted
from penstock.ops.math.angles import cosine_and_sine
from penstock.schema import Example, PerSample, examples, operator
from penstock.values.casting import cast_array
from penstock.values.dtypes import DType, float16, float32, int16, int32, uint8
from penstock.values.enums import ImageType
from penstock.values.spec import Spec

if TYPE_CHECKING:
    import torch

Array = np.ndarray[Any, Any]
LAYOUTS = ("HWC", "FHWC", "DHWC")
TYPES = (uint8, int16, int32, float16, float32)

# Rows give Y, I and Q for red, green and blue: hue is an angle there, and saturation a length. The other matrix is the
# inverse as DALI has it, a unit in the last place off here and there.
_YIQ = np.array([[0.299, 0.587, 0.114], [0.596, -0.274, -0.321], [0.211, -0.523, 0.311]], np.float32)
_RGB = np.array(
    [[0.99966437, 0.9565412, 0.6208617], [0.99962485, -0.27227446, -0.6474513], [1.0028123, -1.106848, 1.7054056]],
    np.float32,
)


def _foretell(image: Spec, *, dtype: DType | None, **rest: Any) -> Spec:
    return converted(image, dtype, TYPES)


def _maps(
    source: DType, hue: Any = 0.0, saturation: Any = 1.0, value: Any = 1.0, brightness: Any = 1.0, contrast: Any = 1.0
) -> Array:
    """For every sample a 3 x 4 matrix, the last column of which is added; arguments are numbers or arrays.

    Single precision in this order gives DALI's matrices, and so its rounding where a result is just between two values.
    """
    given = (
        np.atleast_1d(np.float32(argument))[:, None] for argument in (hue, saturation, value, brightness, contrast)
    )
    degrees, s, v, b, c = np.broadcast_arrays(*given)
    angle = np.deg2rad(degrees, dtype=np.float64).astype(np.float32)
    middle = np.float32(0.5 if source.storage.kind == "f" else 128)
    with np.errstate(over="ignore", invalid="ignore"):
        cos, sin = cosine_and_sine(angle)
        y, i, q = (b * c * column for column in _RGB.T)
        y, i, q = y * v, (i * cos - q * sin) * s * v, (i * sin + q * cos) * s * v
        grey = np.repeat((middle - middle * c) * b, 3, axis=1)
        return np.stack([*(y * luma + i * orange + q * purple for luma, orange, purple in _YIQ.T), grey], axis=2)


def _mapped(image: Array, dtype: DType | None, **arguments: Any) -> Array:
    check_channels(image, 3)
    source = DType.by_numpy[image.dtype]
    (matrix,) = _maps(source, **arguments)
    channels = [image[..., c].astype(np.float32) for c in range(3)]
    with np.errstate(over="ignore", invalid="ignore"):
        made = [row[0] * channels[0] + row[1] * channels[1] + row[2] * channels[2] + row[3] for row in matrix]
    return cast_array(np.stack(made, axis=-1), dtype or source)


def _mapped_gpu(image: torch.Tensor, dtype: DType | None, **arguments: Any) -> torch.Tensor:
    import torch

    check_channels(image, 3)
    source = dtype_of(image)
    (matrix,) = _maps(source, **arguments)
    red, green, blue = as_float32(image).unbind(-1)
    made = [row[0] * red + row[1] * green + row[2] * blue + row[3] for row in matrix.tolist()]
    return cast_tensor(torch.stack(made, dim=-1), dtype or source)


def _step(image: Spec, dtype: DType | None, **arguments: Any) -> _native.Step:
    assert image.dtype is not None
    maps = _maps(image.dtype, **arguments)
    return _native.ColorMatrix((dtype or image.dtype).code, maps.reshape(len(maps), 12))


@operator(layouts=LAYOUTS, frames=True, infer=_foretell)
def color_twist(
    image: Array,
    *,
    hue: PerSample[float] = 0.0,
    saturation: PerSample[float] = 1.0,
    brightness: PerSample[float] = 1.0,
    contrast: PerSample[float] = 1.0,
    dtype: DType | None = None,
    image_type: ImageType = ImageType.RGB,
) -> Array:
    """Changes hue, saturation, contrast and brightness of an RGB image in one pass.

        ndd.color_twist(images, hue=ndd.random.uniform(range=(-20, 20), batch_size=64), saturation=1.3)

    Args:
        hue: Angle by which hues are turned, in degrees.
        saturation: Factor of the distance from grey; 0 takes the colour away.
        brightness: Factor of all values.
        contrast: Factor of the distance from the middle: 128 for integers, 0.5 for floats.
        dtype: uint8, int16, int32, float16 or float32 instead of the image's type; rounded and saturated.
        image_type: Has no effect: images are taken to be RGB.
    """
    return _mapped(image, dtype, hue=hue, saturation=saturation, brightness=brightness, contrast=contrast)


@color_twist.native
def color_twist_step(image: Spec, *, dtype: DType | None, image_type: ImageType, **arguments: Any) -> _native.Step:
    return _step(image, dtype, **arguments)


@color_twist.gpu
def color_twist_gpu(image: torch.Tensor, *, dtype: DType | None, image_type: ImageType, **by: Any) -> torch.Tensor:
    return _mapped_gpu(image, dtype, **by)


@operator(layouts=LAYOUTS, frames=True, infer=_foretell)
def hsv(
    image: Array,
    *,
    hue: PerSample[float] = 0.0,
    saturation: PerSample[float] = 1.0,
    value: PerSample[float] = 1.0,
    dtype: DType = uint8,
) -> Array:
    """Changes hue, saturation and value of an RGB image.

        ndd.hsv(images, hue=30.0, saturation=1.2, value=0.9)

    Args:
        hue: Angle by which hues are turned, in degrees.
        saturation: Factor of the distance from grey; 0 takes the colour away.
        value: Factor of all values.
        dtype: Type of the result, whatever the image's: uint8, int16, int32, float16 or float32.
    """
    return _mapped(image, dtype, hue=hue, saturation=saturation, value=value)


@hsv.native
def hsv_step(image: Spec, *, hue: Any, saturation: Any, value: Any, dtype: DType) -> _native.Step:
    return _step(image, dtype, hue=hue, saturation=saturation, value=value)


@hsv.gpu
def hsv_gpu(image: torch.Tensor, *, dtype: DType, **by: Any) -> torch.Tensor:
    return _mapped_gpu(image, dtype, **by)


@operator(layouts=LAYOUTS, frames=True, infer=_foretell)
def hue(
    image: Array, *, hue: PerSample[float] = 0.0, dtype: DType | None = None, image_type: ImageType = ImageType.RGB
) -> Array:
    """Turns the hues of an RGB image.

        ndd.hue(images, hue=ndd.random.uniform(range=(-30, 30), batch_size=64))

    Args:
        hue: Angle in degrees.
        dtype: uint8, int16, int32, float16 or float32 instead of the image's type; rounded and saturated.
        image_type: Has no effect: images are taken to be RGB.
    """
    return _mapped(image, dtype, hue=hue)


@hue.native
def hue_step(image: Spec, *, hue: Any, dtype: DType | None, image_type: ImageType) -> _native.Step:
    return _step(image, dtype, hue=hue)


@hue.gpu
def hue_gpu(image: torch.Tensor, *, hue: float, dtype: DType | None, image_type: ImageType) -> torch.Tensor:
    return _mapped_gpu(image, dtype, hue=hue)


@operator(layouts=LAYOUTS, frames=True, infer=_foretell)
def saturation(
    image: Array,
    *,
    saturation: PerSample[float] = 1.0,
    dtype: DType | None = None,
    image_type: ImageType = ImageType.RGB,
) -> Array:
    """Changes how colourful an RGB image is.

        ndd.saturation(images, saturation=1.5)

    Args:
        saturation: Factor of the distance from grey; 0 takes the colour away.
        dtype: uint8, int16, int32, float16 or float32 instead of the image's type; rounded and saturated.
        image_type: Has no effect: images are taken to be RGB.
    """
    return _mapped(image, dtype, saturation=saturation)


@saturation.native
def saturation_step(image: Spec, *, saturation: Any, dtype: DType | None, image_type: ImageType) -> _native.Step:
    return _step(image, dtype, saturation=saturation)


@saturation.gpu
def saturation_gpu(
    image: torch.Tensor, *, saturation: float, dtype: DType | None, image_type: ImageType
) -> torch.Tensor:
    return _mapped_gpu(image, dtype, saturation=saturation)


color_twist.examples = examples(
    "ndd.color_twist(image)",
    Example(
        "ndd.color_twist(image, hue=30.0, saturation=1.2, brightness=1.1, contrast=0.9)",
        compared=True,
        plain="cv2.transform(image, np.float32([[1.1, -0.2, 0.1, 3], [0.1, 0.9, 0.1, 3], [-0.1, 0.2, 1.0, 3]]))",
    ),
    "ndd.color_twist(image, contrast=ndd.batch([0.5, 1.0, 2.0]), brightness=ndd.batch([2.0, 1.0, 0.5]))",
    "ndd.color_twist(image, contrast=1.5, image_type=types.RGB, dtype=types.INT16)",
    Example("ndd.color_twist(image, hue=-40.0, saturation=1.8, brightness=1.1, contrast=1.2)", drawn=True),
    within=1,
    share=0.999,
)

hsv.examples = examples(
    "ndd.hsv(image)",
    "ndd.hsv(image, hue=120.0)",
    "ndd.hsv(image, hue=-33.0, saturation=1.4, value=0.8)",
    "ndd.hsv(image, hue=ndd.batch([0.0, 90.0, 180.0]), value=ndd.batch([1.0, 1.5, 0.5]))",
    Example("ndd.hsv(image, hue=90.0, saturation=1.5, value=0.9)", drawn=True),
    Example(
        "ndd.hsv(image, hue=30.0, saturation=1.2, value=0.9)",
        plain="cv2.transform(image, np.float32([[1.1, -0.2, 0.1, 3], [0.1, 0.9, 0.1, 3], [-0.1, 0.2, 1.0, 3]]))",
    ),
    within=1,
    share=0.999,
)

hue.examples = examples(
    "ndd.hue(image)",
    "ndd.hue(image, hue=77.0)",
    "ndd.hue(image, hue=ndd.batch([10.0, -20.0, 400.0]), image_type=types.RGB)",
    "ndd.hue(image, hue=77.0, dtype=types.INT32)",
    Example("ndd.hue(image, hue=180.0)", drawn=True),
    Example(
        "ndd.hue(image, hue=30.0)",
        plain="cv2.transform(image, np.float32([[1.1, -0.2, 0.1, 3], [0.1, 0.9, 0.1, 3], [-0.1, 0.2, 1.0, 3]]))",
    ),
    within=1,
    share=0.999,
)

saturation.examples = examples(
    "ndd.saturation(image)",
    "ndd.saturation(image, saturation=0.0)",
    "ndd.saturation(image, saturation=ndd.batch([0.5, 1.5, 3.0]), image_type=types.BGR)",
    "ndd.saturation(image, saturation=1.3, dtype=types.INT16)",
    Example("ndd.saturation(image, saturation=0.3)", drawn=True),
    Example(
        "ndd.saturation(image, saturation=1.5)",
        plain="cv2.transform(image, np.float32([[1.1, -0.2, 0.1, 3], [0.1, 0.9, 0.1, 3], [-0.1, 0.2, 1.0, 3]]))",
    ),
    within=1,
    share=0.999,
)
