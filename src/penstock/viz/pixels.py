"""One sample as a picture: H, W, 3 bytes of red, green and blue, whatever the sample is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

from penstock.viz.palette import DARK, HEAT, rgb

Array = np.ndarray[Any, Any]
Kind = Literal["image", "sequence", "waveform", "heat map", "file", "values"]

_PLOT_WIDTH, _PLOT_HEIGHT = 360, 120
_SHORTEST_SIGNAL = 32
_MOST_CHANNELS_OF_SOUND = 8
_SMALLEST_HEAT_MAP = 8


class Normalization(NamedTuple):
    """How pixels were normalised: scale * (pixel - mean) / deviation + shift, with one number or one per channel."""

    mean: tuple[float, ...]
    deviation: tuple[float, ...]
    scale: float = 1.0
    shift: float = 0.0

    def undone(self, channels_last: Array) -> Array | None:
        """The pixels as they were, as float32; None where there are not as many numbers as channels.

        A fourth channel was added by `pad_output`, and is left out.
        """
        values = channels_last[..., :3].astype(np.float32)
        if not {len(self.mean), len(self.deviation)} <= {1, values.shape[-1], channels_last.shape[-1]}:
            return None
        mean, deviation = (np.array(numbers[: values.shape[-1]], np.float32) for numbers in (self.mean, self.deviation))
        back: Array = (values - np.float32(self.shift)) / np.float32(self.scale) * deviation + mean
        return back


class Picture(NamedTuple):
    """What a sample looks like. `frames` has one picture, or those of a sequence; `note` says how values were shown."""

    kind: Kind
    frames: tuple[Array, ...]
    note: str = ""


def kind_of(array: Array, layout: str) -> Kind:
    """What a sample is, by its layout or, where it has none, by its shape and element type."""
    shape = array.shape
    if array.size == 0 or array.dtype.kind not in "biuf":
        return "values"
    if layout:
        return _kind_by_layout(layout)
    if len(shape) == 1:
        if array.dtype == np.uint8 and _format_of(array):
            return "file"
        return "waveform" if array.dtype.kind in "fi" and shape[0] >= _SHORTEST_SIGNAL else "values"
    if len(shape) == 2:
        if shape[1] <= _MOST_CHANNELS_OF_SOUND and shape[0] >= _SHORTEST_SIGNAL:
            return "waveform"
        is_large = min(shape) >= _SMALLEST_HEAT_MAP
        return ("image" if array.dtype in (np.uint8, np.bool_) else "heat map") if is_large else "values"
    if len(shape) == 3 and _guessed(shape):
        return "image"
    return "sequence" if len(shape) == 4 and _guessed(shape[1:]) else "values"


def _kind_by_layout(layout: str) -> Kind:
    axes = set(layout)
    if axes <= set("HWC") and {"H", "W"} <= axes:
        return "image"
    if {"H", "W"} <= axes and len(axes - set("HWC")) == 1:
        return "sequence"
    if axes == set("ft"):
        return "heat map"
    return "waveform" if axes in ({"t"}, {"t", "c"}, {"t", "C"}) else "values"


def _guessed(shape: Sequence[int]) -> str:
    """The layout of an image without one; empty where its shape is not that of an image."""
    if shape[2] in (1, 3, 4):
        return "HWC"
    return "CHW" if shape[0] in (1, 3, 4) and min(shape[1:]) > 4 else ""


def _format_of(array: Array) -> str | None:
    from penstock.ops.decode.headers import format_of

    return format_of(array)


def picture(array: Array, layout: str = "", normalization: Normalization | None = None) -> Picture:
    """A sample as a picture. Kind "values" has no frames: such a sample is better read than looked at."""
    kind = kind_of(array, layout)
    if kind == "file":
        return _of_file(array)
    if kind == "waveform":
        return Picture(kind, (curve(array),), _range_note(array))
    if kind == "heat map":
        low_first = array[::-1] if layout.startswith("f") else array.T[::-1] if layout.startswith("t") else array
        return Picture(kind, (heat(low_first),), _range_note(array))
    if kind == "values":
        return Picture(kind, ())
    frames, note = _as_bytes(_channels_last(array, layout), normalization)
    return Picture(kind, tuple(_as_colours(frame) for frame in (frames if kind == "sequence" else [frames])), note)


def _of_file(data: Array) -> Picture:
    """The image in an encoded file, if it can be decoded; its size is noted in any case."""
    import cv2

    from penstock.ops.decode import opencv

    image_format = str(_format_of(data))
    size = f"{image_format}, {bytes_text(data.size)}"
    try:
        decoded = opencv.decode(data, cv2.IMREAD_COLOR, image_format)
    except RuntimeError:
        return Picture("file", (), f"{size}, not decoded")
    return Picture("file", (np.asarray(cv2.cvtColor(decoded, cv2.COLOR_BGR2RGB)),), size)


def bytes_text(count: float) -> str:
    """As "713 B", "13.4 kB", "2.1 MB"."""
    for unit in ("B", "kB", "MB", "GB"):
        if count < 1000:
            return f"{count:.0f} {unit}" if unit == "B" or count >= 100 else f"{count:.1f} {unit}"
        count /= 1000
    return f"{count:.1f} TB"


def _channels_last(array: Array, layout: str) -> Array:
    """As H, W, C or, of a sequence, as F, H, W, C."""
    if not layout:
        one = array.shape[-3:]
        layout = "HW" if array.ndim == 2 else ("F" if array.ndim == 4 else "") + _guessed(one)
    ahead = [axis for axis, name in enumerate(layout) if name not in "HWC"]
    if "C" not in layout:
        array, layout = array[..., None], layout + "C"
    return array.transpose(*ahead, *(layout.index(name) for name in "HWC"))


def _as_bytes(array: Array, normalization: Normalization | None) -> tuple[Array, str]:
    """Elements as bytes, and how that was done where it is not obvious."""
    note = ""
    if array.dtype == np.uint8:
        return array, note
    if array.dtype == np.bool_:
        return array.astype(np.uint8) * 255, note
    values: Array = array.astype(np.float32)
    restored = None if normalization is None else normalization.undone(array)
    if restored is not None:
        values, note = restored, "un-normalised"
    finite = values[np.isfinite(values)]
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)
    if array.dtype == np.uint16 and high > 255:
        factor, low, note = 255 / 65535, 0.0, "16 bits"
    elif restored is not None and normalization is not None and max(map(abs, normalization.mean)) > 1:
        factor, low = 1.0, 0.0
    elif array.dtype.kind == "f" and low >= -1e-3 and high <= 1.001:
        factor, low = 255.0, 0.0
    elif low >= -0.5 and high <= 255.5:
        factor, low = 1.0, 0.0
    else:
        factor, note = 255 / max(high - low, 1e-12), _range_note(values)
    with np.errstate(invalid="ignore"):
        scaled = np.nan_to_num((values - low) * factor, nan=0.0)
    return np.clip(np.rint(scaled), 0, 255).astype(np.uint8), note


def _range_note(array: Array) -> str:
    finite = array[np.isfinite(array)]
    return f"{finite.min():.3g} to {finite.max():.3g}" if finite.size else "not finite"


def _as_colours(frame: Array) -> Array:
    """Of one, two, three, four (the last is opacity) or more channels, of which the first is shown."""
    channels = frame.shape[2]
    if channels == 4:
        opacity = frame[..., 3:] / np.float32(255)
        behind = np.array(rgb(DARK.well), np.float32)
        return np.ascontiguousarray(np.rint(frame[..., :3] * opacity + behind * (1 - opacity)).astype(np.uint8))
    if channels == 3:
        return np.ascontiguousarray(frame)
    return np.repeat(frame[..., :1], 3, axis=2)


def heat(array: Array) -> Array:
    """Numbers as colours from dark (least) to light (most); each is several pixels high where rows are few."""
    array = np.repeat(array, max(1, _PLOT_HEIGHT // len(array)), axis=0)
    values = np.nan_to_num(array.astype(np.float32), nan=0.0, posinf=0.0, neginf=0.0)
    low, high = float(values.min()), float(values.max())
    places = (values - low) / max(high - low, 1e-12) * (len(HEAT) - 1)
    stops = np.array([rgb(colour) for colour in HEAT], np.float32)
    colours = [np.interp(places, np.arange(len(HEAT)), stops[:, channel]) for channel in range(3)]
    drawn: Array = np.rint(np.stack(colours, axis=-1)).astype(np.uint8)
    return drawn


def curve(signal: Array, width: int = _PLOT_WIDTH, height: int = _PLOT_HEIGHT) -> Array:
    """The range of a signal in every column of pixels; channels are one below the other."""
    channels = signal.reshape(len(signal), -1)[:, :_MOST_CHANNELS_OF_SOUND].T.astype(np.float32)
    channels = np.nan_to_num(channels)
    loudest = max(float(np.abs(channels).max()), 1e-9)
    each = max(height // len(channels), 24)
    return np.concatenate([_one_curve(channel / loudest, width, each) for channel in channels])


def _one_curve(signal: Array, width: int, height: int) -> Array:
    edges = np.linspace(0, len(signal), width + 1).astype(int)[:-1]
    low, high = np.minimum.reduceat(signal, edges), np.maximum.reduceat(signal, edges)
    level = np.linspace(1.08, -1.08, height, dtype=np.float32)[:, None]
    pixel = 1.08 * 2 / height
    # How much of a pixel the curve covers, so that its edges are smooth; it is at least a pixel thick.
    cover = np.minimum(level + pixel / 2, np.maximum(high, low + pixel)) - np.maximum(level - pixel / 2, low)
    share = np.clip(cover / pixel, 0, 1)[..., None]
    ground = np.broadcast_to(np.array(rgb(DARK.paper), np.float32), (height, width, 3)).copy()
    ground[height // 2] = rgb(DARK.line)
    return np.asarray(np.rint(ground * (1 - share) + np.array(rgb(DARK.blue), np.float32) * share), np.uint8)
