"""What programs find as `nvidia.dali.backend`, `.backend_impl` and `.tensors`: the classes of pipeline outputs."""

from __future__ import annotations

import re
from typing import Any

import cv2

from penstock import tfrecord, types
from penstock.compat.dali.backend.registry import (
    GetSchemaAndTarget,
    RegisteredCPUOps,
    RegisteredGPUOps,
    RegisteredMixedOps,
)
from penstock.compat.dali.backend.runtime import (
    CUDAStreamSynchronize,
    DLDeviceType,
    ExternalContextCheckpoint,
    GetCUDACurrentDevice,
    GetCUDADeviceCount,
    GetCUDAStreamDevice,
    GetCudaVersion,
    GetCufftVersion,
    GetCxx11AbiFlag,
    GetDeviceBufferGrowthFactor,
    GetHostBufferGrowthFactor,
    GetHostBufferShrinkThreshold,
    GetNppVersion,
    GetNvimgcodecVersion,
    GetNvjpegVersion,
    Init,
    IsDriverInitialized,
    PreallocateDeviceMemory,
    PreallocatePinnedMemory,
    ReleaseUnusedMemory,
    RestrictPinnedMemUsage,
    SetBufferGrowthFactor,
    SetCUDACurrentDevice,
    SetDeviceBufferGrowthFactor,
    SetHostBufferGrowthFactor,
    SetHostBufferShrinkThreshold,
    Stream,
    check_cuda_runtime,
    cuda_checked,
    deprecation_warning,
    initialized,
)
from penstock.compat.dali.backend.schemas import GetSchema, OpSchema, TryGetSchema
from penstock.compat.dali.plugin_manager import load_directory, load_library
from penstock.pipeline.values.tensors import TensorCPU, TensorGPU, TensorListCPU, TensorListGPU

__all__ = [
    "CUDAStreamSynchronize",
    "CheckDLPackCapsule",
    "DLDeviceType",
    "ExternalContextCheckpoint",
    "GetCUDACurrentDevice",
    "GetCUDADeviceCount",
    "GetCUDAStreamDevice",
    "GetCudaVersion",
    "GetCufftVersion",
    "GetCxx11AbiFlag",
    "GetDeviceBufferGrowthFactor",
    "GetHostBufferGrowthFactor",
    "GetHostBufferShrinkThreshold",
    "GetNppVersion",
    "GetNvimgcodecVersion",
    "GetNvjpegVersion",
    "GetOpenCVVersion",
    "GetSchema",
    "GetSchemaAndTarget",
    "Init",
    "IsDriverInitialized",
    "LoadDefaultPlugins",
    "LoadDirectory",
    "LoadLibrary",
    "OpSchema",
    "PreallocateDeviceMemory",
    "PreallocatePinnedMemory",
    "RegisteredCPUOps",
    "RegisteredGPUOps",
    "RegisteredMixedOps",
    "ReleaseUnusedMemory",
    "RestrictPinnedMemUsage",
    "SetBufferGrowthFactor",
    "SetCUDACurrentDevice",
    "SetDeviceBufferGrowthFactor",
    "SetHostBufferGrowthFactor",
    "SetHostBufferShrinkThreshold",
    "Stream",
    "TensorCPU",
    "TensorGPU",
    "TensorListCPU",
    "TensorListGPU",
    "TryGetSchema",
    "check_cuda_runtime",
    "cuda_checked",
    "deprecation_warning",
    "initialized",
    "tfrecord",
    "types",
]

__cuda_version__ = 0  # there is nothing here that was built with CUDA


def GetOpenCVVersion() -> str:  # noqa: N802
    """The version of OpenCV, as "4.11.0"."""
    found = re.match(r"\d+\.\d+\.\d+", cv2.__version__)
    assert found is not None
    return found.group()


def CheckDLPackCapsule(capsule: Any) -> tuple[bool, bool]:  # noqa: N802
    """Whether an object is a DLPack capsule that nobody has taken, and whether its data is on a GPU."""
    is_capsule = type(capsule).__name__ == "PyCapsule" and '"dltensor"' in repr(capsule)
    return is_capsule, False


def LoadLibrary(lib_path: str, global_symbols: bool = False, allow_fail: bool = False) -> None:  # noqa: N802
    """Refuses a library of operators, as `plugin_manager.load_library` does; where it may fail, leaves it."""
    if not allow_fail:
        load_library(lib_path, global_symbols)


def LoadDirectory(dir_path: str, global_symbols: bool = False, allow_fail: bool = False) -> None:  # noqa: N802
    """Refuses the libraries of operators in a folder; where that may fail, leaves them."""
    if not allow_fail:
        load_directory(dir_path, global_symbols)


def LoadDefaultPlugins() -> None:  # noqa: N802
    """There are none."""
