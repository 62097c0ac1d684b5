"""Gamma: a power of all values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from penstock import _native
from penstock.gpu.casting import as_float32, cast_tensor
from penstock.gpu.types import beside, dtype_of
from penstock.ops.color.pixels import converted
from penstock.schema import Example, PerSample, examples, operator
from penstock.values.casting import cast_array
from penstock.values.dtypes import DType, float32, uint8, uint16
from penstock.values.spec import Spec

if TYPE_CHECKING:
    import torch

Array = np.ndarray[Any, Any]
TYPES = (uint8, uint16, float32)
_BYTES = np.arange(256, dtype=np.uint8)


def _foretell(image: Spec, **arguments: Any) -> Spec:
    return converted(image, None, TYPES)


@operator(layouts=("HWC", "FHWC", "DHWC", "HW", "CHW", "FCHW"), infer=_foretell)
def gamma(image: Array, *, gamma: PerSample[float], gain: PerSample[float] = 1.0) -> Array:
    """Raises all values to a power: range * gain * (image / range) ** gamma.

        ndd.gamma(images, gamma=ndd.random.uniform(range=(0.7, 1.5), batch_size=64))

    The range is 1 for floats, else the type's largest value, where results end; floats below 0 count as 0.

    Args:
        gamma: The power, above 0: less than 1 lightens what is dark, more than 1 darkens it.
        gain: Factor of the result.
    """
    if not gamma > 0:
        raise ValueError(f"gamma must be above 0, not {gamma:g}")
    if image.dtype == np.uint8 and image.size:
        return np.asarray(cv2.LUT(image.reshape(len(image), -1), _power(_BYTES, gamma, gain))).reshape(image.shape)
    return _power(image, gamma, gain)


def _power(image: Array, gamma: float, gain: float) -> Array:
    top = np.float32(1 if image.dtype.kind == "f" else np.iinfo(image.dtype).max)
    unit = np.maximum(image / top, np.float32(0), dtype=np.float32)
    return cast_array(top * np.float32(gain) * unit ** np.float32(gamma), DType.by_numpy[image.dtype])


@gamma.native
def native(image: Spec, *, gamma: Array, gain: Array) -> _native.Step | None:
    """A table for all samples, where they have the same power and few values."""
    if image.dtype != uint8 or (gamma != gamma[0]).any() or (gain != gain[0]).any() or not gamma[0] > 0:
        return None
    return _native.LookupTable(np.append(_power(_BYTES, gamma[0], gain[0]), np.uint8(0)))  # the last is for other keys


@gamma.gpu
def gpu(image: torch.Tensor, *, gamma: float, gain: float) -> torch.Tensor:
    import torch

    if not gamma > 0:
        raise ValueError(f"gamma must be above 0, not {gamma:g}")
    if image.dtype == torch.uint8:
        return beside(_power(_BYTES, gamma, gain), image)[image.to(torch.int64)]
    dtype = dtype_of(image)
    top = np.float32(1 if dtype == float32 else np.iinfo(dtype.storage).max)
    unit = (as_float32(image) / float(top)).clamp(min=0)
    return cast_tensor(float(top * np.float32(gain)) * unit ** float(np.float32(gamma)), dtype)


gamma.examples = examples(
    Example("ndd.gamma(image, gamma=0.5)", drawn=True),
    Example("ndd.gamma(image, gamma=2.2, gain=1.2)", drawn=True),
    Example(
        "ndd.gamma(image, gamma=0.45)",
        plain="cv2.LUT(image, (255 * (np.arange(256) / 255) ** 0.45 + 0.5).astype(np.uint8))",
    ),
)
