"""What torch calls element types and devices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from penstock.values.accelerator import accelerator
from penstock.values.dtypes import BY_CODE, DType

if TYPE_CHECKING:
    import torch


def torch_dtype(code: int) -> torch.dtype:
    """What torch calls the elements with that code; members of enumerations are kept as int32."""
    import torch

    found: torch.dtype = getattr(torch, np.dtype(BY_CODE[code].storage).name)
    return found


def dtype_of(tensor: torch.Tensor) -> DType:
    """The element type of a tensor."""
    return DType.by_numpy[np.dtype(str(tensor.dtype).removeprefix("torch."))]


def widest_float(tensor: torch.Tensor) -> torch.dtype:
    """Double precision, where the device of a tensor has it."""
    import torch

    return torch.float32 if tensor.device.type == "mps" else torch.float64


def beside(array: np.ndarray[Any, Any], tensor: torch.Tensor) -> torch.Tensor:
    """A copy of an array on the device of a tensor."""
    # CUDA and XPU have read pageable memory when the call returns, older versions of torch have not with MPS.
    return as_torch(np.array(array)).to(tensor.device, non_blocking=tensor.device.type != "mps")


def as_torch(array: np.ndarray[Any, Any]) -> torch.Tensor:
    """A tensor over an array's memory, or over a copy of what must not be written to."""
    import torch

    if array.dtype == np.uint64:  # NumPy has two types of 64 unsigned bits, torch knows only the one it calls uint64
        array = array.view(np.uint64)
    return torch.from_numpy(array if array.flags.writeable else array.copy())


def widest_real(tensor: torch.Tensor) -> torch.dtype:
    """Double precision, where the device of a tensor has it: Apple's does not."""
    import torch

    return torch.float32 if tensor.device.type == "mps" else torch.float64


def torch_device(number: int) -> torch.device:
    """What torch calls a device."""
    import torch

    kind = accelerator().torch_type
    return torch.device("cpu") if kind == "cpu" else torch.device(kind, number)
