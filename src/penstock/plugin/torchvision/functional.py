"""The transforms as functions: `functional.resize(image, [224, 224])`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import numpy as np

import penstock.dynamic as ndd
from penstock.plugin.torchvision import color, geometry
from penstock.plugin.torchvision.compose import Device, Transform
from penstock.plugin.torchvision.images import from_batch, pil, pixels, to_batch, to_image, torch
from penstock.plugin.torchvision.interpolation import InterpolationMode

__all__ = [
    "center_crop", "crop", "gaussian_blur", "get_dimensions", "get_image_size", "get_size", "horizontal_flip",
    "normalize", "pad", "pil_to_tensor", "resize", "resized_crop", "rgb_to_grayscale", "to_grayscale", "to_pil_image",
    "to_tensor", "vertical_flip",
]  # fmt: skip


def resize(
    inpt: Any,
    size: int | Sequence[int] | None,
    interpolation: InterpolationMode | int = InterpolationMode.BILINEAR,
    max_size: int | None = None,
    antialias: bool | None = True,
    device: Device = "cpu",
) -> Any:
    """As `Resize`."""
    return _changed(inpt, geometry.Resize(size, interpolation, max_size, antialias, device))


def center_crop(inpt: Any, output_size: geometry.Size, device: Device = "cpu") -> Any:
    """As `CenterCrop`."""
    return _changed(inpt, geometry.CenterCrop(output_size, device))


def crop(inpt: Any, top: int, left: int, height: int, width: int, device: Device = "cpu") -> Any:
    """A window of that place and size; beyond the image there are zeros."""
    return _with(inpt, lambda batch: geometry.window(batch, [int(top), int(left)], [int(height), int(width)]), device)


def resized_crop(
    inpt: Any,
    top: int,
    left: int,
    height: int,
    width: int,
    size: geometry.Size,
    interpolation: InterpolationMode | int = InterpolationMode.BILINEAR,
    antialias: bool = True,
    device: Device = "cpu",
) -> Any:
    """A window of that place and size, made `size` large."""
    window = crop(inpt, top, left, height, width, device)
    return resize(window, geometry._pair(size), interpolation, None, antialias, device)


def pad(
    inpt: Any,
    padding: geometry.Size,
    fill: geometry.Fill | Mapping[type | str, geometry.Fill] = 0,
    padding_mode: Literal["constant", "edge", "reflect", "symmetric"] = "constant",
    device: Device = "cpu",
) -> Any:
    """As `Pad`."""
    return _changed(inpt, geometry.Pad(padding, fill, padding_mode, device))


def horizontal_flip(inpt: Any, device: Device = "cpu") -> Any:
    """Left and right exchanged."""
    return _with(inpt, lambda batch: ndd.flip(batch, horizontal=1, vertical=0), device)


def vertical_flip(inpt: Any, device: Device = "cpu") -> Any:
    """Top and bottom exchanged."""
    return _with(inpt, lambda batch: ndd.flip(batch, horizontal=0, vertical=1), device)


def gaussian_blur(
    inpt: Any, kernel_size: geometry.Size, sigma: float | Sequence[float] = (0.1, 2.0), device: Device = "cpu"
) -> Any:
    """As `GaussianBlur`."""
    return _changed(inpt, geometry.GaussianBlur(kernel_size, sigma, device))


def normalize(
    inpt: Any, mean: Sequence[float], std: Sequence[float], inplace: bool = False, device: Device = "cpu"
) -> Any:
    """As `Normalize`."""
    if not isinstance(inpt, torch.Tensor):
        raise TypeError(f"Data should be Tensor. Got {type(inpt)}")
    return _changed(inpt, color.Normalize(mean, std, inplace, device))


def rgb_to_grayscale(inpt: Any, num_output_channels: int = 1, device: Device = "cpu") -> Any:
    """As `Grayscale`."""
    return _changed(inpt, color.Grayscale(num_output_channels, device))


def to_grayscale(inpt: Any, num_output_channels: int = 1, device: Device = "cpu") -> Any:
    """As `Grayscale`."""
    return _changed(inpt, color.Grayscale(num_output_channels, device))


def get_dimensions(inpt: Any) -> list[int]:
    """Channels, height and width."""
    height, width = get_size(inpt)
    if isinstance(inpt, pil.Image):
        return [len(inpt.getbands()), height, width]
    return [int(inpt.shape[-3]) if inpt.ndim > 2 else 1, height, width]


def get_image_size(inpt: Any) -> list[int]:
    """Width and height."""
    return get_size(inpt)[::-1]


def get_size(inpt: Any) -> list[int]:
    """Height and width."""
    if isinstance(inpt, pil.Image):
        return [inpt.height, inpt.width]
    if isinstance(inpt, torch.Tensor):
        return [int(each) for each in inpt.shape[-2:]]
    raise TypeError(f"Unsupported input type: {type(inpt)}.")


def pil_to_tensor(inpt: Any) -> Any:
    """A PIL image as a tensor [C, H, W] with values from 0 to 255."""
    if not isinstance(inpt, pil.Image):
        raise TypeError(f"Expected PIL.Image, got {type(inpt)}")
    return torch.from_numpy(np.ascontiguousarray(pixels(inpt).transpose(2, 0, 1)))


def to_tensor(inpt: Any) -> Any:
    """A PIL image, or an array [H, W, C] of bytes, as a tensor [C, H, W] with values from 0 to 1."""
    if isinstance(inpt, pil.Image):
        array = pixels(inpt)
    elif isinstance(inpt, np.ndarray):
        array = inpt[..., None] if inpt.ndim == 2 else inpt
    else:
        raise TypeError(f"Expected PIL.Image, got {type(inpt)}")
    made = torch.from_numpy(np.ascontiguousarray(array.transpose(2, 0, 1)))
    return made.to(torch.float32) / 255 if array.dtype == np.uint8 else made


def to_pil_image(inpt: Any, mode: str | None = None, input_layout: str = "CHW") -> Any:
    """A tensor [C, H, W] as a PIL image; floats are taken as values from 0 to 1."""
    if not isinstance(inpt, torch.Tensor):
        raise TypeError(f"Expected torch.Tensor, got {type(inpt)}")
    if inpt.ndim != 3:
        raise ValueError(f"Expected 3-D CHW tensor, got shape {tuple(inpt.shape)}")
    if input_layout not in ("CHW", "HWC"):
        raise ValueError(f"input_layout is CHW or HWC, got {input_layout!r}")
    array = inpt.detach().cpu().numpy()
    array = array if input_layout == "HWC" else array.transpose(1, 2, 0)
    return to_image(array, mode)


def _changed(inpt: Any, transform: Transform) -> Any:
    return from_batch(transform.on_its_device(to_batch(inpt)), inpt)


def _with(inpt: Any, change: Callable[[ndd.Batch], ndd.Batch], device: Device) -> Any:
    return from_batch(change(to_batch(inpt).to_device(device)), inpt)
