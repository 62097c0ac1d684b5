"""tools/gpu_kernels.py."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

TOOL = Path(__file__).resolve().parents[2] / "tools/gpu_kernels.py"


def test_operators_without_a_kernel_are_listed_by_file() -> None:
    done = subprocess.run([sys.executable, str(TOOL)], capture_output=True, text=True, timeout=60, check=True)
    first, *files = done.stdout.splitlines()
    assert first.endswith("operators have no GPU kernel yet:")
    assert not any("transpose" in file or "io.file.read" in file for file in files)
