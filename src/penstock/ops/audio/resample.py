"""Signals at another sample rate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from penstock import _native
from penstock.gpu.casting import as_float32, as_widest_real, cast_tensor
from penstock.gpu.types import beside, dtype_of
from penstock.ops.audio.checks import check_quality
from penstock.ops.names import type_name
from penstock.schema import PerSample, operator
from penstock.values.casting import cast_array
from penstock.values.dtypes import DType, float32, int8, int16, int32, uint8, uint16, uint32
from penstock.values.spec import Spec

if TYPE_CHECKING:
    import torch

Array = np.ndarray[Any, Any]

TYPES = (int8, uint8, int16, uint16, int32, uint32, float32)
STEPS = 32  # entries of the filter's table from one input sample to the next
CHUNK = 4096
CHUNK_ELEMENTS = 1 << 24  # of the batch that are gathered at a time on an accelerator


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
    made, step = _resampling(n, in_rate, out_rate, scale, out_length)
    signal = _to_unit(input).reshape(n, -1)
    parts = [_filtered(signal, np.arange(i, min(i + CHUNK, made)) * step, quality) for i in range(0, made, CHUNK)]
    result = np.concatenate(parts) if parts else np.zeros((0, signal.shape[1]))
    return _from_unit(result.reshape(made, *input.shape[1:]), dtype or DType.by_numpy[input.dtype])


def _resampling(n: int, in_rate: Any, out_rate: Any, scale: Any, out_length: Any) -> tuple[int, float]:
    """How many samples `n` become, and how many of the input one of the result stands for."""
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
    return made, inward / outward if made else 0.0


def _lobes(quality: float) -> int:
    return round(0.007 * quality * quality - 0.09 * quality + 3)


def _filtered(signal: Array, places: Array, quality: float) -> Array:
    """The signal at some places between its samples."""
    lobes = _lobes(quality)
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


@audio_resample.gpu
def gpu(
    input: torch.Tensor,
    *,
    in_rate: Any,
    out_rate: Any,
    scale: Any,
    out_length: Any,
    quality: float,
    dtype: DType | None,
) -> torch.Tensor:
    import torch

    n = input.shape[1]
    made, step = _resampling(n, in_rate, out_rate, scale, out_length)
    channels = input.shape[2] if input.ndim == 3 else 1
    signal = _to_unit_gpu(input).reshape(len(input), n, channels)
    lobes = _lobes(quality)
    table = beside(_sinc(np.arange(-lobes * STEPS, lobes * STEPS + 2) / STEPS, lobes), signal).to(signal.dtype)
    chunk = max(CHUNK_ELEMENTS // (2 * lobes * max(len(input) * channels, 1)), 1)
    parts = [
        _filtered_gpu(signal, np.arange(i, min(i + chunk, made)) * step, lobes, table) for i in range(0, made, chunk)
    ]
    result = torch.cat(parts, 1) if parts else signal[:, :0]
    return _from_unit_gpu(result.reshape(len(input), made, *input.shape[2:]), dtype or dtype_of(input))


def _filtered_gpu(signal: torch.Tensor, places: Array, lobes: int, table: torch.Tensor) -> torch.Tensor:
    """As `_filtered`, of signals under a leading axis, with the filter's table."""
    import torch

    n = signal.shape[1]
    whole = np.floor(places)
    distance = (whole - places) * STEPS  # which lie alike between entries of the table for all samples around
    before = np.floor(distance)
    share = beside((distance - before).astype(np.float32), signal).to(signal.dtype)[:, None]
    beyond = torch.arange(1 - lobes, lobes + 1, device=signal.device)
    entry = (beyond + lobes) * STEPS + beside(before.astype(np.int64), signal)[:, None]
    weights = (1 - share) * table[entry] + share * table[entry + 1]
    around = beside(whole.astype(np.int64), signal)[:, None] + beyond
    weights = torch.where((around < 0) | (around >= n), 0, weights)
    return torch.einsum("ij,bijc->bic", weights, signal[:, around.clamp(0, n - 1)])


def _to_unit_gpu(signal: torch.Tensor) -> torch.Tensor:
    kind = dtype_of(signal).storage
    if kind.kind == "f":
        return signal
    wide = as_float32(signal) if kind.itemsize < 4 else as_widest_real(signal)
    largest = float(np.iinfo(kind).max)
    return wide / largest if kind.kind == "i" else wide / (largest / 2) - 1


def _from_unit_gpu(signal: torch.Tensor, dtype: DType) -> torch.Tensor:
    if dtype == float32:
        return cast_tensor(signal, dtype)
    wide, largest = as_widest_real(signal), float(np.iinfo(dtype.storage).max)
    return cast_tensor(wide * largest if dtype.storage.kind == "i" else (wide + 1) * (largest / 2), dtype)
