"""Detects truncated video files by the length in their headers; a demuxer would take the rest for the whole."""

from __future__ import annotations

import os
import struct
from collections.abc import Callable
from typing import Any, TypeAlias

# Reads `count` bytes at an offset; fewer at the end of the file.
ReadAt: TypeAlias = Callable[[int, int], bytes]

_NOT_KNOWN = (0, 0xFFFFFFFF)  # what programs write into a header that they cannot update later
_SEGMENT = b"\x18\x53\x80\x67"
_ASF_FILE = bytes.fromhex("A1DCAB8C47A9CF118EE400C00C205365")
_ASF_BROADCAST = 1
_MXF_PARTITION = bytes.fromhex("060E2B34020501010D01020101")
_HEAD = 1 << 16


class CutOffError(Exception):
    """A truncated file; the message says how much is missing."""


def tells_extent(source: str | Any) -> bool:
    """Whether a file declares its length; raises CutOffError if it is shorter. Other files may be truncated unnoticed.

    `source` is a path, the bytes of a file or a file object, whose position changes.
    """
    if isinstance(source, str):
        try:
            file = open(source, "rb", buffering=0)  # noqa: SIM115
        except OSError:
            return True  # opening it as a video raises the error
        with file:
            return _tells(*_of_file(file))
    if hasattr(source, "read"):
        return _tells(*_of_file(source))
    view = memoryview(source).cast("B")
    return _tells(lambda at, count: view[at : at + count].tobytes(), len(view))


def _of_file(file: Any) -> tuple[ReadAt, int]:
    file.seek(0, os.SEEK_END)
    size: int = file.tell()

    def read(at: int, count: int) -> bytes:
        if at >= size:  # damaged sizes may give offsets that no file system can seek to
            return b""
        file.seek(at)
        found: bytes = file.read(count) or b""
        return found

    return read, size


def _tells(read: ReadAt, size: int) -> bool:
    head = read(0, 16)
    if head.startswith(b"\x1a\x45\xdf\xa3"):
        return _matroska(read, size)
    if head.startswith(b"RIFF") and head[8:11] == b"AVI":
        return _avi(read, size)
    if head[4:8] in (b"ftyp", b"moov", b"mdat", b"free", b"wide", b"skip", b"styp"):
        return _mp4(read, size)
    if head.startswith(b"DKIF"):
        return _ivf(read, size)
    if head.startswith(b"OggS"):
        return _ogg(read, size)
    if head.startswith(b"\x30\x26\xb2\x75\x8e\x66\xcf\x11"):
        return _asf(read, size)
    if head.startswith(_MXF_PARTITION):
        return _mxf(read, size)
    return False


def _require(promised: int, size: int) -> None:
    if promised > size:
        raise CutOffError(f"its header promises {promised} bytes, {size} are there")


def _matroska(read: ReadAt, size: int) -> bool:
    """After the EBML header one element, the segment, contains everything; live streams leave its size open."""
    _, start, length = _element(read(0, 12))
    at = start + (length or 0)
    name, start, length = _element(read(at, 12))
    if name != _SEGMENT or length is None:
        return False
    _require(at + start + length, size)
    return True


def _element(head: bytes) -> tuple[bytes, int, int | None]:
    """Parses an EBML element: its id, the offset of its content, and the length of that, None if it is open."""
    if len(head) < 5 or not head[4]:
        return b"", 0, None
    width = 9 - head[4].bit_length()
    open_end = (1 << 7 * width) - 1
    length = int.from_bytes(head[4 : 4 + width], "big") & open_end
    return head[:4], 4 + width, None if length == open_end else length


def _avi(read: ReadAt, size: int) -> bool:
    """A RIFF chunk with a length; files beyond 1 GB have several."""
    at = 0
    while (head := read(at, 8)).startswith(b"RIFF") and len(head) == 8:
        length = int.from_bytes(head[4:], "little")
        if length in _NOT_KNOWN:
            return False
        _require(at + 8 + length, size)
        at += 8 + length + length % 2
    return True


def _mp4(read: ReadAt, size: int) -> bool:
    """The packet table declares the length (`Track.require_all` checks it); fragmented files declare none."""
    at, names = 0, set()
    while len(head := read(at, 16)) >= 8:
        length, name = struct.unpack_from(">I4s", head)
        if length == 1 and len(head) == 16:
            length = int.from_bytes(head[8:], "big")
        names.add(name)
        if length < 8:
            break
        at += length
    return b"moof" not in names or b"mfra" in names


def _ivf(read: ReadAt, size: int) -> bool:
    head = read(0, 32)
    if len(head) < 32:
        return False
    at, count, told = max(32, int.from_bytes(head[6:8], "little")), 0, int.from_bytes(head[24:28], "little")
    while at < size:
        frame = read(at, 12)
        at += 12 + int.from_bytes(frame[:4], "little")
        _require(at, size)
        count += 1
    if 0 < count < told:
        raise CutOffError(f"its header promises {told} frames, {count} are there")
    return told == count


def _ogg(read: ReadAt, size: int) -> bool:
    at, ended, streams = 0, set(), set()
    while at < size and (head := read(at, 27 + 255)).startswith(b"OggS"):
        if len(head) < 27 or len(head) < 27 + head[26]:
            raise CutOffError("the header of its last page is not all there")
        stream = head[14:18]
        streams.add(stream)
        if head[5] & 4:
            ended.add(stream)
        at += 27 + head[26] + sum(head[27 : 27 + head[26]])
        _require(at, size)
    if streams != ended:
        raise CutOffError("its last page is not marked as the end")
    return True


def _asf(read: ReadAt, size: int) -> bool:
    head = read(0, _HEAD)
    at = head.find(_ASF_FILE)
    if at < 0 or len(head) < at + 92 or head[at + 88] & _ASF_BROADCAST:
        return False
    _require(int.from_bytes(head[at + 40 : at + 48], "little"), size)
    return True


def _mxf(read: ReadAt, size: int) -> bool:
    """The first partition pack has the offset of the last one, the footer."""
    head = read(0, 128)
    at = 17 + (head[16] & 0x7F if len(head) > 16 and head[16] & 0x80 else 0)
    footer = int.from_bytes(head[at + 24 : at + 32], "big")
    if not footer or len(head) < at + 32:
        return False
    _require(footer + len(_MXF_PARTITION), size)
    return True
