"""Arrays of one process in memory that another one reads.

The memory has no name that could be left behind: its file descriptor goes from one process to the other.
"""

from __future__ import annotations

import mmap
import os
import socket
import tempfile
from collections.abc import Sequence
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

import numpy as np

Array = np.ndarray[Any, Any]

_ALIGNMENT = 64
# A block that has to grow grows to more than it needs: samples differ in size.
_GROWTH = 1.25


class ArraysInBlock(NamedTuple):
    """The location of a batch in shared memory: its block, and dtype, shape and offset of each array.

    `is_new` says that the file descriptor of the block follows.
    """

    block: int
    is_new: bool
    capacity: int
    columns: list[list[tuple[str, tuple[int, ...], int]]]  # dtype, shape, offset
    layouts: list[str]


class BlockWriter:
    """Shared memory of the process that writes. A block is written again once its reader has freed it."""

    def __init__(self, least: int) -> None:
        self._least = least
        self._blocks: list[mmap.mmap] = []
        self._free: list[int] = []

    def write(self, columns: Sequence[Sequence[Array]], layouts: list[str]) -> tuple[ArraysInBlock, int | None]:
        """Writes arrays; also the file descriptor of their block where the reader does not have it."""
        places, needed = [], 0
        for column in columns:
            row = []
            for array in column:
                row.append((array.dtype.str, array.shape, needed))
                needed += -(-array.nbytes // _ALIGNMENT) * _ALIGNMENT
            places.append(row)
        number, descriptor = self._block(needed)
        block = self._blocks[number]
        for column, row in zip(columns, places, strict=True):
            for array, (dtype, shape, offset) in zip(column, row, strict=True):
                np.ndarray(shape, dtype, block, offset)[...] = array
        return ArraysInBlock(number, descriptor is not None, len(block), places, layouts), descriptor

    def free(self, numbers: Sequence[int]) -> None:
        self._free += numbers

    def _block(self, needed: int) -> tuple[int, int | None]:
        fitting = [number for number in self._free if len(self._blocks[number]) >= needed]
        if fitting:
            self._free.remove(fitting[0])
            return fitting[0], None
        size = max(int(needed * _GROWTH), self._least, mmap.PAGESIZE)
        descriptor = _unnamed_file()
        try:
            os.ftruncate(descriptor, size)
            made = mmap.mmap(descriptor, size)
        except BaseException:
            os.close(descriptor)
            raise
        if self._free:  # too small for what comes now
            number = self._free.pop()
            self._blocks[number] = made
        else:
            number = len(self._blocks)
            self._blocks.append(made)
        return number, descriptor


class BlockReader:
    """The blocks of another process, mapped into this one to be read."""

    def __init__(self) -> None:
        self._blocks: dict[int, mmap.mmap] = {}

    @property
    def capacities(self) -> list[int]:
        return [*map(len, self._blocks.values())]

    def take(self, written: ArraysInBlock, descriptor: int) -> None:
        """Maps a new block, in place of one that was too small."""
        try:
            self._blocks[written.block] = mmap.mmap(descriptor, written.capacity)
        finally:
            os.close(descriptor)

    def read(self, written: ArraysInBlock) -> list[list[Array]]:
        """The arrays, over the shared memory: to be copied before the block is let go of."""
        block = self._blocks[written.block]
        return [
            [np.ndarray(shape, dtype, block, offset) for dtype, shape, offset in column] for column in written.columns
        ]


def send_descriptor(connection: Connection, descriptor: int) -> None:
    """Unlike multiprocessing's own function waits for no answer, for which it would take the next task."""
    with socket.fromfd(connection.fileno(), socket.AF_UNIX, socket.SOCK_STREAM) as channel:
        socket.send_fds(channel, [b"\0"], [descriptor])


def receive_descriptor(connection: Connection) -> int:
    with socket.fromfd(connection.fileno(), socket.AF_UNIX, socket.SOCK_STREAM) as channel:
        _, descriptors, _, _ = socket.recv_fds(channel, 1, 1)
    if not descriptors:
        raise EOFError
    return descriptors[0]


def _unnamed_file() -> int:
    if hasattr(os, "memfd_create"):
        return os.memfd_create("penstock-source")
    descriptor, name = tempfile.mkstemp()
    os.unlink(name)
    return descriptor
