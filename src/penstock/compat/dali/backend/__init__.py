"""What programs find as `nvidia.dali.backend`, `.backend_impl` and `.tensors`: the classes of pipeline outputs."""

from __future__ import annotations

import re
from typing import Any

import cv2

from penstock import tfrecord, types
from penstock.compat.dali.backend.schemas import GetSchema, OpSchema, TryGetSchema
from penstock.pipeline.values.tensors import TensorCPU, TensorGPU, TensorListCPU, TensorListGPU

__all__ = [
    "CheckDLPackCapsule",
    "GetCUDADeviceCount",
    "GetOpenCVVersion",
    "GetSchema",
    "OpSchema",
    "TensorCPU",
    "TensorGPU",
    "TensorListCPU",
    "TensorListGPU",
    "TryGetSchema",
    "tfrecord",
    "types",
]

__cuda_version__ = 0  # there is nothing here that was built with CUDA


def GetCUDADeviceCount() -> int:  # noqa: N802
    """How many GPUs can be used through CUDA itself: none."""
    return 0


def GetOpenCVVersion() -> str:  # noqa: N802
    """The version of OpenCV, as "4.11.0"."""
    found = re.match(r"\d+\.\d+\.\d+", cv2.__version__)
    assert found is not None
    return found.group()


def CheckDLPackCapsule(capsule: Any) -> tuple[bool, bool]:  # noqa: N802
    """Whether an object is a DLPack capsule that nobody has taken, and whether its data is on a GPU."""
    is_capsule = type(capsule).__name__ == "PyCapsule" and '"dltensor"' in repr(capsule)
    return is_capsule, False
