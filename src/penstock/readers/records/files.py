"""`Records`: the bytes of records by number, from files that hold many records each."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from penstock import _native
from penstock._native import Samples
from penstock.readers.core.order import Indices
from penstock.readers.core.sample_source import UnreadableError
from penstock.readers.records.index import Rows
from penstock.storage import Names, Storage


class Records:
    """The records of some files, in the order of the files and, in each, of its index rows."""

    def __init__(self, storage: Storage, paths: Sequence[str], rows: Sequence[Rows]) -> None:
        self._storage = storage
        self._names = Names.of(paths)
        self._ends = np.cumsum([len(each) for each in rows])
        if not len(self):
            raise RuntimeError(f"there are no records in {', '.join(paths) or 'an empty list of files'}")
        self._rows = rows[0] if len(rows) == 1 else np.concatenate(rows)

    def __len__(self) -> int:
        return int(self._ends[-1]) if len(self._ends) else 0

    def read(self, indices: Indices, parser: _native.PieceParser | None = None) -> Samples:
        """Reads some records, undecoded. The source of each names its file and offset."""
        files, offsets, lengths = self._places(indices)
        samples = self._storage.read_parts("", self._names, files, offsets, lengths, parser)
        _native.tell_offsets(samples, offsets)
        return samples

    def expect(self, indices: Indices) -> None:
        """Has the system fetch some records from its disks."""
        self._storage.expect("", self._names, *self._places(indices))

    def bytes_of(self, indices: Indices) -> float:
        """The size of some records, as the index tells it: their sum may be beyond 64 bits."""
        return float(self._rows[indices, 1].sum(dtype=np.float64))

    def _places(self, indices: Indices) -> tuple[Indices, Indices, Indices]:
        files = np.searchsorted(self._ends, indices, side="right")
        offsets, lengths = np.ascontiguousarray(self._rows[indices].T)
        return files, offsets, lengths


def refuse(records: Samples, failures: dict[int, str], what: str, last: bool = False) -> None:
    """Raises `UnreadableError` for damaged records, if any; `last` puts the source at the end of the message."""
    if failures:
        known = records.sources or []
        sources = {at: known[at] for at in failures}
        told = {at: (why, sources[at]) if last else (sources[at], why) for at, why in failures.items()}
        raise UnreadableError({at: ": ".join([what, *both]) for at, both in told.items()}, sources)
