"""Files of records made by hand, byte by byte as their formats are described."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import accumulate
from pathlib import Path

MAGIC = struct.pack("<I", 0xCED7230A)

Value = Sequence[bytes] | Sequence[float] | Sequence[int] | None


def checksum(data: bytes) -> bytes:
    """The masked CRC-32C of a TFRecord file."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc = _table()[(crc ^ byte) & 255] ^ (crc >> 8)
    crc ^= 0xFFFFFFFF
    return struct.pack("<I", (((crc >> 15) | (crc << 17)) + 0xA282EAD8) & 0xFFFFFFFF)


@cache
def _table() -> list[int]:
    table = []
    for value in range(256):
        for _ in range(8):
            value = (value >> 1) ^ (0x82F63B78 if value & 1 else 0)
        table.append(value)
    return table


def framed(payload: bytes) -> bytes:
    """A record of a TFRecord file."""
    length = struct.pack("<Q", len(payload))
    return length + checksum(length) + payload + checksum(payload)


def varint(number: int) -> bytes:
    number &= (1 << 64) - 1
    made = bytearray()
    while number > 127:
        made.append(number & 127 | 128)
        number >>= 7
    return bytes([*made, number])


def field(number: int, contents: bytes) -> bytes:
    """A field of a protobuf message that has a length."""
    return varint(number << 3 | 2) + varint(len(contents)) + contents


def feature(value: Value, packed: bool = True) -> bytes:
    """The message Feature. None is one without any list; an empty list is one of integers."""
    if value is None:
        return b""
    if value and isinstance(value[0], bytes):
        return field(1, b"".join(field(1, each) for each in value))
    if value and isinstance(value[0], float):
        each = [struct.pack("<f", number) for number in value]
        return field(2, field(1, b"".join(each)) if packed else b"".join(b"\x0d" + number for number in each))
    each = [varint(int(number)) for number in value]
    return field(3, field(1, b"".join(each)) if packed else b"".join(b"\x08" + number for number in each))


def example(features: Mapping[str, Value], packed: bool = True) -> bytes:
    """The message tf.train.Example."""
    entries = (field(1, name.encode()) + field(2, feature(value, packed)) for name, value in features.items())
    return field(1, b"".join(field(1, entry) for entry in entries))


def ten_examples() -> list[bytes]:
    """Examples in which everything tells the number of the record; every third one is not packed."""
    made = []
    for n in range(10):
        features = {
            "image": [b"i" * (n + 1)],
            "label": [n],
            "box": [float(n)] * 4,
            "ids": list(range(-n, n)),
            "scores": [k + 0.5 for k in range(n)],
            "names": [b"first", b"second"],
        }
        made.append(example(features, packed=n % 3 > 0))
    return made


def write_tfrecord(path: Path, payloads: Sequence[bytes]) -> tuple[Path, Path]:
    """A TFRecord file and its index; returns the paths of both."""
    records = [framed(payload) for payload in payloads]
    lines = [f"{offset} {len(record)}\n" for offset, record in zip(_offsets(records), records, strict=True)]
    return _write(path, records, lines)


def write_recordio(path: Path, payloads: Sequence[bytes]) -> tuple[Path, Path]:
    """A RecordIO file and its index; returns the paths of both."""
    records = [recordio_record(payload) for payload in payloads]
    return _write(path, records, [f"{number}\t{offset}\n" for number, offset in enumerate(_offsets(records))])


def _offsets(records: Sequence[bytes]) -> list[int]:
    return list(accumulate((len(record) for record in records[:-1]), initial=0))[: len(records)]


def _write(path: Path, records: Sequence[bytes], lines: Sequence[str]) -> tuple[Path, Path]:
    path.write_bytes(b"".join(records))
    index = path.with_suffix(".idx")
    index.write_text("".join(lines))
    return path, index


def recordio_record(payload: bytes) -> bytes:
    """A record of a RecordIO file, in parts where the magic word stands inside."""
    parts, begin = [], 0
    for at in range(0, len(payload) - 3, 4):
        if payload[at : at + 4] == MAGIC:
            parts.append(payload[begin:at])
            begin = at + 4
    parts.append(payload[begin:])
    flags = [0] if len(parts) == 1 else [1, *[2] * (len(parts) - 2), 3]
    return b"".join(
        MAGIC + struct.pack("<I", flag << 29 | len(part)) + part + bytes(-len(part) % 4)
        for flag, part in zip(flags, parts, strict=True)
    )


def packed_image(file: bytes, label: float | Sequence[float]) -> bytes:
    """An image as MXNet puts it into a record."""
    if isinstance(label, float):
        return struct.pack("<IfQQ", 0, label, 0, 0) + file
    return struct.pack(f"<IfQQ{len(label)}f", len(label), 0, 0, 0, *label) + file
