"""LMDBs made by hand, byte by byte as the format is described, and the messages Caffe and Caffe2 keep in them."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from pathlib import Path

from readers.record_files import field, varint

NOTHING = (1 << 64) - 1
BRANCH, LEAF, OVERFLOW, HEADER = 1, 2, 4, 8


def write_lmdb(folder: Path, values: Sequence[bytes], page_bytes: int = 4096) -> str:
    """A database whose keys are the numbers of the values; returns the path of its folder."""
    folder.mkdir(exist_ok=True)
    (folder / "data.mdb").write_bytes(lmdb_file([(b"%08d" % at, value) for at, value in enumerate(values)], page_bytes))
    return str(folder)


def lmdb_file(entries: Sequence[tuple[bytes, bytes]], page_bytes: int = 4096) -> bytes:
    """The file of a database of these keys, which are sorted, and values."""
    pages: list[bytes] = [b"", b""]
    nodes = [(key, _leaf_node(pages, key, value, page_bytes)) for key, value in entries]
    level, depth = _pages(pages, nodes, LEAF, page_bytes), int(bool(nodes))
    while len(level) > 1:
        nodes = [(key, struct.pack("<IHH", number, number >> 32, len(key)) + key) for key, number in level]
        level, depth = _pages(pages, nodes, BRANCH, page_bytes), depth + 1
    root = level[0][1] if level else NOTHING
    for number in (0, 1):
        pages[number] = header(page_bytes, depth, len(entries), root, number, len(pages))
    return b"".join(page.ljust(page_bytes, b"\0") for page in pages)


def header(page_bytes: int, depth: int, entries: int, root: int, number: int, pages: int) -> bytes:
    """One of the two headers; the second is that of the later transaction."""
    free = struct.pack("<IHH5Q", page_bytes, 0, 0, 0, 0, 0, 0, NOTHING)
    main = struct.pack("<IHH5Q", 0, 0, depth if number else 0, 0, 0, 0, *((entries, root) if number else (0, NOTHING)))
    page = struct.pack("<QHHI", number, 0, HEADER, 0)
    return page + struct.pack("<IIQQ", 0xBEEFC0DE, 1, 0, 1 << 30) + free + main + struct.pack("<QQ", pages - 1, number)


def _leaf_node(pages: list[bytes], key: bytes, value: bytes, page_bytes: int) -> bytes:
    flags, inside = 0, value
    if 8 + len(key) + len(value) > (page_bytes - 16) // 2 - 2:
        flags, inside = 1, struct.pack("<Q", len(pages))
        count = -(-(16 + len(value)) // page_bytes)
        whole = struct.pack("<QHHI", len(pages), 0, OVERFLOW, count) + value
        pages += [whole[at : at + page_bytes] for at in range(0, count * page_bytes, page_bytes)]
    return struct.pack("<IHH", len(value), flags, len(key)) + key + inside


def _pages(
    pages: list[bytes], nodes: Sequence[tuple[bytes, bytes]], kind: int, page_bytes: int
) -> list[tuple[bytes, int]]:
    """Puts nodes on pages; returns the first key and the number of each."""
    made: list[tuple[bytes, int]] = []
    held: list[bytes] = []
    for at, (key, node) in enumerate(nodes):
        if not held:
            made.append((key, len(pages)))
        held.append(node)
        following = nodes[at + 1 : at + 2]
        if not following or 16 + sum(len(each) + len(each) % 2 + 2 for each in (*held, following[0][1])) > page_bytes:
            pages.append(_page(len(pages), held, kind, page_bytes))
            held = []
    return made


def _page(number: int, nodes: Sequence[bytes], kind: int, page_bytes: int) -> bytes:
    upper, pointers, body = page_bytes, b"", b""
    for node in nodes:
        padded = node + bytes(len(node) % 2)
        upper -= len(padded)
        pointers += struct.pack("<H", upper)
        body = padded + body
    lower = 16 + len(pointers)
    return struct.pack("<QHHHH", number, 0, kind, lower, upper) + pointers + bytes(upper - lower) + body


def datum(
    data: bytes | None = None,
    label: int | None = None,
    size: tuple[int, int, int] | None = None,
    encoded: bool | None = None,
    floats: Sequence[float] = (),
) -> bytes:
    """The message Datum of Caffe; `size` is channels, height and width."""
    numbers = [*enumerate(size or (), 1), (5, label), (7, encoded)]
    made = b"".join(varint(number << 3) + varint(int(value)) for number, value in numbers if value is not None)
    made += b"" if data is None else field(4, data)
    return made + b"".join(b"\x35" + struct.pack("<f", each) for each in floats)


FLOAT, INT32, BYTE, STRING, UINT8, INT64 = 1, 2, 3, 4, 6, 10


def tensor(
    kind: int | None, value: Sequence[float] | bytes = (), dims: Sequence[int] = (), packed: bool = True
) -> bytes:
    """The message TensorProto of Caffe2."""
    made = b"".join(b"\x08" + varint(dim) for dim in dims) + (b"" if kind is None else b"\x10" + varint(kind))
    if isinstance(value, bytes):
        return made + field({BYTE: 5, STRING: 6}[kind or 0], value)
    number = {FLOAT: 3, INT64: 10}.get(kind or FLOAT, 4)
    each = [struct.pack("<f", one) if number == 3 else varint(int(one)) for one in value]
    if packed:
        return made + field(number, b"".join(each))
    return made + b"".join(varint(number << 3 | (5 if number == 3 else 0)) + one for one in each)


def tensors(*messages: bytes) -> bytes:
    """The message TensorProtos."""
    return b"".join(field(1, message) for message in messages)
