"""`readers.HuggingFace`: rows of a `datasets.Dataset` that the program has at hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from penstock.readers.core.order import Indices
from penstock.readers.core.reader import Reader
from penstock.readers.core.sample_source import Outputs, SampleSource, UnreadableError
from penstock.readers.tables.columns import FILE_FIELDS
from penstock.readers.tables.part_cache import ColumnName, LoadedPart
from penstock.readers.tables.table_rows import Slices, TableRows, checked_names
from penstock.storage import Names, Storage

if TYPE_CHECKING:
    import pyarrow as pa

Dataset: TypeAlias = Any  # datasets.Dataset, which is not imported: whoever has one has the package

_INDEX_BYTES = 512 << 20  # where rows begin in the tables' memory; the values stay where they are


class HuggingFace(Reader):
    """Reads rows of a `datasets.Dataset` of Hugging Face, a column to an output, over the memory that it lies in.

    Outputs: a dict with the columns in the order of `columns`. What its features call `Image`, `Audio` and `Video` are
    the bytes of the file, `uint8` of shape `(n,)`, for a decoder; where the data set has only the file's path, the
    file is read. A number, boolean or `ClassLabel` is a scalar of its own type, text is bytes, a list of numbers has
    shape `(n,)`, and lists of a fixed size and `Array2D` to `Array5D` have theirs.

    Rows come as `select`, `shuffle`, `filter` and `sort` of the data set left them; transforms set on it (`set_format`,
    `set_transform`) are not applied. To shuffle here (`random_shuffle`, `shuffle_after_epoch`) costs nothing, since
    rows are read in place. An `IterableDataset` has no rows to number: see the guide on Hugging Face.

    Example:
        >>> from datasets import load_dataset
        >>> food = load_dataset("food101", split="train")
        >>> reader = ndd.readers.HuggingFace(dataset=food, columns=["image", "label"], shuffle_after_epoch=True)
        >>> for rows in reader.next_epoch(batch_size=64):
        ...     images, labels = ndd.decoders.image(rows["image"]), rows["label"]

    Args:
        dataset: The data set, in memory or on disk.
        columns: Which columns to read, all by default; `"objects.bbox"` is a field of a struct.
    """

    _shuffles_listing = False

    def __init__(
        self,
        *by_position: Any,
        dataset: Dataset,
        columns: Sequence[str] | str | None = None,
        **common: Any,
    ) -> None:
        super().__init__(*by_position, **common)
        self._dataset = _checked(dataset)
        self._columns = checked_names(columns)
        self._names: list[str] = []

    def _open_source(self) -> SampleSource:
        source = _DatasetRows(self.storage, DatasetTable(self._dataset), self._columns)
        self._names = [column.name for column in source.columns]
        order = self._dataset._indices  # how `select`, `shuffle` and the like have left the rows; None: as they lie
        return source if order is None else _Selected(source, order.column(0).to_numpy())

    @property
    def _output_count(self) -> int:
        return len(self._output_names)

    @property
    def _output_names(self) -> list[str]:
        self._opened()
        return self._names

    def _as_outputs(self, outputs: Outputs, single: bool) -> dict[str, Any]:
        return dict(zip(self._names, super()._as_outputs(outputs, single), strict=True))


class DatasetTable:
    """The table of a `datasets.Dataset`, in the record batches that it consists of."""

    in_memory = True

    def __init__(self, dataset: Dataset) -> None:
        self.path = _name_of(dataset)
        self._batches = dataset.data.table.to_batches()
        self.rows = [batch.num_rows for batch in self._batches]
        stored = dataset.data.table.schema
        self._fixed = {name: _fixed_type(feature) for name, feature in dataset.features.items() if _is_array(feature)}
        self.schema = stored
        for name, arrow in self._fixed.items():
            at = stored.get_field_index(name)
            self.schema = self.schema.set(at, self.schema.field(at).with_type(arrow))

    def load(self, part: int, columns: Sequence[str]) -> pa.RecordBatch:
        batch = self._batches[part].select(list(columns))
        for name, arrow in self._fixed.items():
            if name in columns:
                array = batch.column(name)
                batch = batch.set_column(batch.schema.get_field_index(name), name, array.storage.cast(arrow))
        return batch


class _DatasetRows(TableRows):
    """Rows of a data set. Files that it only has the paths of are read from there."""

    def __init__(self, storage: Storage, table: DatasetTable, names: list[str] | None) -> None:
        self._storage, self._table = storage, table
        super().__init__([table], names, _INDEX_BYTES)

    def _further_columns(self) -> list[ColumnName]:
        """The paths beside the contents of files."""
        from pyarrow import types

        self._paths: dict[int, int] = {}  # the number of the column of paths by that of the column of contents
        further: list[ColumnName] = []
        for at, column in enumerate(self.columns):
            arrow = self._table.schema.field(column.top).type
            if not column.fields and types.is_struct(arrow) and {field.name for field in arrow} == FILE_FIELDS:
                self._paths[at] = len(self.columns) + len(further)
                further.append(ColumnName(f"{column.name}.path", column.top, ("path",)))
        return further

    def _slices(self, at: int, parts: list[LoadedPart], which: Indices, rows: Indices) -> Slices:
        found = super()._slices(at, parts, which, rows)
        if at not in self._paths or not found.null.any():
            return found
        paths = super()._slices(self._paths[at], parts, which, rows)
        elsewhere = np.flatnonzero(found.null & ~paths.null)
        files = self._read_files([_text(paths, row) for row in elsewhere.tolist()], elsewhere)
        values, which = [*found.values, *files], found.which.copy()
        which[elsewhere] = np.arange(len(found.values), len(values))
        found.begins[elsewhere], found.counts[elsewhere], found.null[elsewhere] = 0, [*map(len, files)], False
        return found._replace(values=values, which=which)

    def _read_files(self, paths: list[str], positions: Indices) -> list[Any]:
        """The contents of some files, which belong to samples at these positions of a batch."""
        try:
            files = self._storage.read("", Names.of(paths), np.arange(len(paths)))
        except UnreadableError as error:
            failures = {int(positions[at]): why for at, why in error.failures.items()}
            raise UnreadableError(failures, {int(positions[at]): paths[at] for at in error.failures}) from None
        return [files.sample(number) for number in range(len(paths))]


class _Selected:
    """Rows in the order that a data set has for them."""

    def __init__(self, rows: TableRows, order: Indices) -> None:
        self._rows = rows
        self._order = order

    def __len__(self) -> int:
        return len(self._order)

    def read(self, indices: Indices) -> Outputs:
        return self._rows.read(self._order[indices].astype(np.int64))


def _checked(dataset: Any) -> Dataset:
    if hasattr(dataset, "features") and hasattr(dataset, "data") and hasattr(dataset, "_indices"):
        return dataset
    kind = type(dataset).__name__
    if kind == "IterableDataset":
        way = "; load it without streaming=True, or see the guide on Hugging Face for a loop over a stream"
    else:
        way = f"; choose a split, dataset[{next(iter(dataset))!r}]" if isinstance(dataset, dict) and dataset else ""
    raise TypeError(f"dataset is a datasets.Dataset, got {kind}{way}")


def _name_of(dataset: Dataset) -> str:
    """What errors call a data set."""
    named = [str(each) for each in (dataset.info.dataset_name or dataset.builder_name, dataset.split) if each]
    return " ".join(named) or "the data set"


def _is_array(feature: Any) -> bool:
    return type(feature).__name__ in ("Array2D", "Array3D", "Array4D", "Array5D")


def _fixed_type(feature: Any) -> pa.DataType:
    """The Arrow type of an array that tells its shape; the first axis may be of any length."""
    import pyarrow as pa

    arrow = pa.from_numpy_dtype(np.dtype(feature.dtype))
    for length in reversed(feature.shape):
        arrow = pa.list_(arrow) if length is None else pa.list_(arrow, length)
    return arrow


def _text(slices: Slices, row: int) -> str:
    begin, count = slices.begins[row], slices.counts[row]
    return bytes(slices.values[slices.which[row]][begin : begin + count]).decode()
