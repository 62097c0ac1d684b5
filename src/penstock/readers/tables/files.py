"""Parquet and Arrow files, read a part at a time: row groups and record batches."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from penstock._native import require_memory
from penstock.storage import Names, Storage
from penstock.storage.seekable_file import openable

if TYPE_CHECKING:
    import pyarrow as pa

_ARROW_MAGIC = b"ARROW1\0\0"
_HEAD_BYTES = 4096
_ROWS_AT_ONCE = 1024
_SURELY_LARGER = 2  # a row group stored in this many times the limit exceeds it in memory as well
_MOST_ROWS = 1 << 40
_SCHEMA, _DICTIONARY, _RECORD_BATCH = 1, 2, 3


class TableFile(Protocol):
    """A file of rows in parts: row groups of Parquet, record batches of Arrow."""

    path: str
    schema: pa.Schema
    rows: list[int]
    in_memory: bool  # whether its values lie in memory, or are mapped, without being loaded

    def load(self, part: int, columns: Sequence[str]) -> pa.Table | pa.RecordBatch:
        """Reads top-level columns of a part."""
        ...


def open_table(storage: Storage, path: str) -> TableFile:
    """Opens a file in the format that its first bytes tell; raises RuntimeError if it is no table."""
    try:
        import pyarrow as pa
    except ImportError:
        raise ImportError("readers.Parquet needs pyarrow: pip install penstock[parquet]") from None
    try:
        start = storage.read_one(path, 0, min(storage.size(path), len(_ARROW_MAGIC)))
        table: TableFile = ParquetTable(storage, path) if start.startswith(b"PAR") else ArrowTable(storage, path, start)
        _require_names(table.schema)
        wrong = next((rows for rows in table.rows if not 0 <= rows <= _MOST_ROWS), None)
        if wrong is not None:
            raise RuntimeError(f"{path}: it is damaged: a part of it has {wrong} rows")
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise RuntimeError(f"{path}: {error}") from None
    return table


def _require_names(fields: Iterable[pa.Field]) -> None:
    """Raises UnicodeDecodeError if the name of a column, or of a field in one, is no UTF-8."""
    for field in fields:
        _ = field.name
        _require_names(field.type.field(at) for at in range(field.type.num_fields))


class ParquetTable:
    """A Parquet file. Its footer is kept; the file is opened again for each row group, so that few are open at once."""

    in_memory = False

    def __init__(self, storage: Storage, path: str) -> None:
        self._storage, self.path = storage, path
        with self._opened(None) as file:
            self._footer = file.metadata
            self.schema = file.schema_arrow
        self.rows = [self._footer.row_group(at).num_rows for at in range(self._footer.num_row_groups)]

    def load(self, part: int, columns: Sequence[str]) -> pa.Table:
        with self._opened(self._footer) as file:
            stored, limit = self._footer.row_group(part).total_byte_size, self._storage.sample_bytes
            if stored <= limit:
                return file.read_row_group(part, columns=list(columns))
            if set(columns) == set(self.schema.names) and stored > _SURELY_LARGER * limit:
                require_memory(f"{self.path}: row group {part}", stored, limit)
            return self._loaded_in_steps(file, part, columns)

    def _loaded_in_steps(self, file: Any, part: int, columns: Sequence[str]) -> pa.Table:
        """Reads a row group above the memory limit in batches of rows: the wanted columns may be below it.

        The sizes of columns in the footer are not used: pyarrow aborts the process if they are damaged.
        """
        import pyarrow as pa

        batches, taken = [], 0
        for batch in file.iter_batches(_ROWS_AT_ONCE, row_groups=[part], columns=list(columns)):
            taken += batch.nbytes
            require_memory(f"{self.path}: row group {part}", taken, self._storage.sample_bytes)
            batches.append(batch)
        return pa.Table.from_batches(batches)

    def _opened(self, footer: Any) -> Any:
        from pyarrow import parquet

        return parquet.ParquetFile(openable(self._storage, self.path), metadata=footer, pre_buffer=True)


class _Message(NamedTuple):
    kind: int
    rows: int
    offset: int
    length: int


class ArrowTable:
    """An Arrow file or stream, scanned once from message to message."""

    in_memory = False

    def __init__(self, storage: Storage, path: str, start: bytes) -> None:
        import pyarrow as pa

        self._storage, self.path = storage, path
        messages = self._messages(len(_ARROW_MAGIC) if start == _ARROW_MAGIC else 0)
        first = next(messages, None)
        if first is None or first.kind != _SCHEMA:
            raise RuntimeError(f"{path}: it is neither a Parquet nor an Arrow file")
        self.schema = pa.ipc.read_schema(pa.py_buffer(storage.read_one(path, first.offset, first.length)))
        self._batches = []
        for message in messages:
            if message.kind == _DICTIONARY:
                raise RuntimeError(f"{path}: at byte {message.offset}: a dictionary; only Parquet files may have them")
            self._batches.append(message)
        self.rows = [batch.rows for batch in self._batches]

    def load(self, part: int, columns: Sequence[str]) -> pa.RecordBatch:
        import pyarrow as pa

        batch = self._batches[part]
        place = (np.array([0]), np.array([batch.offset]), np.array([batch.length]))
        stored = self._storage.read_parts("", Names.of([self.path]), *place)
        try:
            unpacked = _unpacked_bytes(stored.sample(0).data)
        except (struct.error, ValueError):
            raise RuntimeError(f"{self.path}: at byte {batch.offset}: an Arrow message is damaged") from None
        require_memory(f"{self.path}: record batch {part}", unpacked, self._storage.sample_bytes)
        made = pa.ipc.read_record_batch(pa.py_buffer(stored.sample(0)), self.schema)
        made.validate()
        return made.select(list(columns))

    def _messages(self, at: int) -> Any:
        """The messages of the file, up to a length of 0 or its end."""
        size = self._storage.size(self.path)
        while at + 8 <= size:
            head = self._storage.read_one(self.path, at, min(_HEAD_BYTES, size - at))
            marker, length = struct.unpack_from("<Ii", head)
            if marker != 0xFFFFFFFF:
                raise RuntimeError(f"{self.path}: at byte {at}: there is no message of Arrow")
            if length == 0:
                return
            if length < 0 or length > size - at - 8:
                raise RuntimeError(f"{self.path}: at byte {at}: a message of {length} bytes ends behind the file")
            if length > len(head) - 8:
                head = self._storage.read_one(self.path, at, 8 + length)
            try:
                kind, rows, body = _described(head[8 : 8 + length])
            except (struct.error, ValueError):
                raise RuntimeError(f"{self.path}: at byte {at}: an Arrow message is damaged") from None
            whole = 8 + length + body
            if whole > size - at:
                raise RuntimeError(f"{self.path}: at byte {at}: a message of {whole} bytes ends behind the file")
            yield _Message(kind, rows, at, whole)
            at += whole


def _described(metadata: bytes) -> tuple[int, int, int]:
    """Parses the FlatBuffers metadata of a message: its kind, its number of rows (or 0) and the size of its body."""
    table = struct.unpack_from("<I", metadata)[0]
    kind = _field(metadata, table, 1, "B")
    body = _field(metadata, table, 3, "q")
    place = _place(metadata, table, 2)
    rows = 0
    if kind == _RECORD_BATCH and place:
        rows = _field(metadata, place + struct.unpack_from("<I", metadata, place)[0], 0, "q")
    if body < 0 or rows < 0 or kind not in (_SCHEMA, _DICTIONARY, _RECORD_BATCH):
        raise ValueError("no such message")
    return kind, rows, body


def _unpacked_bytes(message: memoryview) -> int:
    """The total size that the compressed buffers of a record batch declare; 0 if they are not compressed."""
    (length,) = struct.unpack_from("<i", message, 4)
    metadata, body = bytes(message[8 : 8 + length]), 8 + length
    place = _place(metadata, struct.unpack_from("<I", metadata)[0], 2)
    batch = place + struct.unpack_from("<I", metadata, place)[0]
    buffers = _place(metadata, batch, 2)
    if not buffers or not _place(metadata, batch, 3):
        return 0
    buffers += struct.unpack_from("<I", metadata, buffers)[0]
    total = 0
    for at in range(struct.unpack_from("<I", metadata, buffers)[0]):
        offset, packed = struct.unpack_from("<qq", metadata, buffers + 4 + 16 * at)
        if packed > 0:
            total += max(int(struct.unpack_from("<q", message, body + offset)[0]), 0)
    return total


def _place(metadata: bytes, table: int, field: int) -> int:
    """The offset of a field of a FlatBuffers table; 0 if it is absent."""
    directory = table - struct.unpack_from("<i", metadata, table)[0]
    if directory < 0:
        raise ValueError("a table without a directory")
    length = struct.unpack_from("<H", metadata, directory)[0]
    entry = 4 + 2 * field
    offset = struct.unpack_from("<H", metadata, directory + entry)[0] if entry < length else 0
    return table + offset if offset else 0


def _field(metadata: bytes, table: int, field: int, kind: str) -> int:
    place = _place(metadata, table, field)
    return int(struct.unpack_from(f"<{kind}", metadata, place)[0]) if place else 0
