"""Arrays of other frameworks to NumPy, and NumPy to torch, sharing memory where both sides can."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


def to_torch(array: Array, copy: bool, what: str) -> Any:
    """A torch tensor over the array's memory."""
    try:
        import torch
    except ImportError:
        raise RuntimeError(f"{what}.torch() requires PyTorch to be installed. pip install penstock[torch]") from None
    made = torch.from_numpy(array)
    return made.clone() if copy else made


def is_array(data: Any) -> bool:
    """Whether `data` is array data with an element type of its own."""
    return isinstance(data, (np.ndarray, np.generic)) or hasattr(data, "__dlpack__") or hasattr(data, "__array__")


def to_numpy(data: Any) -> Array:
    """Array data of any framework as NumPy, not copied where that can be avoided."""
    if isinstance(data, np.ndarray):
        return data
    if isinstance(data, np.generic):
        return np.asarray(data)
    if type(data).__module__.startswith("torch"):
        return _from_torch(data)
    if hasattr(data, "__dlpack__"):
        try:
            return np.from_dlpack(data)
        except (BufferError, TypeError, ValueError, RuntimeError):
            pass  # read-only exporters, such as JAX for some types, still have __array__
    return np.asarray(data)


def _from_torch(data: Any) -> Array:
    if data.requires_grad:
        raise RuntimeError("Can't export tensors that require gradient, use tensor.detach()")
    if data.device.type != "cpu":
        raise RuntimeError(f"the torch tensor is on {data.device}; move it with .cpu() first")
    if not data.is_contiguous():
        raise RuntimeError("Strided data not supported; call .contiguous() on the torch tensor first")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            array: Array = data.numpy()
    except TypeError as error:
        raise RuntimeError(f"torch dtype {data.dtype} has no counterpart here: {error}") from None
    return array
