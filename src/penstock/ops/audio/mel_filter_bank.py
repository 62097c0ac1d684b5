"""Frequencies as the ear spaces them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import numpy as np

from penstock import _native
from penstock.ops.audio.signals import Array, combined_gpu, require_floats
from penstock.schema import Example, examples, operator
from penstock.schema.params import Layout, Refusal
from penstock.values.spec import Spec

if TYPE_CHECKING:
    import torch

LINEAR_HZ, KNEE_HZ, LOG_STEP = 200 / 3, 1000.0, np.log(6.4) / 27
KNEE_MEL = KNEE_HZ / LINEAR_HZ
HTK_FACTOR, HTK_HZ = 1127.0, 700.0


def _foretell(
    input: Spec,
    *,
    nfilter: int,
    sample_rate: float,
    freq_low: float,
    freq_high: float,
    mel_formula: str,
    normalize: bool,
) -> Spec:
    require_floats(input)
    _axis(input.layout or "", input.ndim or 0)
    if nfilter < 1:
        raise RuntimeError(f"nfilter must be at least 1, got {nfilter}")
    if not 0 < sample_rate < np.inf:
        raise RuntimeError(f"sample_rate must be positive and finite, got {sample_rate}")
    if freq_low < 0:
        raise RuntimeError(f"freq_low must not be negative, got {freq_low}")
    high = _highest(freq_high, sample_rate)
    if not freq_low < high <= sample_rate:
        raise RuntimeError(f"freq_high must be above freq_low={freq_low} and at most {sample_rate / 2}, got {high}")
    return input


def _axis(layout: str, ndim: int) -> int:
    """The axis of the frequencies: "f", or without a layout the last but one."""
    axis = layout.find("f") if layout else max(ndim - 2, 0)
    if not 0 <= axis < ndim:
        raise RuntimeError(f'an axis of frequencies, "f", is needed in the layout, got "{layout}"')
    return axis


def _highest(freq_high: float, sample_rate: float) -> float:
    return freq_high if freq_high > 0 else sample_rate / 2


def _to_mel(hz: float, formula: str) -> float:
    if formula == "htk":
        return float(HTK_FACTOR * np.log1p(hz / HTK_HZ))
    return hz / LINEAR_HZ if hz < KNEE_HZ else float(KNEE_MEL + np.log(hz / KNEE_HZ) / LOG_STEP)


def _to_hz(mel: Array, formula: str) -> Array:
    if formula == "htk":
        return np.asarray(HTK_HZ * np.expm1(mel / HTK_FACTOR))
    return np.where(mel < KNEE_MEL, mel * LINEAR_HZ, KNEE_HZ * np.exp((mel - KNEE_MEL) * LOG_STEP))


def _weights(
    bins: int, nfilter: int, sample_rate: float, low: float, high: float, formula: str, normalize: bool
) -> Array:
    """A row of weights for every filter: triangles, of height 1 unless they are normalized."""
    weights, widths = _filters(bins, nfilter, sample_rate, low, _highest(high, sample_rate), formula)
    if normalize:
        with np.errstate(all="ignore"):
            weights = weights * (2 / widths)
    return np.where(weights > 0, weights, 0)


def _filters(bins: int, nfilter: int, sample_rate: float, low: float, high: float, formula: str) -> tuple[Array, Array]:
    """A row of weights for every filter, each a triangle of height 1, and the filters' widths in Hz."""
    edges = _to_hz(np.linspace(_to_mel(low, formula), _to_mel(high, formula), nfilter + 2), formula)[:, None]
    if bins < 2:
        return np.zeros((nfilter, bins)), edges[2:] - edges[:-2]
    hz = np.arange(bins) * (sample_rate / (2 * (bins - 1)))
    with np.errstate(all="ignore"):  # edges may be so close that they are one
        rising = (hz - edges[:-2]) / (edges[1:-1] - edges[:-2])
        falling = (edges[2:] - hz) / (edges[2:] - edges[1:-1])
    return np.maximum(np.minimum(rising, falling), 0), edges[2:] - edges[:-2]


