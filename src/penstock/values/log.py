"""Messages to Python's `logging`, under "penstock"."""

from __future__ import annotations

import sys
from typing import Any, Literal


def log(level: Literal["DEBUG", "INFO"], part: str, message: str, *values: Any) -> None:
    """Logs a message of "penstock.<part>". A program that has not imported `logging` has not asked for any.

    Importing it would take longer than the rest of a first step.
    """
    logging = sys.modules.get("logging")
    if logging is not None:
        logging.getLogger(f"penstock.{part}").log(getattr(logging, level), message, *values)
