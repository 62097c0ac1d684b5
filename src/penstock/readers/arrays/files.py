"""Arrays that have a file each: finding the files, and reading whole arrays or windows of them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from penstock import _native
from penstock._native import ArrayFormat, ArrayOptions, Samples
from penstock.readers.core.order import Indices
from penstock.readers.core.paths import Path, path_text, several
from penstock.readers.core.reader import Reader
from penstock.readers.core.sample_source import UnreadableError
from penstock.readers.files.containment import check_names
from penstock.storage import Names, Storage
from penstock.storage.names import encoded
from penstock.storage.storage import reading_pool

_HEAD_BYTES = 64 << 10


class ArrayFilesReader(Reader):
    """Base class of the readers of arrays: takes the arguments that say which files to read."""

    _on_gpu = True

    def __init__(
        self,
        *by_position: Any,
        file_root: Path | None = None,
        files: Sequence[Path] | Path | None = None,
        file_list: Path | None = None,
        allow_outside: bool | None = False,
        **common: Any,
    ) -> None:
        super().__init__(*by_position, **common)
        self._root = None if file_root is None else path_text(file_root)
        self._files = None if files is None else several(files)
        self._file_list = None if file_list is None else path_text(file_list)
        self._allow_outside = bool(allow_outside)

    def _find_files(self, file_filter: str) -> ArrayFiles:
        """Finds the files that the arguments name; raises RuntimeError if there are none."""
        if self._files is not None and self._file_list is not None:
            raise RuntimeError("File paths can be provided through ``files`` or ``file_list`` but not both.")
        if self._files is not None:
            if not self._files:
                raise RuntimeError("``files`` specified an empty list.")
            return ArrayFiles(self.storage, self._root or "", Names.of(self._files))
        if self._file_list is not None:
            names = Names.of(line for line in self.storage.lines(self._file_list) if line.strip())
            check_names(names, self._file_list, self._root, allow_outside=self._allow_outside)
            folder = os.path.dirname(self._file_list) if self._root is None else self._root
            return self._found(self._file_list, folder, names)
        if self._root is None:
            raise RuntimeError("``file_root`` argument is required when not using ``files`` or ``file_list``.")
        names = Names(self.storage.find_files(self._root, file_filter))
        return self._found(f"{self._root} for {file_filter!r}", self._root, names)

    def _found(self, where: str, root: str, names: Names) -> ArrayFiles:
        if not len(names):
            raise RuntimeError(f"No files found. Looked in {where}.")
        return ArrayFiles(self.storage, root, names)


class ArrayRequest(NamedTuple):
    """What to read from each file: which array, in which format, and its window and element type."""

    format: ArrayFormat
    options: ArrayOptions


class ArrayFiles:
    """Files of arrays, read in parallel."""

    def __init__(self, storage: Storage, root: str, names: Names) -> None:
        self.names = names
        self._storage = storage
        self._root = root

    @property
    def sample_bytes(self) -> int:
        """The limit of memory for one sample."""
        return self._storage.sample_bytes

    def contents(self, indices: Indices) -> Samples:
        """The bytes of whole files."""
        return self._storage.read(self._root, self.names, indices)

    def read(self, indices: Indices, wanted: Sequence[ArrayRequest]) -> tuple[Samples, ...]:
        """Reads arrays of some files, one `Samples` for each request; raises `UnreadableError` if that fails."""
        pool = reading_pool()
        if self._storage.is_local(self._root, self.names):
            place = (self._storage.mapped, encoded(self._root), self.names.packed, self.names.ends, indices)
            return tuple(self._checked(indices, *_native.read_array_files(pool, *place, *each)) for each in wanted)
        files = self.contents(indices)
        return tuple(self._named(indices, *_native.arrays_in_files(pool, files, *each)) for each in wanted)

    def read_parts(self, indices: Indices, wanted: ArrayRequest) -> Samples:
        """Reads a window of each array. Of files at URLs only the header and the rows of the window are fetched."""
        if self._storage.is_local(self._root, self.names):
            return self.read(indices, [wanted])[0]
        heads = self._storage.read_starts(self._root, self.names, indices, _HEAD_BYTES)
        offsets, lengths, failures = _native.array_extents(heads, _HEAD_BYTES, *wanted)
        self._named(indices, heads, failures)
        extents = (np.array(offsets, np.int64), np.array(lengths, np.int64))
        parts = self._storage.read_parts(self._root, self.names, indices, *extents)
        found = _native.arrays_in_parts(reading_pool(), heads, _HEAD_BYTES, parts, extents[0], *wanted)
        return self._named(indices, *found)

    def _named(self, indices: Indices, samples: Samples, failures: dict[int, str]) -> Samples:
        paths = {at: self.names.path(self._root, int(indices[at])) for at in failures}
        return self._checked(indices, samples, {at: f"{paths[at]}: {why}" for at, why in failures.items()})

    def _checked(self, indices: Indices, samples: Samples, failures: dict[int, str]) -> Samples:
        if failures:
            raise UnreadableError(failures, {at: self.names[int(indices[at])] for at in failures})
        return samples
