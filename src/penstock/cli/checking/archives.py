"""The members of archives and record files, as the readers of those formats see them."""

from __future__ import annotations

import os
import re
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from penstock import _native
from penstock.cli.checking.lmdb_members import lmdb_members, read_lmdb_member
from penstock.cli.checking.member import LABELS, NO_DATA, Array, Member
from penstock.cli.checking.parquet_members import parquet_members, read_parquet_member
from penstock.readers.records.files import Records
from penstock.readers.records.index import scan
from penstock.storage import Storage

ARCHIVES = {
    ".tar": "tar", ".zip": "zip", ".tfrecord": "TFRecord", ".tfrecords": "TFRecord", ".rec": "RecordIO",
    ".parquet": "Parquet", ".mdb": "LMDB",
}  # fmt: skip
_SHARD = re.compile(r".*tfrecord.*-\d+-of-\d+|.*-\d{5}-of-\d{5}")
_LOCK_OF_LMDB = "lock.mdb"
_AT_ONCE = 64


def archive_format(path: str) -> str:
    """The format of an archive by its name; empty for other files."""
    name = os.path.basename(path)
    if name == _LOCK_OF_LMDB:
        return ""
    return ARCHIVES.get(Path(path).suffix.lower(), "TFRecord" if _SHARD.fullmatch(name) else "")


def members(path: str) -> Iterator[Member]:
    """Goes through an archive. Raises RuntimeError where the archive itself is damaged."""
    kinds = {
        "tar": _tar, "zip": _zip, "TFRecord": _tfrecord, "RecordIO": _recordio, "Parquet": parquet_members,
        "LMDB": lmdb_members,
    }  # fmt: skip
    return kinds[archive_format(path)](path)


def read_member(path: str, name: str, offset: int, size: int) -> Array | None:
    """Reads one member again; None where that fails."""
    kind = archive_format(path)
    try:
        if kind == "tar":
            return np.fromfile(path, np.uint8, size, offset=offset)
        if kind == "zip":
            with zipfile.ZipFile(path) as archive:
                return np.frombuffer(archive.read(name), np.uint8)
        if kind == "Parquet":
            return read_parquet_member(path, name, offset)
        if kind == "LMDB":
            return read_lmdb_member(path, offset)
        return next((member.data for member in members(path) if member.name == name), None)
    except (OSError, RuntimeError, NotImplementedError, zipfile.BadZipFile, zlib.error):
        return None


def _tar(path: str) -> Iterator[Member]:
    """The files of a tar archive. A file `x.cls` tells the class of all files x.* before and behind it."""
    classes: dict[str, str] = {}
    held: list[Member] = []
    stem = ""
    try:
        with tarfile.open(path, "r:") as archive:
            for member in archive:
                if not member.isfile() or os.path.basename(member.name).startswith("."):
                    continue
                file = archive.extractfile(member)
                data = np.frombuffer(b"" if file is None else file.read(), np.uint8)
                folder, name = os.path.split(member.name)
                begun, _, extension = name.partition(".")
                if os.path.join(folder, begun) != stem:
                    yield from (each._replace(label=classes.get(stem, "")) for each in held)
                    held, stem = [], os.path.join(folder, begun)
                if extension == "cls":
                    classes = {stem: data.tobytes().decode(errors="replace").strip()[:40]}
                held.append(Member(member.name, data, offset=member.offset_data))
    except (tarfile.TarError, OSError, EOFError) as error:
        yield from held
        raise RuntimeError(f"the archive ends early or is damaged: {error}") from None
    yield from (each._replace(label=classes.get(stem, "")) for each in held)


