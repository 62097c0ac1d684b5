"""What programs find in `nvidia.dali.types` for telling kinds of values apart."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from penstock.values.constants import ScalarConstant

__all__ = ["_is_cupy_array", "_is_numpy_array", "_is_scalar_value", "_is_torch_tensor"]


def _is_numpy_array(value: Any) -> bool:
    return isinstance(value, (np.ndarray, np.generic))


def _is_torch_tensor(value: Any) -> bool:
    return _is_of("torch", "Tensor", value)


def _is_cupy_array(value: Any) -> bool:
    return _is_of("cupy", "ndarray", value)


def _is_scalar_value(value: Any) -> bool:
    """Whether an operand of nodes is one number."""
    if isinstance(value, (bool, int, float, ScalarConstant)):
        return True
    return _is_numpy_array(value) and value.shape in ((), (1,))


def _raw_cuda_stream(stream: Any) -> Any:
    """The address of a stream of another library; others are taken for addresses."""
    for name in ("cuda_stream", "_as_parameter_", "ptr"):
        if hasattr(stream, name):
            return getattr(stream, name)
    return stream


def _raw_cuda_stream_ptr(stream: Any) -> ctypes.c_void_p | None:
    """The same, as a pointer."""
    address = _raw_cuda_stream(stream)
    return None if address is None else ctypes.c_void_p(getattr(address, "value", address))


def _is_of(library: str, name: str, value: Any) -> bool:
    """Without importing the library, which must be loaded where there is a value of it."""
    return any(kind.__name__ == name and kind.__module__.partition(".")[0] == library for kind in type(value).__mro__)
