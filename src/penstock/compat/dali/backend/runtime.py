"""What `nvidia.dali.backend` tells about memory, CUDA and libraries. There is no CUDA of its own here."""

from __future__ import annotations

import enum
import warnings
from typing import Any, NoReturn

from penstock import _native
from penstock.gpu import pinned

_NO_CUDA = "there is no CUDA runtime here: the CPU's own kernels, or torch's accelerator, do the work"
_GROWTH = (1.0, 4.0)
_settings = {"host growth": 1.1, "device growth": 1.1, "host shrink": 0.5}

initialized = True
cuda_checked = False


DLDeviceType = enum.IntEnum(
    "DLDeviceType",
    {
        "kDLCPU": 1, "kDLCUDA": 2, "kDLCUDAHost": 3, "kDLOpenCL": 4, "kDLVulkan": 7, "kDLMetal": 8, "kDLVPI": 9,
        "kDLROCM": 10, "kDLROCMHost": 11, "kDLExtDev": 12, "kDLCUDAManaged": 13, "kDLOneAPI": 14, "kDLWebGPU": 15,
        "kDLHexagon": 16, "kDLMAIA": 17,
    },
)  # fmt: skip


class Stream:
    """A stream of CUDA, which cannot be made here."""

    def __init__(self, device_id: int | None) -> None:
        raise RuntimeError(_NO_CUDA)


class ExternalContextCheckpoint:
    """What iterators and pipelines keep with a checkpoint."""

    def __init__(self) -> None:
        self.iterator_data = ""
        self.pipeline_data = ""


def Init(*backends: Any) -> None:  # noqa: N802
    """Nothing is left to be done."""


def GetCUDADeviceCount() -> int:  # noqa: N802
    """How many GPUs can be used through CUDA itself: none."""
    return 0


def IsDriverInitialized() -> bool:  # noqa: N802
    return False


def GetCudaVersion() -> int:  # noqa: N802
    """0: nothing here was built with CUDA."""
    return 0


def GetCufftVersion() -> int:  # noqa: N802
    """-1: the library is not used."""
    return -1


def GetNppVersion() -> int:  # noqa: N802
    """-1: the library is not used."""
    return -1


def GetNvjpegVersion() -> int:  # noqa: N802
    """-1: the library is not used."""
    return -1


def GetNvimgcodecVersion() -> int:  # noqa: N802
    """-1: the library is not used."""
    return -1


def GetCxx11AbiFlag() -> int:  # noqa: N802
    """1: the core is built with the newer names of the C++ library."""
    return 1


def check_cuda_runtime() -> None:
    """Warns where CUDA is missing that would be used. None would be."""


def deprecation_warning(what: Any) -> None:
    """Warns of something outdated."""
    warnings.warn(what, Warning, stacklevel=2)


def GetCUDACurrentDevice() -> NoReturn:  # noqa: N802
    raise RuntimeError(_NO_CUDA)


def SetCUDACurrentDevice(device_id: int) -> NoReturn:  # noqa: N802
    raise RuntimeError(_NO_CUDA)


def GetCUDAStreamDevice(stream: Any) -> NoReturn:  # noqa: N802
    raise RuntimeError(_NO_CUDA)


def CUDAStreamSynchronize(stream: Any) -> NoReturn:  # noqa: N802
    raise RuntimeError(_NO_CUDA)


def PreallocateDeviceMemory(bytes: int, device_id: int) -> NoReturn:  # noqa: N802
    raise RuntimeError(_NO_CUDA)


def PreallocatePinnedMemory(bytes: int) -> NoReturn:  # noqa: N802
    raise RuntimeError(_NO_CUDA)


def RestrictPinnedMemUsage() -> bool:  # noqa: N802
    """Whether memory is kept from being pinned. There is none that is."""
    return False


def ReleaseUnusedMemory() -> None:  # noqa: N802
    """Gives memory back to the system that is kept for the next batches."""
    _native.trim_arena()
    pinned.trim()


def GetHostBufferGrowthFactor() -> float:  # noqa: N802
    return _settings["host growth"]


def GetDeviceBufferGrowthFactor() -> float:  # noqa: N802
    return _settings["device growth"]


def GetHostBufferShrinkThreshold() -> float:  # noqa: N802
    return _settings["host shrink"]


def SetHostBufferGrowthFactor(factor: float) -> None:  # noqa: N802
    """Keeps the factor to tell it again: buffers are as large as their samples here."""
    _settings["host growth"] = _checked_growth(factor)


def SetDeviceBufferGrowthFactor(factor: float) -> None:  # noqa: N802
    """As for host memory."""
    _settings["device growth"] = _checked_growth(factor)


def SetBufferGrowthFactor(factor: float) -> None:  # noqa: N802
    """Both factors."""
    _settings["host growth"] = _settings["device growth"] = _checked_growth(factor)


def SetHostBufferShrinkThreshold(threshold: float) -> None:  # noqa: N802
    """Keeps the threshold to tell it again."""
    if not 0 <= threshold <= 1:
        raise ValueError("Shrink threshold must be between 0 (never shrink) and 1 (always shrink).")
    _settings["host shrink"] = float(threshold)


def _checked_growth(factor: float) -> float:
    if not _GROWTH[0] <= factor <= _GROWTH[1]:
        raise ValueError("Growth factor must be between 1 and 4.")
    return float(factor)
