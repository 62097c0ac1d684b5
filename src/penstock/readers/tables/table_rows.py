"""`TableRows`: rows of tables by number, a column to an output."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from penstock import _native
from penstock._native import Samples
from penstock.readers.core.order import Indices
from penstock.readers.core.sample_source import Outputs, UnreadableError
from penstock.readers.tables.columns import Column, ColumnError, ColumnType, column_type_of
from penstock.readers.tables.files import TableFile
from penstock.readers.tables.part_cache import ColumnName, LoadedPart, PartCache, TablePart
from penstock.storage.storage import reading_pool


def checked_names(columns: Sequence[str] | str | None) -> list[str] | None:
    """The `columns` that a reader was given; None for all of them."""
    names = [columns] if isinstance(columns, str) else None if columns is None else list(columns)
    if names is not None and (not names or len(set(names)) < len(names)):
        raise ValueError(f"columns names at least one column, and none twice; got {names}")
    return names


class Slices(NamedTuple):
    """Rows of a column: row `i` has `counts[i]` items of `values[which[i]]`, from `begins[i]` on."""

    values: list[npt.NDArray[Any]]
    which: Indices
    begins: Indices
    counts: Indices
    null: npt.NDArray[np.bool_]


class TableRows:
    """Rows of tables by number, taken from parts of them in memory."""

    def __init__(self, files: list[TableFile], names: list[str] | None, cache_bytes: int) -> None:
        self.columns = [_column(files[0], name) for name in (files[0].schema.names if names is None else names)]
        self._further: list[ColumnName] = self._further_columns()
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
        self._parts = PartCache(self._places, [*self.columns, *self._further], cache_bytes)

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
            slices = self._slices(at, parts, which, rows)
            failures |= {
                position: f"{sources[position]}: column {self.columns[at].name!r} is null or has a null in it"
                for position in np.flatnonzero(slices.null).tolist()
                if position not in failures
            }
            outputs.append(_native.take_slices(reading_pool(), *slices[:4], kind.row, kind.varying))
            outputs[-1].sources = sources
        if failures:
            raise UnreadableError(failures, {position: sources[position] for position in failures})
        return tuple(outputs)

    def _further_columns(self) -> list[ColumnName]:
        """Columns that are read besides those of the outputs."""
        return []

    def _slices(self, at: int, parts: list[LoadedPart], which: Indices, rows: Indices) -> Slices:
        """Some rows of the column with that number."""
        columns = [part.columns[at] for part in parts]
        return Slices([column.values for column in columns], which, *_gathered(columns, which, rows))

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
