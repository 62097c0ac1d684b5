"""Batch: samples of one dtype, rank and layout, whose shapes may differ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import EllipsisType
from typing import Any

from penstock._native import Samples
from penstock.dynamic.arithmetic import Arithmetic
from penstock.dynamic.tensor import Tensor
from penstock.dynamic.text import describe
from penstock.engine.invocation import Invocation
from penstock.interop.frameworks import to_torch
from penstock.values.samples import as_batch_array, padded
from penstock.values.spec import Spec

RAGGED = "The batch has a non-uniform shape. To convert it to a tensor, `pad` argument must be ``True``"


class Batch(Arithmetic):
    """A list of samples. Make one with `ndd.batch` or `ndd.as_batch`; readers and operators give them too."""

    __slots__ = ("_size", "_tensors")

    _size: int
    _tensors: dict[int, Tensor] | None

    def __init__(
        self, tensors: Any = None, dtype: Any = None, device: Any = None, layout: str | None = None, copy: bool = False
    ) -> None:
        from penstock.dynamic.construct import batch_samples

        if tensors is None:
            raise ValueError("a Batch is made from data: ndd.batch(samples) or ndd.as_batch(samples)")
        self._start(batch_samples(tensors, dtype, device, layout, copy=copy), None, 0, None)

    def _start(self, samples: Samples | None, call: Invocation | None, index: int, spec: Spec | None) -> None:
        super()._start(samples, call, index, spec)
        if samples is not None:
            self._size = len(samples)
        else:
            assert call is not None and call.batch_size is not None
            self._size = call.batch_size
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
        """The samples by index: ``batch.tensors[3]``, ``batch.tensors[1:4]``."""
        return TensorList(self, range(self._size))

    @property
    def slice(self) -> SampleSlicer:
        """The same part of every sample: ``batch.slice[0]``, ``batch.slice[1:3, :, 0]``; Batches index per sample."""
        return SampleSlicer(self)

    def select(self, sample_range: int | Sequence[int] | slice | EllipsisType) -> Tensor | Batch:
        """One sample as a Tensor, or the chosen samples as a Batch."""
        if sample_range is ...:
            return self
        chosen = self.tensors[sample_range]
        return chosen if isinstance(chosen, Tensor) else chosen.as_batch()

    def __iter__(self) -> Iterator[Tensor]:
        return (self._tensor(i) for i in range(self._size))

    def _tensor(self, i: int) -> Tensor:
        if self._tensors is None:
            self._tensors = {}
        found = self._tensors.get(i)
        if found is None:
            found = self._tensors[i] = Tensor._of_samples(self._resolve().select([i]))
        return found

    def __getitem__(self, index: Any) -> Any:
        raise TypeError(
            f"a Batch is not indexed directly, since [{index!r}] could mean two things: "
            f"batch.tensors[{index!r}] is a sample, batch.slice[{index!r}] is that part of every sample"
        )

    @staticmethod
    def broadcast(sample: Any, batch_size: int, device: Any = None, dtype: Any = None) -> Batch:
        """A batch that repeats one sample."""
        from penstock.dynamic.construct import tensor_samples

        if isinstance(sample, Batch):
            raise ValueError("Cannot broadcast a Batch")
        one = tensor_samples(sample, dtype, device, None, copy=False)
        return Batch._of_samples(one.select([0] * batch_size))

    def torch(self, copy: bool | None = None, pad: bool = False) -> Any:
        """A torch tensor with a leading batch axis.

        Args:
            copy: None copies only where the samples do not lie in one block; False refuses to; True always copies.
            pad: Fill smaller samples with zeros at their ends.
        """
        samples = self._resolve()
        if not len(samples):
            raise RuntimeError("an empty batch cannot become a tensor")
        if not samples.uniform:
            if not pad:
                raise ValueError(RAGGED)
            samples = padded(samples)
        if not samples.dense:
            if copy is False:
                raise ValueError("This batch cannot be converted to a tensor without a copy.")
            return to_torch(as_batch_array(samples), False, "Batch")
        return to_torch(samples.array(), bool(copy), "Batch")

    def __repr__(self) -> str:
        samples = self._resolve()
        data = [samples.sample(i) for i in range(len(samples))]
        return describe("Batch", data, self, f"num_samples={len(samples)},\n    shape={list(samples.shapes())}")


class TensorList:
    """Some or all samples of a batch, in a chosen order."""

    __slots__ = ("_batch", "_chosen")

    def __init__(self, batch: Batch, chosen: Sequence[int]) -> None:
        self._batch = batch
        self._chosen = chosen

    def __len__(self) -> int:
        return len(self._chosen)

    def __getitem__(self, selection: Any) -> Any:
        """A Tensor for an integer, a TensorList for a range or a list of indices."""
        if hasattr(selection, "__index__"):
            return self._batch._tensor(self._checked(selection.__index__()))
        if selection is ...:
            return self
        if isinstance(selection, slice):
            return TensorList(self._batch, self._chosen[selection])
        return TensorList(self._batch, [self._checked(int(i)) for i in selection])

    select = __getitem__

    def _checked(self, i: int) -> int:
        if not -len(self._chosen) <= i < len(self._chosen):
            raise IndexError(f"Index {i} is out of bounds for a batch of {len(self._chosen)} samples")
        return self._chosen[i]

    def __iter__(self) -> Iterator[Tensor]:
        return (self._batch._tensor(i) for i in self._chosen)

    def tolist(self) -> list[Tensor]:
        """The samples as a Python list."""
        return list(self)

    def as_batch(self, copy: bool = False) -> Batch:
        """The chosen samples as a Batch, over the same memory unless a copy is asked for."""
        from penstock.dynamic.construct import batch_samples

        chosen = Batch._of_samples(self._batch._resolve().select(list(self._chosen)))
        return Batch._of_samples(batch_samples(chosen, None, None, None, copy=True)) if copy else chosen


class SampleSlicer:
    """What `Batch.slice` gives: indexing inside every sample."""

    __slots__ = ("_batch",)

    def __init__(self, batch: Batch) -> None:
        self._batch = batch

    def __getitem__(self, ranges: Any) -> Batch:
        from penstock.dynamic.slicing import subscript

        result: Batch = subscript(self._batch, ranges)
        return result
