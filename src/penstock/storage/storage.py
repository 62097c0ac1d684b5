"""`Storage`: reads files, whole or in parts, from this machine or from URLs."""

from __future__ import annotations

import fnmatch
import glob
import math
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, NoReturn, TypeAlias

import numpy as np
import numpy.typing as npt

from penstock import _native
from penstock._native import Samples
from penstock.storage.names import Names, encoded
from penstock.storage.urls import UNLIMITED, Piece, is_remote
from penstock.storage.versions import Versions
from penstock.values import memory_limit
from penstock.values.bad_samples import UnreadableError
from penstock.values.dtypes import uint8
from penstock.values.samples import from_arrays

if TYPE_CHECKING:
    from penstock.storage.remote import Remote

Indices: TypeAlias = npt.NDArray[np.int64]

# Reads mostly wait for the disk, so they have threads of their own instead of those of the decoders.
_READ_THREADS = 4

_WINDOW_BYTES = 1 << 18

# What the system is asked to fetch ahead at a time; much more might be dropped again before it is read. The photos that
# readers shuffle among by default fit in.
EXPECTED_BYTES = 128 << 20


class CacheUse(NamedTuple):
    """How many pieces of files at URLs came from the cache, and how many were fetched."""

    cached: int
    fetched: int


@dataclass(frozen=True, eq=False)
class Storage:
    """How a reader reaches its files: paths directly, URLs (s3://, gs://, https://...) by fsspec.

    Example:
        >>> storage = ndd.readers.Storage(options={"anon": True}, cache_dir="/scratch/photos")
        >>> reader = ndd.readers.File(file_root="s3://bucket/train", storage=storage)

    Args:
        options: What fsspec's file system is opened with, such as keys and endpoints.
        cache_dir: A folder to keep what was fetched in, in a sub-folder `penstock-cache` that only the user may enter;
            nothing else in it is touched. Several processes may share it. What was damaged there is fetched again.
            Whole files are taken not to change at their URLs.
        cache_bytes: How much it may hold; what was used the longest ago is removed first.
        concurrency: How many requests are under way at a time.
        attempts: How often something is asked for before it counts as unreadable. On http(s):// and s3:// one attempt
            is one request; other file systems may ask again by themselves, see `options`.
        first_wait: Seconds before the second attempt; every further wait is twice as long.
        connect_timeout: Seconds within which a server must accept a connection, for an attempt to go on.
        read_timeout: Seconds within which it must send something. Both are known to http(s):// and s3://; for others,
            see `options`. None means that there is no limit, as for `total_timeout`.
        total_timeout: Seconds after which something counts as unreadable, all attempts and waits together.
        map_files: Keep archives, and files of arrays, in the memory of the process once they are read again; up to
            1 GiB of them.
        max_bytes: What one sample may take in memory, as the argument of readers. Larger files at URLs are not fetched;
            of those whose size the server does not tell, no more is than that.
    """

    options: Mapping[str, Any] = field(default_factory=dict)
    cache_dir: str | os.PathLike[str] | None = None
    cache_bytes: int = 16 << 30
    concurrency: int = 16
    attempts: int = 5
    first_wait: float = 0.2
    connect_timeout: float | None = 10.0
    read_timeout: float | None = 30.0
    total_timeout: float | None = 600.0
    map_files: bool = True
    max_bytes: int | None = None

    # Whether local files that were read or expected last had to be fetched from a disk; true until some were.
    from_disk: ClassVar[bool] = True

    def __post_init__(self) -> None:
        for name in ("cache_bytes", "concurrency", "attempts"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be at least 1, got {getattr(self, name)}")
        for name in ("connect_timeout", "read_timeout", "total_timeout"):
            if not (getattr(self, name) is None or 0 < getattr(self, name) < math.inf):
                raise ValueError(f"{name} is a positive number of seconds or None, got {getattr(self, name)}")
        self.__dict__["_versions"] = Versions()
        memory_limit.max_bytes(self.max_bytes)

    def __getstate__(self) -> dict[str, Any]:
        """The arguments, and the versions of files that readers have indexed.

        Connections and mappings are not pickled: another process makes its own.
        """
        state = {each.name: getattr(self, each.name) for each in fields(self)}
        return {**state, "_versions": self.__dict__["_versions"]}

    def read(self, root: str, names: Names, which: Indices, max_bytes: int | None = None) -> Samples:
        """Reads some of the files under `root`, in parallel.

        Raises `UnreadableError` for those that cannot be read or are larger than `max_bytes`, by default the limit of a
        sample.
        """
        return self._read(root, names, which, max_bytes=max_bytes or self.sample_bytes)

    def read_parts(
        self,
        root: str,
        names: Names,
        which: Indices,
        offsets: Indices,
        lengths: Indices,
        parser: _native.PieceParser | None = None,
        limited: bool = True,
    ) -> Samples:
        """Reads a part of each of some files; for archives and the like, which stay mapped once they are read again.

        `parser` gets each part as soon as it has been read. `limited=False` lifts the limit of a sample for other data.
        """
        most = self.sample_bytes if limited else UNLIMITED
        return self._read(root, names, which, offsets, lengths, parser, self.mapped, most)

    def listed_files(self, root: str, names: Names, labels: npt.NDArray[Any]) -> _native.ListedFiles | None:
        """The files, with a row of `labels` for each, as native code reads them without asking here.

        None where some are at URLs, and for classes derived from this one, which may read in ways of their own.
        """
        if type(self) is not Storage or not self.is_local(root, names):
            return None
        place = (encoded(root), names.packed, names.ends)
        return _native.ListedFiles(reading_pool(), *place, labels, self.sample_bytes)

    def expect(
        self, root: str, names: Names, which: Indices, offsets: Indices | None = None, lengths: Indices | None = None
    ) -> None:
        """Has the system fetch files, or a part of each, that are read soon from its disks, without waiting for them.

        Only for local files. `from_disk` tells whether that is worth it.
        """
        if self.is_local(root, names):
            place = (encoded(root), names.packed, names.ends, which)
            self.__dict__["from_disk"] = _native.fetch_files(reading_pool(), *place, EXPECTED_BYTES, offsets, lengths)

    def _read(
        self,
        root: str,
        names: Names,
        which: Indices,
        offsets: Indices | None = None,
        lengths: Indices | None = None,
        parser: _native.PieceParser | None = None,
        mapped: _native.MappedFiles | None = None,
        max_bytes: int = UNLIMITED,
    ) -> Samples:
        if is_remote(root) or names.remote:
            samples, failures = self._fetch([names.path(root, int(i)) for i in which], offsets, lengths, max_bytes)
            samples.sources = [names[int(i)] for i in which]
            if parser is not None and not failures:
                parser.take_all(reading_pool(), samples)
        else:
            place = (encoded(root), names.packed, names.ends, which)
            samples, failures, waited = _native.read_files(
                reading_pool(), *place, max_bytes, offsets, lengths, parser, mapped
            )
            if waited:
                self.__dict__["from_disk"] = True
        if failures:
            _refuse(samples, failures, names, which)
        return samples

    def read_starts(self, root: str, names: Names, which: Indices, length: int) -> Samples:
        """Reads the first `length` bytes of some files at URLs, or all of shorter ones."""
        paths = [names.path(root, int(i)) for i in which]
        samples, failures = self._fetched([Piece(path, 0, length, may_end=True) for path in paths])
        samples.sources = [names[int(i)] for i in which]
        if failures:
            _refuse(samples, failures, names, which)
        return samples

    def is_local(self, root: str, names: Names) -> bool:
        """Whether all files are on this machine."""
        return not (is_remote(root) or names.remote)

    def read_one(self, path: str, offset: int = 0, length: int = -1) -> bytes:
        """Reads a file or a part of it; raises RuntimeError if that fails."""
        at = (np.array([offset]), np.array([length]))
        try:
            samples = self._read("", Names.of([path]), np.array([0]), *at)
        except UnreadableError as error:
            raise error.first from None
        contents: bytes = samples.sample(0).tobytes()
        return contents

    def read_text(self, path: str) -> str:
        """Reads a whole text file. Bytes that are no UTF-8 are kept by surrogateescape, as in file names."""
        try:
            return self.read_one(path).decode("utf-8", "surrogateescape")
        except RuntimeError as error:
            raise RuntimeError(str(error).replace("File mapping failed", "Cannot open", 1)) from None

    def lines(self, path: str) -> Iterator[str]:
        """Iterates over the lines of a text file without holding all of it in memory.

        Lines end with LF or CRLF. Other characters that Unicode counts as line breaks may be part of file names.
        """
        left, size = b"", self.size(path)
        for start in range(0, size, _WINDOW_BYTES):
            complete, newline, left = (left + self.read_one(path, start, min(_WINDOW_BYTES, size - start))).rpartition(
                b"\n"
            )
            if newline:
                yield from map(_line, complete.split(b"\n"))
        if left:
            yield _line(left)

    def size(self, path: str) -> int:
        """The size of a file in bytes; raises RuntimeError if there is none."""
        if is_remote(path):
            return self._remote.size(path)
        try:
            return os.stat(encoded(path)).st_size
        except OSError as error:
            raise RuntimeError(f"Cannot open: {path}: {error.strerror}") from None

    def find_in_folders(
        self, root: str, folders: Sequence[str], files: Sequence[str], case_sensitive: bool
    ) -> tuple[bytes, list[int], bytes]:
        """Lists the files matching `files` in sub-folders matching `folders`.

        Returns packed names, counts by folder, and the packed names of the folders.
        """
        if is_remote(root):
            names, counts, found = self._remote.find_in_folders(root, folders, files, case_sensitive)
            return Names.of(names).packed, counts, Names.of(found).packed
        folder_patterns, file_patterns = ([os.fsencode(each) for each in given] for given in (folders, files))
        return _native.list_class_files(reading_pool(), encoded(root), folder_patterns, file_patterns, case_sensitive)

    def find_files(self, root: str, pattern: str) -> bytes:
        """Lists the files matching `pattern` in `root` itself, each as "./name", and in its sub-folders, packed."""
        packed, *_ = self.find_in_folders(root, ["*"], [pattern], case_sensitive=True)
        if is_remote(root):
            own = self._remote.find_in_folder(root, pattern)
        else:
            entries = os.scandir(root)
            own = sorted(e.name for e in entries if fnmatch.fnmatchcase(e.name, pattern) and not e.is_dir())
        return Names.of([f"./{name}" for name in own]).packed + packed

    def find(self, pattern: str) -> list[str]:
        """Lists the files that match a shell pattern, sorted; `**` matches any folders."""
        if is_remote(pattern):
            return self._remote.find(pattern)
        return sorted(path for path in glob.glob(pattern, recursive=True) if os.path.isfile(path))

    def _fetch(
        self, paths: list[str], offsets: Indices | None, lengths: Indices | None, max_bytes: int
    ) -> tuple[Samples, dict[int, str]]:
        starts = [0] * len(paths) if offsets is None else offsets.tolist()
        extents = [-1] * len(paths) if lengths is None else lengths.tolist()
        parts = zip(paths, starts, extents, strict=True)
        return self._fetched([Piece(*part, max_bytes=max_bytes) for part in parts])

    def _fetched(self, pieces: list[Piece]) -> tuple[Samples, dict[int, str]]:
        refused = {at: why for at, piece in enumerate(pieces) if (why := _refusal(piece))}
        if refused:
            return Samples.empty(uint8.code, len(pieces), [0]), refused
        fetched = self._remote.read(pieces)
        failures: dict[int, str] = {}
        for at, got in enumerate(fetched):
            if isinstance(got, ImportError):  # which is not for files that may be left out
                raise got
            if isinstance(got, Exception):
                failures[at] = str(got)
        arrays = [np.frombuffer(b"" if isinstance(got, Exception) else got, np.uint8) for got in fetched]
        return from_arrays(arrays, uint8, 1), failures

    @cached_property
    def sample_bytes(self) -> int:
        """The memory limit of one sample; the environment is read at the first use only."""
        return memory_limit.max_bytes(self.max_bytes)

    @cached_property
    def mapped(self) -> _native.MappedFiles | None:
        """The local files that stay mapped into memory, or None if they are not to be."""
        return _native.MappedFiles() if self.map_files else None

    @property
    def cache_use(self) -> CacheUse:
        """How many pieces of files at URLs came from the cache so far, and how many were fetched."""
        remote: Remote | None = self.__dict__.get("_remote")
        return CacheUse(0, 0) if remote is None else CacheUse(remote.cached, remote.fetched)

    @cached_property
    def _remote(self) -> Remote:
        # Imported late: programs without URLs need not wait for it.
        from penstock.storage.cache import Cache
        from penstock.storage.remote import Patience, Remote

        limits = (self.connect_timeout, self.read_timeout, self.total_timeout)
        patience = Patience(self.attempts, self.first_wait, *limits)
        cache = None if self.cache_dir is None else Cache(self.cache_dir, self.cache_bytes)
        return Remote(self.options, self.concurrency, patience, cache, self.__dict__["_versions"])


def _line(line: bytes) -> str:
    return line.removesuffix(b"\r").decode("utf-8", "surrogateescape")


def _refusal(piece: Piece) -> str | None:
    return memory_limit.refusal(f"{piece.url}: reading it", piece.length, piece.max_bytes)


def _refuse(samples: Samples, failures: Mapping[int, str], names: Names, which: Indices) -> NoReturn:
    sources = {at: names[int(which[at])] for at in failures}
    told = {at: f"File mapping failed: {why}" for at, why in failures.items()}
    raise UnreadableError(told, sources, samples)


@cache
def reading_pool() -> _native.Pool:
    """The thread pool that all readers share."""
    return _native.Pool(_READ_THREADS)
