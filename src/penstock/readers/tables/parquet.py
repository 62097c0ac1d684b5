"""`readers.Parquet`: rows of Parquet and Arrow tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from penstock import _native
from penstock._native import Samples
from penstock.readers.core.order import Indices
from penstock.readers.core.paths import Path, several
from penstock.readers.core.reader import Reader
from penstock.readers.core.sample_source import Outputs, SampleSource, UnreadableError
from penstock.readers.tables.columns import Column, ColumnError, ColumnType, column_type_of
from penstock.readers.tables.files import TableFile, open_table
from penstock.readers.tables.listing import find_tables
from penstock.readers.tables.part_cache import ColumnName, LoadedPart, PartCache, TablePart
from penstock.storage.daemon_executor import daemon_executor
from penstock.storage.storage import reading_pool

_OPENING_THREADS = 8


class Parquet(Reader):
    """Reads rows of Parquet files, Arrow files and Hugging Face data sets, a column to an output.

    Outputs: a dict with the columns in the order of `columns`. A number or boolean is a scalar of its own type. Text,
    binary data, and what Hugging Face calls `Image` and `Audio` are bytes, `uint8` of shape `(n,)`: UTF-8, or the file
    for a decoder. A list of numbers has shape `(n,)`, lists of a fixed size have theirs: `(4,)`, or `(n, 4)` for a list
    of boxes.

    A row group (of an Arrow file, a record batch) is read whole. `random_shuffle` holds `initial_fill` rows and reads
    the groups nearly in their order; `shuffle_after_epoch` or a `sampler` that jumps about is exact, but reads a group
    again whenever it is no longer in memory. A null is a sample that cannot be read: see `on_error`.

    Example:
        >>> reader = ndd.readers.Parquet(path="food101/data/train-*.parquet", columns=["image", "label"],
        ...                              random_shuffle=True)
        >>> for rows in reader.next_epoch(batch_size=64):
        ...     images, labels = ndd.decoders.image(rows["image"]), rows["label"]

    Args:
        path: Files, patterns such as `data/train-*.parquet`, folders that are searched for `.parquet` or `.arrow`
            files, or folders that `save_to_disk` of Hugging Face wrote. URLs as well.
        columns: Which columns to read, all by default; `"objects.bbox"` is a field of a struct.
        cache_bytes: How much of the row groups read is kept in memory, besides those a batch is made from.
    """

    _shuffles_listing = False

    def __init__(
        self,
        *by_position: Any,
        path: Sequence[Path] | Path,
        columns: Sequence[str] | str | None = None,
        cache_bytes: int = 512 << 20,
        **common: Any,
    ) -> None:
        super().__init__(*by_position, **common)
        self._paths = several(path)
        self._columns = [columns] if isinstance(columns, str) else None if columns is None else list(columns)
        self._cache_bytes = cache_bytes
        if self._columns is not None and (not self._columns or len(set(self._columns)) < len(self._columns)):
            raise ValueError(f"columns names at least one column, and none twice; got {self._columns}")
        self._names: list[str] = []

    def _open_source(self) -> SampleSource:
        paths = find_tables(self.storage, self._paths)
        threads = daemon_executor("table files", _OPENING_THREADS)
        opened = threads.map(lambda path: open_table(self.storage, path), paths)
        source = _ParquetSource(list(opened), self._columns, self._cache_bytes)
        self._names = [column.name for column in source.columns]
        return source

    @property
    def _output_count(self) -> int:
        return len(self._output_names)

    @property
    def _output_names(self) -> list[str]:
        self._opened()
        return self._names

    def _as_outputs(self, outputs: Outputs, single: bool) -> dict[str, Any]:
        return dict(zip(self._names, super()._as_outputs(outputs, single), strict=True))


class _ParquetSource:
    """Rows of table files by number, taken from row groups in memory."""

    def __init__(self, files: list[TableFile], names: list[str] | None, cache_bytes: int) -> None:
        self.columns = [_column(files[0], name) for name in (files[0].schema.names if names is None else names)]
        self._kinds = [_column_type(files[0], column) for column in self.columns]
        for file in files[1:]:
            _require_alike(file, files[0], self.columns, self._kinds)
        self._places = [TablePart(file, part) for file in files for part, rows in enumerate(file.rows) if rows]
        lengths = np.array([place.file.rows[place.part] for place in self._places], np.int64)
        self._ends: Indices = np.cumsum(lengths, dtype=np.int64)
        if not len(self):
            raise RuntimeError(f"there are no rows in {', '.join(file.path for file in files[:3])}")
        self._begins = self._ends - lengths
        before = np.array([sum(place.file.rows[: place.part]) for place in self._places], np.int64)
        self._row_shifts = before - self._begins  # from the index of a sample to the row in its file
        self._parts = PartCache(self._places, self.columns, cache_bytes)

    def __len__(self) -> int:
        return int(self._ends[-1]) if len(self._ends) else 0

    def read(self, indices: Indices) -> Outputs:
        if not len(indices):
            ranks = [len(kind.row) + kind.varying for kind in self._kinds]
            return tuple(Samples.empty(k.dtype.code, 0, [0] * ndim) for k, ndim in zip(self._kinds, ranks, strict=True))
        of = np.searchsorted(self._ends, indices, "right")
        numbers, which = np.unique(of, return_inverse=True)
        sources = self._sources(indices, of)
        parts = _all_read(self._parts.get(numbers.tolist()), which, sources)
        rows = indices - self._begins[of]
        outputs: list[Samples] = []
        failures: dict[int, str] = {}
        for at, kind in enumerate(self._kinds):
            begins, counts, null = _gathered([part.columns[at] for part in parts], which, rows)
            failures |= {
                position: f"{sources[position]}: column {self.columns[at].name!r} is null or has a null in it"
                for position in np.flatnonzero(null).tolist()
                if position not in failures
            }
            values = [part.columns[at].values for part in parts]
            outputs.append(_native.take_slices(reading_pool(), values, which, begins, counts, kind.row, kind.varying))
            outputs[-1].sources = sources
        if failures:
            raise UnreadableError(failures, {position: sources[position] for position in failures})
        return tuple(outputs)

    def _sources(self, indices: Indices, of: Indices) -> list[str]:
        rows = (indices + self._row_shifts[of]).tolist()
        return [f"{self._places[part].file.path} row {row}" for part, row in zip(of.tolist(), rows, strict=True)]


def _all_read(parts: Sequence[LoadedPart | RuntimeError], which: Indices, sources: list[str]) -> list[LoadedPart]:
    """The parts; raises UnreadableError for the samples of parts that could not be read."""
    failures = {at: why for at, part in enumerate(which.tolist()) if isinstance(why := parts[part], RuntimeError)}
    if failures:
        raise UnreadableError(failures, {at: sources[at] for at in failures})
    return [part for part in parts if isinstance(part, LoadedPart)]


def _gathered(columns: list[Column], which: Indices, rows: Indices) -> tuple[Indices, Indices, Any]:
    """The begin, count and null flag of each row, gathered from the parts that the rows belong to."""
    begins, counts = np.empty_like(rows), np.empty_like(rows)
    null = np.zeros(len(rows), np.bool_)
    for at, column in enumerate(columns):
        mine = slice(None) if len(columns) == 1 else which == at
        begins[mine], counts[mine] = column.begins[rows[mine]], column.counts[rows[mine]]
        if column.null is not None:
            null[mine] = column.null[rows[mine]]
    return begins, counts, null


def _column(file: TableFile, name: str) -> ColumnName:
    """Resolves a name: a column, or else a dotted path to a field of one."""
    names = file.schema.names
    top, *fields = [name] if name in names else name.split(".")
    if names.count(top) > 1:
        raise RuntimeError(f"{file.path} has {names.count(top)} columns {top!r}")
    if name in names:
        return ColumnName(name, name, ())
    if top not in names or not fields:
        raise RuntimeError(f"{file.path} has no column {name!r}, but {', '.join(map(repr, names))}")
    return ColumnName(name, top, tuple(fields))


def _column_type(file: TableFile, column: ColumnName) -> ColumnType:
    try:
        arrow = file.schema.field(column.top).type
        for field in column.fields:
            names = [each.name for each in arrow] if hasattr(arrow, "get_field_index") else []
            if names.count(field) != 1:
                raise ColumnError(
                    f"there is {'no' if field not in names else 'more than one'} field {field!r} in {arrow}"
                )
            arrow = arrow.field(field).type
        return column_type_of(arrow)
    except ColumnError as error:
        raise RuntimeError(f"{file.path}: column {column.name!r}: {error}") from None


def _require_alike(file: TableFile, first: TableFile, columns: list[ColumnName], kinds: list[ColumnType]) -> None:
    for column, kind in zip(columns, kinds, strict=True):
        if file.schema.names.count(column.top) != 1:
            found = file.schema.names.count(column.top) or "no"
            raise RuntimeError(f"{file.path} has {found} column {column.top!r}, {first.path} has one")
        if _column_type(file, column) != kind:
            ours, theirs = (each.schema.field(column.top).type for each in (file, first))
            raise RuntimeError(f"{file.path}: column {column.name!r} is {ours}, in {first.path} it is {theirs}")
