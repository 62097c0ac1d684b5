"""`Piece`: a range of bytes of a file at a URL."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple, TypeAlias

from penstock.values import memory_limit

Contents: TypeAlias = bytes | bytearray

UNLIMITED = 1 << 60


class Piece(NamedTuple):
    """A range of a file; a length of -1 means up to its end."""

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
        """Its first and last byte, in the notation of HTTP."""
        return f"{self.offset}-{'' if self.length < 0 else self.offset + self.length - 1}"

    def require_allowed(self, size: int, what: str = "it") -> None:
        """Raises ValueError, which is not retried, if `size` bytes exceed the limit."""
        why = memory_limit.refusal(f"reading {what}", size, self.max_bytes)
        if why is not None:
            raise ValueError(why)


@lru_cache  # every batch asks for that of its root
def is_remote(path: str) -> bool:
    return "://" in path
