"""Runs scripts one after the other in one interpreter, which imports PyTorch once for all of them.

python tests/one_interpreter.py [--without MODULE,...] SCRIPT ...

Every script is `__main__` to itself, in the folder that it lies in. What each printed and how it failed, if it did, is
written as a list of JSON.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import runpy
import subprocess
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple


class Outcome(NamedTuple):
    printed: str
    error: str


def outcomes(scripts: list[Path], missing: Sequence[str] = (), **variables: str) -> list[Outcome]:
    """What came of the scripts, with warnings being errors and as if the modules in `missing` were not installed."""
    without = ["--without", ",".join(missing)] if missing else []
    command = [sys.executable, "-W", "error", __file__, *without, *map(str, scripts)]
    done = subprocess.run(command, env=os.environ | variables, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return [Outcome(*each) for each in json.loads(done.stdout)]


def run(script: str) -> Outcome:
    os.chdir(Path(script).parent)
    printed, error = io.StringIO(), ""
    with contextlib.redirect_stdout(printed):
        try:
            runpy.run_path(script, run_name="__main__")
        except Exception:
            error = traceback.format_exc()
    return Outcome(printed.getvalue(), error)


if __name__ == "__main__":
    given = sys.argv[1:]
    sys.argv[1:] = []
    if given[0] == "--without":
        sys.modules.update(dict.fromkeys(given[1].split(",")))  # importing them is a ModuleNotFoundError now
        del given[:2]
    print(json.dumps([run(script) for script in given]))
