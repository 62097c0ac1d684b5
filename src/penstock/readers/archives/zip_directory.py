"""Lists the members of a zip archive from its end record and its central directory."""

from __future__ import annotations

import os
import struct
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from penstock import _native
from penstock.storage import Names, Storage

_END = struct.Struct("<4s4H2LH")
_END_64 = struct.Struct("<4sQ2H2L4Q")
_LOCATOR_64 = struct.Struct("<4sLQL")
_LONGEST_COMMENT = 0xFFFF

Numbers = npt.NDArray[np.int64]


class Members(NamedTuple):
    """The files of an archive, sorted by folder and name.

    `numbers` has a row for each: offset, extent, packed size, size, CRC, method, whether it is encrypted.
    """

    names: Names
    folders: list[str]
    counts: list[int]
    numbers: Numbers


class _Directory(NamedTuple):
    offset: int
    length: int
    entries: int
    shift: int


def find_members(
    storage: Storage, archive: str, folders: Sequence[str], files: Sequence[str], case_sensitive: bool
) -> Members:
    """Finds the files of an archive that match the patterns; raises RuntimeError if it is damaged."""
    directory = _find_directory(storage, archive)
    packed = storage.read_one(archive, directory.offset, directory.length)
    place = (directory.offset, directory.shift, directory.entries)
    patterns = ([os.fsencode(each) for each in folders], [os.fsencode(each) for each in files])
    try:
        names, found, counts, numbers = _native.zip_directory(packed, *place, *patterns, case_sensitive)
    except RuntimeError as error:
        raise RuntimeError(f"zip file {archive}: {error}") from None
    return Members(Names(names), [os.fsdecode(each) for each in found], counts, numbers.reshape(-1, 7))


def _find_directory(storage: Storage, archive: str) -> _Directory:
    size = storage.size(archive)
    start = max(0, size - _END.size - _LONGEST_COMMENT - _LOCATOR_64.size)
    tail = storage.read_one(archive, start, size - start)
    at = tail.rfind(b"PK\5\6")
    while at >= 0 and (len(tail) < at + _END.size or len(tail) < at + _END.size + _END.unpack_from(tail, at)[7]):
        at = tail.rfind(b"PK\5\6", 0, at)
    if at < 0:
        raise RuntimeError(
            f"zip file {archive}: there is no end record in its {size} bytes; it is no zip archive or is cut short"
        )
    _, disk, first_disk, _, count, length, offset, _ = _END.unpack_from(tail, at)
    end = start + at
    before = tail[max(0, at - _LOCATOR_64.size) : at]
    if len(before) == _LOCATOR_64.size and before.startswith(b"PK\6\7"):
        end, count, length, offset = _large(storage, archive, _LOCATOR_64.unpack(before)[2])
        disk = first_disk = 0
    if disk or first_disk:
        raise RuntimeError(f"zip file {archive}: archives in several parts cannot be read")
    if length > end or offset > end - length:
        raise RuntimeError(
            f"zip file {archive}: at byte {end}: the directory of {length} bytes at {offset} does not fit before its "
            "end record; the archive is damaged or cut short"
        )
    return _Directory(end - length, length, count, end - length - offset)


def _large(storage: Storage, archive: str, offset: int) -> tuple[int, int, int, int]:
    """Reads the zip64 end record: its offset, and the number, size and offset of the directory entries."""
    there = offset <= storage.size(archive) - _END_64.size
    record = storage.read_one(archive, offset, _END_64.size) if there else b""
    if not record.startswith(b"PK\6\6"):
        raise RuntimeError(f"zip file {archive}: at byte {offset}: the 64-bit end record is not there")
    *_, count, length, start = _END_64.unpack(record)
    return offset, count, length, start
