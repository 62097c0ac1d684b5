"""Options that several commands have, and the types of their values."""

from __future__ import annotations

import argparse

_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def add_threads(parser: argparse.ArgumentParser) -> None:
    """--threads N."""
    parser.add_argument("--threads", type=positive, metavar="N", help="worker threads (default: as doctor says)")


def positive(text: str) -> int:
    """A whole number above 0."""
    try:
        number = int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"must be a whole number, got {text!r}") from None
    if number < 1:
        raise argparse.ArgumentTypeError(f"must be at least 1, got {number}")
    return number


def byte_count(text: str) -> int:
    """A number of bytes above 0: 1000000, 512K, 256M or 1G."""
    digits, unit = (text[:-1], text[-1].upper()) if text[-1:].upper() in _UNITS else (text, "")
    return positive(digits) * _UNITS[unit]
