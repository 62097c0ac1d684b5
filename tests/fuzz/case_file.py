"""The input under test in a file that outlives the process that tests it."""

from __future__ import annotations

import mmap
import struct
from pathlib import Path

_HEAD = struct.Struct("<QQ")
_ROOM = 8 << 20


class CaseFile:
    """Mapped, so that to note an input costs a copy of it, and it is there however the process ends."""

    def __init__(self, path: Path) -> None:
        if not path.exists():
            path.write_bytes(bytes(_HEAD.size + _ROOM))
        with path.open("r+b") as file:
            self._map = mmap.mmap(file.fileno(), 0)

    def note(self, number: int, data: bytes) -> None:
        data = data[:_ROOM]
        self._map[_HEAD.size : _HEAD.size + len(data)] = data
        self._map[: _HEAD.size] = _HEAD.pack(number, len(data))

    @property
    def number(self) -> int:
        return int(_HEAD.unpack(self._map[: _HEAD.size])[0])

    @property
    def data(self) -> bytes:
        length = _HEAD.unpack(self._map[: _HEAD.size])[1]
        return self._map[_HEAD.size : _HEAD.size + length]
