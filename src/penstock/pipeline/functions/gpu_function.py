"""Functions of the program's own on data of an accelerator: they are given tensors of torch, or arrays over them."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from penstock._native import Samples
from penstock.gpu.queue import queue
from penstock.gpu.samples import GpuSamples, upload
from penstock.gpu.types import as_torch, dtype_of, torch_device

if TYPE_CHECKING:
    import torch

# Calls a function with columns of samples, and has what it returns converted.
Call = Callable[[Sequence[list[Any]], Callable[[Any], Any]], list[list[Any]]]


def call_on_gpu(call: Call, batches: Sequence[Samples], n: int, takes_arrays: bool) -> list[Samples]:
    """The results of a function of the samples, which are its own: arrays where it takes such, else tensors."""
    device = next(batch.device for batch in batches if batch.elsewhere)
    with queue(device), _arrays_in_order(takes_arrays, device):
        columns = []
        for batch in batches:
            tensors = upload(batch, device).tensors()
            own = [tensor.clone() for tensor in (tensors * n if len(tensors) == 1 else tensors)]
            columns.append([*map(_array_over, own)] if takes_arrays else own)
        made = call(columns, lambda value: _tensor_of(value, torch_device(device)))
        return [GpuSamples.of_tensors(column, device) for column in made]


@contextmanager
def _arrays_in_order(takes_arrays: bool, device: int) -> Iterator[None]:
    """Has CuPy put its work into the stream that torch does, where a function takes its arrays."""
    if not takes_arrays or torch_device(device).type == "cpu":
        yield
        return
    import torch

    cuda: Any = torch.cuda
    with _cupy(torch_device(device)).cuda.ExternalStream(cuda.current_stream(device).cuda_stream, device):
        yield


def _array_over(tensor: torch.Tensor) -> Any:
    """An array over a tensor: CuPy's, and NumPy's where torch's CPU device stands in for a GPU."""
    return tensor.numpy() if tensor.device.type == "cpu" else _cupy(tensor.device).from_dlpack(tensor)


def _cupy(device: torch.device) -> Any:
    try:
        return importlib.import_module("cupy")
    except ImportError:
        raise RuntimeError(
            f"python_function takes data of {device} as arrays of CuPy, which is not installed; "
            "plugin.pytorch.fn.torch_python_function takes tensors"
        ) from None


def _tensor_of(value: Any, device: torch.device) -> torch.Tensor:
    """What a function returned for a sample, as a tensor on the device."""
    import torch

    if isinstance(value, (bool, int, float, np.generic)):
        return torch.as_tensor(np.asarray(value), device=device)
    if isinstance(value, np.ndarray):
        value = as_torch(value)
    elif not isinstance(value, torch.Tensor):
        if not hasattr(value, "__dlpack__") and type(value).__name__ != "PyCapsule":
            raise TypeError(f"the function returns arrays, got a {type(value).__name__}")
        read: Any = getattr(torch, "from_dlpack")  # noqa: B009 - torch does not export it by name
        value = read(value)
    if value.device.type != device.type:
        raise TypeError(f"the function was given data on {device} and returned some on {value.device}; move it back")
    made: torch.Tensor = value.detach().contiguous()
    dtype_of(made)  # refuses types that there are no batches of
    return made
