"""Generated files are those the generator would write now."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def test_generated_files_are_fresh() -> None:
    done = subprocess.run([sys.executable, ROOT / "tools/gen.py", "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
