"""What there is to say about one image file: can it be decoded, and is anything about it odd?"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np

from penstock import _native
from penstock.cli.checking.animation import is_animated
from penstock.ops.decode.formats import decode_image
from penstock.ops.decode.headers import format_of, orientation_of, sample_bytes, stored_shape
from penstock.values.memory_limit import max_bytes

Array = np.ndarray[Any, Any]
Problem = Literal["", "truncated", "corrupt", "empty", "not an image", "unreadable", "too large"]

SUFFIXES = {
    ".jpg": "JPEG", ".jpeg": "JPEG", ".png": "PNG", ".bmp": "BMP", ".tif": "TIFF", ".tiff": "TIFF", ".pnm": "PNM",
    ".ppm": "PNM", ".pgm": "PNM", ".pbm": "PNM", ".jp2": "JPEG2000", ".webp": "WebP", ".gif": "GIF",
}  # fmt: skip
_CUT_OFF = ("ends early", "ends inside", "cut off", "Premature end", "end marker is missing", "too short")
_TINY, _HUGE_PIXELS = 32, 50_000_000


class FileReport(NamedTuple):
    """One file. `problem` says why it is bad, in a word, and `reason` in a sentence; both are empty for a good one."""

    path: str
    size: int
    changed: int  # the time, in nanoseconds
    image_format: str = ""
    height: int = 0
    width: int = 0
    channels: int = 0
    odd: tuple[str, ...] = ()
    digest: str = ""
    problem: Problem = ""
    reason: str = ""


def report_file(path: str) -> FileReport:
    """Reads and decodes a file. Whatever is wrong with it is in the report; nothing is raised."""
    try:
        stat = os.stat(path)
        blank = FileReport(path, stat.st_size, stat.st_mtime_ns)
        data: Array = np.fromfile(path, np.uint8)
    except OSError as error:
        return FileReport(path, 0, 0, problem="unreadable", reason=error.strerror or str(error))
    return report_data(blank, data)


def report_data(blank: FileReport, data: Array) -> FileReport:
    """The same of bytes that were read already."""
    if not data.size:
        return blank._replace(problem="empty", reason="the file is empty")
    report = blank._replace(digest=hashlib.blake2b(data.data, digest_size=16).hexdigest())
    image_format = format_of(data)
    if image_format is None:
        start = data[:12].tobytes()
        return report._replace(problem="not an image", reason=f"starts with {start!r}, which no known format does")
    report = report._replace(image_format=image_format, odd=_odd_name(blank.path, image_format))
    try:
        return _jpeg(report, data) if image_format == "JPEG" else _other(report, data)
    except (RuntimeError, MemoryError) as error:
        reason = str(error)
        return report._replace(problem=_kind_of(reason), reason=reason)


def _kind_of(reason: str) -> Problem:
    if "memory" in reason:
        return "too large"
    return "truncated" if any(words in reason for words in _CUT_OFF) else "corrupt"


def _jpeg(report: FileReport, data: Array) -> FileReport:
    found = _native.report_jpeg(data, max_bytes(None))
    odd = [*report.odd]
    if found.components == 4:
        odd.append("CMYK")
    if found.precision > 8:
        odd.append("16-bit")
    report = _sized(report, found.height, found.width, found.components, odd, found.orientation)
    if found.damage:
        return report._replace(problem=_kind_of(found.damage), reason=found.damage)
    return report


def _other(report: FileReport, data: Array) -> FileReport:
    view, image_format = data.data, report.image_format
    height, width, channels = stored_shape(view, image_format)
    odd = [*report.odd]
    if image_format in ("PNG", "TIFF", "PNM") and sample_bytes(view, image_format) > 1:
        odd.append("16-bit")
    if is_animated(view, image_format):
        odd.append("animated")
    if channels in (2, 4):
        odd.append("transparent")
    report = _sized(report, height, width, channels, odd, orientation_of(view, image_format))
    decode_image(data, adjust_orientation=False, max_bytes=max_bytes(None))
    return report


def _sized(report: FileReport, height: int, width: int, channels: int, odd: list[str], orientation: int) -> FileReport:
    if orientation != 1:
        odd.append("EXIF-turned")
    if channels == 1:
        odd.append("grey")
    if height * width > _HUGE_PIXELS:
        odd.append("huge")
    if min(height, width) < _TINY:
        odd.append("tiny")
    return report._replace(height=height, width=width, channels=channels, odd=tuple(odd))


def _odd_name(path: str, image_format: str) -> tuple[str, ...]:
    told = SUFFIXES.get(Path(path).suffix.lower())
    return () if told in (None, image_format) else ("wrong suffix",)
