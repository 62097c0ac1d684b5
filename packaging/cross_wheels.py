"""Builds wheels for other platforms than this machine's: `make cross-wheels`, PLATFORM=win_amd64 for one of them.

For Linux with glibc by Debian's cross compiler, which is installed through apt, and old_glibc.py. For all others by
the Clang in Zig, which brings the header files and symbols of musl, macOS and mingw-w64; its C++ library is linked in.
NumPy's header files are those of its wheel for the platform.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path

from build_wheels import ROOT, Target, build_wheel, commit_time, finish_wheel
from debian_sources import python_source
from interpreters import STABLE_ABI, interpreters
from old_glibc import linker_flags, zig

WORK = ROOT / "build/cross"


@dataclass(frozen=True)
class Platform:
    """A system and a processor as CMake calls them, and the end of an extension's name before the stable ABI."""

    system: str
    processor: str
    suffix: str
    zig: str = ""  # its name for Zig, where that compiles


PLATFORMS = {
    "manylinux_2_28_aarch64": Platform("Linux", "aarch64", "-aarch64-linux-gnu.so"),
    "musllinux_1_2_x86_64": Platform("Linux", "x86_64", "-x86_64-linux-musl.so", "x86_64-linux-musl"),
    "musllinux_1_2_aarch64": Platform("Linux", "aarch64", "-aarch64-linux-musl.so", "aarch64-linux-musl"),
    "macosx_13_3_arm64": Platform("Darwin", "arm64", "-darwin.so", "aarch64-macos.13.3"),
    "macosx_13_3_x86_64": Platform("Darwin", "x86_64", "-darwin.so", "x86_64-macos.13.3"),
    "win_amd64": Platform("Windows", "AMD64", "-win_amd64.pyd", "x86_64-windows-gnu"),
}

