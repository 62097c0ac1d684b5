"""Batches from the arrays that a program feeds to a pipeline, or returns from a callback."""

from __future__ import annotations

from typing import Any, NamedTuple

from penstock._native import Samples
from penstock.interop.frameworks import is_array, to_numpy
from penstock.pipeline.values.tensor import TensorCPU
from penstock.pipeline.values.tensors import TensorListCPU, TensorListGPU
from penstock.values.dtypes import BY_CODE, DType
from penstock.values.samples import Array, arrays_of, from_array, packed


class DeclaredInput(NamedTuple):
    """Layout, type and rank that an output of an external source was declared to have; None where not declared."""

    layout: str | None
    dtype: DType | None
    ndim: int | None

    def check(self) -> None:
        """RuntimeError where the layout does not have as many axes as the rank."""
        if self.layout is not None and self.ndim is not None and len(self.layout) != self.ndim:
            raise RuntimeError(
                "Number of dimensions in the provided layout does not match the ndim argument. The arguments provided: "
                f'ndim = {self.ndim}, layout: "{self.layout}".'
            )

    def labelled(self, samples: Samples) -> Samples:
        """A batch with the declared layout; RuntimeError where its type or rank is not the declared one."""
        if self.dtype is not None and samples.code != self.dtype.code:
            given = BY_CODE[samples.code]
            raise RuntimeError(f"the external source was declared to give {self.dtype}, it gave {given}")
        if self.ndim is not None and samples.ndim != self.ndim:
            raise RuntimeError(f"the external source was declared to give {self.ndim} axes, it gave {samples.ndim}")
        return samples if self.layout is None else with_layout(samples, self.layout)


class BatchArrays(NamedTuple):
    """The samples of a batch, and their layout, which is empty where they have none."""

    arrays: list[Array]
    layout: str = ""


def with_layout(samples: Samples, layout: str) -> Samples:
    """The same samples with another layout."""
    if len(layout) != samples.ndim:
        raise RuntimeError(f"The layout '{layout}' cannot describe {samples.ndim}-dimensional data")
    return samples.relabelled(layout)


def as_samples(data: Any) -> Samples:
    """A batch from an array with a leading batch axis, a list of arrays, or a TensorListCPU.

    BatchArrays are copied: the program may write to them as soon as it has given them.
    """
    if isinstance(data, (TensorListCPU, TensorListGPU)):
        return data.as_cpu()._samples
    if is_array(data):
        return from_array(to_numpy(data)).copied()
    arrays, layout = data if isinstance(data, BatchArrays) else as_arrays(data)
    kinds = {(array.dtype, array.ndim) for array in arrays}
    if len(kinds) > 1:
        raise RuntimeError(f"the samples of a batch have one type and number of axes, got {sorted(map(str, kinds))}")
    samples = packed(arrays, DType.by_numpy[arrays[0].dtype].code)
    return samples.relabelled(layout) if layout else samples


def as_arrays(data: Any) -> BatchArrays:
    """The arrays of the samples of a batch, not copied."""
    if isinstance(data, (TensorListCPU, TensorListGPU)):
        return BatchArrays(arrays_of(data.as_cpu()._samples), data.layout())
    if is_array(data):
        return BatchArrays([*to_numpy(data)])
    if not isinstance(data, (list, tuple)) or not data:
        raise RuntimeError(f"a batch is a list of arrays or an array with a leading batch axis, got {data!r:.80}")
    for each in data:
        if not is_array(each):
            raise RuntimeError(f"Don't know how to extract the shape out of {type(each)}")
    layouts = [each.layout() for each in data if isinstance(each, TensorCPU)]
    return BatchArrays([to_numpy(each) for each in data], next(filter(None, layouts), ""))
