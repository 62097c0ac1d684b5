"""TensorCPU and TensorGPU: one sample among the outputs of a pipeline. What they have in common with lists of them."""

from __future__ import annotations

import ctypes
import operator
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from penstock._native import Samples
from penstock.gpu.samples import upload
from penstock.interop.frameworks import (
    as_asked,
    cuda_array_interface,
    is_array,
    is_capsule,
    samples_to_torch,
    to_dlpack,
    to_numpy,
    torch_dlpack,
)
from penstock.values.accelerator import CPU, accelerator, missing
from penstock.values.device import Device
from penstock.values.dtypes import BY_CODE
from penstock.values.enums import DataType
from penstock.values.kept_samples import KeptSample
from penstock.values.samples import arrays_of, moved
from penstock.values.text import sample_text

if TYPE_CHECKING:
    from typing_extensions import Self

Array = np.ndarray[Any, Any]


class OutputSamples:
    """What outputs and samples among them have in common: samples, seen with an element type and a layout.

    Samples may be shared with others, so a change of how they are seen makes a new view of the same memory.
    """

    __slots__ = ("__weakref__", "_samples")

    _samples: Samples

    @classmethod
    def _of_samples(cls, samples: Samples) -> Self:
        made = cls.__new__(cls)
        made._samples = samples
        return made

    @property
    def dtype(self) -> DataType:
        """Element type."""
        return DataType(self._samples.code)

    def layout(self) -> str:
        """What the axes of a sample mean, e.g. "HWC"; empty where nobody said."""
        return self._samples.layout

    def ndim(self) -> int:
        """Number of axes of a sample."""
        return self._samples.ndim

    def set_layout(self, layout: str | None) -> None:
        """Gives the axes of a sample other names; None takes them away."""
        if layout is not None and not isinstance(layout, str):
            raise TypeError(f"a layout is a string or None, got {type(layout).__name__}")
        if layout and len(layout) != self.ndim():
            raise ValueError(
                f"A non-empty layout must have the same number of dimensions as the data: "
                f'"{layout}" names {len(layout)}, the data has {self.ndim()}'
            )
        self._samples = self._samples.relabelled(layout or "")

    def reinterpret(self, new_type: DataType) -> None:
        """Sees the same bytes as elements of another type of the same size."""
        if not isinstance(new_type, DataType):
            raise TypeError(f"the new type is a member of types.DALIDataType, got {new_type!r}")
        now, new = BY_CODE[self._samples.code], BY_CODE.get(new_type)
        if new is None or new.bytes != now.bytes:
            raise RuntimeError(
                f"Cannot reinterpret the tensor as having a different element size: {new_type.name} in place of "
                f"{self.dtype.name}, which has {now.bytes} bytes"
            )
        if len(self._samples):
            self._samples = self._samples.reshaped(self._samples.shapes(), self._samples.layout, new.code)
        else:
            self._samples = Samples.empty(new.code, 0, [0] * self.ndim()).relabelled(self._samples.layout)

    def copy_to_external(self, ptr: ctypes.c_void_p | int, *_: Any, **__: Any) -> None:
        """Copies the elements, sample after sample, to an address in host memory that has room for all of them."""
        address = ptr.value if isinstance(ptr, ctypes.c_void_p) else ptr
        if address is not None and not isinstance(address, int):
            raise TypeError(f"an address is a ctypes.c_void_p or an int, got {type(ptr).__name__}")
        if not address:
            raise ValueError("cannot copy to a null pointer")
        samples = self._samples.host()
        for array in [samples.array()] if samples.dense else arrays_of(samples):
            ctypes.memmove(address, array.ctypes.data, array.nbytes)
            address += array.nbytes

    def __reduce__(self) -> NoReturn:
        raise TypeError(f"cannot pickle '{type(self).__name__}' object; pickle its data as NumPy arrays")


