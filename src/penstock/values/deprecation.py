"""Warnings about outdated calls, which name the user's own line."""

from __future__ import annotations

import os
import sys
import warnings

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep


SEED_UNUSED = 'The argument "seed" should not be used with operators that don\'t use random numbers.'


def warn_deprecated(message: str) -> None:
    """Warns of something outdated in the innermost frame outside of this package."""
    frame, level = sys._getframe(1), 2
    while frame.f_code.co_filename.startswith(_PACKAGE) and frame.f_back is not None:
        frame, level = frame.f_back, level + 1
    warnings.warn(message, DeprecationWarning, stacklevel=level)
