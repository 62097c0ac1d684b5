"""Signals at another sample rate."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock import _native
from penstock.ops.audio.checks import check_quality
from penstock.ops.names import type_name
from penstock.schema import PerSample, operator
from penstock.values.casting import cast_array
from penstock.values.dtypes import DType, float32, int8, int16, int32, uint8, uint16, uint32
from penstock.values.spec import Spec

Array = np.ndarray[Any, Any]

TYPES = (int8, uint8, int16, uint16, int32, uint32, float32)
STEPS = 32  # entries of the filter's table from one input sample to the next
CHUNK = 4096


def _foretell(
    input: Spec, *, in_rate: Any, out_rate: Any, scale: Any, out_length: Any, quality: float, dtype: DType | None
) -> Spec:
    if input.ndim not in (1, 2):
        raise RuntimeError(f"a signal has an axis of time and perhaps one of channels, got {input.ndim} axes")
    check_quality(quality)
    if (in_rate is None) != (out_rate is None):
        raise RuntimeError("`in_rate` and `out_rate` must be specified together")
    given = [each for each in (in_rate, scale, out_length) if each is not None]
    if len(given) > 1:
        raise RuntimeError("The sampling rates, `scale` and `out_length` cannot be used together.")
    if not given:
        raise RuntimeError(
            "No resampling factor specified! Please supply either the scale, the output length or the input and output "
            "sampling rates."
        )
    for kind in (dtype or input.dtype, input.dtype):
        if kind not in TYPES:
            raise RuntimeError(
                f"Unsupported output type: {type_name(kind)}; signals are {', '.join(map(type_name, TYPES))}"
            )
    if isinstance(in_rate, float) and not 0 < in_rate < np.inf:
        raise RuntimeError(f"Input sampling rates must be positive, got {in_rate:g}")
    for name, value in (("out_rate", out_rate), ("scale", scale), ("out_length", out_length)):
        if isinstance(value, (float, int)) and not 0 <= value < np.inf:
            raise RuntimeError(f"`{name}` must be non-negative and finite, got {value:g}")
    return Spec(dtype or input.dtype, input.ndim, input.layout)


@operator(infer=_foretell)
def audio_resample(
    input: Array,
    *,
    in_rate: PerSample[float] | None = None,
    out_rate: PerSample[float] | None = None,
    scale: PerSample[float] | None = None,
    out_length: PerSample[int] | None = None,
    quality: float = 50.0,
    dtype: DType | None = None,
) -> Array:
    """Brings signals to another sample rate.

        ndd.audio_resample(audio, in_rate=44100, out_rate=16000)
        ndd.audio_resample(audio, scale=1.1)

    The first axis is time, the second, if there is one, channels. The signal is filtered with a sinc under a Hann
    window and is silent beyond its ends. Frequencies the new rate cannot hold are not removed but folded back: take
    them out before, where there are any.

    Args:
        in_rate: Sample rate of the input.
        out_rate: Sample rate of the result, in the same unit.
        scale: Their ratio instead: 2 doubles the number of samples.
        out_length: Number of samples to bring the signal to, instead of rates.
        quality: 0 to 100, for 3 to 64 lobes of the sinc on either side.
        dtype: Type of the result, the input's by default. The largest value of an integer type stands for 1, and the
            lowest of an unsigned one for -1.
    """
    n = len(input)
    if out_length is not None:
        inward, outward, made = float(n), float(out_length), int(out_length)
    else:
        inward = 1.0 if in_rate is None else float(in_rate)
        outward = float((scale if in_rate is None else out_rate) or 0)
        if not 0 < inward < np.inf or not 0 <= outward < np.inf:
            raise RuntimeError(f"sampling rates must be positive, got {inward:g} and {outward:g}")
        made = int(np.ceil(n * outward / inward))
    if made and not n:
        raise RuntimeError("a signal without samples cannot become one with samples")
    signal = _to_unit(input).reshape(n, -1)
    step = inward / outward if made else 0.0
    parts = [_filtered(signal, np.arange(i, min(i + CHUNK, made)) * step, quality) for i in range(0, made, CHUNK)]
    result = np.concatenate(parts) if parts else np.zeros((0, signal.shape[1]))
    return _from_unit(result.reshape(made, *input.shape[1:]), dtype or DType.by_numpy[input.dtype])


def _filtered(signal: Array, places: Array, quality: float) -> Array:
    """The signal at some places between its samples."""
    lobes = round(0.007 * quality * quality - 0.09 * quality + 3)
    whole = np.floor(places).astype(int)
    around = whole[:, None] + np.arange(1 - lobes, lobes + 1)
    distance = (around - places[:, None]) * STEPS
    before = np.floor(distance)
    share = distance - before
    weights = (1 - share) * _sinc(before / STEPS, lobes) + share * _sinc((before + 1) / STEPS, lobes)
    weights[(around < 0) | (around >= len(signal))] = 0
    made: Array = np.einsum("ij,ijc->ic", weights, signal[around.clip(0, len(signal) - 1)])
    return made


def _sinc(x: Array, lobes: int) -> Array:
    """The filter where it is tabulated; its window ends half a step behind the last lobe."""
    made: Array = np.sinc(x) * (0.5 + 0.5 * np.cos(np.pi * x / (lobes + 0.5 / STEPS)))
    return made


def _to_unit(signal: Array) -> Array:
    if signal.dtype.kind == "f":
        return signal.astype(np.float64)
    largest = np.iinfo(signal.dtype).max
    return signal / largest if signal.dtype.kind == "i" else signal / (largest / 2) - 1


def _from_unit(signal: Array, dtype: DType) -> Array:
    if dtype != float32:
        assert dtype.numpy is not None
        largest = np.iinfo(dtype.numpy).max
        signal = signal * largest if np.dtype(dtype.numpy).kind == "i" else (signal + 1) * (largest / 2)
    return cast_array(signal, dtype)


@audio_resample.native
def native(
    input: Spec,
    *,
    in_rate: Array | None,
    out_rate: Array | None,
    scale: Array | None,
    out_length: Array | None,
    quality: float,
    dtype: DType | None,
) -> _native.Step:
    kind = dtype or input.dtype
    assert kind is not None
    one = np.ones(1, np.float32)
    if in_rate is None or out_rate is None:
        in_rate, out_rate = one, one if scale is None else scale
    return _native.AudioResample(in_rate, out_rate, out_length, quality, kind.code)