class OneSample(OutputSamples, KeptSample):
    """What TensorCPU and TensorGPU have in common."""

    __slots__ = ()

    @classmethod
    def _of_sample(cls, samples: Samples, i: int) -> Self:
        return cls._of_samples(samples.select([i]))

    def _array(self) -> Array:
        return self._samples.sample(0)

    def shape(self) -> list[int]:
        """Extent of every axis."""
        return list(self._samples.shape(0))

    def data_ptr(self) -> int:
        """Address of the first element."""
        return self._array().ctypes.data

    def squeeze(self, dim: int | None = None) -> bool:
        """Drops an axis of one element, or all of them; tells whether there was one."""
        shape, layout = self.shape(), self.layout()
        if dim is None:
            dropped = {axis for axis, extent in enumerate(shape) if extent == 1}
        elif not -len(shape) <= operator.index(dim) < len(shape):
            raise RuntimeError(f"axis {dim} is out of bound for a tensor with {len(shape)} dimensions")
        else:
            dropped = {dim % len(shape)} if shape[dim] == 1 else set()
        kept = [axis for axis in range(len(shape)) if axis not in dropped]
        names = "".join(layout[axis] for axis in kept) if layout else ""
        self._samples = self._samples.reshaped([[shape[axis] for axis in kept]], names)
        return bool(dropped)

    def source_info(self) -> str:
        """Where the sample came from, e.g. a path; empty where that is not known."""
        return (self._samples.sources or [""])[0]

    def get_property(self, name: str) -> str | None:
        """The property "layout" or "source_info"; None where the tensor has none."""
        found = {"layout": self.layout, "source_info": self.source_info}.get(name)
        return (found() or None) if found else None

    def __dlpack__(
        self,
        stream: Any = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        """A DLPack capsule over the data, not copied unless `copy` asks for it. Host memory needs no stream."""
        if self._samples.elsewhere:
            tensor = samples_to_torch(self._samples, False, type(self).__name__)[0]
            return torch_dlpack(tensor, stream, max_version, dl_device, copy)
        return to_dlpack(self._array(), max_version, dl_device, copy)

    def __dlpack_device__(self) -> tuple[int, int]:
        """The DLPack device: (1, 0) is host memory."""
        if self._samples.elsewhere:
            kind, number = samples_to_torch(self._samples, False, type(self).__name__).__dlpack_device__()
            return int(kind), int(number)
        return (1, 0)

    def __str__(self) -> str:
        return sample_text(type(self).__name__, self._samples, self.dtype)

    def __repr__(self) -> str:
        return sample_text(type(self).__name__, self._samples, self.dtype, data=False)


class TensorCPU(OneSample):
    """One sample in host memory, over the memory of an array or of what has a DLPack capsule.

    Args:
        b: The data: an array, a buffer, a DLPack capsule or an object that gives one.
        layout: What the axes mean.
        is_pinned: Whether the memory is page-locked for a GPU.
    """

    __slots__ = ()

    def __init__(self, b: Any, layout: str | None = None, is_pinned: bool = False) -> None:
        refuse_pinned(is_pinned)
        self._samples = one_sample(b)
        if layout:
            self.set_layout(layout)

    def as_cpu(self) -> TensorCPU:
        """Itself: the data is in host memory."""
        return self

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        """A NumPy view of the data, not copied unless dtype or copy ask for it."""
        return as_asked(self._array(), dtype, copy)

    @property
    def __array_struct__(self) -> Any:
        """As `__array_interface__`, which NumPy reads only if this is missing: it takes twice as long."""
        return self._array().__array_struct__

    @property
    def __array_interface__(self) -> dict[str, Any]:
        """Address, shape and element type, for whoever makes a view of the data."""
        return self._array().__array_interface__


class TensorGPU(OneSample):
    """One sample in the memory of a GPU.

    Args:
        b: The data: another one, or where the CPU stands in for a GPU whatever a `TensorCPU` is made from.
        layout: What the axes mean.
    """

    __slots__ = ()

    def __init__(self, b: Any, layout: str | None = None) -> None:
        self._samples = b._samples if isinstance(b, TensorGPU) else to_gpu(one_sample(b), "TensorGPU")
        if layout:
            self.set_layout(layout)

    def as_cpu(self) -> TensorCPU:
        """A copy in host memory."""
        return TensorCPU._of_samples(moved(self._samples, CPU))

    def device_id(self) -> int:
        """The number of the GPU."""
        return self._samples.device

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return cuda_array_interface(self._samples, "TensorGPU")


def to_gpu(samples: Samples, what: str) -> Samples:
    """Data that a program hands over as that of a GPU."""
    if not accelerator().count:
        raise RuntimeError(f"{what} needs a GPU: {missing()}")
    if samples.device != CPU:
        return samples
    number = Device("gpu").number
    return moved(samples, number) if accelerator().runs_on_host else upload(samples, number)


def refuse_pinned(is_pinned: bool) -> None:
    """Only memory that CUDA locked is pinned."""
    if is_pinned:
        raise RuntimeError("pinned memory needs a GPU; leave is_pinned out")


def one_sample(data: Any) -> Samples:
    """The data as a batch of one, over its own memory where that can be."""
    if isinstance(data, OneSample):
        return data._samples
    array = to_numpy(data if is_array(data) or is_capsule(data) else _buffer(data))
    samples = Samples.wrap_one(array)
    samples.external, samples.read_only = True, not array.flags.writeable
    return samples


def _buffer(data: Any) -> Array:
    try:
        return np.asarray(memoryview(data))
    except TypeError:
        kind = type(data).__name__
        raise TypeError(f"a tensor is made from an array, a buffer or a DLPack capsule, got {kind}") from None
