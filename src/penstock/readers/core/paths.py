"""Paths and lists of paths as users give them, converted to text."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TypeAlias

Path: TypeAlias = "str | os.PathLike[str]"


def path_text(path: Path | bytes) -> str:
    try:
        return os.fsdecode(path)
    except TypeError:
        raise TypeError(f"a path is a str, bytes or os.PathLike, got {path!r}") from None


def several(paths: Iterable[Path] | Path) -> list[str]:
    """Converts one path, or other text, or an iterable of them to a list."""
    if isinstance(paths, (str, bytes, os.PathLike)):
        return [path_text(paths)]
    if not isinstance(paths, Iterable):
        raise TypeError(f"a path or a list of paths is needed, got {paths!r}")
    return [path_text(path) for path in paths]
