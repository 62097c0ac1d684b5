"""Tensor: one n-dimensional array, possibly not computed yet."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from penstock._native import Samples
from penstock.dynamic.arithmetic import Arithmetic
from penstock.dynamic.text import describe
from penstock.interop.frameworks import to_torch

Array = np.ndarray[Any, Any]


class Tensor(Arithmetic):
    """One sample: an array with an element type and a layout. Make one with `ndd.tensor` or `ndd.as_tensor`."""

    __slots__ = ()

    def __init__(
        self, data: Any = None, dtype: Any = None, device: Any = None, layout: str | None = None, copy: bool = False
    ) -> None:
        from penstock.dynamic.construct import tensor_samples

        if data is None:
            raise ValueError("a Tensor is made from data: ndd.tensor(data) or ndd.as_tensor(data)")
        self._start(tensor_samples(data, dtype, device, layout, copy=copy), None, 0, None)

    def _array(self) -> Array:
        array: Array = self._resolve().sample(0)
        return array

    @property
    def shape(self) -> tuple[int, ...]:
        """Extent of every axis; waits for the result."""
        return tuple(self._resolve().shape(0))

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
        """The value of a tensor of one element, as a Python number."""
        if self.size != 1:
            raise ValueError(f"Tensor has {self.size} elements, expected 1")
        return self._array().item()

    def __getitem__(self, ranges: Any) -> Tensor:
        """A part of the tensor, by integers, ranges and Ellipsis as in NumPy; lazy like any operator."""
        from penstock.dynamic.slicing import subscript

        result: Tensor = subscript(self, ranges)
        return result

    def __iter__(self) -> Iterator[Tensor]:
        """The parts along the first axis."""
        if self.ndim == 0:
            raise TypeError("a 0-D tensor has nothing to iterate over")
        return (self[i] for i in range(self.shape[0]))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        """A NumPy view of the data, writable and not copied unless dtype or copy ask for it."""
        array = self._array()
        if dtype is not None and np.dtype(dtype) != array.dtype:
            if copy is False:
                raise ValueError("a conversion to another dtype needs a copy")
            return array.astype(dtype)
        return array.copy() if copy else array

    def __dlpack__(self, stream: Any = None, dl_device: Any = None, **versions: Any) -> Any:
        """A DLPack capsule over the data, not copied."""
        return self._array().__dlpack__(**versions)

    def __dlpack_device__(self) -> tuple[int, int]:
        """The DLPack device: (1, 0) is host memory."""
        return (1, 0)

    def torch(self, copy: bool = False) -> Any:
        """A torch tensor over the same memory, or over a copy."""
        return to_torch(self._array(), copy, "Tensor")

    def __repr__(self) -> str:
        samples = self._resolve()
        return describe("Tensor", samples.sample(0), self, f"shape={tuple(samples.shape(0))}")


def tensor_of(samples: Samples) -> Tensor:
    """A Tensor of a batch of one."""
    return Tensor._of_samples(samples)
