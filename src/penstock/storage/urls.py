"""What is asked of files at URLs."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from penstock.values import memory_limit

Contents: TypeAlias = bytes | bytearray

UNLIMITED = 1 << 60


class Piece(NamedTuple):
    """A part of a file; up to its end where the length is -1."""

    url: str
    offset: int
    length: int
    may_end: bool = False  # the file may be shorter
    max_bytes: int = UNLIMITED

    @property
    def is_whole(self) -> bool:
        return self.offset == 0 and self.length < 0

    @property
    def extent(self) -> str:
        """Its first and last byte, as HTTP writes them."""
        return f"{self.offset}-{'' if self.length < 0 else self.offset + self.length - 1}"

    def require_allowed(self, size: int, what: str = "it") -> None:
        """Raises ValueError where so many bytes are more than it may take; asking again cannot help."""
        why = memory_limit.refusal(f"reading {what}", size, self.max_bytes)
        if why is not None:
            raise ValueError(why)


def is_remote(path: str) -> bool:
    return "://" in path