# Zig's linker does not take nanobind's list of symbols that Python will have: any may be missing, then. And it crashes
# when it makes a bundle; Python loads a library as well.
DARWIN_OPTIONS = """\
for option; do
  shift
  case $option in
    -bundle) option=-dynamiclib ;;
    -Wl,@*/darwin-ld-*.sym) option=-Wl,-undefined,dynamic_lookup ;;
  esac
  set -- "$@" "$option"
done
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("platforms", nargs="*", metavar="PLATFORM", help=f"of {', '.join(PLATFORMS)}; all by default")
    parser.add_argument("--out", type=Path, default=ROOT / "dist/cross")
    parser.add_argument("--python", type=int, action="append", metavar="MINOR", help="only for these versions")
    given = parser.parse_args()
    if unknown := {*given.platforms} - {*PLATFORMS}:
        parser.error(f"unknown: {', '.join(unknown)}; there are {', '.join(PLATFORMS)}")
    for name in given.platforms or PLATFORMS:
        for minor in given.python or minors(name):
            cross_wheel(name, minor, given.out.resolve())


def minors(name: str) -> list[int]:
    """The Pythons to build for. On Windows an extension is linked with Python, here with the stable ABI only."""
    return [STABLE_ABI] if name == "win_amd64" else [*range(10, STABLE_ABI + 1)]


def cross_wheel(name: str, minor: int, out: Path) -> Path:
    os.environ.setdefault("SOURCE_DATE_EPOCH", commit_time())
    python = interpreters()[minor]
    work = WORK / name / f"cp3{minor}"
    return finish_wheel(build_wheel(python, ROOT, work, target(name, minor, python)), out)


def target(name: str, minor: int, python: str) -> Target:
    platform = PLATFORMS[name]
    folder = WORK / name
    definitions = {
        "CMAKE_TOOLCHAIN_FILE": _zig_toolchain(platform, folder) if platform.zig else _gcc_toolchain(platform, folder),
        "Python_INCLUDE_DIR": _python_headers(folder / f"cp3{minor}", python, platform),
        "Python_NumPy_INCLUDE_DIR": _numpy_headers(folder, name, minor),
        "PENSTOCK_STATIC_CXX": "libc++" if platform.zig else "libstdc++",
    }
    if platform.system == "Windows":
        definitions["Python_SABI_LIBRARY"] = _import_library(folder)
        definitions["SKBUILD_SOSABI"] = ""  # Python for Windows looks for _native.pyd
    environment = {
        "_PYTHON_HOST_PLATFORM": name.replace("manylinux_2_28", "linux"),
        "SETUPTOOLS_EXT_SUFFIX": f".cpython-3{minor}{platform.suffix}",
    }
    return Target(definitions, environment)


def _gcc_toolchain(platform: Platform, folder: Path) -> Path:
    prefix = f"{platform.processor}-linux-gnu-"
    subprocess.run([ROOT / "tools/apt_install.sh", f"g++-{prefix.rstrip('-')}"], check=True)
    flags = linker_flags(folder / "old_glibc", platform.processor, prefix)
    compilers = {"CMAKE_C_COMPILER": f"{prefix}gcc", "CMAKE_CXX_COMPILER": f"{prefix}g++"}
    return _toolchain(platform, folder, compilers | {"CMAKE_MODULE_LINKER_FLAGS_INIT": flags})


def _zig_toolchain(platform: Platform, folder: Path) -> Path:
    """CMake wants commands of one word: scripts."""
    commands = {}
    folder.mkdir(parents=True, exist_ok=True)
    tools = {"C_COMPILER": "cc", "CXX_COMPILER": "c++", "AR": "ar", "RANLIB": "ranlib", "RC_COMPILER": "rc"}
    for variable, tool in tools.items():
        script = folder / tool
        compiles = tool in ("cc", "c++")
        options = f" -target {platform.zig}" if compiles else ""
        replaced = DARWIN_OPTIONS if compiles and platform.system == "Darwin" else ""
        text = f'#!/bin/sh\n{replaced}exec "{zig()}" {tool}{options} "$@"\n'
        if not script.exists() or script.read_text() != text:
            script.write_text(text)
            script.chmod(0o755)
        commands[f"CMAKE_{variable}"] = str(script)
    commands["CMAKE_CXX_SCAN_FOR_MODULES"] = "OFF"  # Zig has no scanner
    if platform.system == "Darwin":
        # CMake wants one for macOS before it assembles anything, and would call it for installed shared libraries only.
        commands["CMAKE_INSTALL_NAME_TOOL"] = "/bin/false"
    # nanobind uses it and relies on others to include it, which libc++ does not do everywhere.
    commands["CMAKE_CXX_FLAGS_INIT"] = "-include cstdio"
    return _toolchain(platform, folder, commands)


def _toolchain(platform: Platform, folder: Path, values: dict[str, str]) -> Path:
    named = {"CMAKE_SYSTEM_NAME": platform.system, "CMAKE_SYSTEM_PROCESSOR": platform.processor}
    file = folder / "toolchain.cmake"
    file.write_text("".join(f'set({name} "{value}")\n' for name, value in (named | values).items()))
    return file


def _python_headers(work: Path, python: str, platform: Platform) -> Path:
    """This machine's: the same everywhere but for pyconfig.h, in which only Windows differs in what matters."""
    folder = work / "include"
    shutil.rmtree(folder, ignore_errors=True)
    probe = "import sysconfig; print(sysconfig.get_path('include')); print(sysconfig.get_config_h_filename())"
    headers, configuration = subprocess.check_output([python, "-c", probe], text=True).split()
    shutil.copytree(headers, folder)
    if platform.system == "Windows":
        configuration = python_source() / "PC/pyconfig.h"
    shutil.copy(configuration, folder / "pyconfig.h")
    return folder


def _numpy_headers(folder: Path, name: str, minor: int) -> Path:
    wheels = folder / f"numpy-cp3{minor}"
    if not wheels.exists():
        options = ["--no-deps", "--only-binary=:all:", f"--platform={name}", f"--python-version=3.{minor}"]
        pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "download"]
        subprocess.run([*pip, *options, "--dest", wheels, "numpy>=2.0"], check=True)
        (wheel,) = wheels.glob("*.whl")
        with zipfile.ZipFile(wheel) as files:
            files.extractall(wheels, [part for part in files.namelist() if "/_core/include/" in part])
    return wheels / "numpy/_core/include"


def _import_library(folder: Path) -> Path:
    """Of python3.dll: the stable ABI, all that the extension is linked with. Names of later Pythons do no harm."""
    library, definition = folder / "python3.lib", folder / "python3.def"
    entries = (python_source() / "PC/python3dll.c").read_text()
    names = re.findall(r"^EXPORT_(FUNC|DATA)\((\w+)\)", entries, re.MULTILINE)
    lines = [f"{name} DATA" if kind == "DATA" else name for kind, name in names]
    definition.write_text("LIBRARY python3.dll\nEXPORTS\n" + "\n".join(lines) + "\n")
    subprocess.run([zig(), "dlltool", "-m", "i386:x86-64", "-d", definition, "-l", library], check=True)
    return library


if __name__ == "__main__":
    main()
