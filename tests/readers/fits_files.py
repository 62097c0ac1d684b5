"""Writes small FITS files, right and wrong ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

BITPIX = {"u1": 8, "i2": 16, "i4": 32, "i8": 64, "f4": -32, "f8": -64}


def header(cards: dict[str, Any]) -> bytes:
    """A header; strings are written as they are given."""
    lines = [f"{key:<8}= {'TF'[not value] if isinstance(value, bool) else value:>20}" for key, value in cards.items()]
    text = "".join(line.ljust(80) for line in [*lines, "COMMENT  BITPIX = 7", "END"])
    return text.ljust(-(-len(text) // 2880) * 2880).encode()


def hdu(array: Any = None, first: bool = False, **cards: Any) -> bytes:
    """A header with the image that follows; `cards` are added to it or stand in for its own."""
    kind: dict[str, Any] = {"SIMPLE": True} if first else {"XTENSION": "'IMAGE   '"}
    if array is None:
        return header({**kind, "BITPIX": 8, "NAXIS": 0, **cards})
    array = np.asarray(array)
    axes = {f"NAXIS{k}": n for k, n in enumerate(reversed(array.shape), 1)}
    own = {**kind, "BITPIX": BITPIX[array.dtype.str[1:]], "NAXIS": array.ndim, **axes}
    data = array.astype(array.dtype.newbyteorder(">")).tobytes()
    return header({**own, **cards}) + data + bytes(-len(data) % 2880)


def write(path: Path, *hdus: bytes) -> str:
    path.write_bytes(b"".join(hdus))
    return str(path)
