"""penstock doctor: what is installed and what this machine offers."""

from __future__ import annotations

import argparse
import platform
import sys
import sysconfig
from importlib.metadata import PackageNotFoundError, version

import cv2

import penstock
from penstock import _native
from penstock.engine import threads
from penstock.ops.decode import opencv
from penstock.values.accelerator import STAND_IN, accelerator

HELP = "show versions, codecs, threads, accelerators and optional packages"

# Packages that parts of the library use where they are installed, and the extra that installs each, if there is one.
_OPTIONAL = {
    "torch": "torch",
    "torchdata": "torchdata",
    "pillow": "torchvision",
    "jax": "jax",
    "numba": "numba",
    "cupy": None,
    "ray": None,
    "soundfile": "audio",
    "av": "video",
    "pyarrow": "parquet",
    "datasets": "huggingface",
    "astropy": "fits",
    "lmdb": None,
    "fsspec": "remote",
    "aiohttp": "remote",
    "s3fs": "s3",
    "gcsfs": "gs",
    "nvidia-nvimgcodec-cu12": "cuda",
}
_OPENCV_FORMATS = {
    "PNG": ".png", "BMP": ".bmp", "PNM": ".ppm", "TIFF": ".tiff", "WebP": ".webp", "JPEG 2000": ".jp2"
}  # fmt: skip


def arguments(parser: argparse.ArgumentParser) -> None:
    """There are none."""


def run(given: argparse.Namespace) -> int:
    """Prints one line per fact."""
    facts = {
        "penstock": penstock.__version__,
        "Python": f"{platform.python_version()}{_gil()} on {platform.system()} {platform.machine()}",
        "NumPy": version("numpy"),
        "OpenCV": cv2.__version__,
        "JPEG": _jpeg(),
        "other images": f"{', '.join(_opencv_formats())} through OpenCV",
        "threads": f"{threads.get_num_threads()} ({threads.origin()})",
        "SIMD": _native.simd(),
        "accelerator": _accelerator(),
        **{name: _version(name, extra) for name, extra in _OPTIONAL.items()},
    }
    width = max(map(len, facts))
    for name, fact in facts.items():
        print(f"  {name:<{width}}  {fact}")
    return 0


def _gil() -> str:
    """What there is to tell of a Python that was built without a GIL, which some modules have it turn on."""
    if not sysconfig.get_config_var("Py_GIL_DISABLED"):
        return ""
    return ", with the GIL turned on," if sys._is_gil_enabled() else ", without a GIL,"  # type: ignore[attr-defined]


def _jpeg() -> str:
    place = "in the native core" if _native.is_jpeg_bundled() else "of the system"
    own = "" if _native.can_replace_entropy_coding() else "; only its public interface is used, which is slower"
    return f"libjpeg-turbo {_native.jpeg_turbo_version()} {place}{own}"


def _opencv_formats() -> list[str]:
    found = [name for name, ending in _OPENCV_FORMATS.items() if cv2.haveImageWriter(f"image{ending}")]
    return [name for name in found if name != "JPEG 2000" or opencv.can_decode_jpeg2000()]


def _version(package: str, extra: str | None) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed" if extra is None else f"not installed: pip install penstock[{extra}]"


def _accelerator() -> str:
    """What device="gpu" is. A broken torch is something a doctor should name, not fail on."""
    try:
        there = accelerator()
    except ValueError as error:
        return f"none: {error}"
    return there.found if there.count else f"none: {there.found}. {STAND_IN}"
