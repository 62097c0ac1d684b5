"""Counts the instructions of calls on ARM and x86 under QEMU, for a table in docs/platforms.md: `make bench-arm`.

There was no ARM processor to measure time on. What can be seen without one is whether kernels are vector code there:
vectors of NEON are half as wide as those of AVX2, so that up to about twice as many instructions are the same code.
As root on Debian 12, whose QEMU takes plugins; the root for arm64 is that of packaging/test_arm.py.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import report

ROOT = Path(__file__).resolve().parent.parent
HERE = ROOT / "benchmarks"
sys.path.insert(0, str(ROOT / "packaging"))
import test_arm  # noqa: E402

PAGE = ROOT / "docs/platforms.md"
MARKS = ("<!-- arm instructions -->", "<!-- /arm instructions -->")
GETPPID = {"aarch64": "173", "x86_64": "110"}  # the numbers of that system call


def main() -> None:
    test_arm.prepare()
    test_arm.run([str(ROOT / "tools/apt_install.sh"), "qemu-user", "gcc"])
    with tempfile.TemporaryDirectory() as folder:
        plugin = Path(folder, "qemu_instructions.so")
        flags = ["-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"]
        subprocess.run(["gcc", *flags, HERE / "qemu_instructions.c", "-o", plugin], check=True)
        # The variable would name a processor for NumPy's BLAS, whichever QEMU stands for.
        x86 = ["qemu-x86_64", "-U", "OPENBLAS_CORETYPE", "-cpu"]
        sse2 = count(plugin, "x86_64", [*x86, "Nehalem"], sys.executable)
        avx2 = count(plugin, "x86_64", [*x86, "max"], sys.executable)
        arm = ["qemu-aarch64", "-L", str(test_arm.ROOT), "-E", f"PYTHONPATH={test_arm.PACKAGES}"]
        neon = count(plugin, "aarch64", arm, str(test_arm.ROOT / "usr/bin/python3"))
    from instruction_worker import CALLS

    rows = [
        (name, *(f"{number / 1e6:.2f}" for number in numbers), report.times(numbers[2] / numbers[1]))
        for name, *numbers in zip(CALLS, sse2, avx2, neon, strict=True)
    ]
    table = report.markdown_table(("Call", "x86, SSE2", "x86, AVX2", "ARM, NEON", "NEON : AVX2"), rows)
    print(table)
    report.replace(PAGE, MARKS, table)


def count(plugin: Path, machine: str, qemu: list[str], python: str) -> list[int]:
    """The instructions of each call."""
    out = plugin.with_suffix(".txt")
    options = ["-plugin", f"{plugin},out={out},marker={GETPPID[machine]}"]
    subprocess.run([*qemu, *options, python, str(HERE / "instruction_worker.py")], check=True)
    counts = list(map(int, out.read_text().split()))
    return [end - begin for begin, end in zip(counts[::2], counts[1::2], strict=True)]


if __name__ == "__main__":
    main()
