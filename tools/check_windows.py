"""Compiles the native core for Windows with mingw-w64, warnings being errors, and tries it under Wine.

The program (tests/native/try_core.cc) lists, reads and decodes the photos of the package; what it tells must be what
the package installed here tells. The bindings, which need Python for Windows, are left out.
"""

from __future__ import annotations

import difflib
import os
import shutil
import subprocess
import sys
import zlib
from pathlib import Path

import numpy as np

import penstock
import penstock.dynamic as ndd

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "packaging"))
from debian_sources import bundled_jpeg  # noqa: E402

BUILD = ROOT / "build/windows"
DEBIAN = ["g++-mingw-w64-x86-64-posix", "wine64", "nasm"]
PHOTOS = Path(penstock.__file__).parent / "cli/assets"
PATTERNS = """\
a.jpg ?.j*g 1
b7 [a-c][0-9] 1
b7 [!a-c]? 0
aXbXc a*b*c 1
a* a\\* 1
ab a\\* 0
[x [x 1
] []] 1
- [a-] 1
\u00e9.jpg ?.jpg 1
"""


def main() -> None:
    subprocess.run([ROOT / "tools/apt_install.sh", *DEBIAN], check=True)
    build()
    expected = told_by_package()
    for newest in ("sse2", "avx2", "all"):
        found = told_by_core(newest)
        if found != expected:
            lines = difflib.unified_diff(
                expected.splitlines(), found.splitlines(), "here", f"Windows, {newest}", lineterm=""
            )
            sys.exit("\n".join(lines))
    print(f"The core for Windows tells the same as the package here: {len(expected.splitlines())} lines")


def build() -> None:
    launcher = ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache", "-DCMAKE_C_COMPILER_LAUNCHER=ccache"]
    subprocess.run(
        [
            "cmake", "-S", str(ROOT), "-B", str(BUILD), "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
            f"-DCMAKE_TOOLCHAIN_FILE={ROOT / 'cmake/mingw_w64.cmake'}", "-DPENSTOCK_BINDINGS=OFF",
            "-DPENSTOCK_JPEG=bundled", f"-DPENSTOCK_JPEG_ARCHIVE={bundled_jpeg()}", "-DPENSTOCK_WERROR=ON",
            *(launcher if shutil.which("ccache") else ()),
        ],
        check=True, env=environment(),
    )  # fmt: skip
    subprocess.run(["cmake", "--build", str(BUILD)], check=True, env=environment())


def environment() -> dict[str, str]:
    """With the commands of this Python, such as cmake and ninja, first."""
    return {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}


def told_by_core(newest: str) -> str:
    """What the program prints, with instruction sets up to the newest one."""
    wine = shutil.which("wine64") or shutil.which("wine") or "/usr/lib/wine/wine64"
    limit = {} if newest == "all" else {"PENSTOCK_CPU": newest}
    done = subprocess.run(
        [wine, str(BUILD / "try_core.exe"), f"Z:{PHOTOS}"],
        env={**os.environ, **limit, "WINEDEBUG": "-all", "WINEPREFIX": str(BUILD / "wine")},
        capture_output=True,
    )
    if done.returncode:
        sys.exit(f"try_core.exe ended with {done.returncode}: {done.stderr.decode(errors='replace')}")
    return done.stdout.decode().replace("\r\n", "\n")


def told_by_package() -> str:
    root = f"Z:{PHOTOS}"
    lines = []
    for path in sorted(PHOTOS.rglob("*.jpg")):
        image = np.asarray(ndd.decoders.image(ndd.tensor(np.fromfile(path, np.uint8))))
        name = path.relative_to(PHOTOS).as_posix()
        lines.append(f"{name} {image.shape[0]}x{image.shape[1]} {zlib.crc32(image.tobytes()):08x}")
    lines *= 3
    lines += [
        "part: JFIF",
        "missing: No such file or directory",
        "folder: Is a directory",
        f"no root: Failed to open {root}/none: No such file or directory",
        *PATTERNS.splitlines(),
        "replaces entropy coding: 1",
        "thread clock runs: 1",
        "no libsndfile",
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
