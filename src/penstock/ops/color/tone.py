"""Changes of tone that augmentations know by name: every value becomes another, whatever is around it."""

from __future__ import annotations

import typing
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from penstock import _native
from penstock.gpu.casting import as_float32, cast_tensor, signed
from penstock.gpu.types import dtype_of, widest_float
from penstock.ops.names import type_name
from penstock.schema import PerSample, operator
from penstock.values.casting import cast_array
from penstock.values.dtypes import DType, uint8
from penstock.values.spec import Spec

if TYPE_CHECKING:
    import torch

Array = np.ndarray[Any, Any]
Kind = Literal["invert", "solarize", "solarize_add", "posterize", "contrast", "auto_contrast"]
_KINDS = typing.get_args(Kind)  # in the order of the native enumeration
_LUMA = np.array([0.299, 0.587, 0.114], np.float32)


def _foretell(image: Spec, *, kind: str, amount: Any) -> Spec:
    whole = image.dtype is None or image.dtype.storage.kind in "iu"
    if not whole and (kind == "posterize" or image.dtype.storage.kind != "f"):  # type: ignore[union-attr]
        raise RuntimeError(f"Unsupported input type for {kind}: {type_name(image.dtype)}")
    return image


@operator(name="_tone", layouts=("HWC", "FHWC"), frames=True, infer=_foretell)
def tone(image: Array, *, kind: Kind, amount: PerSample[float] = 0.0) -> Array:
    """Changes the tone of an image in one of several ways.

    Args:
        kind: "invert" makes a negative; "solarize" does for values from `amount` on; "solarize_add" adds `amount` to
            those below 128; "posterize" keeps the bits of `amount`; "contrast" multiplies the distance from the mean
            grey by it; "auto_contrast" stretches every channel to 0..255, unless it has one value.
        amount: What it takes.
    """
    own = DType.by_numpy[image.dtype]
    if not image.size:
        return image
    if kind == "posterize":
        return np.asarray(np.bitwise_and(image, image.dtype.type(amount)))
    if kind == "solarize_add":
        return np.where(image < 128, image + image.dtype.type(amount), image)
    if kind == "contrast":
        grey = _mean_grey(image)
        return cast_array(grey + (image.astype(np.float32) - grey) * np.float32(amount), own)
    if kind == "auto_contrast":
        return cast_array(_stretched(image), own)
    negative = image.dtype.type(255) - image
    return negative if kind == "invert" else np.where(image < np.float32(amount), image, negative)


def _mean_grey(image: Array) -> np.float32:
    means = image.mean(axis=(0, 1), dtype=np.float64).astype(np.float32)
    if len(means) == 1:
        return np.float32(means[0])
    if len(means) != 3:
        raise RuntimeError(f"the grey of an image is known for 1 or 3 channels, not for {len(means)}")
    red, green, blue = means * _LUMA
    return np.float32(red + green + blue)


def _stretched(image: Array) -> Array:
    lowest, highest = image.min(axis=(0, 1)), image.max(axis=(0, 1))
    flat = highest == lowest
    span = np.where(flat, 255, highest - lowest)
    return (image - np.where(flat, 0, lowest)).astype(np.float32) * (np.float32(255) / span.astype(np.float32))


@tone.native
def native(image: Spec, *, kind: str, amount: Array) -> _native.Step | None:
    return _native.ToneChange(_KINDS.index(kind), amount) if image.dtype == uint8 else None


@tone.gpu
def gpu(image: torch.Tensor, *, kind: Kind, amount: float) -> torch.Tensor:
    import torch

    if not image.numel():
        return image
    own, values = dtype_of(image), signed(image)
    if kind == "contrast":
        grey = _mean_grey_gpu(values)
        return cast_tensor(grey + (as_float32(image) - grey) * float(np.float32(amount)), own)
    if kind == "auto_contrast":
        return cast_tensor(_stretched_gpu(values), own)
    if kind == "posterize":
        kept: int = own.storage.type(amount).item()
        return (values & kept).to(image.dtype)
    if kind == "solarize_add":
        return torch.where(values < 128, values + own.storage.type(amount).item(), values).to(image.dtype)
    negative = own.storage.type(255).item() - values
    made = negative if kind == "invert" else torch.where(values < float(np.float32(amount)), values, negative)
    return made.to(image.dtype)


def _mean_grey_gpu(image: torch.Tensor) -> torch.Tensor:
    """The mean grey of every image, in a shape that broadcasts."""
    import torch

    means = image.to(widest_float(image)).mean(dim=(1, 2), keepdim=True).to(torch.float32)
    if means.shape[-1] == 1:
        return means
    if means.shape[-1] != 3:
        raise RuntimeError(f"the grey of an image is known for 1 or 3 channels, not for {means.shape[-1]}")
    red, green, blue = (means[..., c : c + 1] * float(share) for c, share in enumerate(_LUMA))
    return red + green + blue


def _stretched_gpu(image: torch.Tensor) -> torch.Tensor:
    import torch

    lowest, highest = image.amin(dim=(1, 2), keepdim=True), image.amax(dim=(1, 2), keepdim=True)
    flat = highest == lowest
    span = torch.where(flat, 255, highest - lowest).to(torch.float32)
    return (image - torch.where(flat, 0, lowest)).to(torch.float32) * (torch.full_like(span, 255) / span)
