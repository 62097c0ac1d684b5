"""`RowBatch`: some rows of a block as a loop body gets them, and the table that its results make."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from penstock.ray.columns import ColumnRows, column_of, is_numeric, null_rows, samples_of

# Columns that Ray's readers name a row in: read_images(include_paths=True), read_webdataset.
_NAMING = ("path", "__key__")


class RowBatch(NamedTuple):
    """Rows of a block; `numbers` are their places in it, by which errors name them."""

    table: pa.Table
    numbers: Sequence[int]
    names: Sequence[str]

    @classmethod
    def split(cls, table: pa.Table, batch_size: int, row_name: str | None) -> list[RowBatch]:
        """A block in batches, over its memory."""
        names = row_names(table, row_name)
        batches = []
        for first in range(0, table.num_rows, batch_size):
            part = table.slice(first, batch_size)
            rows = range(first, first + part.num_rows)
            batches.append(cls(part, rows, names[first : rows.stop]))
        return batches

    def select(self, places: Sequence[int]) -> RowBatch:
        """The rows at these places of the batch."""
        return RowBatch(self.table.take(places), [self.numbers[k] for k in places], [self.names[k] for k in places])

    def nulls(self) -> dict[int, str]:
        """Why rows cannot be samples, by their places: a numeric column has no value there."""
        found: dict[int, str] = {}
        for name in self.numeric:
            for place in null_rows(self.table.column(name)):
                found.setdefault(place, f"column {name!r} is null in row {self.names[place]}")
        return found

    @property
    def numeric(self) -> list[str]:
        """The columns that become Batches."""
        return [field.name for field in self.table.schema if is_numeric(field.type)]

    def samples(self, layouts: Mapping[str, str]) -> tuple[ColumnRows, ...]:
        """The numeric columns as samples that know the names of their rows."""
        made = []
        for name in self.numeric:
            samples = samples_of(self.table.column(name))
            if name in layouts:
                samples.layout = layouts[name]
            samples.sources = [*self.names]
            samples.set_indices(np.asarray(self.numbers, np.int64))
            made.append(ColumnRows(samples))
        return tuple(made)

    def given(self, batches: Sequence[Any]) -> dict[str, Any]:
        """What the loop body gets: Batches of the numeric columns, the others as Arrow arrays."""
        numeric = dict(zip(self.numeric, batches, strict=True))
        return {name: numeric.get(name, self.table.column(name)) for name in self.table.column_names}

    def made(self, given: Mapping[str, Any], results: Any) -> pa.Table:
        """The table of what the body returned. A column that it was given and returns is the column it was."""
        if not isinstance(results, Mapping):
            raise TypeError(
                f"a loop body returns a dict of columns, such as {{'image': images}}; got {type(results).__name__}"
            )
        own = {id(value): name for name, value in given.items()}
        columns = {
            name: self.table.column(own[id(value)]) if id(value) in own else column_of(value, len(self.numbers), name)
            for name, value in results.items()
        }
        return pa.table(columns)


def row_names(table: pa.Table, row_name: str | None) -> list[str]:
    """What errors call the rows: by the column `row_name`, by one that names them as Ray reads, or by their numbers."""
    if row_name is not None and row_name not in table.column_names:
        raise ValueError(f"row_name={row_name!r} is no column; there are {', '.join(table.column_names)}")
    column = row_name or next((name for name in _NAMING if name in table.column_names), None)
    if column is not None:
        return [str(value) for value in table.column(column).to_pylist()]
    return [f"{number} of a block of {table.num_rows} rows" for number in range(table.num_rows)]
