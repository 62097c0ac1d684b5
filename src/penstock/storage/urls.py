"""What is asked of files at URLs."""

from __future__ import annotations

from typing import NamedTuple


class Piece(NamedTuple):
    """A part of a file; up to its end where the length is -1."""

    url: str
    offset: int
    length: int
    may_end: bool = False  # the file may be shorter

    @property
    def is_whole(self) -> bool:
        return self.offset == 0 and self.length < 0


def is_remote(path: str) -> bool:
    return "://" in path
