"""What programs find as `nvidia.dali.python_function_plugin`: arrays as DLPack capsules, for functions in pipelines."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock.pipeline.functions.python_function import Capsule

__all__ = ["ArrayToDLTensor", "DLTensorToArray", "current_dali_stream"]


def ArrayToDLTensor(array: np.ndarray[Any, Any]) -> Any:  # noqa: N802
    """A capsule over the memory of an array."""
    return array.__dlpack__()


def DLTensorToArray(capsule: Any) -> np.ndarray[Any, Any]:  # noqa: N802
    """An array over the memory of a capsule, which is taken."""
    return np.from_dlpack(Capsule(capsule))


def current_dali_stream() -> int:
    """The address of the stream that operators of a GPU run in: there is none."""
    return 0
