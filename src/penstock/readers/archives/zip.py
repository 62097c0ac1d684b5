"""`readers.Zip`: the files of zip archives with a label each."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from penstock import _native
from penstock._native import Samples
from penstock.readers.archives.zip_directory import Members, Numbers, find_members
from penstock.readers.core.class_names import ClassNames
from penstock.readers.core.order import Indices
from penstock.readers.core.paths import Path, several
from penstock.readers.core.reader import Reader
from penstock.readers.core.sample_source import Outputs, SampleSource, UnreadableError
from penstock.readers.files.file import KNOWN_FILES
from penstock.storage import Names, Storage
from penstock.values.dtypes import uint8
from penstock.values.memory_limit import refusal
from penstock.values.parallel import map_samples
from penstock.values.samples import arrays_of, from_arrays

_STORED, _DEFLATED = 0, 8
_METHODS = {1: "shrink", 6: "implode", 9: "deflate64", 12: "bzip2", 14: "LZMA", 93: "Zstandard", 95: "XZ", 98: "PPMd"}
_THREADS = 4
_COPIES = 2  # of a member in memory while it is unpacked: zlib's output in pieces, and joined


class Zip(ClassNames, Reader):
    """Reads the files in zip archives, and for each the number of the class it belongs to.

    Every folder with matching files in it is a class; classes are numbered in the alphabetical order of the folders'
    paths, whichever archive they are in. Samples come in the order of the archives, in each by folder and name: one
    archive gives what `File` gives for the folder it was made from. Members may be stored or deflated.

    Outputs: the bytes of the file, `uint8` of shape `(n,)`, and its label, `int32` of shape `(1,)`.

    Example:
        >>> reader = ndd.readers.Zip(paths="train.zip", random_shuffle=True)
        >>> for jpegs, labels in reader.next_epoch(batch_size=64):
        ...     images = ndd.decoders.image(jpegs)

    Args:
        paths: The archives.
        file_filters: Which files count, as shell patterns.
        dir_filters: Which folders count, as shell patterns for their own names; all of them by default.
        case_sensitive_filter: Whether patterns tell JPG from jpg.
    """

    def __init__(
        self,
        *by_position: Any,
        paths: Sequence[Path] | Path,
        file_filters: Sequence[str] | str | None = KNOWN_FILES,
        dir_filters: Sequence[str] | str | None = None,
        case_sensitive_filter: bool | None = False,
        **common: Any,
    ) -> None:
        super().__init__(*by_position, **common)
        self._classes: list[str] = []
        self._paths = several(paths)
        self._file_filters = several(KNOWN_FILES if file_filters is None else file_filters)
        self._dir_filters = ["*"] if dir_filters is None else several(dir_filters)
        self._case_sensitive = bool(case_sensitive_filter)

    def _open_source(self) -> SampleSource:
        for name, given in (
            ("paths", self._paths),
            ("file_filters", self._file_filters),
            ("dir_filters", self._dir_filters),
        ):
            if not given:
                raise RuntimeError(f"``{name}`` list cannot be empty.")
        filters = (self._dir_filters, self._file_filters, self._case_sensitive)
        found = [find_members(self.storage, path, *filters) for path in self._paths]
        if not any(len(members.names) for members in found):
            raise RuntimeError(
                f"No files found. Looked in {', '.join(self._paths[:3])}; ``file_filters`` says which files count."
            )
        self._classes = sorted({folder for members in found for folder in members.folders})
        return _ZipSource(self._paths, found, self._classes, self.storage)

    @property
    def _class_names(self) -> list[str]:
        self._opened()
        return self._classes


class _ZipSource:
    """Members of zip archives with their labels."""

    def __init__(self, paths: list[str], found: list[Members], folders: list[str], storage: Storage) -> None:
        self._paths = Names.of(paths)
        self._storage = storage
        self._archives = _narrow(np.repeat(np.arange(len(found)), [len(members.names) for members in found]))
        self._names = Names(b"".join(members.names.packed for members in found))
        tables = [members.numbers.T for members in found]
        self._columns = [_narrow(np.concatenate(column)) for column in zip(*tables, strict=True)]
        classes = {name: label for label, name in enumerate(folders)}
        self._labels: npt.NDArray[np.int32] = np.concatenate(
            [np.repeat(np.array([classes[f] for f in m.folders], np.int32), m.counts) for m in found]
        )

    def __len__(self) -> int:
        return len(self._labels)

    def read(self, indices: Indices) -> Outputs:
        rows = np.stack([column[indices] for column in self._columns], axis=1, dtype=np.int64)
        parser = _native.ZipParser(rows)
        places = (rows[:, 0].copy(), rows[:, 1].copy())
        try:
            pieces = self._storage.read_parts(
                "", self._paths, self._archives[indices].astype(np.int64), *places, parser
            )
        except UnreadableError as error:
            raise UnreadableError(error.failures, self._sources(error.failures, indices)) from None
        files, problems = parser.members(pieces)
        failures: dict[int, str] = {**problems, **_refused(rows)}
        if not failures and np.any(rows[:, 5] == _DEFLATED):
            files, failures = _inflated(files, rows, self._storage.sample_bytes)
        if failures:
            sources = self._sources(failures, indices)
            raise UnreadableError({at: f"{sources[at]}: {why}" for at, why in failures.items()}, sources)
        _native.tell_members(files, places[0], self._names.packed, self._names.ends, indices)
        return files, Samples.wrap(self._labels[indices][:, None])

    def _sources(self, positions: Iterable[int], indices: Indices) -> dict[int, str]:
        return {at: self._source(int(indices[at])) for at in positions}

    def _source(self, index: int) -> str:
        return f"{self._paths[int(self._archives[index])]}:{self._columns[0][index]}:{self._names[index]}"


def _narrow(column: npt.NDArray[np.int64]) -> npt.NDArray[Any]:
    """Converts numbers, none of them negative, to the smallest type that holds the largest: there may be millions."""
    return column.astype(np.min_scalar_type(int(column.max(initial=0))))


def _refused(rows: Numbers) -> dict[int, str]:
    """Why members cannot be unpacked at all (encryption, method), by position. `rows` are of `Members.numbers`."""
    methods, encrypted = rows[:, 5], rows[:, 6]
    refused = {}
    for at in np.flatnonzero((encrypted != 0) | (methods != _STORED) & (methods != _DEFLATED)).tolist():
        method = int(methods[at])
        refused[at] = (
            "the member is encrypted"
            if encrypted[at]
            else (
                f"the member is packed by method {method} ({_METHODS.get(method, 'unknown')}); "
                "members that are stored or deflated can be read"
            )
        )
    return refused


def _inflated(packed: Samples, rows: Numbers, max_bytes: int) -> tuple[Samples, dict[int, str]]:
    """Unpacks the deflated ones among the members. Returns all contents, and failures by position."""
    bodies, table = arrays_of(packed), rows.tolist()

    def one(at: int) -> memoryview | bytes | RuntimeError:
        return _inflate(bodies[at].data, table[at], max_bytes) if table[at][5] == _DEFLATED else bodies[at].data

    unpacked = map_samples(one, len(bodies), packed.nbytes, _THREADS)
    failures = {at: str(got) for at, got in enumerate(unpacked) if isinstance(got, RuntimeError)}
    arrays = [np.frombuffer(b"" if isinstance(got, RuntimeError) else got, np.uint8) for got in unpacked]
    files = from_arrays(arrays, uint8, 1)
    files.sources = packed.sources
    return files, failures


def _inflate(body: memoryview, row: list[int], max_bytes: int) -> bytes | RuntimeError:
    """Unpacks one member, up to a byte more than its declared size: damaged data may unpack to anything."""
    size, crc = row[3:5]
    if (why := refusal("unpacking the member", _COPIES * size, max_bytes)) is not None:
        return RuntimeError(why)
    try:
        contents = zlib.decompressobj(-zlib.MAX_WBITS).decompress(body, size + 1)
    except zlib.error:
        contents = None
    if contents is None or len(contents) != size:
        return RuntimeError(f"the member does not unpack to its {size} bytes")
    if zlib.crc32(contents) != crc:
        return RuntimeError(f"the checksum of the member is {zlib.crc32(contents):08x} instead of {crc:08x}")
    return contents
