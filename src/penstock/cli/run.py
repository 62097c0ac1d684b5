"""penstock run: runs a program written for DALI as it is."""

from __future__ import annotations

import argparse
import os
import sys
from typing import NoReturn

from penstock.compat.install import for_children, refuse_beside_dali
from penstock.values import accelerator

HELP = "run a program written for DALI as it is, on penstock"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-m", dest="module", action="store_true", help="the program is a module, not a file")
    parser.add_argument(
        "--gpu",
        metavar="cpu",
        help='what device="gpu" is where there is none: "cpu" has the CPU do the work of one ("cpu:2": of two)',
    )
    parser.add_argument("--force", action="store_true", help="also where DALI itself is installed")
    parser.add_argument("program", metavar="PROGRAM", help="a Python file")
    rest = parser.add_argument("arguments", nargs=argparse.REMAINDER, metavar="ARG", help="what the program is given")
    rest.required = False  # or it would be told as missing, too, where the program is


def run(given: argparse.Namespace) -> NoReturn:
    """Turns this process into `python program...`, in which `nvidia.dali` is penstock."""
    try:
        if not given.force:
            refuse_beside_dali("penstock run --force")
    except RuntimeError as error:
        sys.exit(f"penstock run: {error}")
    try:
        accelerator.use(given.gpu or os.environ.get(accelerator.VARIABLE, ""))
    except ValueError as error:
        sys.exit(f"penstock run: {error}")
    command = [sys.executable, *["-m"] * given.module, given.program, *given.arguments]
    os.execve(sys.executable, command, {**os.environ, **for_children(given.force)})
