"""The strength of frequencies over time."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from penstock import _native
from penstock.gpu.types import beside
from penstock.ops.audio.signals import Array, magnitudes, require_floats, require_power, require_transform
from penstock.schema import Example, examples, operator
from penstock.values.dtypes import float32
from penstock.values.spec import Spec

if TYPE_CHECKING:
    import torch

LONGEST_STEP = (1 << 31) - 1


def _foretell(
    input: Spec,
    *,
    nfft: int | None,
    window_length: int,
    window_step: int,
    window_fn: list[float] | None,
    power: int,
    layout: str,
    **rest: Any,
) -> Spec:
    require_floats(input, "Calling type does not match buffer data type")
    require_power(power)
    if window_length < 1:
        raise RuntimeError(f"window_length must be at least 1, got {window_length}")
    if not 1 <= window_step <= LONGEST_STEP:
        raise RuntimeError(f"window_step must be 1 to {LONGEST_STEP}, got {window_step}")
    if window_fn is not None and len(window_fn) != window_length:
        raise RuntimeError(
            f"window_fn must have window_length values, got {len(window_fn)} for {window_length}; set both"
        )
    if nfft is not None and nfft < window_length:
        raise RuntimeError(f"a window of {window_length} samples does not fit in nfft={nfft}")
    require_transform(nfft or window_length)
    return Spec(float32, 2, layout)


@lru_cache(maxsize=64)
def _hann(length: int) -> Array:
    """Hann's window, sampled in the middle of each of `length` parts."""
    return (0.5 * (1 - np.cos(2 * np.pi * (np.arange(length) + 0.5) / length))).astype(np.float32)


def _window(window_fn: list[float] | None, length: int) -> Array:
    return _hann(length) if window_fn is None else np.array(window_fn, np.float32)


def _windows(length: int, window: int, step: int, centered: bool) -> tuple[int, int]:
    """How many windows there are, and where the first begins; it may be before the signal."""
    if centered:
        count, begin = length // step + 1, -(window // 2)
    else:
        count, begin = (length - window) // step + 1 if length >= window else int(length - window > -step), 0
    if count < 1:
        raise RuntimeError(
            f"a signal of {length} samples is too short for a window of {window}; center_windows=True pads it"
        )
    return count, begin


def _length(shape: tuple[int, ...]) -> int:
    """The number of samples in a signal."""
    length = math.prod(shape)
    if length == 0:
        raise RuntimeError("an empty signal has no spectrogram")
    if max(shape, default=1) != length:
        raise RuntimeError("a signal has one axis that is longer than 1; mix several channels down first")
    return length


@operator(infer=_foretell)
def spectrogram(
    input: Array,
    *,
    nfft: int | None = None,
    window_length: int = 512,
    window_step: int = 256,
    window_fn: list[float] | None = None,
    center_windows: bool = True,
    reflect_padding: bool = True,
    power: int = 2,
    layout: Literal["ft", "tf"] = "ft",
) -> Array:
    """Tells how strong each frequency is in overlapping windows of a signal.

        features = ndd.spectrogram(audio, nfft=512, window_length=400, window_step=160)
        features = ndd.to_decibels(ndd.mel_filter_bank(features, sample_rate=16000, nfilter=80), cutoff_db=-80)

    The signal is float32 with one axis, or others of extent 1. There are nfft // 2 + 1 frequencies, from 0 to half the
    sample rate. Called one after the other as above, the operators run as one without storing what is in between.

    Args:
        nfft: Length of the Fourier transform; windows are padded with zeros up to it. The window's length by default.
        window_length: Samples in a window.
        window_step: Samples from one window to the next.
        window_fn: Weights of the samples in a window, `window_length` of them; a Hann window by default.
        center_windows: Centre windows at multiples of `window_step`, with the signal padded at both ends. Otherwise
            they begin there, and only a signal shorter than one window is padded, if less than a step is missing.
        reflect_padding: Pad centred windows with the mirrored signal rather than with zeros.
        power: 2 for squared magnitudes, 1 for magnitudes.
        layout: "ft" for a row per frequency, "tf" for a row per window.
    """
    signal = input.reshape(_length(input.shape))
    count, begin = _windows(len(signal), window_length, window_step, center_windows)
    places = np.arange(count)[:, None] * window_step + begin + np.arange(window_length)
    if center_windows and reflect_padding:
        period = max(2 * (len(signal) - 1), 1)
        places = np.abs(places) % period
        seen = signal[np.where(places < len(signal), places, period - places)]
    else:
        inside = (places >= 0) & (places < len(signal))
        seen = np.where(inside, signal[np.where(inside, places, 0)], np.float32(0))
    made = magnitudes(seen * _window(window_fn, window_length), nfft or window_length, power)
    return made if layout == "tf" else made.T


@spectrogram.native
def native(
    input: Spec,
    *,
    nfft: int | None,
    window_length: int,
    window_step: int,
    window_fn: list[float] | None,
    center_windows: bool,
    reflect_padding: bool,
    power: int,
    layout: str,
) -> _native.Step:
    window = _window(window_fn, window_length)
    return _native.Spectrogram(
        nfft or window_length, window, window_step, center_windows, reflect_padding, power == 1, layout == "tf"
    )


@spectrogram.gpu
def gpu(
    input: torch.Tensor,
    *,
    nfft: int | None,
    window_length: int,
    window_step: int,
    window_fn: list[float] | None,
    center_windows: bool,
    reflect_padding: bool,
    power: int,
    layout: str,
) -> torch.Tensor:
    import torch

    length = _length(tuple(input.shape[1:]))
    signal = input.reshape(len(input), length)
    count, begin = _windows(length, window_length, window_step, center_windows)
    starts = torch.arange(count, device=input.device) * window_step + begin
    places = starts[:, None] + torch.arange(window_length, device=input.device)
    if center_windows and reflect_padding:
        period = max(2 * (length - 1), 1)
        places = places.abs() % period
        seen = signal[:, torch.where(places < length, places, period - places)]
    else:
        inside = (places >= 0) & (places < length)
        seen = torch.where(inside, signal[:, torch.where(inside, places, 0)], 0)
    spectrum: torch.Tensor = torch.fft.rfft(
        seen * beside(_window(window_fn, window_length), input), nfft or window_length
    )
    made = spectrum.abs() if power == 1 else spectrum.real.square() + spectrum.imag.square()
    return made if layout == "tf" else made.mT


spectrogram.examples = examples(
    "ndd.spectrogram(sound)",
    "ndd.spectrogram(sound, nfft=512, window_length=400, window_step=160)",
    "ndd.spectrogram(sound, nfft=400, window_length=400, window_step=160, layout='tf')",
    "ndd.spectrogram(sound, nfft=1024, window_length=601, window_step=77, power=1)",
    "ndd.spectrogram(sound, nfft=513, window_length=512, center_windows=False)",
    Example("ndd.spectrogram(sound, nfft=320, window_length=320, window_step=50, power=1)", drawn=True),
    Example("ndd.spectrogram(sound, nfft=2048, window_length=2048, window_step=512)", timed=True),
    within=0.0001,
)
