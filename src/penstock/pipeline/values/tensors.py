"""What pipelines put out: TensorListCPU, the samples of a batch in host memory, and its kin."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterator, Sequence
from typing import Any, overload

import numpy as np

from penstock._native import Samples
from penstock.interop.frameworks import as_asked
from penstock.pipeline.values.tensor import HostSamples, TensorCPU, one_sample, refuse_pinned
from penstock.values.dtypes import BY_CODE, float32
from penstock.values.enums import DataType
from penstock.values.kept_samples import KeptSamples
from penstock.values.samples import back_to_back, stacked
from penstock.values.text import batch_text

__all__ = ["TensorCPU", "TensorGPU", "TensorListCPU", "TensorListGPU"]

Array = np.ndarray[Any, Any]

# What a list without samples or a type of its own holds.
_NOTHING = Samples.empty(float32.code, 0, [])


class TensorListCPU(HostSamples, KeptSamples):
    """Samples of one element type, rank and layout, whose shapes may differ.

    Args:
        b: An array, whose rows along the first axis are the samples, or a list of tensors or arrays.
        layout: What the axes of a sample mean; that of the tensors in a list, unless given.
        is_pinned: Whether the memory of the array is page-locked for a GPU.
        contiguous: Whether a list of tensors is copied into one block; False leaves them where they are.
    """

    __slots__ = ()

    def __init__(self, b: Any, layout: str | None = None, is_pinned: bool = False, contiguous: bool = True) -> None:
        if isinstance(b, TensorListCPU):
            self._samples = b._samples
        elif isinstance(b, (list, tuple)):
            self._samples = _gathered(b, contiguous)
        else:
            refuse_pinned(is_pinned)
            self._samples = _rows_of(b)
        if layout:
            self.set_layout(layout)

    @staticmethod
    def broadcast(tensor: Any, batch_size: int) -> TensorListCPU:
        """A list that repeats one tensor, which is not copied."""
        if batch_size < 0:
            raise ValueError(f"a list cannot have {batch_size} samples")
        return TensorListCPU._of_samples(one_sample(tensor).select([0] * batch_size))

    @staticmethod
    def from_dlpack_list(
        list_of_objects: list[Any], layout: str | None = None, contiguous: bool = False
    ) -> TensorListCPU:
        """A list over the memory of objects that speak DLPack, or over a copy of all of it in one block."""
        if not isinstance(list_of_objects, list):
            raise TypeError(f"the objects are given as a list, got {type(list_of_objects).__name__}")
        for position, each in enumerate(list_of_objects):
            if not hasattr(each, "__dlpack__"):
                raise TypeError(f"Object at position {position} does not support the DLPack protocol.")
        return TensorListCPU(list_of_objects, layout, contiguous=contiguous)

    @property
    def dtype(self) -> DataType:
        """Element type; NO_TYPE for a list that never had a sample."""
        return DataType.NO_TYPE if self._samples is _NOTHING else super().dtype

    def shape(self) -> list[tuple[int, ...]]:
        """The shape of every sample."""
        return self._samples.shapes()

    def __len__(self) -> int:
        return len(self._samples)

    @overload
    def __getitem__(self, i: int) -> TensorCPU: ...
    @overload
    def __getitem__(self, i: slice) -> list[TensorCPU]: ...
    def __getitem__(self, i: int | slice) -> TensorCPU | list[TensorCPU]:
        """The sample at a position, counted from the end where negative; a Python list for a range of positions."""
        if isinstance(i, slice):
            return [TensorCPU._of_sample(self._samples, k) for k in range(*i.indices(len(self)))]
        index = operator.index(i)
        if not -len(self) <= index < len(self):
            raise IndexError(f"TensorListCPU index out of range: {index} of {len(self)} samples")
        return TensorCPU._of_sample(self._samples, index % len(self))

    def __iter__(self) -> Iterator[TensorCPU]:
        return (TensorCPU._of_sample(self._samples, i) for i in range(len(self)))

    def at(self, i: int) -> Array:
        """The sample at a position as a NumPy array. Memory that others may read or write is copied."""
        index = operator.index(i)
        if not 0 <= index < len(self):
            raise RuntimeError(f"Index is out-of-range: {index} of {len(self)} samples")
        return _own(self._samples.sample(index), self._samples)

    def as_array(self) -> Array:
        """All samples of one shape as a NumPy array with a leading batch axis. Memory of others is copied."""
        if not self._samples.uniform:
            raise RuntimeError(
                "Cannot produce a numpy array: the samples differ in shape; pad or crop them to one, or take them one "
                "by one with at()"
            )
        samples = self._settled()
        return _own(samples.array(), samples)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        """As `as_array`; samples of different shapes are a ValueError, as for NumPy's own lists of arrays."""
        if not self._samples.uniform:
            raise ValueError("the samples differ in shape, so they are no single array; see at()")
        return as_asked(self._settled().array(), dtype, copy)

    def is_dense_tensor(self) -> bool:
        """Whether all samples have one shape, so that the list can be one tensor."""
        return self._samples.uniform

    def as_tensor(self) -> TensorCPU:
        """All samples of one shape as one tensor with a leading axis N, over the memory of the list."""
        if not self._samples.uniform:
            raise RuntimeError("The batch must be representable as a tensor: its samples differ in shape")
        if self._samples is _NOTHING:
            raise RuntimeError(
                "To convert empty batch to a Tensor, there must be at least one sample to tell a shape from"
            )
        return TensorCPU._of_samples(stacked(self._settled()))

    def as_reshaped_tensor(self, shape: Sequence[int]) -> TensorCPU:
        """All elements as one tensor of the given shape, which must have as many."""
        samples = self._settled()
        wanted, there = math.prod(shape), samples.nbytes // BY_CODE[samples.code].bytes
        if wanted != there or min(shape, default=0) < 0:
            raise RuntimeError(
                f"To create a view Tensor, requested shape need to have the same volume as the batch, requested: "
                f"{wanted} expected: {there}"
            )
        flat = (
            samples.array() if samples.dense else np.concatenate([samples.sample(i).ravel() for i in range(len(self))])
        )
        made = Samples.wrap_one(flat.reshape(shape)).coded(samples.code)
        made.external, made.read_only = samples.external, samples.read_only
        if samples.layout and made.ndim == samples.ndim + 1:
            made.layout = "N" + samples.layout
        return TensorCPU._of_samples(made)

    def data_ptr(self) -> int:
        """Address of the first element, or 0; the samples lie one right after the other from there."""
        samples = self._settled()
        filled = (i for i, shape in enumerate(samples.shapes()) if 0 not in shape)
        return next((samples.sample(i).ctypes.data for i in filled), 0)

    def _settled(self) -> Samples:
        """The samples back to back. They stay where they were put, so that an address once told remains true."""
        self._samples = back_to_back(self._samples)
        return self._samples

    def reset(self) -> None:
        """Lets go of the data; arrays and tensors taken from the list remain valid."""
        self._samples = _NOTHING

    def __str__(self) -> str:
        return batch_text("TensorListCPU", self._samples, self.dtype)

    def __repr__(self) -> str:
        return batch_text("TensorListCPU", self._samples, self.dtype, data=False)


