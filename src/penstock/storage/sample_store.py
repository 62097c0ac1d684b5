"""Samples that were made once, kept by key up to a number of bytes: in memory, or in a folder that processes share."""

from __future__ import annotations

import os
import re
import shutil
import weakref
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np

from penstock import _native
from penstock._native import Samples
from penstock.storage.names import Names
from penstock.storage.storage import Storage, reading_pool
from penstock.values.bad_samples import UnreadableError
from penstock.values.spec import Spec

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

Array = np.ndarray[Any, Any]
Key: TypeAlias = bytes  # of 16 bytes

_ENTRY_BYTES = 200  # what the memory store takes for an entry besides its samples
_FOLDER = "penstock-samples"
_MARK, _LOCK = "CACHEDIR.TAG", "lock"
_MARK_TEXT = b"Signature: 8a477f597d28d172789f06886806bc55\n# Samples that Penstock made. May be deleted.\n"
_PROGRAM = re.compile(r"[0-9a-f]{32}")
_ALIGNED = 64  # bytes: samples are read to where any element type may lie


class SampleStore(Protocol):
    """Keeps the results of one sample under a key. What is full keeps no more: every sample is used once an epoch, so
    whatever would be given up for a new one will be wanted before it."""

    limit: int

    def held(self) -> tuple[int, int]:
        """How many samples it has, and their bytes."""

    def contains(self, keys: Sequence[Key]) -> list[bool]:
        """Which keys it has."""

    def get(self, keys: Sequence[Key]) -> list[Samples] | None:
        """The results for keys that it contains; None where a kept sample turns out to be damaged or gone."""

    def put(self, keys: Sequence[Key], results: Sequence[Samples]) -> None:
        """Keeps what fits."""

    def clear(self) -> None:
        """Forgets all."""


