"""Decoding of sound."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock import _native
from penstock._native import Pool, SampleError, Samples
from penstock.ops.audio import libsndfile
from penstock.ops.audio.checks import check_sound
from penstock.ops.decode.image import check_encoded
from penstock.schema import PerSample, operator
from penstock.values import memory_limit
from penstock.values.bad_samples import doubt_length
from penstock.values.dtypes import DType, float32
from penstock.values.spec import Spec

Array = np.ndarray[Any, Any]


def _foretell(
    data: Spec, *, sample_rate: Any, quality: float, downmix: bool, dtype: DType, max_bytes: int | None
) -> tuple[Spec, Spec]:
    check_encoded(data, max_bytes)
    check_sound(dtype, quality)
    if not isinstance(sample_rate, Spec):
        _check_rates(np.array([sample_rate], np.float32))
    return Spec(dtype, 1 if downmix else 2), Spec(float32, 0)


def _check_rates(rates: Array) -> None:
    if not (np.isfinite(rates) & (rates >= 0)).all():
        raise RuntimeError(f"`sample_rate` must be positive, or 0 for the file's own, got {np.min(rates):g} Hz")


def _blank(good: tuple[Array, Array] | None, *, downmix: bool, dtype: DType, **rest: Any) -> tuple[Array, Array]:
    """Silence, as long as another recording of the batch and with its rate, or a single value at a rate of 0."""
    if good is None:
        return np.zeros(1 if downmix else (1, 1), dtype.storage), np.array(0, np.float32)
    return np.zeros_like(good[0]), good[1]


@operator(name="decoders.audio", infer=_foretell, results=2, blank=_blank, runs_on="cpu")
def audio(
    data: Array,
    *,
    sample_rate: PerSample[float] = 0.0,
    quality: float = 50.0,
    downmix: bool = False,
    dtype: DType = float32,
    max_bytes: int | None = None,
) -> tuple[Array, Array]:
    """Decodes the bytes of sound files, and tells their sample rates.

        audio, rates = ndd.decoders.audio(files)
        audio, rates = ndd.decoders.audio(files, sample_rate=16000, downmix=True)

    WAV and FLAC files need nothing else; Ogg, MP3, AIFF and others come with `pip install penstock[audio]`. The result
    has the axes time and channels, or only time with `downmix`.

    Args:
        sample_rate: Sample rate of the result in Hz, as made by `audio_resample`; 0 keeps the file's.
        quality: Quality of a change of the sample rate, 0 to 100.
        downmix: Take the mean of all channels.
        dtype: float32, from -1 to 1, or int16 and int32 of full scale.
        max_bytes: Sounds that take more memory to decode are refused; by default those of more than 2 GiB, or what the
            environment variable PENSTOCK_MAX_BYTES says.
    """
    rates = np.array([sample_rate], np.float32)
    made = whole(Pool(1), 1, Samples.wrap_one(data), rates, quality, downmix, dtype, max_bytes)
    decoded, rate = (samples.sample(0) for samples in made)
    return decoded, rate


@audio.on_samples
def whole(
    pool: Pool,
    n: int,
    data: Samples,
    sample_rate: Array,
    quality: float,
    downmix: bool,
    dtype: DType,
    max_bytes: int | None,
) -> tuple[Samples, Samples]:
    libsndfile.load()
    _check_rates(sample_rate)
    limit = memory_limit.max_bytes(max_bytes)
    decoded, rates, _, failures, untold = _native.decode_audio(
        pool, n, data, dtype.code, downmix, quality, limit, sample_rate.astype(np.float64), np.zeros(1), -np.ones(1)
    )
    for failure in failures.items():
        raise SampleError(*failure)
    doubt_length(data, untold if len(data) == n else untold[:1])
    return decoded, rates
