"""Columns of Ray's Arrow blocks as batches and back, over the same memory where both sides can share it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from ray.data.extensions import ArrowTensorArray, ArrowVariableShapedTensorArray, ArrowVariableShapedTensorType

import penstock.dynamic as ndd
from penstock._native import Samples
from penstock.readers.tables.columns import ColumnError, checked_column, column_type_of
from penstock.values.kept_samples import KeptSamples

Array = np.ndarray[Any, Any]


class ColumnRows(KeptSamples):
    """The rows of a column as the samples of a batch."""

    __slots__ = ("_samples",)

    def __init__(self, samples: Samples) -> None:
        self._samples = samples


def is_numeric(arrow: pa.DataType) -> bool:
    """Whether rows of this type become samples: tensors, numbers, lists of numbers and binary data. Text does not."""
    if _is_tensor(arrow):
        return True
    if pa.types.is_string(arrow) or pa.types.is_large_string(arrow) or pa.types.is_string_view(arrow):
        return False
    try:
        column_type_of(arrow)
    except ColumnError:
        return False
    return True


def null_rows(column: pa.ChunkedArray) -> list[int]:
    """The numbers of rows without a value."""
    return np.flatnonzero(column.is_null().to_numpy()).tolist() if column.null_count else []


def samples_of(column: pa.ChunkedArray) -> Samples:
    """The rows of a numeric column without nulls, over the memory of the block; only booleans are copied."""
    parts = [_rows(chunk) for chunk in column.chunks if len(chunk)]
    one = parts[0] if len(parts) == 1 else _joined(parts)
    samples = Samples.wrap(one) if isinstance(one, np.ndarray) else Samples.gather(one)
    samples.read_only = True
    return samples


def _is_tensor(arrow: pa.DataType) -> bool:
    return isinstance(arrow, pa.BaseExtensionType) and "tensor" in arrow.extension_name


def _rows(array: pa.Array) -> Array | list[Array]:
    """An array with a leading axis for the rows, or one for each row where their shapes differ."""
    if isinstance(array, ArrowVariableShapedTensorArray):
        return [*array.to_numpy()]
    if _is_tensor(array.type):
        dense: Array = array.to_numpy_ndarray()
        return dense
    column, kind = checked_column(array), column_type_of(array.type)
    values = column.values.reshape(-1, *kind.row)
    if not kind.varying:
        return values
    ends = column.begins + column.counts
    return [values[begin:end] for begin, end in zip(column.begins.tolist(), ends.tolist(), strict=True)]


def _joined(parts: Sequence[Array | list[Array]]) -> Array | list[Array]:
    """The rows of all chunks. Numbers are copied; views of larger rows are not."""
    if all(isinstance(part, np.ndarray) and part.ndim == 1 for part in parts):
        joined: Array = np.concatenate(parts)
        return joined
    return [row for part in parts for row in part]


def column_of(value: Any, rows: int, name: str) -> pa.Array | pa.ChunkedArray:
    """A result of a loop body as a column: a Batch or an array with as many rows, or what Arrow makes of a list."""
    if isinstance(value, ndd.Tensor):
        raise TypeError(f"column {name!r} is a Tensor; a column needs a Batch or an array with a value for each row")
    if not isinstance(value, (ndd.Batch, np.ndarray, pa.Array, pa.ChunkedArray, list)):
        raise TypeError(f"column {name!r} is a {type(value).__name__}; return Batches, arrays or lists")
    if len(value) != rows:
        raise ValueError(f"column {name!r} has {len(value)} rows, the batch has {rows}")
    if isinstance(value, ndd.Batch):
        return _from_batch(value.cpu())
    return (
        _from_array(value)
        if isinstance(value, np.ndarray)
        else value
        if not isinstance(value, list)
        else pa.array(value)
    )


def _from_batch(batch: ndd.Batch) -> pa.Array:
    shapes = batch.shape
    if all(shape == shapes[0] for shape in shapes):
        return _from_array(batch.numpy())
    arrays = [np.asarray(tensor) for tensor in batch]
    if arrays[0].dtype == np.bool_:  # Arrow has eight to a byte
        return ArrowVariableShapedTensorArray.from_numpy(arrays)
    sizes = [array.size for array in arrays]
    values = pa.Array.from_buffers(pa.from_numpy_dtype(arrays[0].dtype), sum(sizes), [None, _buffer(arrays)])
    lists = pa.LargeListArray.from_arrays(pa.array([0, *accumulate(sizes)], pa.int64()), values)
    storage = pa.StructArray.from_arrays([lists, pa.array([*map(list, shapes)])], ["data", "shape"])
    return ArrowVariableShapedTensorType(values.type, arrays[0].ndim).wrap_array(storage)


def binary_of(batch: ndd.Batch) -> pa.Array:
    """A batch of bytes as a binary column."""
    arrays = [np.asarray(tensor) for tensor in batch]
    offsets = np.fromiter(accumulate((array.size for array in arrays), initial=0), np.int64, len(arrays) + 1)
    return pa.Array.from_buffers(pa.large_binary(), len(arrays), [None, pa.py_buffer(offsets), _buffer(arrays)])


def _from_array(array: Array) -> pa.Array:
    return pa.array(array) if array.ndim == 1 else ArrowTensorArray.from_numpy(array)


def _buffer(arrays: list[Array]) -> pa.Buffer:
    """One buffer with all arrays, over their memory where they lie one behind the other."""
    filled = [array for array in arrays if array.size] or arrays[:1]
    if all(one.ctypes.data + one.nbytes == other.ctypes.data for one, other in pairwise(filled)):
        return pa.foreign_buffer(filled[0].ctypes.data, sum(array.nbytes for array in filled), base=filled)
    joined: npt.NDArray[Any] = np.concatenate([array.reshape(-1) for array in filled])
    return pa.py_buffer(joined)
