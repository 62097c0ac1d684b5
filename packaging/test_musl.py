"""Builds a Python with musl and tries the wheel of cross_wheels.py in it: `make test-musl`, on Debian for x86-64.

Debian has no Python for musl: that is made of the sources in Debian's source packages, and stays under build/musl for
the next time. So is musl 1.2.5, as NumPy's wheels need 1.2.4; that Penstock's needs no more than Debian 12's 1.2.3 is
seen by its symbols. OpenCV has no wheel for musl: its calls are done by the Python that runs this, in another process
(opencv_elsewhere/cv2.py).
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TextIO

from chosen_tests import read_arguments
from cross_wheels import cross_wheel
from debian_sources import LIBFFI, MUSL, VERSION, ZLIB, python_source, source
from interpreters import STABLE_ABI

CHECKOUT = Path(__file__).resolve().parents[1]
WORK = CHECKOUT / "build/musl"
PREFIX = WORK / "python"
PYTHON = PREFIX / f"bin/python{VERSION}"
PACKAGES = PREFIX / f"lib/python{VERSION}/site-packages"
WHEEL = "musllinux_1_2_x86_64"
OLDER = Path("/lib/ld-musl-x86_64.so.1")  # Debian's musl


def main() -> None:
    given = read_arguments(__doc__)
    if platform.machine() != "x86_64":
        sys.exit("the Python is built for x86-64")
    run([CHECKOUT / "tools/apt_install.sh", "musl", "linux-libc-dev"])
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
    compiler = {"CC": str(make_compiler()), "CFLAGS": "-O2 -fPIC", "PKG_CONFIG_LIBDIR": str(found)}
    build("zlib", source(ZLIB), [], compiler, copied=True)
    build("libffi", source(LIBFFI), ["--disable-shared", "--disable-docs"], compiler)
    libraries = {
        "ZLIB_CFLAGS": f"-I{PREFIX}/include",
        "ZLIB_LIBS": f"{PREFIX}/lib/libz.a",
        "LIBFFI_CFLAGS": f"-I{PREFIX}/include",
        "LIBFFI_LIBS": f"{PREFIX}/lib/libffi.a",
    }
    options = ["--without-ensurepip", "--disable-test-modules"]
    build("python-build", python_source(), options, compiler | libraries)


def make_compiler() -> Path:
    """musl-gcc with Linux's header files, without glibc's beside them. It takes itself for glibc's GCC when asked."""
    headers = WORK / "kernel"
    headers.mkdir(parents=True)
    build("libc", source(MUSL), [f"--syslibdir={PREFIX}/lib"], {})
    # Wheels may rely on zlib beside it: Pillow's and PyAV's do.
    paths = PREFIX / "etc/ld-musl-x86_64.path"
    paths.parent.mkdir()
    paths.write_text(f"{PREFIX}/lib\n")
    for name, path in {"linux": "linux", "asm-generic": "asm-generic", "asm": "x86_64-linux-gnu/asm"}.items():
        (headers / name).symlink_to(Path("/usr/include", path))
    script = WORK / "cc"
    answer = '[ "$1" != --print-multiarch ] || exec echo x86_64-linux-musl'
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
