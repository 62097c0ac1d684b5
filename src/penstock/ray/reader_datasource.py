"""`read`: a reader of ndd as a Ray data set, a shard to each read task."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import ray.data
from ray.data import Datasource, ReadTask
from ray.data.block import BlockMetadata

import penstock.dynamic as ndd
from penstock.ray.columns import binary_of, column_of
from penstock.readers.core.reader import outputs_of
from penstock.readers.core.shards import cut

if TYPE_CHECKING:
    from ray.data import Dataset

_BATCH_SIZE = 64


class ReaderDatasource(Datasource):  # type: ignore[misc] # not known to mypy
    """A reader as a source for `ray.data.read_datasource`; `penstock.ray.read` makes one, and documents the arguments.

    A read task is a shard: it opens the reader in its own process and reads its part of the samples.
    """

    def __init__(
        self, reader: ndd.readers.Reader, columns: Sequence[str] | None = None, include_paths: bool = False
    ) -> None:
        super().__init__()
        about = reader.get_metadata()
        if about["number_of_shards"] != 1:
            raise ValueError(
                f"the reader is of shard {about['shard_id']} of {about['number_of_shards']}; give one of all samples, "
                "which the read tasks share out"
            )
        self._reader = reader
        self._size = about["epoch_size"]
        self._columns = _names(reader, columns)
        self._include_paths = include_paths

    def get_name(self) -> str:
        """The name of the reader, for Ray's progress bars."""
        return type(self._reader).__name__

    def estimate_inmemory_data_size(self) -> int | None:
        """None: the sizes of samples are not known before they are read."""
        return None

    def get_read_tasks(
        self, parallelism: int, per_task_row_limit: int | None = None, data_context: Any = None
    ) -> list[ReadTask]:
        """A task for each shard; no more shards than samples."""
        shards = max(1, min(parallelism, self._size))
        tasks = []
        for shard in range(shards):
            read = partial(_tables, self._reader.shard(shard, shards), self._columns, self._include_paths)
            rows = len(cut(self._size, shard, shards))
            about = BlockMetadata(num_rows=rows, size_bytes=None, exec_stats=None, input_files=None)
            tasks.append(ReadTask(read, about, per_task_row_limit=per_task_row_limit))
        return tasks


def read(
    reader: ndd.readers.Reader,
    columns: Sequence[str] | None = None,
    *,
    include_paths: bool = False,
    **ray_options: Any,
) -> Dataset:
    """The samples of a reader as a Ray data set; every read task reads a shard of them.

    Example:
        >>> reader = ndd.readers.Webdataset(paths=tars, ext=["jpg", "cls"], random_shuffle=True)
        >>> ds = penstock.ray.read(reader, columns=["jpg", "cls"], override_num_blocks=32)

    Files and other bytes become binary columns, numbers columns of numbers, other arrays tensors of Ray's. All that the
    reader was told holds in every task: shuffling, within its shard; `on_error` and `check`; the storage.

    Args:
        reader: A reader of all samples, `num_shards=1`.
        columns: A name for each of its outputs. Those that hand out a dict, such as `readers.Parquet`, have them.
        include_paths: Adds a column "path" that tells where each sample came from, which errors name it by.
        ray_options: Anything else that `ray.data.read_datasource` takes, such as `override_num_blocks`.
    """
    return ray.data.read_datasource(ReaderDatasource(reader, columns, include_paths), **ray_options)


def _names(reader: ndd.readers.Reader, columns: Sequence[str] | None) -> list[str]:
    count, own = outputs_of(reader)
    if columns is None and own is None:
        raise ValueError(f"{type(reader).__name__} has {count} outputs: name their columns, columns=[...]")
    names = [*(columns if columns is not None else own or ())]
    if len(names) != count or len(set(names)) < count:
        raise ValueError(f"{type(reader).__name__} has {count} outputs, columns names {names}")
    return names


def _tables(reader: ndd.readers.Reader, names: list[str], include_paths: bool) -> Iterator[pa.Table]:
    """The samples of a shard, in the process of its task."""
    for outputs in reader.next_epoch(batch_size=_BATCH_SIZE, last_batch="partial"):
        batches = [*(outputs.values() if isinstance(outputs, Mapping) else outputs)]
        columns = {name: _column(batch, name) for name, batch in zip(names, batches, strict=True)}
        if include_paths:
            sources = ndd.get_property(batches[0], key="source_info")
            columns["path"] = pa.array([np.asarray(source).tobytes().decode() for source in sources])
        yield pa.table(columns)


def _column(batch: ndd.Batch, name: str) -> pa.Array:
    is_bytes = batch.dtype == ndd.uint8 and batch.ndim == 1
    return binary_of(batch) if is_bytes else column_of(_without_unit_axis(batch), len(batch), name)


def _without_unit_axis(batch: ndd.Batch) -> ndd.Batch | np.ndarray[Any, Any]:
    """Labels, which readers hand out as arrays of one element, as numbers."""
    return batch.numpy()[:, 0] if batch.ndim == 1 and all(shape == (1,) for shape in batch.shape) else batch
