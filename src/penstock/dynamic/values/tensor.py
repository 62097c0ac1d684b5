"""Tensor: one n-dimensional array, possibly not computed yet."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from penstock.dynamic.values.arithmetic import Arithmetic
from penstock.dynamic.values.samples_from_data import tensor_samples
from penstock.dynamic.values.slicing import subscript
from penstock.dynamic.values.value import Value
from penstock.interop.frameworks import (
    as_asked,
    cuda_array_interface,
    samples_to_torch,
    to_dlpack,
    to_torch,
    torch_dlpack,
)
from penstock.ops.tensor.subscript import OutOfRangeError
from penstock.values.accelerator import CPU
from penstock.values.dtypes import Kind, enumeration_of
from penstock.values.samples import rows_of
from penstock.values.text import sample_text

Array = np.ndarray[Any, Any]


class Tensor(Arithmetic):
    """One sample: an array with an element type, a layout and a device, possibly not computed yet.

    Operators make Tensors of Tensors; `ndd.tensor` copies data into one, `ndd.as_tensor` shares memory where it can,
    and `batch.tensors[i]` is a sample of a Batch. `dtype`, `ndim`, `layout` and `device` are known at once; `shape` and
    whatever needs data wait for it, and raise the error of the call that failed.

    Example:
        >>> image = ndd.tensor(np.zeros((4, 6, 3), np.uint8), layout="HWC")
        >>> small = ndd.resize(image, size=[2, 3])
        >>> small.shape, small.layout
        ((2, 3, 3), 'HWC')
        >>> small[0, :, 0].numpy()
        array([0, 0, 0], dtype=uint8)

    It behaves like an array: slices with integers, ranges, `...` and `None`, arithmetic, iteration over the first
    axis, `np.asarray`, DLPack. A Tensor of one element is a number: `float(t)`, `int(t)`, `if t:`. `numpy()` and
    `torch()` are views of the same memory.

    Args:
        data: An array, a Tensor, a number or nested lists.
        dtype: The element type, if not that of the data; Python's ints are int32, its floats float32.
        device: Where the data is to be.
        layout: The meaning of the axes, such as "HWC".
        copy: Copy also where the memory could be shared.
    """

    __slots__ = ()

    def __init__(
        self, data: Any = None, dtype: Any = None, device: Any = None, layout: str | None = None, copy: bool = False
    ) -> None:
        self._start(tensor_samples(data, dtype, device, layout, copy=copy))

    def _array(self) -> Array:
        array: Array = self._resolve().sample(0)
        return array

    @property
    def shape(self) -> tuple[int, ...]:
        """Extent of every axis; waits for the result."""
        try:
            return tuple(self._resolve().shape(0))
        except OutOfRangeError as error:  # a shape is asked for in other words than data, by programs that match them
            message = "Index {} is out of bounds for dimension {} with size {}"
            raise IndexError(message.format(*error.place)) from error

    @property
    def size(self) -> int:
        """Number of elements."""
        return math.prod(self.shape)

    @property
    def itemsize(self) -> int:
        """Bytes per element."""
        return self.dtype.bytes

    @property
    def nbytes(self) -> int:
        """Bytes of all elements."""
        return self.size * self.itemsize

    def item(self) -> Any:
        """The value of a tensor of one element, as a Python number or enumeration member."""
        if self.size != 1:
            raise ValueError(f"Tensor has {self.size} elements, expected 1")
        number = self._resolve().host().sample(0).item()
        kind = enumeration_of(self.dtype)
        return number if kind is None else kind(number)

    def __bool__(self) -> bool:
        """Whether the one element is not 0; waits for the result."""
        if self.size != 1:
            what = "an empty tensor" if self.size == 0 else "a tensor with more than one element"
            raise ValueError(
                f"The truth value of {what} is ambiguous; ndd.reductions.max(t) tells whether any element of a mask "
                "holds, ndd.reductions.min(t) whether all do"
            )
        return bool(self.item())

    def __int__(self) -> int:
        """The one element as a whole number, with the fraction cut off; waits for the result."""
        return int(self._scalar())

    def __float__(self) -> float:
        """The one element; waits for the result."""
        return float(self._scalar())

    def __index__(self) -> int:
        """The one element of a tensor of integers; waits for the result."""
        if self.dtype.kind not in (Kind.signed, Kind.unsigned):
            raise TypeError(f"only integer tensors of one element can be an index, this has elements of {self.dtype}")
        return int(self._scalar())

    def _scalar(self) -> Any:
        if self.size != 1:
            raise TypeError(f"only tensors of one element can be converted to Python scalars, this has {self.size}")
        return self.item()

    def __len__(self) -> int:
        """The extent of the first axis; waits for the result."""
        if self.ndim == 0:
            raise TypeError("len() of a 0-D tensor; it has one value, which .item() gives")
        return self.shape[0]

    def __contains__(self, value: Any) -> bool:
        """Whether any element equals the value; waits for the result."""
        return bool((self._resolve().host().sample(0) == value).any())

    def __getitem__(self, ranges: Any) -> Tensor:
        """A part of the tensor, by integers, ranges, Ellipsis and None as in NumPy; lazy like any operator."""
        result: Tensor = subscript(self, ranges)
        return result

    def __iter__(self) -> Iterator[Tensor]:
        """The parts along the first axis, over the same memory; waits for the result."""
        samples = self._resolve()
        if samples.ndim == 0:
            raise TypeError("iteration over a 0-D tensor; it has one value, which .item() gives")
        rows = rows_of(samples)
        return (Tensor._of_samples(rows.select([i])) for i in range(len(rows)))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        """A NumPy view of the data, writable and not copied unless dtype or copy ask for it."""
        if self._device != CPU:
            raise TypeError("This is not a CPU tensor. Use `.cpu()` to get the array interface.")
        return as_asked(self._array(), dtype, copy)

    def numpy(self) -> Array:
        """A NumPy view of the data, writable and not copied."""
        return self.__array__()

    def __dlpack__(
        self,
        stream: Any = None,
        dl_device: tuple[int, int] | None = None,
        *,
        max_version: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        """A DLPack capsule over the data, not copied unless `copy` asks for it. Host memory needs no stream."""
        samples = self._placed()
        if samples.elsewhere:
            return torch_dlpack(samples_to_torch(samples, False, "Tensor")[0], stream, max_version, dl_device, copy)
        return to_dlpack(self._array(), max_version, dl_device, copy)

    def __dlpack_device__(self) -> tuple[int, int]:
        """The DLPack device: (1, 0) is host memory, as it also is where the CPU stands in for a GPU."""
        samples = self._placed()
        if samples.elsewhere:
            kind, number = samples_to_torch(samples, False, "Tensor").__dlpack_device__()
            return int(kind), int(number)
        return (1, 0)

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        if self._device == CPU:
            raise AttributeError("This is not a GPU tensor. Use `.gpu()` to get the CUDA array interface.")
        return cuda_array_interface(self._placed(), "Tensor")

    def torch(self, copy: bool = False) -> Any:
        """A torch tensor over the same memory, or over a copy; on a GPU if the data is there."""
        samples = self._placed()
        if samples.elsewhere:
            return samples_to_torch(samples, copy, "Tensor")[0]
        return to_torch(samples.sample(0), copy, "Tensor")

    def __repr__(self) -> str:
        return sample_text("Tensor", self._resolve(), self.dtype)

    _repr_pretty_ = Value._repr_pretty_  # beside __repr__, which IPython would take otherwise
