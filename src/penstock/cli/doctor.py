"""penstock doctor: what is installed and what this machine offers."""

from __future__ import annotations

import argparse
import importlib.metadata
import importlib.util
import platform
import sys

import cv2

import penstock
from penstock import _native
from penstock.engine import threads

HELP = "show versions, codecs, threads and accelerators"

_FRAMEWORKS = ("torch", "jax", "cupy", "numba")
_OPENCV_FORMATS = {
    "PNG": ".png", "BMP": ".bmp", "PNM": ".ppm", "TIFF": ".tiff", "WebP": ".webp", "JPEG 2000": ".jp2"
}  # fmt: skip


def arguments(parser: argparse.ArgumentParser) -> None:
    """There are none."""


def run(given: argparse.Namespace) -> int:
    """Prints one line per fact."""
    facts = {
        "penstock": penstock.__version__,
        "Python": f"{platform.python_version()} on {platform.system()} {platform.machine()}",
        "NumPy": importlib.metadata.version("numpy"),
        "OpenCV": cv2.__version__,
        "JPEG": f"libjpeg-turbo {_native.jpeg_turbo_version()}, in the native core",
        "other images": f"{', '.join(_opencv_formats())} through OpenCV",
        "threads": f"{threads.get_num_threads()} ({threads.origin()})",
        "SIMD": _native.simd(),
        "accelerator": _accelerator(),
        **{name: _version(name) for name in _FRAMEWORKS},
    }
    width = max(map(len, facts))
    for name, fact in facts.items():
        print(f"  {name:<{width}}  {fact}")
    return 0


def _opencv_formats() -> list[str]:
    return [name for name, ending in _OPENCV_FORMATS.items() if cv2.haveImageWriter(f"image{ending}")]


def _version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "not installed"


def _accelerator() -> str:
    """The device torch would use. A broken torch is something a doctor should name, not fail on."""
    if importlib.util.find_spec("torch") is None:
        return "none: they are reached through PyTorch, which is not installed"
    try:
        import torch
    except Exception as error:
        return f"none: importing torch failed with {type(error).__name__}: {error}"
    if torch.cuda.is_available():
        return f"{torch.cuda.get_device_name(0)}, {torch.cuda.device_count()} in all"
    others = [name for name in ("mps", "xpu") if _is_available(name)]
    return others[0] if others else "none found by PyTorch"


def _is_available(backend: str) -> bool:
    module = getattr(sys.modules["torch"], backend, None)
    return bool(module is not None and hasattr(module, "is_available") and module.is_available())
