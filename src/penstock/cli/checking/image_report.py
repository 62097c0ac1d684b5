"""What there is to say about the bytes of an image: can it be decoded, and is anything about it odd?"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from penstock import _native
from penstock.cli.checking.animation import is_animated
from penstock.cli.checking.file_report import FileReport, problem_of
from penstock.ops.decode.formats import decode_image
from penstock.ops.decode.headers import format_of, orientation_of, sample_bytes, stored_shape
from penstock.values.memory_limit import max_bytes

Array = np.ndarray[Any, Any]

SUFFIXES = {
    ".jpg": "JPEG", ".jpeg": "JPEG", ".png": "PNG", ".bmp": "BMP", ".tif": "TIFF", ".tiff": "TIFF", ".pnm": "PNM",
    ".ppm": "PNM", ".pgm": "PNM", ".pbm": "PNM", ".jp2": "JPEG2000", ".webp": "WebP", ".gif": "GIF",
}  # fmt: skip
_TINY, _HUGE_PIXELS = 32, 50_000_000


def report_image(report: FileReport, data: Array) -> FileReport:
    """Decodes an image. Raises RuntimeError or MemoryError for one that is bad."""
    found = format_of(data)
    if found is None:
        start = data[:12].tobytes()
        return report._replace(problem="not an image", reason=f"starts with {start!r}, which no known format does")
    report = report._replace(format=found, odd=_odd_name(report.path, found))
    return _jpeg(report, data) if found == "JPEG" else _other(report, data)


def _jpeg(report: FileReport, data: Array) -> FileReport:
    found = _native.report_jpeg(data, max_bytes(None))
    odd = [*report.odd]
    if found.components == 4:
        odd.append("CMYK")
    if found.precision > 8:
        odd.append("16-bit")
    report = _sized(report, found.height, found.width, found.components, odd, found.orientation)
    if found.damage:
        return report._replace(problem=problem_of(found.damage), reason=found.damage)
    return report


def _other(report: FileReport, data: Array) -> FileReport:
    view, image_format = data.data, report.format
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
