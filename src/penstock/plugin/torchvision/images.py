"""PIL images and torch tensors as batches, and back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

import penstock.dynamic as ndd
from penstock.interop.extras import framework

torch: Any = framework("torch", "penstock.plugin.torchvision", "torch")
pil: Any = framework("PIL.Image", "penstock.plugin.torchvision", "torchvision")

Kind = Literal["image", "tensor"]

_MODES = {1: "L", 3: "RGB", 4: "RGBA"}


def to_batch(image: Any) -> ndd.Batch:
    """An image as a batch of one, HWC; a tensor as a batch of its images, CHW."""
    if isinstance(image, pil.Image):
        return ndd.batch([pixels(image)], layout="HWC")
    if not isinstance(image, torch.Tensor):
        raise TypeError(f"inpt should be Tensor or PIL Image. Got {type(image)}")
    if image.ndim < 2:
        raise ValueError(f"a tensor is [..., C, H, W] or [H, W], got the shape {tuple(image.shape)}")
    array = image.detach().cpu().contiguous().numpy()
    whole = array.reshape(-1, *array.shape[-3:]) if array.ndim > 2 else array[None, None]
    return ndd.batch(whole, layout="CHW")


def from_batch(batch: ndd.Batch, like: Any, kind: Kind | None = None) -> Any:
    """What was made of `to_batch(like)`, as an image or a tensor with its leading axes; what `like` is by default."""
    samples = [np.asarray(sample) for sample in batch.cpu().tensors]
    if kind == "image" or (kind is None and isinstance(like, pil.Image)):
        images = [to_image(each if batch.layout == "HWC" else each.transpose(1, 2, 0)) for each in samples]
        return images[0] if isinstance(like, pil.Image) or like.ndim <= 3 else images
    if isinstance(like, pil.Image):
        return torch.from_numpy(np.ascontiguousarray(samples[0].transpose(2, 0, 1)))
    shapes = {sample.shape for sample in samples}
    if len(shapes) > 1:
        raise RuntimeError(f"the images of a tensor became images of different shapes: {sorted(shapes)}")
    made = torch.from_numpy(np.stack(samples))
    if like.ndim == 2:
        return made[0, 0]
    return made.reshape(*like.shape[:-3], *made.shape[1:])


def pixels(image: Any) -> np.ndarray[Any, Any]:
    """The pixels of a PIL image, HWC."""
    if image.mode not in _MODES.values():
        raise ValueError(f"images of the modes {', '.join(_MODES.values())} are taken, got {image.mode}")
    array = np.array(image)
    return array[..., None] if array.ndim == 2 else array


def to_image(array: np.ndarray[Any, Any], mode: str | None = None) -> Any:
    """A PIL image of HWC pixels. Floats are taken as values from 0 to 1."""
    if array.shape[-1] not in _MODES:
        raise ValueError(f"an image has 1, 3 or 4 channels, got {array.shape[-1]}")
    if array.dtype.kind == "f":
        array = array * 255
    if array.dtype != np.uint8:
        array = np.clip(np.rint(array), 0, 255).astype(np.uint8)
    if mode is not None and mode != _MODES[array.shape[-1]]:
        raise ValueError(f"an image of {array.shape[-1]} channels has the mode {_MODES[array.shape[-1]]}, not {mode}")
    return pil.fromarray(array[..., 0] if array.shape[-1] == 1 else array)


def height_and_width(batch: ndd.Batch) -> tuple[int, int]:
    """Of the images of a batch, which are all of one size."""
    shape: Sequence[int] = batch.shape[0]
    height, width = shape[:2] if batch.layout == "HWC" else shape[1:]
    return height, width