class MemoryStore:
    """Samples in the memory of this process. Processes that are forked see what there was, and add their own."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._kept: dict[Key, tuple[Array, ...]] = {}
        self._bytes = 0

    def held(self) -> tuple[int, int]:
        return len(self._kept), self._bytes

    def contains(self, keys: Sequence[Key]) -> list[bool]:
        return [key in self._kept for key in keys]

    def get(self, keys: Sequence[Key]) -> list[Samples] | None:
        try:
            rows = [self._kept[key] for key in keys]
        except KeyError:  # cleared by another thread
            return None
        return [read_only_samples([*column]) for column in zip(*rows, strict=True)]

    def put(self, keys: Sequence[Key], results: Sequence[Samples]) -> None:
        fitting: dict[Key, tuple[int, int]] = {}  # places and sizes; a batch may have a sample twice
        for at, key in enumerate(keys):
            size = sum(each.sample(at).nbytes for each in results) + _ENTRY_BYTES
            if key not in self._kept and key not in fitting and self._bytes + size <= self.limit:
                self._bytes += size
                fitting[key] = at, size
        if not fitting:
            return
        places = [at for at, _ in fitting.values()]
        own = [each.select(places).copied() for each in results]  # and not what else is in their memory
        for place, (key, (_, size)) in enumerate(fitting.items()):
            row = tuple(each.sample(place) for each in own)
            if self._kept.setdefault(key, row) is not row:  # another thread was faster
                self._bytes -= size

    def clear(self) -> None:
        self._kept.clear()
        self._bytes = 0


def read_only_samples(arrays: list[Array]) -> Samples:
    """The arrays as samples that nobody may write to."""
    samples = Samples.gather(arrays)
    samples.external = False
    samples.read_only = True
    return samples


class _Place(NamedTuple):
    """Where a sample lies: the number of its segment, its row there, and the offset of its first result."""

    segment: int
    offset: int
    checksum: int
    shapes: tuple[tuple[int, ...], ...]


class FolderStore:
    """Samples in files of a folder, on a disk, or in memory where that is a tmpfs such as /dev/shm.

    Every process appends to a segment of its own: a file of samples, and an index with a row for each, written after
    it. Others read the rows that are whole. Nothing is ever changed, so that nobody waits but those who write, for the
    count of bytes. Samples and rows have checksums: what a crash has left of one is made again. Where a disk is full,
    or somebody removes the folder, this process keeps no more.

    Each program, by its digest, has a folder of its own in the user's. The limit is on all together: the files of
    programs that no process uses any more make room for those of a new one.
    """

    def __init__(self, folder: Path, limit: int, program: str, specs: Sequence[Spec]) -> None:
        self.limit = limit
        self._root = _own_folder(folder)
        self._specs = specs
        self._items = [spec.dtype.storage.itemsize for spec in specs if spec.dtype is not None]
        self._codes = [spec.dtype.code for spec in specs if spec.dtype is not None]
        ranks = sum(spec.ndim or 0 for spec in specs)
        self._row = np.dtype(
            [("key", "V16"), ("offset", "<u8"), ("checksum", "<u8"), ("shapes", "<u4", (ranks,)), ("row_sum", "<u4")]
        )
        self._folder = self._root / program
        self._folder.mkdir(mode=0o700, exist_ok=True)
        os.utime(self._folder)
        in_use = os.open(self._folder / _LOCK, os.O_RDWR | os.O_CREAT, 0o600)  # locked as long as this store lives
        weakref.finalize(self, os.close, in_use)
        if fcntl is not None:
            fcntl.flock(in_use, fcntl.LOCK_SH)
        self._storage = Storage()
        self._forget()

    def _forget(self) -> None:
        self._segments: list[str] = []
        self._names = Names.of([])
        self._seen: dict[str, int] = {}  # bytes of each index that have been read
        self._places: dict[Key, _Place] = {}
        self._damaged: set[tuple[int, int]] = set()  # segments and offsets of samples that others may have again
        self._bytes = 0
        self._is_full = False
        self._writer: tuple[int, str] | None = None  # the process that writes to a segment, and its name
        self._look()

    def held(self) -> tuple[int, int]:
        self._look()
        return len(self._places), self._bytes

    def contains(self, keys: Sequence[Key]) -> list[bool]:
        found = [key in self._places for key in keys]
        if not all(found) and self._look():
            found = [key in self._places for key in keys]
        return found

    def get(self, keys: Sequence[Key]) -> list[Samples] | None:
        try:
            places = [self._places[key] for key in keys]
        except KeyError:  # another thread has found it damaged
            return None
        offsets = np.array([place.offset for place in places], np.int64)
        which = np.array([place.segment for place in places], np.int64)
        results, sums = [], [0] * len(keys)
        for number, (item, code, spec) in enumerate(zip(self._items, self._codes, self._specs, strict=True)):
            shapes = [place.shapes[number] for place in places]
            lengths = np.array([int(np.prod(shape, dtype=np.int64)) * item for shape in shapes], np.int64)
            try:
                read = self._storage.read_parts(str(self._folder), self._names, which, offsets, lengths, limited=False)
            except UnreadableError as error:
                self._lose([keys[at] for at in error.failures])
                return None
            sums = [_mixed(*pair) for pair in zip(sums, _native.content_checksums(reading_pool(), read), strict=True)]
            results.append(read.reshaped(shapes, spec.layout or "", code))
            offsets = offsets + _aligned(lengths)
        damaged = [key for key, place, found in zip(keys, places, sums, strict=True) if place.checksum != found]
        if damaged:
            self._lose(damaged)
            return None
        for made in results:
            made.sources = None
        return results

    def _lose(self, keys: Sequence[Key]) -> None:
        """Forgets damaged samples, and looks at all indices again: another segment may have them whole."""
        for key in keys:
            place = self._places.pop(key, None)
            if place is not None:
                self._damaged.add((place.segment, place.offset))
        self._seen.clear()
        self._writer = None  # whatever comes to lie at the same place of a segment would count as damaged

    def put(self, keys: Sequence[Key], results: Sequence[Samples]) -> None:
        if self._is_full:
            return
        try:
            self._add(keys, results)
        except OSError:  # a full disk, or a folder that is gone: what is not kept is made again
            self._is_full = True
        self._look()

    def _add(self, keys: Sequence[Key], results: Sequence[Samples]) -> None:
        with _locked(self._root):
            self._look()
            room = self.limit - self._taken()
            parts: list[bytes | memoryview] = []
            rows: dict[Key, tuple[Key, int, int, list[int]]] = {}
            name = self._own_segment()
            path = self._folder / f"{name}.samples"
            end = path.stat().st_size if path.exists() else 0
            sums = [_native.content_checksums(reading_pool(), each) for each in results]
            for at, key in enumerate(keys):
                if key in self._places or key in rows:
                    continue
                arrays = [np.ascontiguousarray(each.sample(at)) for each in results]
                size = sum(int(_aligned(array.nbytes)) for array in arrays) + self._row.itemsize
                if size > room:
                    self._is_full = not self._make_room(size)
                    if self._is_full:
                        break
                    room = self.limit - self._taken() - sum(len(part) for part in parts)
                room -= size
                checksum = 0
                for each in sums:
                    checksum = _mixed(checksum, each[at])
                rows[key] = key, end, checksum, [extent for array in arrays for extent in array.shape]
                for array in arrays:
                    parts += [array.reshape(-1).view(np.uint8).data, bytes(int(-array.nbytes % _ALIGNED))]
                end += size - self._row.itemsize
            if rows:
                _append(path, parts)
                _append(self._folder / f"{name}.index", [self._index_rows([*rows.values()])])

    def _index_rows(self, rows: list[tuple[Key, int, int, list[int]]]) -> bytes:
        table = np.array([(*row, 0) for row in rows], self._row)
        table["row_sum"] = _row_sums(table)
        return table.tobytes()

    def clear(self) -> None:
        with suppress(FileNotFoundError), _locked(self._root):
            for path in self._folder.iterdir():
                if path.suffix in (".samples", ".index"):
                    path.unlink(missing_ok=True)
        self._forget()

    def _own_segment(self) -> str:
        """The segment of this process: one that was forked begins another."""
        if self._writer is None or self._writer[0] != os.getpid():
            self._writer = os.getpid(), os.urandom(8).hex()
        return self._writer[1]

    def _look(self) -> bool:
        """Reads the rows that were added to indices since; returns whether there were any."""
        added = False
        try:
            with os.scandir(self._folder) as entries:
                found = [(entry.name, entry.stat().st_size) for entry in entries if entry.name.endswith(".index")]
        except FileNotFoundError:  # somebody removes it
            return False
        for name, size in sorted(found):
            seen = self._seen.get(name, 0)
            if size < seen:  # removed by another process, and begun again
                seen = 0
            whole = size - size % self._row.itemsize
            if whole > seen:
                added |= self._read_rows(name, seen, whole)
        return added

    def _read_rows(self, name: str, seen: int, whole: int) -> bool:
        with suppress(OSError), open(self._folder / name, "rb") as file:
            file.seek(seen)
            rows = np.frombuffer(file.read(whole - seen), self._row)
            rows = rows[rows["row_sum"] == _row_sums(rows)]
            segment = self._segment(name.removesuffix(".index") + ".samples")
            ends = np.cumsum([spec.ndim or 0 for spec in self._specs])[:-1]
            for key, offset, checksum, extents, _ in rows.tolist():
                if (segment, offset) in self._damaged:
                    continue
                shapes = tuple(tuple(part.tolist()) for part in np.split(np.asarray(extents, np.int64), ends))
                self._places.setdefault(key, _Place(segment, offset, checksum, shapes))
            self._seen[name] = whole
            self._bytes = self._taken_in(self._folder)
            return len(rows) > 0
        return False

    def _segment(self, name: str) -> int:
        if name not in self._segments:
            self._segments.append(name)
            self._names = Names.of(self._segments)
        return self._segments.index(name)

    def _taken(self) -> int:
        return sum(self._taken_in(folder) for folder in self._programs())

    def _programs(self) -> Iterator[Path]:
        return (path for path in self._root.iterdir() if _PROGRAM.fullmatch(path.name))

    @staticmethod
    def _taken_in(folder: Path) -> int:
        taken = 0
        with suppress(OSError), os.scandir(folder) as entries:
            for entry in entries:
                with suppress(OSError):
                    taken += entry.stat().st_size
        return taken

    def _make_room(self, size: int) -> bool:
        """Removes the folder of another program, the one begun longest ago of those that no process uses."""
        others = sorted((path.stat().st_mtime, path) for path in self._programs() if path != self._folder)
        for _, path in others:
            freed = self._taken_in(path)
            if freed >= size and _is_unused(path / _LOCK):
                shutil.rmtree(path, ignore_errors=True)
                return True
        return False


def _own_folder(folder: Path) -> Path:
    """Our folder in the user's, in which nothing but our own files is ever touched."""
    root = folder / _FOLDER
    root.mkdir(mode=0o700, parents=True, exist_ok=True)
    mark = root / _MARK
    if not mark.exists():
        if any(root.iterdir()) and not mark.exists():  # else another process has just made it
            raise RuntimeError(f"{root} was not made by this library; choose another folder")
        mark.write_bytes(_MARK_TEXT)
    return root


