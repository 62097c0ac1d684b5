"""What a program gives to a pipeline: arrays that become batches."""

from __future__ import annotations

from typing import Any, NamedTuple

from penstock._native import Samples
from penstock.interop.frameworks import is_array, to_numpy
from penstock.pipeline.values.tensors import TensorListCPU
from penstock.values.dtypes import DType
from penstock.values.samples import from_array, packed
from penstock.values.spec import spec_of


class Declared(NamedTuple):
    """What an output was said to be; None where nothing was said."""

    layout: str | None
    dtype: DType | None
    ndim: int | None

    def labelled(self, samples: Samples) -> Samples:
        spec = spec_of(samples)
        if self.dtype is not None and spec.dtype != self.dtype:
            raise RuntimeError(f"the external source was declared to give {self.dtype}, it gave {spec.dtype}")
        if self.ndim is not None and spec.ndim != self.ndim:
            raise RuntimeError(f"the external source was declared to give {self.ndim} axes, it gave {spec.ndim}")
        if self.layout is not None:
            if len(self.layout) != spec.ndim:
                raise RuntimeError(f'the layout "{self.layout}" does not fit samples of {spec.ndim} axes')
            samples.layout = self.layout
        return samples


def as_samples(data: Any) -> Samples:
    """A batch: an array with a leading batch axis, a list of arrays, or something that is a batch already.

    Arrays are copied: the program may write to them as soon as it has given them.
    """
    if isinstance(data, TensorListCPU):
        return data.as_cpu()._samples
    if is_array(data):
        return from_array(to_numpy(data)).copied()
    if not isinstance(data, (list, tuple)) or not data:
        raise TypeError(f"a batch is a list of arrays or an array with a leading batch axis, got {data!r:.80}")
    for each in data:
        if not is_array(each):
            raise RuntimeError(f"Don't know how to extract the shape out of {type(each)}")
    arrays = [to_numpy(each) for each in data]
    kinds = {(array.dtype, array.ndim) for array in arrays}
    if len(kinds) > 1:
        raise RuntimeError(f"the samples of a batch have one type and number of axes, got {sorted(map(str, kinds))}")
    return packed(arrays, DType.by_numpy[arrays[0].dtype].code)
