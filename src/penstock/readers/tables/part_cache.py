"""`PartCache`: parts of tables in memory, least recently used ones dropped first, the next one loaded ahead."""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import Future
from typing import NamedTuple

from penstock.readers.tables.columns import Column, ColumnError, checked_column
from penstock.readers.tables.files import TableFile
from penstock.storage.daemon_executor import daemon_executor

_THREADS = 4


class TablePart(NamedTuple):
    """A part of the data set: a file, and the number of the part in it."""

    file: TableFile
    part: int


class ColumnName(NamedTuple):
    """A column or a field of one: its name, the top-level column, and the path of fields in it."""

    name: str
    top: str
    fields: tuple[str, ...]


class LoadedPart(NamedTuple):
    """The columns of a part, and the memory they take."""

    columns: list[Column]
    nbytes: int


class PartCache:
    """The columns of parts, by number. At most `limit` bytes are kept, besides the last part used and the next one."""

    def __init__(self, places: Sequence[TablePart], columns: Sequence[ColumnName], limit: int) -> None:
        self._places, self._columns, self._limit = places, columns, limit
        self._last = 0
        self._begin()

    def get(self, numbers: Sequence[int]) -> list[LoadedPart | RuntimeError]:
        """Returns some parts, whose numbers ascend, or the errors that loading them raised.

        If reading is sequential, the part after them is loaded in the background.
        """
        if self._process != os.getpid():  # the threads that were loading do not exist in a forked child
            self._begin()
        with self._lock:
            wanted = [self._load(number) for number in numbers]
            following = 0 <= numbers[-1] - self._last <= 1
            self._last = numbers[-1]
            if following and numbers[-1] + 1 < len(self._places):
                self._load(numbers[-1] + 1)
        found = [_result(each) for each in wanted]
        with self._lock:
            self._make_room()
        return found

    def _begin(self) -> None:
        self._process = os.getpid()
        self._lock = threading.Lock()
        self._loads: OrderedDict[int, Future[LoadedPart]] = OrderedDict()

    def _load(self, number: int) -> Future[LoadedPart]:
        load = self._loads.pop(number, None)
        if load is None or (load.done() and load.exception() is not None):
            load = daemon_executor("tables", _THREADS).submit(_loaded, self._places[number], self._columns)
        self._loads[number] = load
        return load

    def _make_room(self) -> None:
        held = {
            number: load.result().nbytes
            for number, load in self._loads.items()
            if load.done() and load.exception() is None
        }
        total = sum(held.values())
        for number, size in held.items():
            if total > self._limit and number not in (self._last, self._last + 1):
                del self._loads[number]
                total -= size


def _result(load: Future[LoadedPart]) -> LoadedPart | RuntimeError:
    error = load.exception()
    return error if isinstance(error, RuntimeError) else load.result()


def _loaded(place: TablePart, names: Sequence[ColumnName]) -> LoadedPart:
    import pyarrow as pa
    import pyarrow.compute as pc

    where = f"{place.file.path}: part {place.part} of {len(place.file.rows)}"
    try:
        table = place.file.load(place.part, list(dict.fromkeys(name.top for name in names)))
        if table.num_rows != place.file.rows[place.part]:
            raise RuntimeError(f"{where} has {table.num_rows} rows, not {place.file.rows[place.part]}")
        made = []
        for name in names:
            where = f"{place.file.path}: part {place.part} of {len(place.file.rows)}: column {name.name!r}"
            array = table.column(name.top)
            for field in name.fields:
                array = pc.struct_field(array, field)
            if isinstance(array, pa.ChunkedArray):
                array = array.chunk(0) if array.num_chunks == 1 else pa.concat_arrays(array.chunks)
            made.append(checked_column(array))
    except (pa.ArrowException, OSError, ColumnError) as error:
        raise RuntimeError(f"{where}: {error}") from None
    counted = (column.index_nbytes if place.file.in_memory else column.nbytes for column in made)
    return LoadedPart(made, sum(counted))
