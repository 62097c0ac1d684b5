"""`readers.Webdataset`: samples from tar archives, a file in the archive for each output."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from penstock import _native
from penstock._native import ComponentTable, Missing
from penstock.readers.core.order import Indices
from penstock.readers.core.paths import Path, several
from penstock.readers.core.reader import Reader
from penstock.readers.core.sample_memory import require_together
from penstock.readers.core.sample_source import Outputs, SampleSource, UnreadableError
from penstock.storage import Names, Storage
from penstock.storage.daemon_executor import DaemonExecutor
from penstock.storage.urls import is_remote
from penstock.values.dtypes import DType, NoElementTypeError, uint8
from penstock.values.dtypes import dtype as to_dtype

_MISSING = {"": Missing.empty, "empty": Missing.empty, "skip": Missing.skip, "error": Missing.error}
_LARGEST_CODE = 10  # of float64; those of booleans and enumerations are larger
_OPEN_AT_ONCE = 16
_REMOTE_WINDOW = 1 << 20


class Webdataset(Reader):
    """Reads samples from tar archives in the WebDataset format.

    Files beside each other in an archive make up a sample when their paths are equal up to the first dot of the file
    name; what follows that dot is the extension that `ext` asks for. Names that begin with a dot are passed over.

    Outputs: one for each element of `ext`, the bytes of that file as elements of its `dtypes`, of shape `(n,)`.

    Example:
        >>> reader = ndd.readers.Webdataset(paths=["train-000.tar", "train-001.tar"], ext=["jpg;png", "cls"])
        >>> for images, classes in reader.next_epoch(batch_size=64):
        ...     images = ndd.decoders.image(images)

    Args:
        paths: The archives.
        ext: The extensions, an output for each. Several between semicolons are alternatives: the output is the first
            file of the sample that has any of them.
        index_paths: An index file for each archive, as `penstock index` and wds2idx write them. Without, the headers of
            the archives are walked through once.
        missing_component_behavior: What to do about samples that lack an output: "empty" hands out an empty array,
            "skip" leaves them out of the data set, "error" refuses the archive.
        dtypes: The element types of the outputs; bytes by default.
        case_sensitive_extensions: Whether `ext` tells JPG from jpg.
    """

    _shuffles_listing = False

    def __init__(
        self,
        *by_position: Any,
        paths: Sequence[Path] | Path,
        ext: Sequence[str] | str,
        index_paths: Sequence[Path] | Path | None = None,
        missing_component_behavior: str | None = "",
        dtypes: Sequence[Any] | Any = None,
        case_sensitive_extensions: bool | None = True,
        **common: Any,
    ) -> None:
        super().__init__(*by_position, **common)
        self._paths = several(paths)
        self._groups = [[each for each in group.split(";") if each] for group in several(ext)]
        if not self._groups:
            raise RuntimeError("No extensions provided: ``ext`` is empty.")
        self._index_paths = [] if index_paths is None else several(index_paths)
        self._missing = missing_component_behavior or ""
        self._dtypes = None if dtypes is None else [_dtype(each) for each in _listed(dtypes)]
        self._case_sensitive = case_sensitive_extensions is None or bool(case_sensitive_extensions)

    @property
    def _output_count(self) -> int:
        return len(self._groups)

    def _open_source(self) -> SampleSource:
        self._check()
        with DaemonExecutor(_OPEN_AT_ONCE, "penstock-archives") as threads:
            table, *others = threads.map(self._table, range(len(self._paths)))
        for archive, each in zip(self._paths, [table, *others], strict=True):
            if each.doubles:
                warnings.warn(
                    f"{archive}: {each.doubles} components are passed over because a component before them in their "
                    f"sample has a fitting extension as well; the first is {each.first_double}",
                    stacklevel=4,
                )
        for other in others:
            table.extend(other)
        if not len(table):
            raise RuntimeError(f"No samples found in {', '.join(self._paths[:3])}.")
        return _WebdatasetSource(self._paths, table, self.storage)

    def _check(self) -> None:
        if not self._paths:
            raise RuntimeError("No webdataset archives provided: ``paths`` is empty.")
        if self._index_paths and len(self._index_paths) != len(self._paths):
            raise RuntimeError(
                "The number of index files, if any, must match the number of archives in the dataset; "
                f"got {len(self._index_paths)} and {len(self._paths)}."
            )
        if self._missing.lower() not in _MISSING:
            raise RuntimeError(
                f"Invalid value for missing_component_behavior {self._missing!r}; possible values are: "
                "skip, error, empty"
            )
        if self._dtypes is not None and len(self._dtypes) != len(self._groups):
            raise RuntimeError(
                "Number of extensions does not match the number of provided types: "
                f"{len(self._groups)} and {len(self._dtypes)}"
            )
        for dtype in self._dtypes or []:
            if not 0 <= dtype.code <= _LARGEST_CODE:
                raise RuntimeError(f"Unsupported output dtype {dtype}; {_KNOWN_TYPES}")

    def _table(self, number: int) -> ComponentTable:
        """The components of the samples of one archive, from its index or its headers."""
        archive = self._paths[number]
        index = self._index_paths[number] if self._index_paths else None
        codes = [dtype.code for dtype in self._dtypes or [uint8] * len(self._groups)]
        table = ComponentTable(
            os.fsencode(archive),
            self._groups,
            codes,
            self._case_sensitive,
            _MISSING[self._missing.lower()],
            check_headers=index is not None,
        )
        size = self.storage.size(archive)
        text = None if index is None else self.storage.read_text(index).encode("utf-8", "surrogateescape")
        try:
            if text is None:
                table.add_scanned(_headers_of(self.storage, archive, size), size)
            else:
                table.add_indexed(text, size)
        except RuntimeError as error:
            raise RuntimeError(_told(error, archive, index)) from None
        return table


def _told(error: RuntimeError, archive: str, index: str | None) -> str:
    """The message for a damaged archive or index; it begins as DALI's, which programs may look for."""
    if str(error).startswith("Underful"):
        return f"tar file {archive}: {error}"
    if index is not None:
        return f'Malformed index file at "{index}" of {archive}: {error}'
    return f"Corrupted tar file at {archive}: {error}"


