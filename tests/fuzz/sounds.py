"""Sound files: WAV and FLAC by the native core, the others by libsndfile."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import penstock.dynamic as ndd
from fuzz.target import LIMIT, Target
from ops.audio.sounds import OTHERS, PLAIN, encoded, tone


def files(*kinds: str) -> list[bytes]:
    pairs = [*(("WAV", codec) for codec in PLAIN), *OTHERS]
    return [encoded(tone(700, 2), *pair).tobytes() for pair in pairs if pair[0] in kinds]


def decode(data: bytes, folder: Path) -> None:
    encoded_sound = np.frombuffer(data, np.uint8)
    with ndd.EvalMode.sync_cpu:
        ndd.decoders.audio(encoded_sound, max_bytes=LIMIT)[0].evaluate()
        ndd.decoders.audio(encoded_sound, downmix=True, sample_rate=8000, dtype=ndd.int16, max_bytes=LIMIT)[
            0
        ].evaluate()


TARGETS = {
    "wav": Target(lambda: files("WAV", "W64", "RF64"), decode),
    "flac": Target(lambda: files("FLAC"), decode),
    "ogg": Target(lambda: files("OGG"), decode),
    "sndfile": Target(lambda: files("MP3", "AIFF", "AU", "CAF"), decode),
}
