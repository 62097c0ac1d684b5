"""Arrays of other frameworks to NumPy, and NumPy to torch, sharing memory where both sides can."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock._native import Samples
from penstock.values.accelerator import accelerator

Array = np.ndarray[Any, Any]

_DLPACK_CPU = 1
_DLPACK_HOST = (_DLPACK_CPU, 3)  # and what is pinned for a GPU
_UINT64 = np.dtype(np.uint64)
STRIDED = "Strided data not supported; make it contiguous first, e.g. with numpy.ascontiguousarray"


def to_torch(array: Array, copy: bool, what: str) -> Any:
    """A torch tensor over the array's memory, or over a copy."""
    try:
        import torch
    except ImportError:
        raise RuntimeError(f"{what}.torch() requires PyTorch to be installed. pip install penstock[torch]") from None
    if not array.flags.writeable:
        array, copy = array.copy(), False
    # NumPy has two types of 64 unsigned bits, torch knows only the one it calls uint64.
    made = torch.from_numpy(array.view(_UINT64) if array.dtype == _UINT64 else array)
    return made.clone() if copy else made


def is_on_accelerator(data: Any) -> bool:
    """Whether data of another framework is in the memory of an accelerator that Penstock uses."""
    if isinstance(data, np.ndarray):
        return False
    if not hasattr(data, "__dlpack_device__"):
        return hasattr(data, "__cuda_array_interface__") and has_cuda()
    if type(data).__module__.partition(".")[0] == "torch":
        there = accelerator()
        return there.kind == "torch" and bool(data.device.type == there.torch_type)
    return int(data.__dlpack_device__()[0]) not in _DLPACK_HOST and accelerator().kind == "torch"


def samples_to_torch(samples: Samples, copy: bool, what: str) -> Any:
    """A torch tensor over dense samples, with a leading axis, or over a copy; where they are, on an accelerator too."""
    if not samples.elsewhere:
        return to_torch(samples.array(), copy, what)
    on_accelerator: Any = samples  # a `penstock.gpu.samples.GpuSamples`
    made = on_accelerator.torch()
    return made.clone() if copy else made


def has_cuda() -> bool:
    """Whether the accelerator is one of CUDA's, or says so as ROCm's do."""
    return accelerator().kind == "torch" and accelerator().torch_type == "cuda"


def cuda_array_interface(samples: Samples, what: str) -> dict[str, Any]:
    """Where the first sample lies, and the stream to wait for: torch's current one, which waits for what makes it."""
    if not samples.elsewhere or not has_cuda():
        raise AttributeError(f"There is no CUDA array interface: {accelerator().found}")
    import torch

    tensor = samples_to_torch(samples, False, what)[0]
    stream = torch.cuda.current_stream(tensor.device).cuda_stream
    return {**tensor.__cuda_array_interface__, "version": 3, "stream": stream or 1}  # 1 is CUDA's default stream


def torch_dlpack(tensor: Any, stream: Any, max_version: Any, dl_device: Any, copy: bool | None) -> Any:
    """A DLPack capsule of torch's."""
    asked = {"stream": stream, "max_version": max_version, "dl_device": dl_device, "copy": copy}
    return tensor.__dlpack__(**{name: value for name, value in asked.items() if value is not None})


def as_asked(array: Array, dtype: Any, copy: bool | None) -> Array:
    """What `__array__` gives: the array itself unless another type or a copy is asked for."""
    if dtype is not None and np.dtype(dtype) != array.dtype:
        if copy is False:
            raise ValueError("Unable to avoid copy while creating an array as requested.")
        return array.astype(dtype)
    return array.copy() if copy else array


def to_dlpack(array: Array, max_version: tuple[int, int] | None, dl_device: Any, copy: bool | None) -> Any:
    """A DLPack capsule over the array's memory, or over a copy."""
    if dl_device is not None and tuple(map(int, dl_device)) != (_DLPACK_CPU, 0):
        raise BufferError(f"the data is in host memory, DLPack device ({_DLPACK_CPU}, 0); {dl_device} is not")
    if copy:
        array = array.copy()
    # NumPy before 2.1 knows no versions, and a consumer must take a capsule without one.
    return array.__dlpack__() if max_version is None or not _VERSIONED else array.__dlpack__(max_version=max_version)


_VERSIONED = np.lib.NumpyVersion(np.__version__) >= "2.1.0"


def is_array(data: Any) -> bool:
    """Whether `data` is array data with an element type of its own."""
    return isinstance(data, (np.ndarray, np.generic)) or hasattr(data, "__dlpack__") or hasattr(data, "__array__")


def to_numpy(data: Any) -> Array:
    """Array data of any framework as NumPy: contiguous, aligned, in native byte order; copied only where it must be.

    The array is read-only where the framework's arrays are.
    """
    array = data if isinstance(data, np.ndarray) else _viewed(data)
    if array.dtype.kind not in "biuf" or array.dtype.itemsize > 8:
        kind = ValueError if array.dtype.kind in "mM" else RuntimeError  # NumPy's own error for sharing dates
        raise kind(f"element type {array.dtype} is not supported")
    if not array.flags.c_contiguous:
        raise RuntimeError(STRIDED)
    if array.dtype.isnative and array.flags.aligned:
        return array
    return array.astype(array.dtype.newbyteorder("="))


class _Capsule:
    """A bare DLPack capsule as an object that hands it out. Whoever takes it reads the device inside."""

    def __init__(self, capsule: object) -> None:
        self._capsule = capsule

    def __dlpack__(self, **_: Any) -> Any:
        return self._capsule

    def __dlpack_device__(self) -> tuple[int, int]:
        return (_DLPACK_CPU, 0)


def is_capsule(data: object) -> bool:
    """Whether `data` is what some `__dlpack__` returned."""
    return type(data).__name__ == "PyCapsule"


def _viewed(data: Any) -> Array:
    if is_capsule(data):
        return np.from_dlpack(_Capsule(data))
    if type(data).__module__.partition(".")[0] == "torch":
        return _from_torch(data)
    if hasattr(data, "__dlpack_device__"):
        kind, number = data.__dlpack_device__()
        if int(kind) != _DLPACK_CPU:
            raise RuntimeError(
                f"the data is on an accelerator, DLPack device ({int(kind)}, {number}); move it to the CPU first"
            )
        try:
            return np.from_dlpack(data)
        except (BufferError, TypeError, ValueError, RuntimeError):
            pass  # NumPy has no such type, or the exporter no capsule for it; __array__ may still know a way
    return np.asarray(data)


def _from_torch(data: Any) -> Array:
    if data.requires_grad:
        raise RuntimeError("Can't call numpy() on Tensor that requires grad. Use tensor.detach() first")
    if data.device.type != "cpu":
        raise RuntimeError(f"the torch tensor is on {data.device}; move it with .cpu() first")
    try:
        array: Array = data.numpy()
    except TypeError as error:
        raise RuntimeError(f"torch dtype {data.dtype} has no counterpart here: {error}") from None
    return array
