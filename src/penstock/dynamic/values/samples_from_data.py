"""Python data and arrays into samples: what `tensor`, `batch` and the constructors of Tensor and Batch read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, TypeGuard

import numpy as np

from penstock._native import Samples
from penstock.dynamic.invariant import unwrap
from penstock.dynamic.values.value import Value
from penstock.interop.frameworks import is_array, is_on_accelerator, to_numpy
from penstock.values.accelerator import CPU, accelerator
from penstock.values.casting import cast_array
from penstock.values.device import device as to_device
from penstock.values.dtypes import BY_CODE, DType
from penstock.values.dtypes import dtype as to_dtype
from penstock.values.kept_samples import KeptSample, KeptSamples
from penstock.values.literals import from_python
from penstock.values.samples import converted, from_array, in_one_block, moved, packed, rows_of, stacked

Array = np.ndarray[Any, Any]


def tensor_samples(data: Any, dtype: Any, device: Any, layout: str | None, *, copy: bool, pad: bool = False) -> Samples:
    """A batch of one with the data."""
    data, dtype, device, layout = _own_value(data), unwrap(dtype), unwrap(device), unwrap(layout)
    place = to_device(device)
    wanted = None if dtype is None else to_dtype(dtype)
    if isinstance(data, Value):
        samples = _adapted(_as_one(data, pad) if data._is_batch else data._resolve(), wanted, copy)
    elif is_on_accelerator(data):
        samples = _adapted(_wrapped(data, rows=False), wanted, copy)
    else:
        one = _read(data, wanted, copy)
        samples = Samples.wrap_one(one.array).coded(one.dtype.code)
        samples.external = one.external
        samples.read_only = not one.array.flags.writeable
    return _relabelled(samples if place is None else moved(samples, place.number), layout)


def batch_samples(tensors: Any, dtype: Any, device: Any, layout: str | None, *, copy: bool) -> Samples:
    """The samples of a batch."""
    if type(tensors) is np.ndarray and dtype is None and device is None and not copy:
        in_place = _rows_in_place(tensors, layout)
        if in_place is not None:
            return in_place
    tensors = _own_value(tensors)
    place = None if device is None else to_device(unwrap(device))
    wanted = None if dtype is None else to_dtype(unwrap(dtype))
    layout = None if layout is None else unwrap(layout)
    if layout is not None and not isinstance(layout, str):
        raise AssertionError(f"layout must be a string or None, got {layout!r}")
    if tensors is None:
        raise ValueError("a batch is made from samples, got None")
    if isinstance(tensors, Value) and tensors._is_batch:
        samples = _adapted(tensors._resolve(), wanted, copy)
    elif isinstance(tensors, KeptSamples):
        samples = _adapted(tensors._samples, wanted, copy)
    elif is_on_accelerator(tensors):
        samples = _adapted(_wrapped(tensors, rows=True), wanted, copy)
    elif isinstance(tensors, Value) or is_array(tensors):
        samples = _adapted(_rows_of(tensors), wanted, copy)
    elif isinstance(tensors, Iterable):
        samples = _listed([*map(_own_value, tensors)], wanted, copy)
    else:
        raise TypeError(f"{type(tensors).__name__!r} object is not iterable; a batch is made from a list or an array")
    return _relabelled(samples if place is None else moved(samples, place.number), layout)


def _own_value(data: Any) -> Any:
    """What is marked as it is without the mark, and a sample of a pipeline as a value over its memory."""
    data = unwrap(data)
    return Value._of_samples(data._samples) if isinstance(data, KeptSample) else data


def _is_tensor(value: Any) -> TypeGuard[Value]:
    return isinstance(value, Value) and not value._is_batch


class _Sample(NamedTuple):
    array: Array
    dtype: DType
    external: bool


def _read(data: Any, wanted: DType | None, copy: bool) -> _Sample:
    """One sample of anything that can be one, brought to the wanted type."""
    if data is None:
        raise ValueError("a tensor is made from data, got None")
    if _is_tensor(data):
        samples = data._resolve()
        array, dtype, external = samples.sample(0), BY_CODE[samples.code], samples.external
    elif is_array(data) and not isinstance(data, Value):
        array = to_numpy(data)
        dtype, external = DType.by_numpy[array.dtype], array.flags.writeable and not isinstance(data, np.generic)
        # What NumPy calls read-only, its owner may still write to; other frameworks mean it.
        copy = copy or (isinstance(data, np.ndarray) and not array.flags.writeable)
    else:
        return _Sample(*from_python(data, wanted), external=False)
    if wanted is not None and wanted.storage != array.dtype:
        return _Sample(cast_array(array, wanted), wanted, external=False)
    if copy:
        array, external = _copied(array), False
    return _Sample(array, wanted or dtype, external)


def _copied(array: Array) -> Array:
    return Samples.wrap_one(array).copied().sample(0)


def _adapted(samples: Samples, wanted: DType | None, copy: bool) -> Samples:
    """The samples with the wanted dtype; copied if asked to, or if the dtype changes."""
    if wanted is not None and wanted.code != samples.code:
        made = converted(samples, wanted)
        return made.copied() if copy and wanted.storage == BY_CODE[samples.code].storage else made
    return samples.copied() if copy else samples


def _relabelled(samples: Samples, layout: str | None) -> Samples:
    if layout is not None and not isinstance(layout, str):
        raise ValueError(f"Layout must be a string, got {type(layout)}")
    if not layout or layout == samples.layout:
        return samples
    if len(layout) != samples.ndim:
        raise ValueError(
            f'A non-empty layout must have the same number of dimensions as the data; "{layout}" names {len(layout)} '
            f"axes, the data has {samples.ndim}"
        )
    return samples.relabelled(layout)


def _as_one(value: Value, pad: bool) -> Samples:
    """A batch as one tensor with a leading axis N."""
    return stacked(in_one_block(value._resolve(), pad))


def _rows_of(data: Any) -> Samples:
    """The samples along the first axis of a Tensor or array."""
    if _is_tensor(data) and data.ndim:
        return rows_of(data._resolve())
    array, dtype, external = _read(data, None, copy=False)
    if array.ndim == 0:
        raise ValueError("Cannot create a batch from a scalar")
    samples = Samples.wrap(array).coded(dtype.code)
    samples.external = external
    samples.read_only = not array.flags.writeable
    return samples


def _rows_in_place(array: Array, layout: Any) -> Samples | None:
    """The samples along the first axis of an array as most are; None for one that must be looked at more closely."""
    dtype = DType.by_numpy.get(array.dtype)
    if dtype is None or not array.ndim or not array.flags.carray:  # contiguous, aligned and writeable
        return None
    if layout is not None and (type(layout) is not str or len(layout) not in (0, array.ndim - 1)):
        return None
    samples = Samples.wrap(array)
    if samples.code != dtype.code:
        return None
    if layout:
        samples.layout = layout
    samples.external = True
    return samples


def _listed(values: list[Any], wanted: DType | None, copy: bool) -> Samples:
    """One sample per element; the first decides dtype and layout."""
    if not values:
        if wanted is None:
            raise ValueError("Element type must be specified if the list is empty")
        return Samples.empty(wanted.code, 0, [])
    kind = type(values[0])
    if kind in (int, float, bool) and all(type(value) is kind for value in values):
        dtype = wanted or from_python(values[0], None)[1]
        return from_array(np.array(values, dtype.storage)).coded(dtype.code)
    device = _one_device(values)
    if device != CPU and not accelerator().runs_on_host:
        return _listed_on_gpu(values, wanted, device)
    read: list[_Sample] = []
    for index, value in enumerate(values):
        if value is None:
            raise TypeError(f"Tensors must be array-like types or numbers. Got `None` at index {index}")
        read.append(_read(value, read[0].dtype if read else wanted, copy=False))
    arrays = [one.array for one in read]
    _check_ranks(values, arrays)
    if copy:
        samples = packed(arrays, read[0].dtype.code)
    else:
        samples = Samples.gather(arrays).coded(read[0].dtype.code)
        samples.external = any(one.external for one in read)
        samples.read_only = not all(array.flags.writeable for array in arrays)
    if _is_tensor(values[0]):
        samples.layout = values[0].layout or ""
    return samples if device == CPU else samples.on_device(device)


def _listed_on_gpu(values: list[Any], wanted: DType | None, device: int) -> Samples:
    """One sample per element in the memory of an accelerator; what is not there yet goes there."""
    from penstock.gpu.samples import gathered, upload

    ones: list[Samples] = []
    for value in values:
        dtype = BY_CODE[ones[0].code] if ones else wanted
        ones.append(upload(tensor_samples(value, dtype, None, None, copy=False), device))
    _check_ranks(values, ones)
    made = gathered(ones, device)
    made.layout = ones[0].layout
    return made


def _wrapped(data: Any, rows: bool) -> Samples:
    from penstock.gpu.samples import wrapped

    return wrapped(data, rows)


def _one_device(values: list[Any]) -> int:
    """The device of all Tensors in a list; what is not on a device yet goes there."""
    devices = {value._device for value in values if _is_tensor(value)}
    devices |= {_wrapped(value, rows=False).device for value in values if is_on_accelerator(value)}
    if len(devices) > 1:
        raise ValueError("the samples of a batch must be on one device; .gpu() and .cpu() move them")
    return devices.pop() if devices else CPU


def _check_ranks(values: list[Any], arrays: Sequence[Array | Samples]) -> None:
    ndim = arrays[0].ndim
    for index, array in enumerate(arrays):
        if array.ndim != ndim:
            if all(isinstance(value, np.ndarray) for value in values):
                raise RuntimeError(
                    f"Sample must have the same sample dim as the target batch, current: {ndim}, new: {array.ndim} for "
                    f"sample idx: {index}."
                )
            raise TypeError(f"Object at position {index} has {array.ndim} axes, the samples before it have {ndim}")
