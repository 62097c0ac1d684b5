"""Transforms of colours and values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import penstock.dynamic as ndd
from penstock.plugin.torchvision.compose import Device, Transform, checked_probability, drawn_flags, mixed
from penstock.values.enums import ImageType

Range = float | Sequence[float] | None

_LUMA = np.array([0.299, 0.587, 0.114], np.float32)  # of red, green and blue


class ColorJitter(Transform):
    """Changes brightness, contrast, saturation and hue by what is drawn for each image.

    Args:
        brightness: Factors from 1 - brightness to 1 + brightness, or from bounds (min, max).
        contrast: As for brightness.
        saturation: As for brightness.
        hue: Parts of a full turn, from -hue to hue or from bounds, at most half a turn.
    """

    def __init__(
        self,
        brightness: Range = 0.0,
        contrast: Range = 0.0,
        saturation: Range = 0.0,
        hue: Range = 0.0,
        device: Device = "cpu",
    ) -> None:
        super().__init__(device)
        factors = (("brightness", brightness), ("contrast", contrast), ("saturation", saturation))
        self._bounds = {name: _factors(name, given) for name, given in factors}
        self._hue = _turns(hue)

    def apply(self, batch: ndd.Batch) -> ndd.Batch:
        drawn = {name: _drawn(bounds, batch) for name, bounds in self._bounds.items() if bounds != (1, 1)}
        if self._hue != (0, 0):
            drawn["hue"] = _drawn((self._hue[0] * 360, self._hue[1] * 360), batch)
        return _on_pixels(batch, lambda images: ndd.color_twist(images, **drawn)) if drawn else batch


class Grayscale(Transform):
    """Takes the colour away.

    Args:
        num_output_channels: 1, or 3 that are the same.
    """

    def __init__(self, num_output_channels: int = 1, device: Device = "cpu") -> None:
        super().__init__(device)
        if num_output_channels not in (1, 3):
            raise ValueError(f"num_output_channels must be 1 or 3, got {num_output_channels}.")
        self._channels = num_output_channels

    def apply(self, batch: ndd.Batch) -> ndd.Batch:
        given = channels(batch)
        if given == 1:
            if self._channels == 1:
                return batch
            return _on_pixels(batch, lambda images: ndd.cat(images, images, images, axis_name="C"))
        if self._channels == 3:
            return _on_pixels(batch, _grey)
        return _on_pixels(batch, _luma)


class RandomGrayscale(Transform):
    """Takes the colour away with a probability; the number of channels stays."""

    def __init__(self, p: float = 0.1, device: Device = "cpu") -> None:
        super().__init__(device)
        self._p = checked_probability(p)

    def apply(self, batch: ndd.Batch) -> ndd.Batch:
        chosen = drawn_flags(self._p, batch)
        if channels(batch) == 1 or not any(chosen):
            return batch
        return mixed(batch, _on_pixels(batch, _grey), chosen)


class Normalize(Transform):
    """Subtracts a mean from each channel and divides by a standard deviation. For tensors; the result is float.

    Args:
        mean: Of each channel.
        std: Of each channel.
        inplace: False.
    """

    def __init__(
        self, mean: Sequence[float], std: Sequence[float], inplace: bool = False, device: Device = "cpu"
    ) -> None:
        super().__init__(device)
        if inplace:
            raise NotImplementedError("inplace is not supported")
        if 0 in std:
            raise ValueError("Std must not be 0")
        self._mean, self._std = [*map(float, mean)], [*map(float, std)]

    def apply(self, batch: ndd.Batch) -> ndd.Batch:
        return ndd.crop_mirror_normalize(
            batch, mean=self._mean, std=self._std, dtype=ndd.float32, output_layout=str(batch.layout)
        )


def channels(batch: ndd.Batch) -> int:
    """Of the images of a batch."""
    shape = batch.shape[0]
    return int(shape[2] if batch.layout == "HWC" else shape[0])


def _on_pixels(batch: ndd.Batch, change: Callable[[ndd.Batch], ndd.Batch]) -> ndd.Batch:
    """What an operator makes of images whose channels come last, which it asks for."""
    if batch.layout == "HWC":
        return change(batch)
    return ndd.transpose(change(ndd.transpose(batch, perm=[1, 2, 0])), perm=[2, 0, 1])


def _grey(images: ndd.Batch) -> ndd.Batch:
    return ndd.hsv(images, saturation=0.0, dtype=images.dtype)


def _luma(images: ndd.Batch) -> ndd.Batch:
    if images.dtype == ndd.uint8:
        return ndd.color_space_conversion(images, image_type=ImageType.RGB, output_type=ImageType.GRAY)
    weighed: ndd.Batch = images * _LUMA
    return ndd.cast(ndd.reductions.sum(weighed, axis_names="C", keep_dims=True), dtype=images.dtype)


def _drawn(bounds: tuple[float, float], batch: ndd.Batch) -> Any:
    if bounds[0] == bounds[1]:
        return bounds[0]
    return ndd.random.uniform(range=[*bounds], batch_size=batch.batch_size)


def _factors(name: str, given: Range) -> tuple[float, float]:
    if given is None:
        return 1, 1
    if isinstance(given, (int, float)):
        if given < 0:
            raise ValueError(f"Value {name} must be non-negative, got {given}")
        return max(0.0, 1 - given), 1 + given
    if len(given) != 2 or not 0 <= given[0] <= given[1]:
        raise ValueError(f"{name} is a number or a range (min, max) of non-negative ones, got {given}")
    return given[0], given[1]


def _turns(given: Range) -> tuple[float, float]:
    if given is None:
        return 0, 0
    if isinstance(given, (int, float)):
        if not 0 <= given <= 0.5:
            raise ValueError(f"If hue is a single number, it must be non-negative and < 0.5, got {given}")
        return -given, given
    if len(given) != 2 or not -0.5 <= given[0] <= given[1] <= 0.5:
        raise ValueError(f"hue is a number or a range (min, max) from -0.5 to 0.5, got {given}")
    return given[0], given[1]
