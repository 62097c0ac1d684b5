"""What programs find as `nvidia.dali.python_function_plugin`: arrays as DLPack capsules, for functions in pipelines."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["ArrayToDLTensor", "DLTensorToArray", "current_dali_stream"]


class _Holder:
    """A capsule as an object that NumPy takes data from."""

    def __init__(self, capsule: Any) -> None:
        self._capsule = capsule

    def __dlpack__(self, **options: Any) -> Any:
        return self._capsule

    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0


def ArrayToDLTensor(array: np.ndarray[Any, Any]) -> Any:  # noqa: N802
    """A capsule over the memory of an array."""
    return array.__dlpack__()


def DLTensorToArray(capsule: Any) -> np.ndarray[Any, Any]:  # noqa: N802
    """An array over the memory of a capsule, which is taken."""
    return np.from_dlpack(_Holder(capsule))


def current_dali_stream() -> int:
    """The address of the stream that operators of a GPU run in: there is none."""
    return 0