def _zip(path: str) -> Iterator[Member]:
    """The files of a zip archive; the folder of a file is its class."""
    try:
        with zipfile.ZipFile(path) as archive:
            for member in archive.infolist():
                if member.is_dir() or os.path.basename(member.filename).startswith("."):
                    continue
                folder = os.path.dirname(member.filename)
                try:
                    data = np.frombuffer(archive.read(member), np.uint8)
                    yield Member(member.filename, data, "", member.header_offset, folder)
                except (zipfile.BadZipFile, zlib.error, RuntimeError, NotImplementedError, EOFError, OSError) as error:
                    yield Member(member.filename, NO_DATA, str(error), member.header_offset, folder)
    except zipfile.BadZipFile as error:
        raise RuntimeError(f"the archive ends early or is damaged: {error}") from None


def _tfrecord(path: str) -> Iterator[Member]:
    """The byte strings in the examples of a TFRecord file; numbers called label or class tell the class."""
    [rows] = scan(Storage(), [path], "tfrecord")
    records = Records(Storage(), [path], [rows]) if len(rows) else None
    for first in range(0, len(rows), _AT_ONCE):
        chosen = np.arange(first, min(first + _AT_ONCE, len(rows)))
        assert records is not None
        payloads = records.read(chosen)
        for place, number in enumerate(chosen.tolist()):
            offset = int(rows[number][0])
            record = payloads.sample(place).tobytes()
            try:
                features = _features(record[12:-4])  # behind the length and its checksum, before the data's
            except (IndexError, ValueError):
                yield Member(f"{number}", NO_DATA, "the record is no example", offset)
                continue
            label = next((str(features[name][1][0]) for name in LABELS if name in features and features[name][1]), "")
            for name, (strings, _) in features.items():
                for value in strings[:1]:
                    yield Member(f"{number}/{name}", np.frombuffer(value, np.uint8), "", offset, label)


def _recordio(path: str) -> Iterator[Member]:
    """The images of a RecordIO file."""
    [rows] = scan(Storage(), [path], "recordio")
    records = Records(Storage(), [path], [rows]) if len(rows) else None
    for first in range(0, len(rows), _AT_ONCE):
        chosen = np.arange(first, min(first + _AT_ONCE, len(rows)))
        assert records is not None
        files, labels, failures = _native.record_images(records.read(chosen))
        for place, number in enumerate(chosen.tolist()):
            offset = int(rows[number][0])
            if place in failures:
                yield Member(f"{number}", NO_DATA, failures[place], offset)
            else:
                label = labels.sample(place).ravel()
                told = f"{label[0]:g}" if len(label) == 1 else ""
                yield Member(f"{number}", np.array(files.sample(place)), "", offset, told)


def _fields(message: bytes) -> Iterator[tuple[int, Any]]:
    """The fields of a protocol buffer, numbers and byte strings; raises IndexError where it ends too early."""
    at = 0
    while at < len(message):
        key, at = _varint(message, at)
        if key & 7 == 0:
            value, at = _varint(message, at)
            yield key >> 3, value
            continue
        if key & 7 == 2:
            size, at = _varint(message, at)
        else:
            size = {1: 8, 5: 4}.get(key & 7, -1)
        if size < 0 or at + size > len(message):
            raise IndexError("the message ends too early")
        yield key >> 3, message[at : at + size]
        at += size


def _varint(message: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = message[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at
        if shift > 63:
            raise ValueError("a number of more than 64 bits")


def _features(example: bytes) -> dict[str, tuple[list[bytes], list[int]]]:
    """The byte strings and whole numbers of each feature."""
    found: dict[str, tuple[list[bytes], list[int]]] = {}
    for field, features in _fields(example):
        for inner, entry in _fields(features) if field == 1 else ():
            parts = dict(_fields(entry)) if inner == 1 else {}
            strings: list[bytes] = []
            numbers: list[int] = []
            for kind, values in _fields(parts.get(2, b"")):
                for _, value in _fields(values):
                    if kind == 1:
                        strings.append(value)
                    elif kind == 3:
                        numbers += [value] if isinstance(value, int) else _packed(value)
            found[parts.get(1, b"").decode(errors="replace")] = strings, numbers
    return found


def _packed(values: bytes) -> list[int]:
    numbers, at = [], 0
    while at < len(values):
        number, at = _varint(values, at)
        numbers.append(number)
    return numbers
