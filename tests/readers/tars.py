"""Small tar archives for tests."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Iterable
from pathlib import Path


def write_tar(path: Path, members: Iterable[tuple[str, bytes]], form: int = tarfile.USTAR_FORMAT) -> str:
    """An archive of files."""
    with tarfile.open(path, "w", format=form) as archive:
        for name, contents in members:
            member = tarfile.TarInfo(name)
            member.size = len(contents)
            archive.addfile(member, io.BytesIO(contents))
    return str(path)


def write_numbered(path: Path, numbers: Iterable[int]) -> str:
    """Samples of two components that hold their own number."""
    return write_tar(path, [(f"{n:04d}.{ext}", str(n).encode()) for n in numbers for ext in ("txt", "cls")])
