"""Builds a Python with musl and tries the wheel of cross_wheels.py in it: `make test-musl`, on Debian for x86-64.

Debian has no Python for musl: that is made of the sources in Debian's source packages, and stays under build for the
next time. So is musl 1.2.5, as NumPy's wheels need 1.2.4; that Penstock's needs no more than Debian 12's 1.2.3 is seen
by its symbols. OpenCV has no wheel for musl: its calls are done by the Python that runs this, in another process
(opencv_elsewhere/cv2.py). With MACHINE=aarch64 all of it is for 64-bit ARM, and runs under QEMU; as root.
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

import arm_emulator
from chosen_tests import read_arguments
from cross_wheels import cross_wheel
from debian_sources import LIBFFI, MUSL, VERSION, ZLIB, python_source, source
from interpreters import STABLE_ABI

CHECKOUT = Path(__file__).resolve().parents[1]
MACHINE = os.environ.get("MACHINE") or "x86_64"
WORK = CHECKOUT / f"build/musl-{MACHINE}"
PREFIX = WORK / "python"
PYTHON = PREFIX / f"bin/python{VERSION}"
PACKAGES = PREFIX / f"lib/python{VERSION}/site-packages"
SYSTEM = f"{MACHINE}-linux-musl"
WHEEL = f"musllinux_1_2_{MACHINE}"
OLDER = Path("/lib/ld-musl-x86_64.so.1")  # Debian's musl
TOOLS = f"{MACHINE}-linux-gnu-"  # the beginning of GCC's name, and of others


@dataclass(frozen=True)
class Machine:
    """What differs between processors: Debian's packages, options of GCC, and where the kernel's header files are."""

    packages: list[str]
    flags: str
    headers: list[str]


MACHINES = {
    "x86_64": Machine(
        ["linux-libc-dev"],
        "-O2 -fPIC",
        ["/usr/include/linux", "/usr/include/asm-generic", "/usr/include/x86_64-linux-gnu/asm"],
    ),
    "aarch64": Machine(
        ["gcc-aarch64-linux-gnu", "qemu-user-static"],
        "-O2 -fPIC -mno-outline-atomics",  # GCC's own functions of atomics call one of glibc
        [f"/usr/aarch64-linux-gnu/include/{name}" for name in ("linux", "asm-generic", "asm")],
    ),
}


def main() -> None:
    given = read_arguments(__doc__)
    if platform.machine() != "x86_64" or MACHINE not in MACHINES:
        sys.exit(f"the Python is built on x86-64 for {' or '.join(MACHINES)}")
    run([CHECKOUT / "tools/apt_install.sh", "musl", *MACHINES[MACHINE].packages])
    if MACHINE == "aarch64":
        arm_emulator.register()
    make_python()
    if not (PACKAGES / "numpy").exists():
        install("numpy", "cloudpickle>=3")
    install("--upgrade", "--no-deps", str(cross_wheel(WHEEL, STABLE_ABI, WORK / "wheel")))
    check_symbols()
    (PACKAGES / "opencv_elsewhere.pth").write_text(f"{CHECKOUT / 'packaging/opencv_elsewhere'}\n")
    add_command()
    environment = os.environ | {"OPENCV_PYTHON": sys.executable}
    run([PYTHON, "-W", "error", "packaging/smoke.py"], environment)
    if not given.smoke:
        if not (PACKAGES / "pytest").exists():
            install("pytest>=8", "pytest-xdist>=3.6", "hypothesis>=6.100", "pillow>=10", "psutil>=5.9", "av", "fsspec")
        options = ["-p", "no:cacheprovider", "-p", "skip_missing_packages", "-m", "not memory", "-n", "2"]
        paths = environment | {"PYTHONPATH": str(CHECKOUT / "packaging")}
        run([PYTHON, "-m", "pytest", *options, *given.tests], paths)


def make_python() -> None:
    if PYTHON.exists():
        return
    shutil.rmtree(WORK, ignore_errors=True)
    # This machine's libraries are not found, as they are glibc's.
    found = PREFIX / "lib/pkgconfig"
    tools = {"AR": f"{TOOLS}ar", "RANLIB": f"{TOOLS}ranlib"}
    compiler = {"CC": str(make_compiler()), "CFLAGS": MACHINES[MACHINE].flags, "PKG_CONFIG_LIBDIR": str(found)} | tools
    # What is compiled runs here, under QEMU if need be, so that this is no cross build for scripts.
    machine = [f"--build={SYSTEM}", f"--host={SYSTEM}"]
    build("zlib", source(ZLIB), [], compiler, copied=True)
    build("libffi", source(LIBFFI), [*machine, "--disable-shared", "--disable-docs"], compiler)
    libraries = {
        "ZLIB_CFLAGS": f"-I{PREFIX}/include",
        "ZLIB_LIBS": f"{PREFIX}/lib/libz.a",
        "LIBFFI_CFLAGS": f"-I{PREFIX}/include",
        "LIBFFI_LIBS": f"{PREFIX}/lib/libffi.a",
    }
    options = [*machine, "--without-ensurepip", "--disable-test-modules"]
    build("python-build", python_source(), options, compiler | libraries)


def make_compiler() -> Path:
    """musl-gcc with Linux's header files, without glibc's beside them. It takes itself for glibc's GCC when asked."""
    headers = WORK / "kernel"
    headers.mkdir(parents=True)
    options = [f"--target={SYSTEM}", f"--syslibdir={PREFIX}/lib", "--enable-wrapper=gcc"]
    build("libc", source(MUSL), options, {"CROSS_COMPILE": TOOLS})
    # Wheels may rely on zlib beside it: Pillow's and PyAV's do.
    paths = PREFIX / f"etc/ld-musl-{MACHINE}.path"
    paths.parent.mkdir()
    paths.write_text(f"{PREFIX}/lib\n")
    for path in map(Path, MACHINES[MACHINE].headers):
        (headers / path.name).symlink_to(path)
    script = WORK / "cc"
    answer = f'[ "$1" != --print-multiarch ] || exec echo {SYSTEM}'
    script.write_text(f'#!/bin/sh\n{answer}\nexec {PREFIX}/bin/musl-gcc -idirafter {headers} "$@"\n')
    script.chmod(0o755)
    return script


