"""Offsets and lengths of the records of a file, from an index file or by scanning the record headers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from penstock import _native
from penstock.storage import Storage
from penstock.storage.names import encoded
from penstock.storage.storage import reading_pool
from penstock.storage.urls import is_remote

Format: TypeAlias = Literal["tfrecord", "recordio"]
Rows: TypeAlias = "npt.NDArray[np.int64]"  # offset and length of each record

# One request fetches the headers of many small records, but not much more than the header of a large one.
_REMOTE_WINDOW = 1 << 20
_LINES_AT_ONCE = 1 << 14
_INDEX_LINE = re.compile(r"\s*[0-9]+\s+[0-9]+\s*", re.ASCII)
_LARGEST = np.iinfo(np.int64).max


def scan(storage: Storage, paths: Sequence[str], form: Format) -> list[Rows]:
    """Finds the records of each file by their headers; raises RuntimeError for a file of another format."""
    local = [path for path in paths if not is_remote(path)]
    samples, failures = _native.scan_record_files(reading_pool(), form, [encoded(path) for path in local])
    for at, why in failures.items():
        raise RuntimeError(f"Cannot read {local[at]}: {why}")
    found = {path: samples.sample(at) for at, path in enumerate(local)}
    return [found[path] if path in found else _scan_remote(storage, path, form) for path in paths]


def tfrecord_rows(storage: Storage, paths: Sequence[str], index_paths: Sequence[str]) -> list[Rows]:
    """The records of TFRecord files, in the order of the index files if there are any."""
    if not index_paths:
        return scan(storage, paths, "tfrecord")
    if len(index_paths) != len(paths):
        raise RuntimeError(
            "Number of index files needs to match the number of data files: "
            f"{len(index_paths)} for {len(paths)}; without any the files are gone through"
        )
    rows = [_numbers(storage, path, ("offset", "length")) for path in index_paths]
    if not any(map(len, rows)):
        raise RuntimeError(f"Content of index files should not be empty: {', '.join(index_paths)}")
    return rows


def recordio_rows(storage: Storage, paths: Sequence[str], index_paths: Sequence[str]) -> list[Rows]:
    """The records of RecordIO files, by offset. One index may serve several files, as if they were concatenated."""
    if not index_paths:
        return scan(storage, paths, "recordio")
    if len(index_paths) == 1:
        return _between(storage, paths, index_paths[0])
    if len(index_paths) != len(paths):
        raise RuntimeError(
            f"{len(index_paths)} index files for {len(paths)} data files; give one for each, one for all, or none"
        )
    return [_between(storage, [path], index)[0] for path, index in zip(paths, index_paths, strict=True)]


def index_text(form: Format, rows: Rows) -> str:
    """The text of the index file of a data file."""
    if form == "tfrecord":
        return "".join(f"{offset} {length}\n" for offset, length in rows.tolist())
    return "".join(f"{number}\t{offset}\n" for number, offset in enumerate(rows[:, 0].tolist()))


def _scan_remote(storage: Storage, path: str, form: Format) -> Rows:
    size = storage.size(path)
    walk = _native.RecordWalk(form, size)
    while not walk.ended:
        window = storage.read_one(path, walk.next, min(_REMOTE_WINDOW, size - walk.next))
        try:
            walk.look(window)
        except RuntimeError as error:
            raise RuntimeError(f"Cannot read {path}: {error}") from None
    return walk.found().sample(0)


def _between(storage: Storage, paths: Sequence[str], index: str) -> list[Rows]:
    """Records from an index of offsets: each ends where the next one begins, the last at the end of its file."""
    offsets = np.sort(_numbers(storage, index, ("number", "offset"))[:, 1])
    if not len(offsets):
        raise RuntimeError(f'RecordIO index file doesn\'t contain any indices. Provided path: "{index}"')
    twice = offsets[1:][np.diff(offsets) == 0]
    if len(twice):
        raise RuntimeError(f"{index}: two records at offset {twice[0]}")
    ends = np.cumsum([storage.size(path) for path in paths])
    if offsets.max(initial=-1) >= ends[-1]:
        raise RuntimeError(
            f"Incomplete or corrupted record files: {index}: a record at offset {offsets[-1]}, behind the {ends[-1]} "
            f"bytes of {', '.join(paths)}"
        )
    rows = []
    for begin, end in zip((0, *ends[:-1]), ends, strict=True):
        within = offsets[(offsets >= begin) & (offsets < end)]
        rows.append(np.stack([within - begin, np.diff(within, append=end)], axis=1))
    return rows


def _numbers(storage: Storage, path: str, columns: tuple[str, str]) -> Rows:
    """Reads an index file with two numbers per line. Numbers beyond 64 bits are clipped: no file is that large."""
    some: list[Rows] = [np.empty((0, 2), np.int64)]
    lines, first = storage.lines(path), 1
    while part := [*islice(lines, _LINES_AT_ONCE)]:
        try:
            numbers = np.array("\n".join(part).split(), np.int64).reshape(-1, 2)
        except (ValueError, OverflowError):
            numbers = None
        if numbers is None or numbers.min(initial=0) < 0:
            numbers = _checked_numbers(path, part, first, columns)
        some.append(numbers)
        first += len(part)
    return np.concatenate(some)


def _checked_numbers(path: str, lines: list[str], first: int, columns: tuple[str, str]) -> Rows:
    """Parses lines one by one, from line number `first` on, to skip blank ones and to name a malformed one."""
    rows = []
    for number, line in enumerate(lines, first):
        if _INDEX_LINE.fullmatch(line):
            rows.append([_number(digits) for digits in line.split()])
        elif line.strip():
            raise RuntimeError(f"{path}, line {number}: not {columns[0]} and {columns[1]} of a record")
    return np.array(rows, np.int64).reshape(-1, 2)


def _number(digits: str) -> int:
    """The number, at most `_LARGEST`. int() refuses thousands of digits, so long numbers are not parsed."""
    digits = digits.lstrip("0") or "0"
    return min(int(digits), _LARGEST) if len(digits) < 20 else _LARGEST