@operator(infer=_foretell)
def mel_filter_bank(
    input: Array,
    *,
    nfilter: int = 128,
    sample_rate: float = 44100.0,
    freq_low: float = 0.0,
    freq_high: float = 0.0,
    mel_formula: Annotated[Literal["slaney", "htk"], Refusal('Unsupported mel_formula value "{}"')] = "slaney",
    normalize: bool = True,
    layout: Layout,
) -> Array:
    """Gathers the frequencies of a spectrogram into bands that are evenly spaced on the mel scale.

        ndd.mel_filter_bank(ndd.spectrogram(audio, nfft=512), sample_rate=16000, nfilter=80)

    The axis of frequencies is called "f" in the layout; without a layout it is the last but one. It is taken to reach
    from 0 to half the sample rate. Each band is a triangle from the middle of the band below to that of the band above.

    Args:
        nfilter: Number of bands.
        sample_rate: Of the sound, in Hz.
        freq_low: Where the first band begins, in Hz.
        freq_high: Where the last band ends, in Hz; half the sample rate where it is not positive.
        mel_formula: "slaney" for a scale that is linear up to 1 kHz and logarithmic above; "htk" for one formula, as
            in the toolkit of that name.
        normalize: Divide each band by half its width in Hz, so that all have the same area.
    """
    axis = _axis(layout, input.ndim)
    rows = np.moveaxis(input, axis, 0)
    weights = _weights(len(rows), nfilter, sample_rate, freq_low, freq_high, mel_formula, normalize)
    made = np.zeros((nfilter, *rows.shape[1:]))
    for k, own in enumerate(weights):
        used = own > 0
        made[k] = np.tensordot(own[used], rows[used].astype(np.float64), 1)
    return np.moveaxis(made, 0, axis).astype(np.float32)


@mel_filter_bank.native
def native(
    input: Spec,
    *,
    nfilter: int,
    sample_rate: float,
    freq_low: float,
    freq_high: float,
    mel_formula: str,
    normalize: bool,
) -> _native.Step:
    axis = _axis(input.layout or "", input.ndim or 0)
    high = _highest(freq_high, sample_rate)
    return _native.MelFilterBank(axis, nfilter, sample_rate, freq_low, high, mel_formula == "htk", normalize)


@mel_filter_bank.gpu
def gpu(
    input: torch.Tensor,
    *,
    nfilter: int,
    sample_rate: float,
    freq_low: float,
    freq_high: float,
    mel_formula: str,
    normalize: bool,
    layout: Layout,
) -> torch.Tensor:
    import torch

    axis = _axis(layout, input.ndim - 1)
    bins = input.shape[1 + axis]
    weights = _weights(bins, nfilter, sample_rate, freq_low, freq_high, mel_formula, normalize)
    made = combined_gpu(weights, torch.where(input.isfinite(), input, 0), axis)
    # What is not finite reaches only the bands it belongs to, though all others are multiplied with it by 0.
    for beyond, reached in ((torch.inf, ~(input < torch.inf)), (-torch.inf, ~(input > -torch.inf))):
        made = made + torch.where(combined_gpu(weights > 0, reached.to(input.dtype), axis) > 0, beyond, 0.0)
    return made


mel_filter_bank.examples = examples(
    "ndd.mel_filter_bank(power)",
    "ndd.mel_filter_bank(power, sample_rate=16000, nfilter=80)",
    "ndd.mel_filter_bank(power, sample_rate=16000.0, nfilter=40, mel_formula='htk', normalize=False)",
    "ndd.mel_filter_bank(power, sample_rate=8000, nfilter=7, freq_low=300.5, freq_high=3400.0)",
    Example("ndd.mel_filter_bank(power, nfilter=40, sample_rate=8000.0)", drawn=True),
    within=0.0001,
)
