"""tensor, as_tensor, batch, as_batch: Python data and arrays into Tensors and Batches."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import Any

import numpy as np

from penstock._native import Samples
from penstock.dynamic.batch import RAGGED, Batch
from penstock.dynamic.tensor import Tensor
from penstock.dynamic.value import Value
from penstock.interop.frameworks import is_array, to_numpy
from penstock.values.casting import cast_array
from penstock.values.device import Device
from penstock.values.device import device as to_device
from penstock.values.dtypes import ENUM_TYPES, DType
from penstock.values.dtypes import dtype as to_dtype
from penstock.values.samples import as_batch_array, from_arrays, padded

Array = np.ndarray[Any, Any]


def tensor(data: Any, dtype: Any = None, device: Any = None, layout: str | None = None, pad: bool = False) -> Tensor:
    """Copies data into a Tensor.

    Python ints become int32, floats float32; arrays keep their dtype. A Batch is stacked, ragged ones with pad=True.

        ndd.tensor([[1, 2], [3, 4]], dtype=ndd.uint8, layout="HW")
    """
    return Tensor._of_samples(tensor_samples(data, dtype, device, layout, copy=True, pad=pad))


def as_tensor(data: Any, dtype: Any = None, device: Any = None, layout: str | None = None, pad: bool = False) -> Tensor:
    """As `tensor`, but over the memory of an array where that is possible."""
    return Tensor._of_samples(tensor_samples(data, dtype, device, layout, copy=False, pad=pad))


def batch(tensors: Any, dtype: Any = None, device: Any = None, layout: str | None = None) -> Batch:
    """Copies samples into a Batch: a list of tensor-likes, or an array with a leading batch axis.

    The first sample decides dtype and layout; the others are cast to it.

        ndd.batch([[1, 2], [3]])
    """
    return Batch._of_samples(batch_samples(tensors, dtype, device, layout, copy=True))


def as_batch(tensors: Any, dtype: Any = None, device: Any = None, layout: str | None = None) -> Batch:
    """As `batch`, but over the memory of arrays where that is possible."""
    samples = batch_samples(tensors, dtype, device, layout, copy=False)
    if isinstance(tensors, Batch) and samples is tensors._resolve():
        return tensors
    return Batch._of_samples(samples)


def tensor_samples(
    data: Any, dtype: Any, device: Any, layout: str | None, *, copy: bool, pad: bool = False
) -> Samples:
    """A batch of one with the data."""
    _check_device(device)
    wanted = None if dtype is None else to_dtype(dtype)
    if isinstance(data, Batch):
        samples, copied = _stacked(data, pad), False
    elif isinstance(data, Tensor):
        samples, copied = data._resolve(), False
    else:
        array, copied = _to_array(data, wanted)
        samples = _wrapped(array, copied)
    samples = _converted(samples, wanted, copy and not copied)
    return _relabelled(samples, layout)


def batch_samples(tensors: Any, dtype: Any, device: Any, layout: str | None, *, copy: bool) -> Samples:
    """The samples of a batch."""
    _check_device(device)
    wanted = None if dtype is None else to_dtype(dtype)
    if layout is not None and not isinstance(layout, str):
        raise AssertionError(f"layout must be a string or None, got {layout!r}")
    if tensors is None:
        raise ValueError("a batch is made from samples, got None")
    if isinstance(tensors, Batch):
        return _relabelled(_converted(tensors._resolve(), wanted, copy), layout)
    if isinstance(tensors, Tensor) or (is_array(tensors) and not isinstance(tensors, Value)):
        samples = _rows_of(tensors)
        return _relabelled(_converted(samples, wanted, copy), layout)
    if not isinstance(tensors, Iterable) or isinstance(tensors, (str, bytes)):
        raise TypeError(f"a batch is made from a list of samples or an array, got {type(tensors).__name__}")
    return _relabelled(_listed(list(tensors), wanted, copy), layout)


def _check_device(device: Any) -> None:
    found = to_device(device)
    if found is not None and found != Device.CPU:
        raise RuntimeError("moving data to an accelerator needs the GPU backend")


def _to_array(data: Any, wanted: DType | None) -> tuple[Array, bool]:
    """Data as an array with the dtype the API gives it, and whether it is a fresh copy."""
    if data is None:
        raise ValueError("a tensor is made from data, got None")
    if isinstance(data, (str, bytes)):
        raise RuntimeError(f"a tensor holds numbers, got {type(data).__name__}; use numpy.frombuffer for raw bytes")
    if is_array(data):
        array = to_numpy(data)
        if array.dtype.kind not in "biuf" or array.dtype.itemsize > 8:
            raise RuntimeError(f"element type {array.dtype} is not supported")
        if not array.flags.c_contiguous:
            raise RuntimeError("Strided data not supported; make it contiguous, e.g. with numpy.ascontiguousarray")
        if not array.dtype.isnative:
            return array.astype(array.dtype.newbyteorder("=")), True
        return (array, False) if array.flags.writeable else (array.copy(), True)
    return _from_python(data, wanted), True


def _from_python(data: Any, wanted: DType | None) -> Array:
    if isinstance(data, range):
        data = list(data)
    if isinstance(data, (list, tuple)):
        data = _unwrapped(data)
    elif not isinstance(data, (bool, int, float, complex, IntEnum)):
        raise TypeError(f"cannot make a tensor of {type(data).__name__}")
    if wanted is not None:
        return np.array(data, dtype=wanted.storage)
    array = np.array(data)
    kind = array.dtype.kind
    if kind == "O" and array.size and all(isinstance(value, int) for value in array.flat):
        low, high = min(array.flat), max(array.flat)
        raise OverflowError(f"Python integer {high if low >= 0 else low} out of range for {_word(low)}.")
    if kind in "OUS":
        raise TypeError("cannot make a tensor of these values")
    if kind == "c":
        raise RuntimeError("complex numbers are not supported")
    if kind == "b":
        return array
    if _scalars_of_numpy(data):
        return array.astype(np.int32) if array.dtype == np.int64 else array
    return array.astype(np.float32) if kind == "f" else _narrowed(array)


def _unwrapped(data: Any) -> Any:
    """Lists of tensors, arrays or numbers as lists NumPy can read."""
    if isinstance(data, (list, tuple, range)):
        return [_unwrapped(element) for element in data]
    if isinstance(data, Batch):
        raise TypeError("a list of Batches is not a tensor; use ndd.stack or ndd.cat")
    return np.asarray(data) if isinstance(data, Tensor) else data


def _scalars_of_numpy(data: Any) -> bool:
    while isinstance(data, list) and data:
        data = data[0]
    return isinstance(data, (np.generic, np.ndarray))


def _word(low: int) -> str:
    return "uint32" if low >= 0 else "int32"


def _narrowed(array: Array) -> Array:
    """Python integers are 32 bits wide: signed, or unsigned where they must be."""
    if array.size == 0:
        return array.astype(np.float32)
    low, high = int(array.min()), int(array.max())
    if high < 2**31:
        if low < -(2**31):
            raise OverflowError(f"Python integer {low} out of range for int32.")
        return array.astype(np.int32)
    if low < 0 or high >= 2**32:
        raise OverflowError(f"Python integer {high} out of range for {_word(low)}.")
    return array.astype(np.uint32)


def _wrapped(array: Array, copied: bool) -> Samples:
    samples = Samples.wrap_one(array)
    samples.external = not copied
    return samples


def _converted(samples: Samples, wanted: DType | None, copy: bool) -> Samples:
    """The samples with the wanted dtype; copied if asked to, or if the dtype changes."""
    if wanted is not None and wanted.storage and wanted.code != samples.code:
        arrays = [cast_array(samples.sample(i), wanted) for i in range(len(samples))]
    elif copy:
        arrays = [samples.sample(i).copy() for i in range(len(samples))]
    else:
        return samples
    made = from_arrays(arrays, wanted or DType.by_numpy[samples.array().dtype], samples.ndim)
    made.layout = samples.layout
    made.take_sources(samples)
    return made


def _relabelled(samples: Samples, layout: str | None) -> Samples:
    if layout is not None and not isinstance(layout, str):
        raise ValueError(f"layout must be a string, got {layout!r}")
    if not layout or layout == samples.layout:
        return samples
    if len(layout) != samples.ndim:
        raise ValueError(f'layout "{layout}" names {len(layout)} axes, the data has {samples.ndim}')
    return samples.relabelled(layout)


def _stacked(value: Batch, pad: bool) -> Samples:
    """A batch as one tensor with a leading axis N."""
    samples = value._resolve()
    if not len(samples):
        raise RuntimeError("an empty batch cannot become a tensor")
    if not samples.uniform:
        if not pad:
            raise ValueError(RAGGED)
        samples = padded(samples)
    one = Samples.wrap_one(as_batch_array(samples))
    one.external = samples.external
    if samples.layout or samples.ndim == 0:
        one.layout = "N" + samples.layout
    return one


def _rows_of(data: Any) -> Samples:
    """The samples along the first axis of a Tensor or array."""
    if isinstance(data, Tensor):
        source = data._resolve()
        array, layout, external = source.sample(0), source.layout[1:], source.external
    else:
        array, copied = _to_array(data, None)
        layout, external = "", not copied
    if array.ndim == 0:
        raise ValueError("Cannot create a batch from a scalar")
    samples = Samples.wrap(array)
    samples.layout = layout
    samples.external = external
    return samples


def _listed(values: list[Any], wanted: DType | None, copy: bool) -> Samples:
    """One sample per element; the first decides dtype and layout."""
    if not values:
        if wanted is None:
            raise ValueError("Element type must be specified if the list is empty")
        return Samples.empty(wanted.code, 0, [])
    for index, value in enumerate(values):
        if value is None:
            raise TypeError(f"A batch is made from tensors. Got `None` at index {index}")
        if isinstance(value, Batch):
            raise TypeError(f"a batch cannot hold a Batch (at index {index})")
    if isinstance(values[0], IntEnum) and wanted is None:
        wanted = ENUM_TYPES.get(type(values[0]))
    first = tensor_samples(values[0], wanted, None, None, copy=False)
    dtype = wanted or DType.by_numpy[first.sample(0).dtype]
    arrays = [first.sample(0)]
    external = first.external
    for value in values[1:]:
        one = tensor_samples(value, None if is_array(value) or isinstance(value, Value) else dtype, None, None, copy=False)
        external |= one.external
        arrays.append(cast_array(one.sample(0), dtype))
    if any(array.ndim != arrays[0].ndim for array in arrays):
        ranks = sorted({array.ndim for array in arrays})
        raise RuntimeError(f"Sample must have the same sample dimensionality as the others, got {ranks}")
    samples = from_arrays(arrays) if copy else Samples.gather(arrays)
    samples.layout = first.layout
    samples.external = external and not copy
    return samples
