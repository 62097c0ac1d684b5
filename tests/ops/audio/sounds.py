"""Small sounds, and files of them in many formats, made in memory."""

from __future__ import annotations

import io
import struct
from typing import Any

import numpy as np
import soundfile

Array = np.ndarray[Any, Any]
RATE = 16000
PLAIN = ("PCM_U8", "PCM_16", "PCM_24", "PCM_32", "FLOAT", "DOUBLE")
# Format and codec of what libsndfile decodes.
OTHERS = [
    ("FLAC", "PCM_16"), ("FLAC", "PCM_24"), ("OGG", "VORBIS"), ("OGG", "OPUS"), ("MP3", "MPEG_LAYER_III"),
    ("AIFF", "PCM_16"), ("AU", "PCM_16"), ("CAF", "FLOAT"), ("W64", "PCM_24"), ("RF64", "PCM_16"),
    ("WAV", "ULAW"), ("WAV", "MS_ADPCM"),
]  # fmt: skip


def tone(frames: int = 800, channels: int = 1, frequency: float = 440.0, rate: int = RATE) -> Array:
    """A tone in every channel, each higher and softer than the one before."""
    time = np.arange(frames)[:, None] / rate
    above = np.arange(1, channels + 1)
    return 0.6 / above * np.sin(2 * np.pi * frequency * above * time + 0.3)


def encoded(sound: Array, kind: str = "WAV", codec: str = "PCM_16", rate: int = RATE, **options: Any) -> Array:
    """The bytes of a file."""
    file = io.BytesIO()
    soundfile.write(file, sound, rate, format=kind, subtype=codec, **options)
    return np.frombuffer(file.getvalue(), np.uint8).copy()


def decoded(file: Array, dtype: str = "float32") -> Array:
    """What soundfile makes of it."""
    sound: Array = soundfile.read(io.BytesIO(file.tobytes()), dtype=dtype, always_2d=True)[0]
    return sound


def wav(
    data: bytes, *, form: int = 1, channels: int = 1, rate: int = RATE, bits: int = 16, promised: int | None = None,
    before: bytes = b"",
) -> Array:  # fmt: skip
    """A WAV file written by hand, with a header that need not be true."""
    align = channels * bits // 8
    about = struct.pack("<HHIIHH", form, channels, rate & 0xFFFFFFFF, rate * align & 0xFFFFFFFF, align, bits)
    body = b"WAVE" + before + chunk(b"fmt ", about) + chunk(b"data", data, promised)
    return np.frombuffer(chunk(b"RIFF", body), np.uint8).copy()


def chunk(name: bytes, content: bytes, promised: int | None = None) -> bytes:
    return (
        name + struct.pack("<I", len(content) if promised is None else promised) + content + b"\0" * (len(content) % 2)
    )


def snr(made: Array, wanted: Array) -> float:
    """How far the signal is above the difference, in dB."""
    wanted, apart = wanted.astype(np.float64), made.astype(np.float64) - wanted
    return float(10 * np.log10((wanted**2).sum() / max((apart**2).sum(), 1e-300)))
