"""`readers.Parquet`: rows of Parquet and Arrow tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from penstock.readers.core.paths import Path, several
from penstock.readers.core.reader import Reader
from penstock.readers.core.sample_source import Outputs, SampleSource
from penstock.readers.tables.files import open_table
from penstock.readers.tables.listing import find_tables
from penstock.readers.tables.table_rows import TableRows, checked_names
from penstock.storage.daemon_executor import daemon_executor

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
        self._columns = checked_names(columns)
        self._cache_bytes = cache_bytes
        self._names: list[str] = []

    def _open_source(self) -> SampleSource:
        paths = find_tables(self.storage, self._paths)
        threads = daemon_executor("table files", _OPENING_THREADS)
        opened = threads.map(lambda path: open_table(self.storage, path), paths)
        source = TableRows(list(opened), self._columns, self._cache_bytes)
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
