"""Brightness and contrast: a line through all values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from penstock import _native
from penstock.gpu.casting import as_float32, cast_tensor
from penstock.gpu.types import dtype_of
from penstock.ops.color.pixels import converted
from penstock.schema import Example, PerSample, examples, operator
from penstock.values.casting import cast_array
from penstock.values.dtypes import DType, float32, int16, int32, uint8
from penstock.values.spec import Spec

if TYPE_CHECKING:
    import torch

Array = np.ndarray[Any, Any]
LAYOUTS = ("FHWC", "DHWC", "HWC")
TYPES = (uint8, int16, int32, float32)


def _foretell(image: Spec, *, dtype: DType | None, **rest: Any) -> Spec:
    return converted(image, dtype, TYPES)


def _middle(dtype: DType) -> float:
    """The grey that contrast leaves alone unless told otherwise: half of the positive range."""
    return 0.5 if dtype.storage.kind == "f" else (int(np.iinfo(dtype.storage).max) + 1) / 2


def _top(dtype: DType) -> float:
    return 1.0 if dtype.storage.kind == "f" else float(np.iinfo(dtype.storage).max)


def _line(
    source: DType,
    target: DType,
    brightness: Any = 1.0,
    shift: Any = 0.0,
    contrast: Any = 1.0,
    center: Any = None,
) -> tuple[Any, Any]:
    """Factor and addend, in single precision; numbers or arrays."""
    b, c = np.float32(brightness), np.float32(contrast)
    center = np.float32(_middle(source) if center is None else center)
    with np.errstate(over="ignore", invalid="ignore"):
        return b * c, np.float32(shift) * np.float32(_top(target)) + b * (center - c * center)


def _on_line(image: Array, dtype: DType | None, *arguments: Any) -> Array:
    source = DType.by_numpy[image.dtype]
    factor, addend = _line(source, dtype or source, *arguments)
    with np.errstate(over="ignore", invalid="ignore"):
        return cast_array(image.astype(np.float32) * factor + addend, dtype or source)


def _on_line_gpu(image: torch.Tensor, dtype: DType | None, *arguments: Any) -> torch.Tensor:
    source = dtype_of(image)
    factor, addend = _line(source, dtype or source, *arguments)
    return cast_tensor(as_float32(image) * float(factor) + float(addend), dtype or source)


def _step(image: Spec, dtype: DType | None, *arguments: Any) -> _native.Step:
    assert image.dtype is not None
    target = dtype or image.dtype
    factor, addend = np.broadcast_arrays(*_line(image.dtype, target, *arguments))
    return _native.Linear(target.code, np.ascontiguousarray(factor), np.ascontiguousarray(addend))


@operator(layouts=LAYOUTS, frames=True, infer=_foretell)
def brightness_contrast(
    image: Array,
    *,
    brightness: PerSample[float] = 1.0,
    brightness_shift: PerSample[float] = 0.0,
    contrast: PerSample[float] = 1.0,
    contrast_center: PerSample[float] | None = None,
    dtype: DType | None = None,
) -> Array:
    """Changes contrast, then brightness: range * shift + brightness * (center + contrast * (image - center)).

        ndd.brightness_contrast(images, brightness=1.2, contrast=ndd.random.uniform(range=(0.8, 1.2), batch_size=64))

    Args:
        brightness: Factor of all values.
        brightness_shift: Added to all values, in units of the result's range: 1 for floats, else its largest value.
        contrast: Factor of the distance from `contrast_center`; 0 makes everything grey.
        contrast_center: The value that contrast leaves alone. By default half of the positive range of the image's
            type: 128 for uint8, 16384 for int16, 0.5 for floats.
        dtype: uint8, int16, int32 or float32 instead of the image's type; rounded and saturated.
    """
    return _on_line(image, dtype, brightness, brightness_shift, contrast, contrast_center)


@brightness_contrast.native
def brightness_contrast_step(
    image: Spec, *, brightness: Any, brightness_shift: Any, contrast: Any, contrast_center: Any, dtype: DType | None
) -> _native.Step:
    return _step(image, dtype, brightness, brightness_shift, contrast, contrast_center)


@brightness_contrast.gpu
def brightness_contrast_gpu(
    image: torch.Tensor, *, brightness: Any, brightness_shift: Any, contrast: Any, contrast_center: Any, dtype: Any
) -> torch.Tensor:
    return _on_line_gpu(image, dtype, brightness, brightness_shift, contrast, contrast_center)


@operator(layouts=LAYOUTS, frames=True, infer=_foretell)
def brightness(
    image: Array,
    *,
    brightness: PerSample[float] = 1.0,
    brightness_shift: PerSample[float] = 0.0,
    dtype: DType | None = None,
) -> Array:
    """Changes brightness: range * brightness_shift + brightness * image.

        ndd.brightness(images, brightness=1.2)
        ndd.brightness(video, brightness=ndd.per_frame(ndd.tensor([1.0, 0.9, 0.8])))

    Args:
        brightness: Factor of all values.
        brightness_shift: Added to all values, in units of the result's range: 1 for floats, else its largest value.
        dtype: uint8, int16, int32 or float32 instead of the image's type; rounded and saturated.
    """
    return _on_line(image, dtype, brightness, brightness_shift)


@brightness.native
def brightness_step(image: Spec, *, brightness: Any, brightness_shift: Any, dtype: DType | None) -> _native.Step:
    return _step(image, dtype, brightness, brightness_shift)


@brightness.gpu
def brightness_gpu(image: torch.Tensor, *, brightness: Any, brightness_shift: Any, dtype: Any) -> torch.Tensor:
    return _on_line_gpu(image, dtype, brightness, brightness_shift)


@operator(layouts=LAYOUTS, frames=True, infer=_foretell)
def contrast(
    image: Array,
    *,
    contrast: PerSample[float] = 1.0,
    contrast_center: PerSample[float] | None = None,
    dtype: DType | None = None,
) -> Array:
    """Changes contrast: contrast_center + contrast * (image - contrast_center).

        ndd.contrast(images, contrast=1.5)

    Args:
        contrast: Factor of the distance from `contrast_center`; 0 makes everything grey.
        contrast_center: The value that contrast leaves alone. By default half of the positive range of the image's
            type: 128 for uint8, 16384 for int16, 0.5 for floats.
        dtype: uint8, int16, int32 or float32 instead of the image's type; rounded and saturated.
    """
    return _on_line(image, dtype, 1.0, 0.0, contrast, contrast_center)


@contrast.native
def contrast_step(image: Spec, *, contrast: Any, contrast_center: Any, dtype: DType | None) -> _native.Step:
    return _step(image, dtype, 1.0, 0.0, contrast, contrast_center)


@contrast.gpu
def contrast_gpu(image: torch.Tensor, *, contrast: Any, contrast_center: Any, dtype: Any) -> torch.Tensor:
    return _on_line_gpu(image, dtype, 1.0, 0.0, contrast, contrast_center)


brightness.examples = examples(
    "ndd.brightness(image)",
    "ndd.brightness(image, brightness=1.3)",
    "ndd.brightness(image, brightness=0.5, brightness_shift=0.25)",
    "ndd.brightness(image, brightness=ndd.batch([0.5, 1.0, 2.0]))",
    Example("ndd.brightness(image, brightness=1.4)", drawn=True),
    Example(
        "ndd.brightness(image, brightness=1.2, brightness_shift=0.05)",
        plain="cv2.convertScaleAbs(image, alpha=1.2, beta=12.75)",
    ),
)

brightness_contrast.examples = examples(
    "ndd.brightness_contrast(image)",
    "ndd.brightness_contrast(image, brightness=1.2, brightness_shift=0.1, contrast=0.8)",
    "ndd.brightness_contrast(image, brightness=1.2, contrast=0.8, contrast_center=100.0)",
    "ndd.brightness_contrast(image, brightness=ndd.batch([0.5, 1.0, 2.0]), contrast=1.5)",
    Example("ndd.brightness_contrast(image, brightness=1.2, contrast=1.6)", drawn=True),
    Example(
        "ndd.brightness_contrast(image, brightness=1.2, contrast=0.8, dtype=ndd.float32)",
        plain="image.astype(np.float32) * np.float32(0.96) + np.float32(30.72)",
    ),
)

contrast.examples = examples(
    "ndd.contrast(image)",
    "ndd.contrast(image, contrast=1.7)",
    "ndd.contrast(image, contrast=0.3, contrast_center=77.5)",
    "ndd.contrast(image, contrast=ndd.batch([0.5, 1.0, 2.0]), contrast_center=ndd.batch([10.0, 20.0, 30.0]))",
    Example("ndd.contrast(image, contrast=0.4)", drawn=True),
    Example("ndd.contrast(image, contrast=1.3)", plain="cv2.convertScaleAbs(image, alpha=1.3, beta=-38.4)"),
)