def write_tar_index(archive: Path, index_path: Path, storage: Storage | None = None) -> None:
    """Writes the index file of a tar archive, which may be at a URL.

    Args:
        archive: The archive.
        index_path: The file to write.
        storage: How the archive is reached.
    """
    path, storage = os.fspath(archive), storage or Storage()
    size = storage.size(path)
    try:
        index = _native.index_tar(_headers_of(storage, path, size), size)
    except RuntimeError as error:
        raise RuntimeError(f"tar file {path}: {error}") from None
    if index.startswith(b"v1.2 0\n"):
        raise RuntimeError(f"tar file {path}: there are no samples in it")
    with open(index_path, "wb") as file:
        file.write(index)


class _WebdatasetSource:
    """The components of samples in tar archives."""

    def __init__(self, paths: list[str], table: ComponentTable, storage: Storage) -> None:
        self._names = Names.of(paths)
        self._table = table
        self._storage = storage

    def __len__(self) -> int:
        return len(self._table)

    def expect(self, indices: Indices) -> None:
        plan = self._table.plan(indices)
        self._storage.expect("", self._names, plan.archives, plan.offsets, plan.lengths)

    def bytes_of(self, indices: Indices) -> float:
        return float(self._table.plan(indices).lengths.sum(dtype=np.float64))

    def read(self, indices: Indices) -> Outputs:
        plan = self._table.plan(indices)
        taken = np.bincount(plan.samples, plan.lengths, len(indices)).astype(np.int64)
        require_together(
            taken, self._storage.sample_bytes, "reading its components", lambda at: self._source(indices[at])
        )
        try:
            pieces = self._storage.read_parts("", self._names, plan.archives, plan.offsets, plan.lengths)
        except UnreadableError as error:
            owners = plan.samples
            raise self._unreadable({owners[piece]: why for piece, why in error.failures.items()}, indices) from None
        outputs, failures = self._table.take(plan, pieces)
        if failures:
            raise self._unreadable(failures, indices)
        return outputs

    def _unreadable(self, failures: dict[int, Any], indices: Indices) -> UnreadableError:
        return UnreadableError(failures, {at: self._source(indices[at]) for at in failures})

    def _source(self, index: int) -> str:
        """The source of a sample is that of its first component."""
        return next(filter(None, self._table.sources(int(index))))


def _headers_of(storage: Storage, archive: str, size: int) -> bytes | Callable[[int, int], bytes]:
    """What the native scanner reads headers from: a local path, or a function that fetches windows of a URL."""
    if not is_remote(archive):
        return os.fsencode(archive)
    return lambda offset, length: storage.read_one(archive, offset, min(max(length, _REMOTE_WINDOW), size - offset))


def _dtype(given: Any) -> DType:
    try:
        return to_dtype(given)
    except NoElementTypeError:
        raise RuntimeError(f"Unsupported output dtype {getattr(given, 'name', given)}; {_KNOWN_TYPES}") from None


_KNOWN_TYPES = "all integers and float16 to float64 are."


def _listed(dtypes: Any) -> list[Any]:
    return list(dtypes) if isinstance(dtypes, Sequence) and not isinstance(dtypes, (str, DType)) else [dtypes]
