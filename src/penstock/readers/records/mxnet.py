"""`readers.MXNet`: images and labels of RecordIO files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from penstock import _native
from penstock.readers.core.order import Indices
from penstock.readers.core.paths import Path, several
from penstock.readers.core.reader import Reader
from penstock.readers.core.sample_source import Outputs, SampleSource
from penstock.readers.records.files import Records, refuse
from penstock.readers.records.index import recordio_rows


class MXNet(Reader):
    """Reads images and labels from RecordIO files, as MXNet's `im2rec` makes them.

    Outputs: the bytes of the image file, `uint8` of shape `(n,)`, and its label, `float32` of shape `(1,)` or as many
    numbers as the record has.

    Example:
        >>> reader = ndd.readers.MXNet(path="train.rec", index_path="train.idx", random_shuffle=True)
        >>> for jpegs, labels in reader.next_epoch(batch_size=64):
        ...     images = ndd.decoders.image(jpegs)

    Args:
        path: The RecordIO files.
        index_path: The index file of each of them, as `im2rec` or `penstock index` writes it, or one whose offsets run
            through all files. Without any the files are gone through once at the first step.
    """

    _shuffles_listing = False

    def __init__(
        self,
        *by_position: Any,
        path: Sequence[Path] | Path,
        index_path: Sequence[Path] | Path | None = None,
        **common: Any,
    ) -> None:
        super().__init__(*by_position, **common)
        self._paths = several(path)
        self._index_paths = [] if index_path is None else several(index_path)

    def _open_source(self) -> SampleSource:
        rows = recordio_rows(self.storage, self._paths, self._index_paths)
        return _MXNetSource(Records(self.storage, self._paths, rows))


class _MXNetSource:
    """Images and labels of RecordIO records."""

    def __init__(self, records: Records) -> None:
        self._records = records

    def __len__(self) -> int:
        return len(self._records)

    def expect(self, indices: Indices) -> None:
        self._records.expect(indices)

    def bytes_of(self, indices: Indices) -> float:
        return self._records.bytes_of(indices)

    def read(self, indices: Indices) -> Outputs:
        records = self._records.read(indices)
        files, labels, failures = _native.record_images(records)
        refuse(records, failures, "Invalid RecordIO", last=True)
        return files, labels
