"""Columns of Arrow tables as flat NumPy arrays, of which each row is a slice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from penstock.readers.core.order import Indices
from penstock.values.dtypes import DType

if TYPE_CHECKING:
    import pyarrow as pa

FILE_FIELDS = {"bytes", "path"}  # the struct that Hugging Face stores an image or a recording in


class ColumnError(Exception):
    """Why a column cannot be read; the caller adds its file and name."""


class ColumnType(NamedTuple):
    """The type of a column's samples: a dtype and the shape `row`, with a leading axis of any length if `varying`."""

    dtype: DType
    row: tuple[int, ...] = ()
    varying: bool = False


class Column(NamedTuple):
    """The rows of a column in a part of a table: the begin of each in `values`, and its count of `ColumnType.row`s."""

    values: npt.NDArray[Any]
    begins: Indices
    counts: Indices
    null: npt.NDArray[np.bool_] | None

    @property
    def nbytes(self) -> int:
        return self.values.nbytes + self.index_nbytes

    @property
    def index_nbytes(self) -> int:
        return self.begins.nbytes + self.counts.nbytes


def column_type_of(arrow: pa.DataType) -> ColumnType:
    """Converts an Arrow type; raises ColumnError if its values cannot be read."""
    from pyarrow import types

    arrow = _plain(arrow)
    if types.is_struct(arrow):
        names = [field.name for field in arrow]
        if set(names) == FILE_FIELDS:
            return column_type_of(arrow.field("bytes").type)
        raise ColumnError(f"it is a struct; name its fields: {', '.join(names)}")
    if _is_text(arrow) or types.is_fixed_size_binary(arrow):
        return ColumnType(DType.by_numpy[np.dtype(np.uint8)], varying=True)
    if types.is_fixed_size_list(arrow):
        inner = column_type_of(arrow.value_type)
        if not inner.varying:
            return inner._replace(row=(arrow.list_size, *inner.row))
    elif types.is_list(arrow) or types.is_large_list(arrow):
        inner = column_type_of(arrow.value_type)
        if not inner.varying:
            return inner._replace(varying=True)
    elif types.is_boolean(arrow) or types.is_integer(arrow) or types.is_floating(arrow):
        return ColumnType(DType.by_numpy[np.dtype(arrow.to_pandas_dtype())])
    raise ColumnError(f"it is of type {arrow}; numbers, booleans, text, binary data and lists of numbers can be read")


def checked_column(array: pa.Array) -> Column:
    """Converts an Arrow array of a readable type; raises ColumnError if its rows reach outside of its values."""
    column, row = column_of(array), column_type_of(array.type).row
    ends = (column.begins + column.counts) * int(np.prod(row, dtype=np.int64))
    if min(column.begins.min(initial=0), column.counts.min(initial=0)) < 0 or ends.max(initial=0) > len(column.values):
        raise ColumnError("its offsets are damaged")
    return column


def column_of(array: pa.Array) -> Column:
    """Converts an Arrow array without checking its offsets."""
    import pyarrow.compute as pc
    from pyarrow import types

    array = _stored(array)
    if types.is_struct(array.type):
        return column_of(pc.struct_field(array, "bytes"))
    rows = len(array)
    ones = np.ones(rows, np.int64)
    if _is_text(array.type) or types.is_fixed_size_binary(array.type):
        return _texts(array)
    if types.is_fixed_size_list(array.type):
        inner = column_of(array.values.slice(array.offset * array.type.list_size, rows * array.type.list_size))
        null = _either(_nulls(array), _any_null(inner, ones * array.type.list_size))
        return Column(inner.values, np.arange(rows), ones, null)
    if types.is_list(array.type) or types.is_large_list(array.type):
        offsets = array.offsets.to_numpy().astype(np.int64)
        inner = column_of(array.values)
        counts = np.diff(offsets)
        within = inner._replace(null=None if inner.null is None else inner.null[offsets[0] :])
        return Column(inner.values, offsets[:-1], counts, _either(_nulls(array), _any_null(within, counts)))
    null = _nulls(array)
    filled = array if null is None else pc.fill_null(array, False if types.is_boolean(array.type) else 0)
    return Column(np.ascontiguousarray(filled.to_numpy(zero_copy_only=False)), np.arange(rows), ones, null)


def _plain(arrow: pa.DataType) -> pa.DataType:
    """Removes extension and dictionary types, which only say what values mean or how they are packed."""
    import pyarrow as pa

    while isinstance(arrow, pa.BaseExtensionType) or pa.types.is_dictionary(arrow):
        arrow = arrow.value_type if pa.types.is_dictionary(arrow) else arrow.storage_type
    return arrow


def _stored(array: pa.Array) -> pa.Array:
    import pyarrow as pa

    while isinstance(array, (pa.ExtensionArray, pa.DictionaryArray)):
        array = array.dictionary_decode() if isinstance(array, pa.DictionaryArray) else array.storage
    return array


def _is_text(arrow: pa.DataType) -> bool:
    from pyarrow import types

    return bool(
        types.is_binary(arrow)
        or types.is_string(arrow)
        or types.is_large_binary(arrow)
        or types.is_large_string(arrow)
        or types.is_binary_view(arrow)
        or types.is_string_view(arrow)
    )


def _texts(array: pa.Array) -> Column:
    import pyarrow as pa

    wide = pa.types.is_large_binary(array.type) or pa.types.is_large_string(array.type)
    if not (wide or pa.types.is_binary(array.type) or pa.types.is_string(array.type)):
        array, wide = array.cast(pa.large_binary()), True
    _, offsets, data = array.buffers()
    places: Indices = np.zeros(1, np.int64)
    if len(array):
        stored = np.frombuffer(offsets, np.int64 if wide else np.int32)
        places = stored[array.offset : array.offset + len(array) + 1].astype(np.int64)
    values = np.frombuffer(data, np.uint8) if data is not None and data.size else np.zeros(0, np.uint8)
    return Column(values, places[:-1], np.diff(places), _nulls(array))


def _nulls(array: pa.Array) -> npt.NDArray[np.bool_] | None:
    return array.is_null().to_numpy(zero_copy_only=False) if array.null_count else None


def _any_null(inner: Column, counts: Indices) -> npt.NDArray[np.bool_] | None:
    """Whether there is a null in each run of inner rows; `counts` are the lengths of the runs."""
    if inner.null is None:
        return None
    ends = np.cumsum(counts)
    before = np.concatenate([[0], np.cumsum(inner.null)])
    found: npt.NDArray[np.bool_] = before[ends] > before[ends - counts]
    return found


def _either(first: npt.NDArray[np.bool_] | None, second: npt.NDArray[np.bool_] | None) -> npt.NDArray[np.bool_] | None:
    return second if first is None else first if second is None else first | second
