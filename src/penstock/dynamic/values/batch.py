"""Batch: samples of one dtype, rank and layout, whose shapes may differ."""

from __future__ import annotations

import builtins
import operator
from collections.abc import Iterator, Sequence
from types import EllipsisType
from typing import TYPE_CHECKING, Any

import numpy as np

from penstock._native import Samples
from penstock.dynamic.values.arithmetic import Arithmetic
from penstock.dynamic.values.samples_from_data import batch_samples, tensor_samples
from penstock.dynamic.values.slicing import subscript
from penstock.dynamic.values.tensor import Tensor
from penstock.dynamic.values.value import Value
from penstock.interop.frameworks import as_asked, samples_to_torch, to_dlpack, torch_dlpack
from penstock.values.accelerator import CPU
from penstock.values.samples import in_one_block
from penstock.values.text import batch_text

Array = np.ndarray[Any, Any]


class Batch(Arithmetic):
    """Several samples of one element type, number of axes and layout, whose shapes may differ.

    Readers hand out Batches, operators make Batches of Batches, and `ndd.batch` and `ndd.as_batch` make them from lists
    and arrays. A Batch may not be computed yet: `dtype`, `ndim`, `layout`, `device` and `batch_size` are known at once,
    whatever needs data waits for it.

    Example:
        >>> images = ndd.batch([np.zeros((4, 6, 3), np.uint8), np.ones((2, 2, 3), np.uint8)], layout="HWC")
        >>> images.shape
        [(4, 6, 3), (2, 2, 3)]
        >>> images.tensors[1]  # one sample, a Tensor
        >>> images.select([1, 0])  # some samples, a Batch
        >>> images.slice[0:2, :, 0]  # that part of every sample
        >>> ndd.resize(images, size=[8, 8]).numpy().shape
        (2, 8, 8, 3)

    `images[0]` could mean a sample or a row of every sample, and is an error. Arithmetic and comparisons work on all
    samples; with another Batch, sample by sample. Samples of one shape lie in one block of memory, which `numpy()`,
    `torch()`, `ndd.as_tensor` and DLPack hand on without a copy; others need `pad=True`. A Batch has no truth value:
    `ndd.where` and `ndd.maybe` choose for each sample.

    Args:
        tensors: Samples: arrays, Tensors, nested lists; or one array whose first axis counts them.
        dtype: The element type, if not that of the samples.
        device: Where the samples are to be.
        layout: The meaning of a sample's axes, such as "HWC".
        copy: Copy also where the memory could be shared.
    """

    __slots__ = ("_size", "_tensors")

    _is_batch = True

    _size: int
    _tensors: dict[int, Tensor] | None

    def __init__(
        self, tensors: Any = None, dtype: Any = None, device: Any = None, layout: str | None = None, copy: bool = False
    ) -> None:
        self._start(batch_samples(tensors, dtype, device, layout, copy=copy))

    def _start(self, samples: Samples) -> None:
        self._samples = samples  # as for any `Value`, set in place: every batch of a loop comes by here
        self._call = None
        self._index = 0
        self._spec = None
        self._size = len(samples)
        self._tensors = None

    @property
    def batch_size(self) -> int:
        """Number of samples."""
        return self._size

    @property
    def shape(self) -> list[tuple[int, ...]]:
        """The shape of every sample; waits for the result."""
        return list(self._resolve().shapes())

    @property
    def tensors(self) -> TensorList:
        """The samples by number: ``batch.tensors[3]`` is a Tensor, ``batch.tensors[1:4].as_batch()`` a Batch."""
        return TensorList(self, range(self._size))

    @property
    def slice(self) -> SampleSlicer:
        """The same part of every sample: ``batch.slice[0]``, ``batch.slice[1:3, :, 0]``. A Batch as a bound has its own
        number for each sample.
        """
        return SampleSlicer(self)

    def select(self, sample_range: int | Sequence[int] | builtins.slice | EllipsisType) -> Tensor | Batch:
        """One sample as a Tensor, or the chosen samples, in that order, as a Batch over the same memory.

        Example:
            >>> images.select(3)  # a Tensor
            >>> images.select([2, 0])  # a Batch of two

        Args:
            sample_range: A number, a list of numbers, a `slice`, or `...` for all.
        """
        if sample_range is ...:
            return self
        chosen = self.tensors[sample_range]
        return chosen.as_batch() if isinstance(chosen, TensorList) else chosen

    def __iter__(self) -> Iterator[Tensor]:
        return (self._tensor(i) for i in range(self._size))

    def _tensor(self, i: int) -> Tensor:
        if self._tensors is None:
            self._tensors = {}
        found = self._tensors.get(i)
        if found is None:
            found = self._tensors[i] = Tensor._of_samples(self._resolve().select([i]))
            found._normalized = self._normalized_by()
        return found

    def __len__(self) -> int:
        """Number of samples."""
        return self._size

    def __bool__(self) -> bool:
        raise ValueError(
            "The truth value of a Batch is ambiguous: every sample has one. ndd.where(mask, a, b) chooses for each "
            "sample, ndd.maybe(operator, batch, p=...) applies an operator to some, len(batch) is the number of samples"
        )

    def __getitem__(self, index: Any) -> Any:
        raise TypeError(
            f"'Batch' object is not subscriptable, since [{index!r}] could mean two things: "
            f"batch.tensors[{index!r}] is a sample, batch.slice[{index!r}] is that part of every sample"
        )

    @staticmethod
    def broadcast(sample: Any, batch_size: int, device: Any = None, dtype: Any = None) -> Batch:
        """A batch that repeats one sample."""
        if isinstance(sample, Batch):
            raise ValueError("Cannot broadcast a Batch")
        if sample is None:
            raise TypeError(f"Unexpected element type {type(sample)}; a batch repeats a tensor, an array or a number")
        if not isinstance(batch_size, (int, np.integer)):
            raise TypeError(f"batch_size must be an int, got {type(batch_size).__name__}")
        if batch_size < 0:
            raise ValueError(f"negative dimensions are not allowed: batch_size={batch_size}")
        one = tensor_samples(sample, dtype, device, None, copy=False)
        return Batch._of_samples(one.select([0] * batch_size))

    def torch(self, copy: bool | None = None, pad: bool = False) -> Any:
        """A torch tensor with a leading batch axis.

        Args:
            copy: None copies only where the samples do not lie in one block; False refuses to; True always copies.
            pad: Fill smaller samples with zeros at their ends.
        """
        samples = self._placed()
        if copy is False and not samples.dense:
            raise ValueError("This batch cannot be converted to a tensor without a copy.")
        block = in_one_block(samples, pad)
        return samples_to_torch(block, bool(copy) and block is samples, "Batch")

    def numpy(self, pad: bool = False) -> Array:
        """A NumPy array with a leading batch axis, over the same memory where the samples lie in one block.

        Args:
            pad: Fill smaller samples with zeros at their ends.
        """
        array: Array = self._host_block(pad).array()
        return array

    if not TYPE_CHECKING:  # to type checkers it would make a Batch one of NumPy's ArrayLikes, of which Tensors are made

        def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
            """As `numpy`, for samples of one shape; not copied unless dtype or copy ask for it, or they lie apart."""
            block = self._host_block()
            if copy is False and block is not self._resolve():
                raise ValueError("Unable to avoid copy while creating an array as requested: the samples lie apart.")
            return as_asked(block.array(), dtype, copy)

    # Arrays and NumPy's numbers leave + and other operators with a Batch to it: 2 * batch is a Batch, np.sqrt(batch)
    # an array.
    __array_priority__ = 1000

    def __dlpack__(
        self,
        stream: Any = None,
        dl_device: tuple[int, int] | None = None,
        *,
        max_version: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        """A DLPack capsule over samples of one shape, with a leading batch axis. Host memory needs no stream."""
        block = self._block()
        if copy is False and block is not self._placed():
            raise BufferError("the samples lie apart and have to be copied")
        if block.elsewhere:
            return torch_dlpack(samples_to_torch(block, False, "Batch"), stream, max_version, dl_device, copy)
        return to_dlpack(block.array(), max_version, dl_device, copy)

    def __dlpack_device__(self) -> tuple[int, int]:
        """The DLPack device: (1, 0) is host memory, as it also is where the CPU stands in for a GPU."""
        block = self._block()
        if block.elsewhere:
            kind, number = samples_to_torch(block, False, "Batch").__dlpack_device__()
            return int(kind), int(number)
        return (1, 0)

    def _host_block(self, pad: bool = False) -> Samples:
        if self._device != CPU:
            raise TypeError("This is not a CPU batch. Use `.cpu()` to get the array interface.")
        return self._block(pad)

    def _block(self, pad: bool = False) -> Samples:
        samples = self._placed()
        if not pad and not samples.uniform:
            raise ValueError(
                "The samples of this batch differ in shape: batch.numpy(pad=True) and batch.torch(pad=True) fill "
                "smaller ones with zeros, batch.tensors has them one by one"
            )
        return in_one_block(samples, pad)

    def __repr__(self) -> str:
        return batch_text("Batch", self._resolve(), self.dtype)

    _repr_pretty_ = Value._repr_pretty_  # beside __repr__, which IPython would take otherwise


_NO_CHOICE = "samples are chosen by integers, lists of them or slices, not {}"


def _number(choice: Any) -> int:
    try:
        return operator.index(choice)
    except TypeError:
        raise TypeError(_NO_CHOICE.format(f"a list of {type(choice).__name__}")) from None


class TensorList:
    """Some or all samples of a batch, in a chosen order."""

    __slots__ = ("_batch", "_chosen")

    def __init__(self, batch: Batch, chosen: Sequence[int]) -> None:
        self._batch = batch
        self._chosen = chosen

    def __len__(self) -> int:
        return len(self._chosen)

    def __getitem__(self, selection: Any) -> Any:
        """A Tensor for an integer, a TensorList for a range or a list of indices, a Batch for `...`."""
        if selection is ...:
            return self.as_batch()
        if isinstance(selection, slice):
            return TensorList(self._batch, self._chosen[selection])
        if hasattr(selection, "__index__") and not getattr(selection, "ndim", 0):
            return self._batch._tensor(self._checked(selection.__index__()))
        if hasattr(selection, "__len__") and not isinstance(selection, (str, bytes)):
            return TensorList(self._batch, [self._checked(_number(i)) for i in selection])
        raise TypeError(_NO_CHOICE.format(type(selection).__name__))

    select = __getitem__

    def _checked(self, i: int) -> int:
        if not -len(self._chosen) <= i < len(self._chosen):
            raise IndexError(f"list index out of range: {i} of {len(self._chosen)} samples")
        return self._chosen[i]

    def __iter__(self) -> Iterator[Tensor]:
        return (self._batch._tensor(i) for i in self._chosen)

    def tolist(self) -> list[Tensor]:
        """The samples as a Python list."""
        return list(self)

    def as_batch(self, copy: bool = False) -> Batch:
        """The chosen samples as a Batch, over the same memory unless a copy is asked for."""
        samples = self._batch._resolve().select(list(self._chosen))
        made = Batch._of_samples(samples.copied() if copy else samples)
        made._normalized = self._batch._normalized_by()
        return made


class SampleSlicer:
    """What `Batch.slice` gives: indexing inside every sample."""

    __slots__ = ("_batch",)

    def __init__(self, batch: Batch) -> None:
        self._batch = batch

    def __getitem__(self, ranges: Any) -> Batch:
        result: Batch = subscript(self._batch, ranges)
        return result
