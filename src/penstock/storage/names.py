"""`Names`: file names packed into one block of bytes, which takes less than half the memory of a list of strings."""

from __future__ import annotations

import io
import os
from collections.abc import Iterable
from functools import cached_property, lru_cache
from itertools import islice

import numpy as np
import numpy.typing as npt

_AT_ONCE = 1 << 12  # names
_WINDOW = 1 << 20  # bytes


def zero_byte(name: str) -> RuntimeError:
    """The error for a name with a zero byte, which C code would take for its end."""
    return RuntimeError(f"a file name cannot have a zero byte in it: {name!r}")


@lru_cache  # every batch asks for that of its root
def encoded(path: str) -> bytes:
    """Encodes a path for the native core."""
    made = os.fsencode(path)
    if b"\0" in made:
        raise zero_byte(path)
    return made


class Names:
    """An immutable list of names in one block of bytes, each closed by a zero byte."""

    def __init__(self, packed: bytes) -> None:
        self.packed = packed
        self.ends: npt.NDArray[np.int64] = np.empty(packed.count(b"\0"), np.int64)
        found = 0
        for start in range(0, len(packed), _WINDOW):  # comparing all bytes at once would double the memory
            window = np.frombuffer(packed, np.uint8, min(_WINDOW, len(packed) - start), start)
            ends = np.flatnonzero(window == 0)
            self.ends[found : found + len(ends)] = ends + start
            found += len(ends)

    @classmethod
    def of(cls, names: Iterable[str]) -> Names:
        """Packs strings, a few thousand at a time."""
        packed, rest = io.BytesIO(), iter(names)  # BytesIO returns its bytes without a copy
        while some := list(islice(rest, _AT_ONCE)):
            joined = os.fsencode("\0".join([*some, ""]))
            if joined.count(b"\0") != len(some):
                raise zero_byte(next(name for name in some if "\0" in name))
            packed.write(joined)
        return cls(packed.getvalue())

    @cached_property
    def remote(self) -> bool:
        """Whether some of the names are URLs."""
        return b"://" in self.packed

    def path(self, root: str, index: int) -> str:
        """The path of a name: below `root` unless it is absolute or a URL."""
        name = self[index]
        return name if not root or os.path.isabs(name) or "://" in name else f"{root.rstrip('/')}/{name}"

    def __len__(self) -> int:
        return len(self.ends)

    def __getitem__(self, index: int) -> str:
        end = int(self.ends[index])
        return os.fsdecode(self.packed[self.packed.rfind(b"\0", 0, end) + 1 : end])
