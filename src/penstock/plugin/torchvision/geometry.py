"""Transforms that move pixels: sizes, windows, borders, mirrors, blur."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np

import penstock.dynamic as ndd
from penstock.plugin.torchvision.compose import Device, Transform, checked_probability, drawn_flags
from penstock.plugin.torchvision.images import height_and_width, pil, torch
from penstock.plugin.torchvision.interpolation import InterpolationMode, interp_type

Size = int | Sequence[int]
PaddingMode = Literal["constant", "edge", "reflect", "symmetric"]
Fill = int | float | Sequence[int] | Sequence[float] | None


class Resize(Transform):
    """Changes the size of images.

    Args:
        size: (height, width); or the length of the shorter edge, the other one then follows; None: see `max_size`.
        interpolation: How, or its number in PIL.
        max_size: With one number for `size`: the longer edge is no longer than this. Without a size: it is this long.
        antialias: Look at all pixels that a smaller image stands for.
    """

    def __init__(
        self,
        size: int | Sequence[int] | None,
        interpolation: InterpolationMode | int = InterpolationMode.BILINEAR,
        max_size: int | None = None,
        antialias: bool | None = True,
        device: Device = "cpu",
    ) -> None:
        super().__init__(device)
        self._size = _checked_size(size, max_size)
        self._max_size = max_size
        self._how = {"interp_type": interp_type(interpolation), "antialias": bool(antialias)}

    def apply(self, batch: ndd.Batch) -> ndd.Batch:
        size = _target_size(height_and_width(batch), self._size, self._max_size)
        return ndd.resize(batch, size=[float(each) for each in size], **self._how)


class CenterCrop(Transform):
    """Cuts a window out of the middle; images that are smaller are surrounded by zeros.

    Args:
        size: (height, width), or both in one number.
    """

    def __init__(self, size: Size, device: Device = "cpu") -> None:
        super().__init__(device)
        self._size = _pair(size)

    def apply(self, batch: ndd.Batch) -> ndd.Batch:
        starts = [
            round((whole - part) / 2) if whole >= part else -((part - whole) // 2)
            for whole, part in zip(height_and_width(batch), self._size, strict=True)
        ]
        return window(batch, starts, self._size)


class RandomCrop(Transform):
    """Cuts out a window at a place that is drawn for each image.

    Args:
        size: (height, width), or both in one number.
        padding: Borders that are added before, as for `Pad`.
        pad_if_needed: Add borders to images that are smaller than the window.
        fill: As for `Pad`.
        padding_mode: As for `Pad`.
    """

    def __init__(
        self,
        size: Size,
        padding: Size | None = None,
        pad_if_needed: bool = False,
        fill: Fill = 0,
        padding_mode: PaddingMode = "constant",
        device: Device = "cpu",
    ) -> None:
        super().__init__(device)
        self._size = _pair(size)
        if isinstance(padding, Sequence) and len(padding) == 1:
            padding = padding[0]
        self._borders = None if padding is None else _borders(padding)
        self._if_needed = pad_if_needed
        self._fill = _checked_fill(fill)
        self._mode = _checked_mode(padding_mode)

    def apply(self, batch: ndd.Batch) -> ndd.Batch:
        if self._borders is not None:
            batch = padded(batch, self._borders, self._fill, self._mode)
        height, width = height_and_width(batch)
        if self._if_needed:
            y, x = max(self._size[0] - height, 0), max(self._size[1] - width, 0)
            batch = padded(batch, (x, y, x, y), self._fill, self._mode)
            height, width = height_and_width(batch)
        free = [height - self._size[0], width - self._size[1]]
        if min(free) < 0:
            raise RuntimeError(
                f"window {self._size[0]}x{self._size[1]} does not fit in {height}x{width}; pad_if_needed=True would "
                "add borders"
            )
        drawn = ndd.random.uniform(range=[0.0, 1.0], shape=[2], batch_size=batch.batch_size)
        starts = [[int(part * (most + 1)) for part, most in zip(np.asarray(each), free, strict=True)] for each in drawn]
        return window(batch, ndd.batch([np.array(each, np.int32) for each in starts]), self._size)


class RandomResizedCrop(Transform):
    """Cuts out a window of an area and shape that are drawn for each image, and changes its size.

    Args:
        size: (height, width), or both in one number.
        scale: Bounds of the window's part of the area of the image.
        ratio: Bounds of its width divided by its height.
        interpolation: As for `Resize`.
        antialias: As for `Resize`.
    """

    def __init__(
        self,
        size: Size,
        scale: tuple[float, float] = (0.08, 1.0),
        ratio: tuple[float, float] = (3 / 4, 4 / 3),
        interpolation: InterpolationMode | int = InterpolationMode.BILINEAR,
        antialias: bool | None = True,
        device: Device = "cpu",
    ) -> None:
        super().__init__(device)
        for name, bounds in (("scale", scale), ("ratio", ratio)):
            if len(bounds) != 2 or not 0 < bounds[0] <= bounds[1]:
                raise ValueError(f"{name} should be a (min, max) range, got {bounds}")
        self._arguments = {
            "size": [float(each) for each in _pair(size)], "random_area": [*map(float, scale)],
            "random_aspect_ratio": [*map(float, ratio)], "interp_type": interp_type(interpolation),
            "antialias": bool(antialias),
        }  # fmt: skip

    def apply(self, batch: ndd.Batch) -> ndd.Batch:
        return ndd.random_resized_crop(batch, **self._arguments)


class Pad(Transform):
    """Adds borders.

    Args:
        padding: Of all borders; or of left and right, and of top and bottom; or of left, top, right and bottom.
        fill: The value of constant borders, or one for each channel. Also a dict of these by kind of input, such as
            `{PIL.Image.Image: 0, torch.Tensor: 0.5}`, with "others" for the rest.
        padding_mode: "constant"; "edge" repeats the last pixel; "reflect" and "symmetric" mirror, without and with
            the last pixel.
    """

    def __init__(
        self,
        padding: Size,
        fill: Fill | Mapping[type | str, Fill] = 0,
        padding_mode: PaddingMode = "constant",
        device: Device = "cpu",
    ) -> None:
        super().__init__(device)
        self._borders = _borders(padding)
        by_kind = fill if isinstance(fill, Mapping) else {"others": fill}
        self._fill = {kind: _checked_fill(each) for kind, each in by_kind.items()}
        self._mode = _checked_mode(padding_mode)

    def apply(self, batch: ndd.Batch) -> ndd.Batch:
        return padded(batch, self._borders, self._fill_of(batch), self._mode)

    def _fill_of(self, batch: ndd.Batch) -> Fill:
        given = pil.Image if batch.layout == "HWC" else torch.Tensor
        for kind, fill in self._fill.items():
            if isinstance(kind, type) and issubclass(given, kind):
                return fill
        if "others" not in self._fill:
            raise ValueError(f'fill has nothing for {given.__name__}, and no "others"; it has {[*self._fill]}')
        return self._fill["others"]


class RandomHorizontalFlip(Transform):
    """Mirrors images left to right with a probability."""

    def __init__(self, p: float = 0.5, device: Device = "cpu") -> None:
        super().__init__(device)
        self._p = checked_probability(p)

    def apply(self, batch: ndd.Batch) -> ndd.Batch:
        return ndd.flip(batch, horizontal=_flags(self._p, batch), vertical=0)


class RandomVerticalFlip(Transform):
    """Mirrors images top to bottom with a probability."""

    def __init__(self, p: float = 0.5, device: Device = "cpu") -> None:
        super().__init__(device)
        self._p = checked_probability(p)

    def apply(self, batch: ndd.Batch) -> ndd.Batch:
        return ndd.flip(batch, horizontal=0, vertical=_flags(self._p, batch))


class GaussianBlur(Transform):
    """Blurs images.

    Args:
        kernel_size: Odd, of both axes or (of y, of x).
        sigma: Or the bounds that one is drawn from for each image.
        seed: Of what is drawn; -1 for any.
    """

    def __init__(
        self,
        kernel_size: Size,
        sigma: float | Sequence[float] = (0.1, 2.0),
        device: Device = "cpu",
        seed: int = -1,
    ) -> None:
        super().__init__(device)
        sizes = [kernel_size] * 2 if isinstance(kernel_size, int) else [*kernel_size]
        if len(sizes) != 2 or any(size <= 0 or size % 2 == 0 for size in sizes):
            raise ValueError(f"Kernel size values should be odd positive numbers, got {kernel_size}")
        bounds = [float(sigma)] * 2 if isinstance(sigma, (int, float)) else [*map(float, sigma)]
        if len(bounds) != 2 or min(bounds) <= 0:
            raise ValueError(f"Value sigma must be positive, got {sigma}")
        if bounds[0] > bounds[1]:
            raise ValueError(f"sigma should be a (min, max) range, got {sigma}")
        self._sizes, self._bounds = sizes, bounds
        self._generator = None if seed == -1 else ndd.random.RNG(seed)

    def apply(self, batch: ndd.Batch) -> ndd.Batch:
        if self._bounds[0] == self._bounds[1]:
            return ndd.gaussian_blur(batch, window_size=self._sizes, sigma=self._bounds[:1])
        count, generator = batch.batch_size, self._generator
        sigma = ndd.random.uniform(range=self._bounds, shape=[1], batch_size=count, rng=generator)
        return ndd.gaussian_blur(batch, window_size=self._sizes, sigma=sigma)


def window(batch: ndd.Batch, starts: Any, size: Sequence[int]) -> ndd.Batch:
    """The part of images that begins at a place along H and W; beyond them there are zeros."""
    return ndd.slice(batch, start=starts, shape=[*size], axis_names="HW", out_of_bounds_policy="pad", fill_values=0.0)


def padded(batch: ndd.Batch, borders: Sequence[int], fill: Fill, mode: PaddingMode) -> ndd.Batch:
    """Images with borders at the left, top, right and bottom."""
    left, top, right, bottom = borders
    height, width = height_and_width(batch)
    if mode == "constant":
        starts, size = [-top, -left], [top + height + bottom, left + width + right]
        values = [*map(float, fill)] if isinstance(fill, Sequence) else [float(fill or 0)]
        return ndd.slice(
            batch, start=starts, shape=size, axis_names="HW", out_of_bounds_policy="pad", fill_values=values
        )
    widths = [(top, bottom), (left, right), (0, 0)] if batch.layout == "HWC" else [(0, 0), (top, bottom), (left, right)]
    arrays = [np.pad(np.asarray(each), widths, mode=mode) for each in batch.cpu().tensors]
    return ndd.batch(arrays, layout=batch.layout, device=batch.device)


def _flags(p: float, batch: ndd.Batch) -> ndd.Batch:
    return ndd.batch([np.int32(each) for each in drawn_flags(p, batch)])


def _pair(size: Size) -> tuple[int, int]:
    both = [size] * 2 if isinstance(size, int) else [*size]
    if len(both) == 1:
        both *= 2
    if len(both) != 2 or not all(isinstance(each, int) for each in both):
        raise ValueError(f"size is an int or a sequence of one or two ints, got {size!r}")
    if min(both) <= 0:
        raise ValueError(f"Value size must be positive, got {size}")
    return both[0], both[1]


def _checked_size(size: Any, max_size: int | None) -> Any:
    if size is None:
        if max_size is None:
            raise ValueError("max_size must be an integer when size is None")
        return None
    if isinstance(size, int):
        if size <= 0:
            raise ValueError(f"size must be positive, got {size}")
        if max_size is not None and max_size <= size:
            raise ValueError(f"max_size must be greater than the length of the smaller edge, {size}, got {max_size}")
        return size
    if isinstance(size, str) or not isinstance(size, Sequence):
        raise ValueError(f"size must be int, None, or sequence of two ints, got {size!r}")
    if len(size) == 1:
        return _checked_size(size[0], max_size)
    if len(size) != 2:
        raise ValueError(f"size sequence must have length 1 or 2, got {len(size)}")
    if max_size is not None:
        raise ValueError("max_size should only be passed if size specifies the length of the smaller edge")
    return _pair(size)


def _target_size(whole: tuple[int, int], size: Any, max_size: int | None) -> tuple[int, int]:
    """Height and width of the result."""
    if isinstance(size, tuple):
        return size
    short, long = min(whole), max(whole)
    if size is None:
        assert max_size is not None
        new_short, new_long = int(max_size * short / long), max_size
    else:
        new_short, new_long = size, int(size * long / short)
        if max_size is not None and new_long > max_size:
            new_short, new_long = int(max_size * new_short / new_long), max_size
    return (new_short, new_long) if whole[0] <= whole[1] else (new_long, new_short)


def _borders(padding: Size) -> tuple[int, int, int, int]:
    if isinstance(padding, int):
        padding = [padding] * 4
    if not isinstance(padding, Sequence) or len(padding) not in (2, 4):
        raise TypeError(f"Padding must be an int or a sequence of length 2 or 4, got {padding!r}")
    left, top, right, bottom = padding if len(padding) == 4 else [*padding, *padding]
    if min(left, top, right, bottom) < 0:
        raise ValueError(f"Padding must not be negative, got {padding}")
    return left, top, right, bottom


def _checked_fill(fill: Any) -> Fill:
    several = fill if isinstance(fill, Sequence) else [fill]
    if isinstance(fill, str) or not all(isinstance(each, (int, float, type(None))) for each in several):
        raise TypeError(f"fill must be a number, sequence of numbers, or None, got {fill}")
    return fill  # type: ignore[no-any-return]


def _checked_mode(mode: PaddingMode) -> PaddingMode:
    known = ["constant", "edge", "reflect", "symmetric"]
    if mode not in known:
        raise ValueError(f"Invalid padding mode, expected {known}, got {mode}")
    return mode
