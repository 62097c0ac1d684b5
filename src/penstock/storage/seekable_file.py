"""A seekable file object over a `Storage`, for decoders that open files themselves."""

from __future__ import annotations

import io
import os
from typing import BinaryIO

from penstock.storage import Storage
from penstock.storage.names import encoded
from penstock.storage.urls import is_remote

# Bytes per request: a few large requests are cheaper than many small ones.
_BLOCK_BYTES = 1 << 20


def openable(storage: Storage, path: str) -> str | BinaryIO:
    """What a decoder can open: a local path itself, or for a URL a file object that fetches blocks."""
    if is_remote(path):
        return io.BufferedReader(_RemoteFile(storage, path), _BLOCK_BYTES)
    return os.fsdecode(encoded(path))


class _RemoteFile(io.RawIOBase):
    """An unbuffered file at a URL."""

    def __init__(self, storage: Storage, path: str) -> None:
        super().__init__()
        self._storage, self._path = storage, path
        self._size = storage.size(path)
        self._at = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._size}[whence]
        self._at = max(0, base + offset)
        return self._at

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        count = max(0, min(len(buffer), self._size - self._at))
        if count:
            buffer[:count] = self._storage.read_one(self._path, self._at, count)
            self._at += count
        return count
