"""Programs run in processes of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

PENSTOCK = "import sys; from penstock.cli import main; sys.exit(main())"


def python(*arguments: str, path: Path | None = None, **variables: str) -> subprocess.CompletedProcess[str]:
    """Runs Python, with a folder put before those that it imports from."""
    folders = [str(path)] if path else []
    given = {**os.environ, "PYTHONPATH": os.pathsep.join([*folders, *filter(None, [os.environ.get("PYTHONPATH")])])}
    given.pop("PENSTOCK_COMPAT", None)
    return subprocess.run(
        [sys.executable, *arguments], env={**given, **variables}, capture_output=True, text=True, timeout=120
    )


def penstock(*arguments: str, path: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Runs the command line of penstock."""
    return python("-c", PENSTOCK, *arguments, path=path)


def printed(done: subprocess.CompletedProcess[str]) -> list[str]:
    """The lines a program printed; it must have ended well."""
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()
