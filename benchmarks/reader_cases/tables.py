"""Parquet and Arrow tables: images like photos of 110 kB, and rows of a few numbers and some text."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pyarrow as pa
from pyarrow import parquet

PHOTOS, PHOTO_BYTES = 1_000, 110_000
ROWS = 50_000

CASES = [
    (f"Parquet, {title}", f"ndd.readers.Parquet(path=f'{{folder}}/{file}'{order})", False)
    for title, file, order in (
        ("photos", "photos.parquet", ""),
        ("photos, shuffled", "photos.parquet", ", random_shuffle=True"),
        ("photos in Arrow files", "photos.arrow", ""),
        ("rows", "rows.parquet", ""),
        ("rows, shuffled", "rows.parquet", ", random_shuffle=True"),
    )
]


def write(folder: Path) -> None:
    numbers = random.Random(0)
    photos = [{"bytes": numbers.randbytes(PHOTO_BYTES + n % 64), "path": f"{n}.jpg"} for n in range(PHOTOS)]
    table = pa.table({"image": photos, "label": np.arange(PHOTOS)})
    parquet.write_table(table, folder / "photos.parquet", row_group_size=100)
    with pa.ipc.new_stream(folder / "photos.arrow", table.schema) as stream:
        for batch in table.to_batches(max_chunksize=100):
            stream.write_batch(batch)
    rows = {
        "text": [f"row {n} of many" for n in range(ROWS)],
        "label": np.arange(ROWS),
        "vector": pa.array(np.zeros((ROWS, 16), np.float32).tolist(), pa.list_(pa.float32(), 16)),
        "ids": [list(range(n % 9)) for n in range(ROWS)],
    }
    parquet.write_table(pa.table(rows), folder / "rows.parquet", row_group_size=10_000)