def build(name: str, sources: Path, options: list[str], variables: dict[str, str], copied: bool = False) -> None:
    """zlib is built where its sources are, the others in a folder of their own."""
    folder = WORK / name
    if copied:
        shutil.copytree(sources, folder)
    else:
        folder.mkdir()
    configure = folder / "configure" if copied else sources / "configure"
    environment = os.environ | variables
    log = folder.with_name(f"{name}.log")
    print(f"building {name}: {log}", flush=True)
    commands = [[configure, f"--prefix={PREFIX}", *options], ["make", f"-j{os.cpu_count()}"], ["make", "install"]]
    with log.open("w") as said:
        for command in commands:
            run(command, environment, folder, said)


def check_symbols() -> None:
    """What the wheel takes from musl: auditwheel does not look at it."""
    (module,) = (PACKAGES / "penstock").glob("_native*.so")
    missing = symbols(module, "U") - symbols(OLDER, "TWDBViR")
    if missing := {name for name in missing if not name.startswith(("Py", "_Py"))}:
        sys.exit(f"{module} needs a newer musl than {OLDER}: {', '.join(sorted(missing))}")


def symbols(library: Path, kinds: str) -> set[str]:
    """Of these kinds, by their letters for nm."""
    listing = subprocess.check_output(["nm", "--dynamic", str(library)], text=True)
    return set(re.findall(rf"^[0-9a-f ]* [{kinds}] (\w+)$", listing, re.MULTILINE))


def install(*wanted: str) -> None:
    """By this machine's pip, as the other Python has no TLS to download with."""
    options = ["--quiet", "--no-compile", "--only-binary=:all:", "--target", str(PACKAGES), f"--platform={WHEEL}"]
    options += [f"--python-version={VERSION}", "--implementation=cp"]
    run([sys.executable, "-m", "pip", "install", "--disable-pip-version-check", *options, *wanted])


def add_command() -> None:
    program = PREFIX / "bin/penstock"
    program.write_text(f"#!{PYTHON}\nimport sys\nfrom penstock.cli import main\nsys.exit(main())\n")
    program.chmod(0o755)


def run(
    command: list[str | Path],
    environment: dict[str, str] | None = None,
    cwd: Path = CHECKOUT,
    said: TextIO | None = None,
) -> None:
    done = subprocess.run(list(map(str, command)), env=environment, cwd=cwd, stdout=said, stderr=said)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} failed")


if __name__ == "__main__":
    main()
