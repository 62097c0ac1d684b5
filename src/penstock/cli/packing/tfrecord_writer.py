"""Shards for `readers.TFRecord`."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import BinaryIO

from penstock import _native
from penstock.cli.packing.shard_writer import PackedSample


class TfrecordWriter:
    """Records of `tf.train.Example`, with the names of features that image data sets have had since Inception.

    Labels count from 0.
    """

    suffix = ".tfrecord"

    def __init__(self, file: BinaryIO, classes: Sequence[str]) -> None:
        self._file = file
        self._classes = classes
        self._rows: list[tuple[int, int]] = []

    def add(self, sample: PackedSample) -> None:
        features: dict[str, bytes | int] = {
            "image/encoded": sample.image.jpeg,
            "image/filename": sample.name.encode("utf-8", "surrogateescape"),
            "image/format": b"jpeg",
            "image/height": sample.image.height,
            "image/width": sample.image.width,
        }
        if sample.label is not None:
            features["image/class/label"] = sample.label
            features["image/class/text"] = self._classes[sample.label].encode("utf-8", "surrogateescape")
        payload = _example(features)
        length = struct.pack("<Q", len(payload))
        record = b"".join([length, _masked_checksum(length), payload, _masked_checksum(payload)])
        self._rows.append((self._file.tell(), len(record)))
        self._file.write(record)

    def close(self) -> None:
        pass

    def index(self) -> bytes | None:
        return "".join(f"{offset} {length}\n" for offset, length in self._rows).encode()


def _masked_checksum(data: bytes) -> bytes:
    crc = _native.crc32c(data)
    return struct.pack("<I", (((crc >> 15) | (crc << 17)) + 0xA282EAD8) & 0xFFFFFFFF)


def _example(features: dict[str, bytes | int]) -> bytes:
    """The message tf.train.Example, a list of one element to a feature, sorted by name."""
    entries = (_message(1, name.encode()) + _message(2, _feature(value)) for name, value in sorted(features.items()))
    return _message(1, b"".join(_message(1, entry) for entry in entries))


def _feature(value: bytes | int) -> bytes:
    if isinstance(value, bytes):
        return _message(1, _message(1, value))
    return _message(3, _message(1, _varint(value)))


def _message(number: int, contents: bytes) -> bytes:
    return _varint(number << 3 | 2) + _varint(len(contents)) + contents


def _varint(number: int) -> bytes:
    made = bytearray()
    while number > 127:
        made.append(number & 127 | 128)
        number >>= 7
    return bytes([*made, number])
