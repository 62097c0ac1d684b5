"""Builds the wheel for 64-bit ARM and tests it in an emulated Debian: `make test-arm`, as root on Debian 12.

The wheel is that of cross_wheels.py, built by a cross compiler, which takes as long as for this machine. Tests run in a
root of Debian for arm64 under build/arm64, every program of which the kernel hands to QEMU: about ten times slower
than here. After them, the calls of tests/parity are made here and there, and their results compared bit for bit.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

import arm_emulator
import cv2
import numpy as np
from cross_wheels import cross_wheel

CHECKOUT = Path(__file__).resolve().parents[1]
WORK = CHECKOUT / "build/arm64"
ROOT = WORK / "root"
PACKAGES = ROOT / "usr/local/lib/python3.11/dist-packages"
MINOR = 11  # of Debian 12's Python
DEBIAN = ["mmdebstrap", "qemu-user-static"]  # packages of this machine
PLATFORMS = ["manylinux_2_28_aarch64", "manylinux_2_27_aarch64", "manylinux2014_aarch64", "linux_aarch64"]

# Operators, codecs, readers, compiled loops and the engine. What needs torch is skipped (skip_missing_packages.py).
TESTS = ["tests/ops", "tests/engine", "tests/capture", "tests/readers/core", "tests/test_arena.py"]
# Left out are tests that weigh the process, QEMU's memory included, and those that start and kill Pythons again and
# again: each takes QEMU seconds to start, and no architecture would change what they test.
LEFT_OUT = [
    "tests/engine/test_exit.py",
    "tests/engine/test_interrupts.py",
    "tests/engine/test_memory_budget.py",
    "tests/engine/test_resume_after_kill.py",
]

# Some kernels for ARM have pages of 64 KB. QEMU says so to programs and maps memory by them, but not what system calls
# tell of each page, so that mappings of files cannot be tested.
LARGE_PAGES = "QEMU_PAGESIZE=65536"
TESTS_OF_PAGES = ["tests/test_arena.py"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tests", nargs="*", help="files and folders of tests (default: a chosen part)")
    parser.add_argument("--compare", action="store_true", help="compare results only, without the tests")
    given = parser.parse_args()
    prepare()
    if not given.compare:
        run(in_root("python3", "-W", "error", "packaging/smoke.py"))
        options = ["-p", "no:cacheprovider", "-p", "skip_missing_packages", "-m", "not memory", "-n", "auto"]
        pytest = ["PYTHONPATH=packaging", "python3", "-m", "pytest", *options]
        tests = given.tests or [*TESTS, *(f"--ignore={path}" for path in LEFT_OUT)]
        run(in_root("env", *pytest, *tests))
        run(in_root("env", LARGE_PAGES, *pytest, *TESTS_OF_PAGES))
    run([sys.executable, "tests/parity/architectures.py", str(ROOT), "--", *in_root("python3")])


def prepare() -> None:
    """The root, with the wheel of this checkout in it."""
    if sys.version_info[1] != MINOR:
        sys.exit(f"Debian's Python in the root is 3.{MINOR}, and so must be the one that installs packages for it")
    if os.geteuid() != 0:
        sys.exit("the root is made, mounted and entered by root only")
    run([str(CHECKOUT / "tools/apt_install.sh"), *DEBIAN])
    arm_emulator.register()
    make_root()
    install_wheel()


def make_root() -> None:
    """Debian's packages unpacked, and beside them those that pip has for arm64, in the versions of this machine."""
    if not (ROOT / "usr/bin/python3").exists():
        shutil.rmtree(ROOT, ignore_errors=True)
        WORK.mkdir(parents=True, exist_ok=True)
        hooks = "/usr/share/mmdebstrap/hooks/merged-usr"
        packages = "python3,python3-distutils,libstdc++6,dash,coreutils"
        run(["mmdebstrap", "--variant=extract", "--architectures=arm64", f"--hook-dir={hooks}", f"--include={packages}",
             "bookworm", str(ROOT)])  # fmt: skip
        for folder in ("proc", "dev", "checkout"):
            (ROOT / folder).mkdir(exist_ok=True)
    if not (PACKAGES / "numpy").exists():
        versions = [f"numpy=={np.__version__}", f"opencv-python-headless~={cv2.__version__}.0", "cloudpickle>=3"]
        install([*versions, "--group", "wheel-test"])


def install_wheel() -> None:
    install(["--upgrade", "--no-deps", str(cross_wheel("manylinux_2_28_aarch64", MINOR, WORK / "wheel"))])
    program = ROOT / "usr/local/bin/penstock"
    program.parent.mkdir(parents=True, exist_ok=True)
    program.write_text("#!/usr/bin/python3\nimport sys\nfrom penstock.cli import main\nsys.exit(main())\n")
    program.chmod(0o755)


def install(wanted: list[str]) -> None:
    options = ["--quiet", "--no-compile", "--only-binary=:all:", "--target", str(PACKAGES)]
    options += [f"--platform={name}" for name in PLATFORMS]
    run([sys.executable, "-m", "pip", "install", "--disable-pip-version-check", *options, *wanted])


def in_root(*command: str) -> list[str]:
    """A command run in the root, in the checkout. What is mounted for it goes with it."""
    script = (
        'mount --rbind /proc "$0/proc" && mount --rbind /dev "$0/dev" && mount --bind . "$0/checkout" && '
        'exec chroot "$0" sh -c \'cd /checkout && exec "$@"\' sh "$@"'
    )
    return ["unshare", "--mount", "sh", "-c", script, str(ROOT), *command]


def run(command: list[str]) -> None:
    if subprocess.run(command, cwd=CHECKOUT).returncode != 0:
        sys.exit(f"{' '.join(command)} failed")


if __name__ == "__main__":
    main()
