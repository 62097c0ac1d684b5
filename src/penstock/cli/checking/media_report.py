"""What there is to say about sounds, videos and arrays: do they decode from the first sample to the last?"""

from __future__ import annotations

import io
from typing import Any

import numpy as np

from penstock import _native
from penstock._native import Pool, Samples
from penstock.cli.checking.file_report import FileReport
from penstock.ops.audio import libsndfile
from penstock.values.dtypes import float32
from penstock.values.memory_limit import max_bytes
from penstock.video import VideoFile

Array = np.ndarray[Any, Any]

SOUNDS = {".wav": "WAV", ".flac": "FLAC", ".ogg": "Ogg", ".oga": "Ogg", ".opus": "Ogg", ".mp3": "MP3", ".aiff": "AIFF"}
VIDEOS = {
    ".mp4": "MP4", ".m4v": "MP4", ".mov": "MOV", ".mkv": "Matroska", ".webm": "WebM", ".avi": "AVI", ".mpg": "MPEG",
}  # fmt: skip
ARRAYS = {".npy": "NumPy"}
_FRAMES_AT_ONCE = 8
_SHORT_SECONDS = 0.1
_AS_IT_IS, _FROM_START, _TO_END = np.zeros(1), np.zeros(1), -np.ones(1)


def report_sound(report: FileReport, data: Array, suffix: str) -> FileReport:
    """Decodes a sound. Raises RuntimeError for one that is bad."""
    libsndfile.load()
    report = report._replace(format=SOUNDS[suffix])
    decoded, rates, _, failures, _ = _native.decode_audio(
        Pool(1), 1, Samples.wrap_one(data), float32.code, False, 50.0, max_bytes(None), _AS_IT_IS, _FROM_START, _TO_END
    )
    if failures:
        raise RuntimeError(failures[0])
    signal, rate = decoded.sample(0), float(rates.sample(0))
    odd = ["silent"] * (signal.size > 0 and not signal.any()) + ["short"] * (len(signal) < _SHORT_SECONDS * rate)
    return report._replace(channels=signal.shape[1], seconds=len(signal) / max(rate, 1.0), odd=tuple(odd))


def report_video(report: FileReport, source: Any, suffix: str) -> FileReport:
    """Decodes all frames of a video, from a path or from bytes. Raises RuntimeError for one that is bad."""
    report = report._replace(format=VIDEOS[suffix])
    with VideoFile(source, name="the video", max_bytes=max_bytes(None)) as video:
        last = float(video.timestamps[-1])
        report = report._replace(height=video.height, width=video.width, channels=3, seconds=last)
        for first in range(0, video.frame_count, _FRAMES_AT_ONCE):
            video.read(np.arange(first, min(first + _FRAMES_AT_ONCE, video.frame_count)))
        odd = ["variable rate"] * video.is_variable_rate + ["turned"] * (video.rotation != 0)
    return report._replace(odd=tuple(odd))


def report_array(report: FileReport, data: Array) -> FileReport:
    """Reads an array of NumPy. Raises RuntimeError for one that is bad."""
    try:
        array = np.load(io.BytesIO(data.data), allow_pickle=False)
    except (ValueError, EOFError, SyntaxError) as error:
        raise RuntimeError(str(error)) from None
    bad = array.dtype.kind == "f" and not np.isfinite(array).all()
    return report._replace(format="NumPy", odd=("not finite",) if bad else ())
