"""NumPy arrays into batch storage and back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from penstock._native import Samples
from penstock.values.accelerator import CPU
from penstock.values.casting import cast_array
from penstock.values.dtypes import BY_CODE, DType

Array = np.ndarray[Any, Any]


# Below this malloc hands out warm memory too.
_POOLED_FROM_BYTES = 1 << 16


def pooled(shape: Sequence[int], dtype: np.dtype[Any]) -> Array:
    """An array over pooled memory, not cleared; `shape` has at least one axis."""
    return Samples.empty(DType.by_numpy[dtype].code, shape[0], shape[1:]).array()


def separate(view: Array) -> Array:
    """The elements of a view in row-major memory of their own."""
    if view.nbytes < _POOLED_FROM_BYTES:
        return view.copy()
    made = pooled(view.shape, view.dtype)
    made[...] = view
    return made


def arrays_of(samples: Samples) -> list[Array]:
    """Every sample as an array over its own memory."""
    return [samples.sample(i) for i in range(len(samples))]


def array_getter(samples: Samples, read_only: bool) -> Callable[[int], Array]:
    """A function that returns the sample of a given number as an array over its memory; an only sample for any number.

    The rows of one array cost a third of arrays over native memory, and are read-only at no cost if it is.
    """
    only = len(samples) == 1
    if samples.dense:
        rows = samples.array()
        if read_only:
            rows.setflags(write=False)
        return lambda i: rows[0 if only else i, ...]

    def get(i: int) -> Array:
        array = samples.sample(0 if only else i)
        if read_only:
            array.setflags(write=False)
        return array

    return get


def from_array(array: Array) -> Samples:
    """The rows of an array as samples."""
    return Samples.wrap(np.ascontiguousarray(array))


def from_arrays(arrays: list[Array], dtype: DType | None = None, ndim: int | None = None) -> Samples:
    """Arrays as samples, in one block where their shapes agree. An empty list needs dtype and ndim."""
    if not arrays:
        if dtype is None:
            raise ValueError("Element type must be specified if the list is empty")
        return Samples.empty(dtype.code, 0, [0] * (ndim or 0))
    first = arrays[0]
    if len(arrays) == 1:
        return Samples.wrap_one(np.ascontiguousarray(first) if first.ndim else first)
    if all(array.shape == first.shape and array.dtype == first.dtype for array in arrays):
        block = Samples.empty(DType.by_numpy[first.dtype].code, len(arrays), first.shape)
        np.stack(arrays, out=block.array())
        return block
    return Samples.gather([np.ascontiguousarray(array) for array in arrays])


def packed(arrays: list[Array], code: int) -> Samples:
    """Copies of arrays of one dtype and rank as samples, in one block where their shapes agree."""
    block = Samples.empty_ragged(code, arrays[0].ndim, [array.shape for array in arrays])
    if block.dense:
        np.stack(arrays, out=block.array())
    else:
        for i, array in enumerate(arrays):
            block.sample(i)[...] = array
    return block


def converted(samples: Samples, dtype: DType) -> Samples:
    """The samples with another element type, rounded and saturated."""
    if dtype.storage == BY_CODE[samples.code].storage:
        return samples.coded(dtype.code)
    if samples.elsewhere:
        return _of_accelerator(samples).converted(dtype)  # type: ignore[no-any-return]
    if samples.dense:
        made = from_array(cast_array(samples.array(), dtype))
    else:
        made = Samples.gather([cast_array(samples.sample(i), dtype) for i in range(len(samples))])
    return _labelled(made.coded(dtype.code), samples)


def _labelled(made: Samples, source: Samples) -> Samples:
    made.layout = source.layout
    made.take_origin(source)
    return made if made.device == source.device else made.on_device(source.device)


def _of_accelerator(samples: Samples) -> Any:
    """Samples of an accelerator, which do these things there: a `penstock.gpu.samples.GpuSamples`."""
    return samples


def moved(samples: Samples, device: int) -> Samples:
    """The samples as data of another device, in memory of their own where the program may write to what they are in."""
    if samples.device == device:
        return samples
    host = samples.host()
    return (host.copied() if host is samples else host).on_device(device)


def rows_of(samples: Samples) -> Samples:
    """The parts along the first axis of the only one of some samples, over the same memory."""
    if samples.elsewhere:
        return _of_accelerator(samples).rows()  # type: ignore[no-any-return]
    rows = Samples.wrap(samples.sample(0)).coded(samples.code)
    rows.layout, rows.external, rows.read_only = samples.layout[1:], samples.external, samples.read_only
    return rows if samples.device == CPU else rows.on_device(samples.device)


def as_batch_array(samples: Samples) -> Array:
    """All samples of a uniform batch as one array; copied only where they do not lie together."""
    return (samples if samples.dense else samples.copied()).array()


def back_to_back(samples: Samples) -> Samples:
    """The samples one right after the other, whatever their shapes; copied only where they are not."""
    if samples.dense:
        return samples
    if samples.uniform:
        return samples.copied()
    arrays = arrays_of(samples)
    filled = [array for array in arrays if array.size]
    if all(one.ctypes.data + one.nbytes == other.ctypes.data for one, other in pairwise(filled)):
        return samples
    flat = pooled([sum(array.size for array in arrays)], arrays[0].dtype)
    np.concatenate([array.reshape(-1) for array in arrays], out=flat)
    parts = np.split(flat, np.cumsum([array.size for array in arrays])[:-1])
    shaped = [part.reshape(array.shape) for part, array in zip(parts, arrays, strict=True)]
    return _labelled(Samples.gather(shaped).coded(samples.code), samples)


def stacked(samples: Samples) -> Samples:
    """Dense samples as one, with a leading axis N, over the same memory."""
    if samples.elsewhere:
        return _of_accelerator(samples).as_one()  # type: ignore[no-any-return]
    one = Samples.wrap_one(samples.array()).coded(samples.code)
    one.external, one.read_only = samples.external, samples.read_only
    if samples.layout or samples.ndim == 0:
        one.layout = "N" + samples.layout
    return one if samples.device == CPU else one.on_device(samples.device)


def in_one_block(samples: Samples, pad: bool) -> Samples:
    """The samples back to back, ready to be one array; copied only where they are not."""
    if not len(samples):
        raise RuntimeError("To convert empty batch to a Tensor, there must be at least one sample to tell a shape from")
    if samples.dense:
        return samples
    if samples.uniform:
        return samples.copied()
    if not pad:
        raise ValueError(
            "The batch has a non-uniform shape. To convert it to a tensor, `pad` argument must be ``True``"
        )
    return _of_accelerator(samples).in_one_block(pad) if samples.elsewhere else _padded(samples)


def _padded(samples: Samples) -> Samples:
    """Room for the largest extent along every axis, zero beyond each sample."""
    shapes = samples.shapes()
    largest = [max(extents) for extents in zip(*shapes, strict=True)]
    block = Samples.empty(samples.code, len(samples), largest)
    array = block.array()
    array[...] = 0
    for i, shape in enumerate(shapes):
        corner: tuple[int | slice, ...] = (i, *(slice(extent) for extent in shape))
        array[corner] = samples.sample(i)
    return _labelled(block, samples)