class _NeedsGPU:
    def __init__(self, *_: Any, **__: Any) -> None:
        name = type(self).__name__
        raise RuntimeError(f"{name} needs a GPU, and outputs of pipelines are in host memory: {name[:-3]}CPU")


class TensorGPU(_NeedsGPU):
    """One sample in the memory of a GPU."""


class TensorListGPU(_NeedsGPU):
    """Samples in the memory of a GPU."""


def _own(array: Array, samples: Samples) -> Array:
    """A copy of what is not the list's own memory: a caller who writes to it means the copy."""
    return array.copy() if samples.external or samples.read_only else array


def _rows_of(data: Any) -> Samples:
    if data is None:
        raise ValueError("a list of tensors is made from data, got None")
    one = one_sample(data)
    if one.ndim == 0:
        raise RuntimeError("Cannot create TensorList from 0-dim array.")
    rows = Samples.wrap(one.sample(0)).coded(one.code)
    rows.layout, rows.external, rows.read_only = one.layout[1:], one.external, one.read_only
    return rows


def _gathered(tensors: Sequence[Any], contiguous: bool) -> Samples:
    ones = [_at_position(i, each) for i, each in enumerate(tensors)]
    if not ones:
        return _NOTHING
    first = ones[0]
    for i, one in enumerate(ones):
        if one.code != first.code:
            raise TypeError(
                f"Tensors cannot have different data types. Tensor at position {i} has type "
                f"{DataType(one.code).name}, expected to have type {DataType(first.code).name}."
            )
        if one.ndim != first.ndim:
            raise TypeError(f"Object at position {i} has {one.ndim} axes, the samples before it have {first.ndim}")
    samples = Samples.gather([one.sample(0) for one in ones]).coded(first.code).relabelled(first.layout)
    samples.sources = [(one.sources or [""])[0] for one in ones] if any(one.sources for one in ones) else None
    if contiguous:
        return samples.copied()
    samples.external = any(one.external for one in ones)
    samples.read_only = any(one.read_only for one in ones)
    return samples


def _at_position(i: int, data: Any) -> Samples:
    try:
        return one_sample(data)
    except (TypeError, RuntimeError) as error:
        raise TypeError(f"Object at position {i} cannot be converted to TensorCPU: {error}") from None
