"""The Pythons of this machine that Penstock supports."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

OLDEST, NEWEST = 10, 15
STABLE_ABI = 12  # from here on one wheel serves all


def interpreters() -> dict[int, str]:
    """By minor version: those of PATH, then pyenv's. One without a GIL has an ABI of its own and is left out."""
    found = {}
    for minor in range(OLDEST, NEWEST + 1):
        name = f"python3.{minor}"
        versions = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"), "versions")
        candidates = [shutil.which(name), *sorted(map(str, versions.glob(f"3.{minor}.*/bin/{name}")))]
        runs = (candidate for candidate in candidates if candidate and _runs(candidate, minor))
        if python := next(runs, None):
            found[minor] = python
    return found


def _runs(python: str, minor: int) -> bool:
    """A shim may stand for a version that is not installed, and a system's Python may be without venv."""
    without_gil = "bool(sysconfig.get_config_var('Py_GIL_DISABLED'))"
    probe = f"import sys, sysconfig, ensurepip; print(sys.version_info[1], {without_gil})"
    said = subprocess.run([python, "-c", probe], capture_output=True, text=True)
    return said.stdout.split() == [str(minor), "False"]
