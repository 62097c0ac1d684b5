"""Reads parts of sound files and decodes them in parallel."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from penstock import _native
from penstock._native import Samples
from penstock.ops.audio import libsndfile
from penstock.readers.core.order import Indices
from penstock.storage import Names, Storage
from penstock.storage.names import encoded
from penstock.storage.storage import reading_pool
from penstock.values.dtypes import DType

Seconds = npt.NDArray[np.float64]


class SoundOptions(NamedTuple):
    """The format to decode to; a `sample_rate` that is not positive keeps that of the file."""

    dtype: DType
    downmix: bool
    sample_rate: float
    quality: float


def read_sounds(
    storage: Storage, names: Names, which: Indices, offsets: Seconds, durations: Seconds, options: SoundOptions
) -> tuple[Samples, Samples, dict[int, str], list[int]]:
    """Decodes parts of files: audio, sample rates, failures by position, and the positions of files of unknown length.

    Of local files only the part is read, others are fetched whole; raises UnreadableError if that fails.
    """
    libsndfile.load()
    rate = np.array([options.sample_rate])
    wanted = (options.dtype.code, options.downmix, options.quality, storage.sample_bytes, rate)
    if names.remote:
        files = storage.read("", names, which)
        audio, _, rates, failures, unknown_length = _native.decode_audio(
            reading_pool(), len(which), files, *wanted, offsets, durations
        )
    else:
        paths = [encoded(names[i]) for i in which]
        audio, _, rates, failures, unknown_length = _native.read_audio(
            reading_pool(), paths, *wanted, offsets, durations
        )
    audio.sources = [names[i] for i in which]
    return audio, rates, failures, unknown_length
