"""The names of very many files, packed: a list of strings would take more than twice the memory."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt


class Names:
    """An immutable list of names in one block of bytes, each closed by a zero byte."""

    def __init__(self, packed: bytes) -> None:
        self.packed = packed
        self.ends: npt.NDArray[np.int64] = np.flatnonzero(np.frombuffer(packed, np.uint8) == 0)

    @classmethod
    def of(cls, names: Sequence[str]) -> Names:
        """Packs a list of strings."""
        packed = cls(os.fsencode("\0".join([*names, ""])))
        if len(packed) != len(names):
            wrong = next(name for name in names if "\0" in name)
            raise RuntimeError(f"a file name cannot have a zero byte in it: {wrong!r}")
        return packed

    @cached_property
    def remote(self) -> bool:
        """Whether there is a URL among them."""
        return b"://" in self.packed

    def path(self, root: str, index: int) -> str:
        """The name, under `root` unless it stands by itself."""
        name = self[index]
        return name if not root or name.startswith("/") or "://" in name else f"{root.rstrip('/')}/{name}"

    def __len__(self) -> int:
        return len(self.ends)

    def __getitem__(self, index: int) -> str:
        end = int(self.ends[index])
        return os.fsdecode(self.packed[self.packed.rfind(b"\0", 0, end) + 1 : end])