@contextmanager
def _locked(root: Path) -> Iterator[None]:
    """One writer at a time, of all threads and processes."""
    with open(root / _LOCK, "ab") as file:
        if fcntl is not None:
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _is_unused(lock: Path) -> bool:
    try:
        if fcntl is None:  # Windows removes no file that a process has open
            lock.unlink(missing_ok=True)
            return True
        with open(lock, "ab") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
    except OSError:
        return False


def _append(path: Path, parts: Sequence[bytes | memoryview]) -> None:
    """Appends all or nothing: behind half of a row no other could be read."""
    with open(path, "ab", buffering=0) as file:
        end = file.seek(0, os.SEEK_END)
        try:
            for part in parts:
                left = memoryview(part)
                while left:
                    left = left[file.write(left) :]
        except OSError:
            file.truncate(end)
            raise


def _row_sums(rows: np.ndarray[Any, Any]) -> list[int]:
    """A checksum of each row of an index, of all but its last field."""
    return [zlib.crc32(row.tobytes()[:-4]) for row in rows]


def _aligned(size: Any) -> Any:
    return (size + _ALIGNED - 1) // _ALIGNED * _ALIGNED


def _mixed(one: int, other: int) -> int:
    """Checksums of several results in one number, in their order."""
    return (one * 0x9E3779B97F4A7C15 + other) & (1 << 64) - 1
