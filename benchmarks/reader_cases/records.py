"""TFRecord and RecordIO files: samples like photos of 110 kB, and tiny ones."""

from __future__ import annotations

import random
import struct
from collections.abc import Callable, Iterable
from pathlib import Path

PHOTOS, PHOTO_BYTES = 1_000, 110_000
TINY, TINY_BYTES = 20_000, 500

# The module of the features stands beside that of the types in both libraries.
FEATURES = (
    "{name: tf.FixedLenFeature(*rest) for tf in [__import__(T.__name__.replace('types', 'tfrecord'), fromlist=['_'])]"
    " for name, rest in {'image': ((), tf.string, ''), 'label': ([1], tf.int64, -1)}.items()}"
)
CASES = [
    (f"{title}{words}", f"ndd.readers.{reader}(path=f'{{folder}}/{file}'{index}{arguments})", both)
    for title, reader, file, arguments in (
        ("TFRecord, photos", "TFRecord", "photos.tfrecord", f", features={FEATURES}"),
        ("TFRecord, tiny samples", "TFRecord", "tiny.tfrecord", f", features={FEATURES}"),
        ("MXNet, photos", "MXNet", "photos.rec", ""),
        ("MXNet, tiny samples", "MXNet", "tiny.rec", ""),
    )
    for words, index, both in (
        ("", f", index_path=f'{{folder}}/{file}.idx'", True),
        (", shuffled", f", index_path=f'{{folder}}/{file}.idx', random_shuffle=True", True),
        (", no index", "", False),
    )
]


def write(folder: Path) -> None:
    numbers = random.Random(0)
    for name, count, size in (("photos", PHOTOS, PHOTO_BYTES), ("tiny", TINY, TINY_BYTES)):
        photos = [numbers.randbytes(size + i % 64) for i in range(count)]
        write_indexed(folder / f"{name}.tfrecord", map(example_record, photos), "{offset} {length}\n".format)
        write_indexed(folder / f"{name}.rec", map(recordio_record, photos), "{number}\t{offset}\n".format)


def write_indexed(path: Path, records: Iterable[bytes], line: Callable[..., str]) -> None:
    offset = 0
    with open(path, "wb") as file, open(f"{path}.idx", "w") as index:
        for number, record in enumerate(records):
            file.write(record)
            index.write(line(number=number, offset=offset, length=len(record)))
            offset += len(record)


def recordio_record(photo: bytes) -> bytes:
    """A record with one label. No photo here has the magic word in it."""
    payload = struct.pack("<IfQQ", 0, 7.0, 0, 0) + photo
    return struct.pack("<II", 0xCED7230A, len(payload)) + payload + bytes(-len(payload) % 4)


def example_record(photo: bytes) -> bytes:
    image, label = field(1, field(1, photo)), field(3, field(1, b"\7"))
    entries = [field(1, field(1, name) + field(2, value)) for name, value in ((b"image", image), (b"label", label))]
    payload = field(1, b"".join(entries))
    length = struct.pack("<Q", len(payload))
    return length + _checksum(length) + payload + _checksum(payload)


def field(number: int, contents: bytes) -> bytes:
    size, length = len(contents), bytearray()
    while size > 127:
        length.append(size & 127 | 128)
        size >>= 7
    return bytes([number << 3 | 2, *length, size]) + contents


_TABLE = [0] * 256
for _byte in range(256):
    _crc = _byte
    for _ in range(8):
        _crc = _crc >> 1 ^ (0x82F63B78 if _crc & 1 else 0)
    _TABLE[_byte] = _crc


def _checksum(data: bytes) -> bytes:
    crc = 0xFFFFFFFF
    for byte in data:
        crc = _TABLE[(crc ^ byte) & 255] ^ crc >> 8
    crc ^= 0xFFFFFFFF
    return struct.pack("<I", (crc >> 15 | crc << 17) + 0xA282EAD8 & 0xFFFFFFFF)
