"""Values of LMDB databases by number. The B+tree pages are parsed here, so that URLs work and LMDB is not needed."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, TypeVar

import numpy as np

from penstock import _native
from penstock._native import Samples
from penstock.readers.core.order import Indices
from penstock.readers.core.sample_source import UnreadableError
from penstock.readers.records.files import refuse
from penstock.storage import Names, Storage
from penstock.storage.storage import EXPECTED_BYTES
from penstock.storage.urls import is_remote
from penstock.values.dtypes import uint8

T = TypeVar("T")

_HEADER_BYTES = 152
_PAGES_AT_A_TIME = 256
_LEAST_ENTRY_BYTES = 10


class _Places(NamedTuple):
    """Where entries are."""

    files: Indices
    offsets: Indices
    lengths: Indices


class LmdbValues:
    """The values of some LMDBs, in the order of the databases and of their keys."""

    def __init__(self, storage: Storage, paths: Sequence[str], what: str) -> None:
        self._storage, self._paths, self._what = storage, paths, what
        files = [_data_file(path) for path in paths]
        self._files = Names.of(files)
        self._trees = [_Tree(storage, file) for file in files]
        self._page_bytes = np.array([tree.page_bytes for tree in self._trees], np.int64)
        self._ends: Indices = np.cumsum([len(tree) for tree in self._trees], dtype=np.int64)
        if not len(self):
            raise RuntimeError(f"there are no entries in {', '.join(paths) or 'an empty list of databases'}")

    def __len__(self) -> int:
        return int(self._ends[-1]) if len(self._ends) else 0

    def read(self, indices: Indices) -> Samples:
        """Reads some values. The source of each names its database and its key."""
        places = self._find(indices)
        try:
            pieces = self._storage.read_parts("", self._files, *places)
        except UnreadableError as error:
            named = Samples.empty(uint8.code, len(indices), [0])
            self._tell_keys(named, indices)
            sources = named.sources or []
            raise UnreadableError(error.failures, {at: sources[at] for at in error.failures}) from None
        self._tell_keys(pieces, indices)
        values, failures = _native.lmdb_values(pieces, places.offsets, self._page_bytes[places.files])
        refuse(pieces, failures, self._what)
        return values

    def expect(self, indices: Indices) -> None:
        """Has the system fetch some values from its disks."""
        self._storage.expect("", self._files, *self._find(indices))

    def _find(self, indices: Indices) -> _Places:
        """Finds entries database by database, and puts the results in the order of `indices`."""
        if len(self._trees) == 1:
            return _Places(np.zeros_like(indices), *self._trees[0].find(indices))
        found = _Places(self._of(indices), np.empty_like(indices), np.empty_like(indices))
        for at, mine, within in self._shares(indices):
            found.offsets[mine], found.lengths[mine] = self._trees[at].find(within)
        return found

    def _tell_keys(self, samples: Samples, indices: Indices) -> None:
        """Sets the sources of samples that are these entries, which were found before."""
        if len(self._trees) == 1:
            self._trees[0].tell_keys(samples, self._paths[0], indices, None)
            return
        for at, mine, within in self._shares(indices):
            self._trees[at].tell_keys(samples, self._paths[at], within, mine)

    def _of(self, indices: Indices) -> Indices:
        """The database of each entry."""
        return np.searchsorted(self._ends, indices, "right")

    def _shares(self, indices: Indices) -> Iterator[tuple[int, Indices, Indices]]:
        """For each database that some entries are in: its number, their positions, and their numbers in it."""
        of = self._of(indices)
        for at in np.unique(of).tolist():
            mine = np.flatnonzero(of == at)
            yield at, mine, indices[mine] - (self._ends[at] - len(self._trees[at]))


class _Tree:
    """The B+tree of one database. Branch pages are read when it is opened, leaf pages as far as entries are needed."""

    def __init__(self, storage: Storage, file: str) -> None:
        self._storage, self._file, self._name = storage, file, Names.of([file])
        self._lock = threading.Lock()
        size = storage.size(file)
        if size <= EXPECTED_BYTES:  # before single pages are, which would be in the way of larger requests
            storage.expect("", self._name, np.array([0]), np.array([0]), np.array([size]))
        self.page_bytes, depth, self._entries, root = self._header(size)
        self._listing = _native.LmdbListing(self.page_bytes, size)
        self._most_pages = size // self.page_bytes
        if self._entries > size // _LEAST_ENTRY_BYTES or root >= self._most_pages:
            raise RuntimeError(
                f"{file}: its header speaks of {self._entries} entries under page {root}, but the file has "
                f"{size} bytes; it may be cut short"
            )
        self._leaves = self._descend(np.array([root] if depth else [], np.int64), depth)
        self._looked_at = 0

    def __len__(self) -> int:
        return self._entries

    def find(self, indices: Indices) -> tuple[Indices, Indices]:
        """Offsets and lengths of entries."""
        with self._lock:
            self._list(int(indices.max()) + 1)
            places = self._listing.places(indices)
        return places.sample(0), places.sample(1)

    def tell_keys(self, samples: Samples, path: str, indices: Indices, positions: Indices | None) -> None:
        """Sets the sources of those samples that are entries of this database, by path and key."""
        with self._lock:
            self._listing.tell_keys(samples, os.fsencode(path), indices, positions)

    def _header(self, size: int) -> tuple[int, int, int, int]:
        """The fields of the meta page with the later transaction; there are two."""
        try:
            first = _native.lmdb_header(self._storage.read_one(self._file, 0, min(size, _HEADER_BYTES)))
            page_bytes = first[0]
            left = max(0, min(size - page_bytes, _HEADER_BYTES))
            second = _native.lmdb_header(self._storage.read_one(self._file, page_bytes, left))
        except RuntimeError as error:
            raise RuntimeError(str(error) if self._file in str(error) else f"{self._file}: {error}") from None
        if second[0] != page_bytes:
            raise RuntimeError(f"{self._file}: its two headers speak of pages of {page_bytes} and {second[0]} bytes")
        _, depth, entries, root, _ = max(first, second, key=lambda header: header[-1])
        return page_bytes, depth, entries, root

    def _descend(self, level: Indices, depth: int) -> Indices:
        """The page numbers of all leaves, found level by level from the root."""
        for _ in range(depth - 1):
            pages = [level[at : at + _PAGES_AT_A_TIME] for at in range(0, len(level), _PAGES_AT_A_TIME)]
            level = np.concatenate([self._parsed(self._listing.children, some).sample(0) for some in pages])
            if len(level) > self._most_pages:
                raise RuntimeError(f"{self._file}: its branches lead to more pages than it has, {self._most_pages}")
        return level

    def _list(self, count: int) -> None:
        """Parses leaf pages until `count` entries are known."""
        while len(self._listing) < count and self._looked_at < len(self._leaves):
            some = self._leaves[self._looked_at : self._looked_at + _PAGES_AT_A_TIME]
            self._parsed(self._listing.add, some)
            self._looked_at += len(some)
        ended = self._looked_at == len(self._leaves)
        if len(self._listing) > self._entries or (ended and len(self._listing) < self._entries):
            raise RuntimeError(
                f"{self._file}: its pages hold {len(self._listing)} entries, its header says {self._entries}"
            )

    def _parsed(self, parse: Callable[[Samples, Indices], T], pages: Indices) -> T:
        """Reads pages, adjacent ones in one request, and returns what a method of the listing parses from them."""
        begins = np.flatnonzero(np.diff(pages, prepend=-2) != 1)
        lengths = np.diff(begins, append=len(pages)) * self.page_bytes
        first = pages[begins]
        try:
            place = (np.zeros_like(first), first * self.page_bytes, lengths)
            pieces = self._storage.read_parts("", self._name, *place, limited=False)
            return parse(pieces, first)
        except UnreadableError as error:
            raise error.first from None
        except RuntimeError as error:
            raise RuntimeError(f"{self._file}: {error}") from None


def _data_file(path: str) -> str:
    """The data file of a database, whose path is that of the file or of its folder."""
    if path.endswith(".mdb") or (not is_remote(path) and os.path.isfile(path)):
        return path
    return f"{path.rstrip('/')}/data.mdb" if is_remote(path) else os.path.join(path, "data.mdb")
