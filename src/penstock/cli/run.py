"""penstock run: runs a program written for DALI as it is."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from penstock.compat.install import for_children, refuse_beside_dali


def run(program: Sequence[str], *, module: bool, force: bool) -> NoReturn:
    """Turns this process into `python program...`, in which `nvidia.dali` is penstock."""
    try:
        if not force:
            refuse_beside_dali("penstock run --force")
    except RuntimeError as error:
        sys.exit(f"penstock run: {error}")
    command = [sys.executable, *["-m"] * module, *program]
    os.execve(sys.executable, command, {**os.environ, **for_children(force)})
