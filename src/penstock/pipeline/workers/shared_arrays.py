"""Arrays of one process in memory that another one reads."""

from __future__ import annotations

from collections.abc import Sequence
from multiprocessing.shared_memory import SharedMemory
from typing import Any, NamedTuple

import numpy as np

Array = np.ndarray[Any, Any]

_ALIGNMENT = 64
# A block that has to grow grows to more than it needs: samples differ in size.
_GROWTH = 1.25


class Written(NamedTuple):
    """Where arrays are: in which block, under which name where the reader does not know it yet, and how they look."""

    block: int
    name: str | None
    capacity: int
    columns: list[list[tuple[str, tuple[int, ...], int]]]  # dtype, shape, offset
    layouts: list[str]


class Blocks:
    """The blocks of the process that writes. One is filled again once its reader has let go of it."""

    def __init__(self, least: int) -> None:
        self._least = least
        self._blocks: list[SharedMemory] = []
        self._free: list[int] = []

    def write(self, columns: Sequence[Sequence[Array]], layouts: list[str]) -> Written:
        places, needed = [], 0
        for column in columns:
            row = []
            for array in column:
                row.append((array.dtype.str, array.shape, needed))
                needed += -(-array.nbytes // _ALIGNMENT) * _ALIGNMENT
            places.append(row)
        number, name = self._block(needed)
        buffer = self._blocks[number].buf
        for column, row in zip(columns, places, strict=True):
            for array, (dtype, shape, offset) in zip(column, row, strict=True):
                np.ndarray(shape, dtype, buffer, offset)[...] = array
        return Written(number, name, self._blocks[number].size, places, layouts)

    def free(self, numbers: Sequence[int]) -> None:
        self._free += numbers

    def _block(self, needed: int) -> tuple[int, str | None]:
        fitting = [number for number in self._free if self._blocks[number].size >= needed]
        if fitting:
            self._free.remove(fitting[0])
            return fitting[0], None
        made = SharedMemory(create=True, size=max(int(needed * _GROWTH), self._least, 1))
        if self._free:  # too small for what comes now
            number = self._free.pop()
            self._blocks[number].close()
            self._blocks[number] = made
        else:
            number = len(self._blocks)
            self._blocks.append(made)
        return number, made.name


class Mapped:
    """The blocks of another process, as the one that reads sees them."""

    def __init__(self) -> None:
        self.blocks: dict[int, SharedMemory] = {}

    def read(self, written: Written) -> list[list[Array]]:
        """The arrays, over the shared memory: to be copied before the block is let go of."""
        if written.name is not None:
            old = self.blocks.pop(written.block, None)
            if old is not None:
                old.close()
            block = self.blocks[written.block] = SharedMemory(written.name)
            block.unlink()  # both have it mapped: it is gone when they are
        buffer = self.blocks[written.block].buf
        return [
            [np.ndarray(shape, dtype, buffer, offset) for dtype, shape, offset in column] for column in written.columns
        ]

    def close(self) -> None:
        for block in self.blocks.values():
            block.close()
        self.blocks.clear()
