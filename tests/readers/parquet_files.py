"""Parquet and Arrow files of a small table."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyarrow import parquet

FILE = pa.struct({"bytes": pa.binary(), "path": pa.string()})
NUMBERS = pa.table({"number": pa.array(range(25), pa.int32()), "text": [f"row {n}" for n in range(25)]})


def write_parquet(path: Path, table: pa.Table = NUMBERS, rows: int = 7) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    parquet.write_table(table, path, row_group_size=rows)
    return str(path)


def write_arrow(
    path: Path, table: pa.Table = NUMBERS, rows: int = 6, new: Callable[..., Any] = pa.ipc.new_stream
) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    with new(path, table.schema) as writer:
        for batch in table.to_batches(max_chunksize=rows):
            writer.write_batch(batch)
    return str(path)
