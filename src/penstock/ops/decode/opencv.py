"""OpenCV's decoder without its voice: what it logs is told by an exception here."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

_lock = threading.Lock()
_silenced = 0
_level_before = 0


def _set_log_level(level: int) -> int:
    """Returns the level before; OpenCV 5 has moved the function."""
    import cv2

    set_level = vars(cv2).get("setLogLevel") or cv2.utils.logging.setLogLevel
    return int(set_level(level))


@contextmanager
def _silence() -> Iterator[None]:
    """The log level belongs to the process: the first decoder to come lowers it, the last one to leave puts it back."""
    global _silenced, _level_before
    with _lock:
        if _silenced == 0:
            _level_before = _set_log_level(0)
        _silenced += 1
    try:
        yield
    finally:
        with _lock:
            _silenced -= 1
            if _silenced == 0:
                _set_log_level(_level_before)


def can_decode_jpeg2000() -> bool:
    """Not by 4.10 and 4.11: damaged data has them write through a pointer that they never set (CVE-2025-53644)."""
    import cv2

    major, minor = map(int, cv2.__version__.split(".")[:2])
    return (major, minor) >= (4, 12)


def decode(data: Array, flags: int, image_format: str) -> Array:
    """Height, width, channels in OpenCV's order: B, G, R, A."""
    import cv2

    if image_format == "JPEG2000" and not can_decode_jpeg2000():
        raise RuntimeError(
            f"JPEG 2000 is decoded by OpenCV 4.12 and later only, and this is {cv2.__version__}, which crashes on "
            'damaged files (CVE-2025-53644); pip install "opencv-python-headless>=4.12"'
        )
    try:
        with _silence():
            image = cv2.imdecode(data, flags)
    except cv2.error as error:
        raise RuntimeError(f"the {image_format} data cannot be decoded: {error.err}") from None
    if image is None:
        raise RuntimeError(
            f"the {image_format} data is damaged, cut off or of a kind that OpenCV {cv2.__version__} does not decode"
        )
    return np.atleast_3d(image)
