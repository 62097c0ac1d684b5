"""What pipelines put out: the samples of a batch in host memory, TensorListCPU, or on a GPU, TensorListGPU."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Generic, TypeVar, overload

import numpy as np

from penstock._native import Samples
from penstock.gpu.samples import gathered, upload
from penstock.interop.frameworks import as_asked, samples_to_torch
from penstock.pipeline.values.tensor import (
    OneSample,
    OutputSamples,
    TensorCPU,
    TensorGPU,
    one_sample,
    refuse_pinned,
    to_gpu,
)
from penstock.values.accelerator import CPU, accelerator
from penstock.values.dtypes import BY_CODE, float32
from penstock.values.enums import DataType
from penstock.values.kept_samples import KeptSamples
from penstock.values.samples import back_to_back, moved, rows_of, stacked
from penstock.values.text import batch_text

__all__ = ["TensorCPU", "TensorGPU", "TensorListCPU", "TensorListGPU"]

Array = np.ndarray[Any, Any]

# What a list without samples or a type of its own holds.
_NOTHING = Samples.empty(float32.code, 0, [])


Tensor = TypeVar("Tensor", bound=OneSample)


class SampleList(OutputSamples, KeptSamples, Generic[Tensor]):
    """What TensorListCPU and TensorListGPU have in common."""

    __slots__ = ()

    _kind: ClassVar[type[OneSample]]  # of a sample

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
    def __getitem__(self, i: int) -> Tensor: ...
    @overload
    def __getitem__(self, i: slice) -> list[Tensor]: ...
    def __getitem__(self, i: int | slice) -> Tensor | list[Tensor]:
        """The sample at a position, counted from the end where negative; a Python list for a range of positions."""
        if isinstance(i, slice):
            return [self._one(k) for k in range(*i.indices(len(self)))]
        index = operator.index(i)
        if not -len(self) <= index < len(self):
            raise IndexError(f"{type(self).__name__} index out of range: {index} of {len(self)} samples")
        return self._one(index % len(self))

    def __iter__(self) -> Iterator[Tensor]:
        return (self._one(i) for i in range(len(self)))

    def is_dense_tensor(self) -> bool:
        """Whether all samples have one shape, so that the list can be one tensor."""
        return self._samples.uniform

    def as_tensor(self) -> Tensor:
        """All samples of one shape as one tensor with a leading axis N, over the memory of the list."""
        if not self._samples.uniform:
            raise RuntimeError("The batch must be representable as a tensor: its samples differ in shape")
        if self._samples is _NOTHING:
            raise RuntimeError(
                "To convert empty batch to a Tensor, there must be at least one sample to tell a shape from"
            )
        return self._whole(stacked(self._settled()))

    def as_reshaped_tensor(self, shape: Sequence[int]) -> Tensor:
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
        return self._whole(made if samples.device == CPU else made.on_device(samples.device))

    def data_ptr(self) -> int:
        """Address of the first element, or 0; the samples lie one right after the other from there."""
        samples = self._settled()
        if samples.elsewhere:
            return int(samples_to_torch(samples, False, type(self).__name__).data_ptr())
        filled = (i for i, shape in enumerate(samples.shapes()) if 0 not in shape)
        return next((samples.sample(i).ctypes.data for i in filled), 0)

    def _settled(self) -> Samples:
        """The samples back to back. They stay where they were put, so that an address once told remains true."""
        if not self._samples.elsewhere:
            self._samples = back_to_back(self._samples)
        return self._samples

    def reset(self) -> None:
        """Lets go of the data; arrays and tensors taken from the list remain valid."""
        self._samples = _NOTHING

    def __str__(self) -> str:
        return batch_text(type(self).__name__, self._samples, self.dtype)

    def __repr__(self) -> str:
        return batch_text(type(self).__name__, self._samples, self.dtype, data=False)

    def _one(self, i: int) -> Tensor:
        made: Any = self._kind._of_sample(self._samples, i)
        return made  # type: ignore[no-any-return]

    def _whole(self, samples: Samples) -> Tensor:
        made: Any = self._kind._of_samples(samples)
        return made  # type: ignore[no-any-return]


class TensorListCPU(SampleList[TensorCPU]):
    """Samples of one element type, rank and layout, whose shapes may differ.

    Args:
        b: An array, whose rows along the first axis are the samples, or a list of tensors or arrays.
        layout: What the axes of a sample mean; that of the tensors in a list, unless given.
        is_pinned: Whether the memory of the array is page-locked for a GPU.
        contiguous: Whether a list of tensors is copied into one block; False leaves them where they are.
    """

    __slots__ = ()

    _kind = TensorCPU

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

    def as_cpu(self) -> TensorListCPU:
        """Itself: the data is in host memory."""
        return self


class TensorListGPU(SampleList[TensorGPU]):
    """Samples in the memory of a GPU, of one element type, rank and layout, whose shapes may differ.

    Args:
        b: Another such list, a list of tensors, or where the CPU stands in for a GPU whatever a `TensorListCPU` is made
            from.
        layout: What the axes of a sample mean; that of the tensors in a list, unless given.
        contiguous: Whether a list of tensors is copied into one block.
    """

    __slots__ = ()

    _kind = TensorGPU

    def __init__(self, b: Any, layout: str | None = None, contiguous: bool = True) -> None:
        if isinstance(b, TensorListGPU):
            self._samples = b._samples
        else:
            self._samples = (
                _gathered_on_gpu(b) if isinstance(b, (list, tuple)) else to_gpu(_rows_of(b), "TensorListGPU")
            )
        if layout:
            self.set_layout(layout)

    def as_cpu(self) -> TensorListCPU:
        """A copy in host memory."""
        return TensorListCPU._of_samples(moved(self._samples, CPU))

    def device_id(self) -> int:
        """The number of the GPU."""
        return self._samples.device


Output = TensorListCPU | TensorListGPU


def as_list(samples: Samples) -> Any:
    """An output of a pipeline. Type checkers take it for a TensorListCPU, which only that of a GPU is not."""
    if samples.device == CPU:
        return TensorListCPU._of_samples(samples)
    there = samples if accelerator().runs_on_host else upload(samples, samples.device)
    return TensorListGPU._of_samples(there)


def _own(array: Array, samples: Samples) -> Array:
    """A copy of what is not the list's own memory: a caller who writes to it means the copy."""
    return array.copy() if samples.external or samples.read_only else array


def _rows_of(data: Any) -> Samples:
    if data is None:
        raise ValueError("a list of tensors is made from data, got None")
    one = one_sample(data)
    if one.ndim == 0:
        raise RuntimeError("Cannot create TensorList from 0-dim array.")
    return rows_of(one)


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


def _gathered_on_gpu(tensors: Sequence[Any]) -> Samples:
    """As `_gathered`, of tensors that are on a GPU or go there."""
    ones = [to_gpu(_at_position(i, each), "TensorListGPU") for i, each in enumerate(tensors)]
    if not ones or not ones[0].elsewhere:
        return to_gpu(_gathered(tensors, contiguous=True), "TensorListGPU")
    return gathered(ones, ones[0].device).relabelled(ones[0].layout)


def _at_position(i: int, data: Any) -> Samples:
    try:
        return one_sample(data)
    except (TypeError, RuntimeError) as error:
        raise TypeError(f"Object at position {i} cannot be converted to TensorCPU: {error}") from None
