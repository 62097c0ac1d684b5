"""The images and sounds in the rows of a Parquet file."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from penstock.cli.checking.member import LABELS, NO_DATA, Array, Member
from penstock.ops.decode.headers import format_of
from penstock.readers.tables.columns import FILE_FIELDS, ColumnError, checked_column
from penstock.readers.tables.files import TableFile, open_table
from penstock.storage import Storage

if TYPE_CHECKING:
    import pyarrow as pa

_SOUNDS = {b"RIFF": ".wav", b"fLaC": ".flac", b"OggS": ".ogg", b"ID3": ".mp3"}


def parquet_members(path: str) -> Iterator[Member]:
    """The values of columns of bytes, and of the structs that Hugging Face has for images and sounds.

    A member is called `row/column`, with the name of its file behind it if there is one; its offset is the row. A row
    group that cannot be read is one bad member, and those behind it are read. Raises ImportError without pyarrow.
    """
    table = open_table(Storage(), path)
    first = 0
    for part, rows in enumerate(table.rows):
        yield from _part_members(table, part, first)
        first += rows


def read_parquet_member(path: str, name: str, row: int) -> Array | None:
    """Reads one member again, from the row group that has its row."""
    table = open_table(Storage(), path)
    first = 0
    for part, rows in enumerate(table.rows):
        if row < first + rows:
            return next((member.data for member in _part_members(table, part, first) if member.name == name), None)
        first += rows
    return None


def _part_members(table: TableFile, part: int, first: int) -> Iterator[Member]:
    """The members of a row group, whose first row has the number `first` in the file."""
    import pyarrow as pa

    files = [field.name for field in table.schema if _holds_files(field.type)]
    label = next((name for name in LABELS if name in table.schema.names and name not in files), None)
    if not files:
        return
    try:
        loaded = table.load(part, files if label is None else [*files, label])
        for batch in [loaded] if isinstance(loaded, pa.RecordBatch) else loaded.to_batches():
            labels = [""] * len(batch) if label is None else [*map(_text, batch.column(label).to_pylist())]
            for name in files:
                yield from _column_members(batch.column(name), name, labels, first)
            first += len(batch)
    except (pa.ArrowException, OSError, RuntimeError, ColumnError, UnicodeDecodeError) as error:
        yield Member(f"row group {part}", NO_DATA, str(error), first)


def _column_members(array: pa.Array, column: str, labels: list[str], first: int) -> Iterator[Member]:
    import pyarrow.compute as pc
    from pyarrow import types

    values = checked_column(array)
    is_struct = types.is_struct(array.type)
    paths = pc.struct_field(array, "path").to_pylist() if is_struct else [None] * len(array)
    places = zip(values.begins.tolist(), values.counts.tolist(), paths, labels, strict=True)
    for at, (begin, count, path, label) in enumerate(places):
        name = f"{first + at}/{column}"
        if values.null is not None and values.null[at]:
            reason = f"there are no bytes, only the path {path!r}" if path else "it is null"
            yield Member(name, NO_DATA, reason, first + at, label)
            continue
        data = values.values[begin : begin + count]
        name += f"/{os.path.basename(path)}" if path else _sound_suffix(data)
        yield Member(name, data, "", first + at, label)


def _holds_files(arrow: pa.DataType) -> bool:
    """Whether a column is one of bytes, or of files as Hugging Face stores them."""
    from pyarrow import types

    if types.is_struct(arrow):
        return {field.name for field in arrow} == FILE_FIELDS
    return bool(types.is_binary(arrow) or types.is_large_binary(arrow) or types.is_binary_view(arrow))


def _sound_suffix(data: Array) -> str:
    """The suffix of a sound without a name, by its first bytes: sounds are told from other data by their names."""
    if format_of(data) is not None:  # a WebP image begins like a WAV file
        return ""
    start = data[:4].tobytes()
    return next((suffix for magic, suffix in _SOUNDS.items() if start.startswith(magic)), "")


def _text(label: Any) -> str:
    return str(label)[:40] if isinstance(label, (int, str)) else ""
