"""Runs a user's script inside of a command, as `python script.py ...` would."""

from __future__ import annotations

import argparse
import runpy
import sys
from pathlib import Path


def add_script(parser: argparse.ArgumentParser) -> None:
    """SCRIPT [ARG ...]."""
    parser.add_argument("script", type=Path, metavar="SCRIPT", help="a Python file")
    parser.add_argument(
        "arguments", nargs="*", default=[], metavar="ARG", help="the script's own; behind -- where they are options"
    )
    parser.set_defaults(hint_on_unknown="; the script's own options go behind --", runs_a_script=True)


def run_script(given: argparse.Namespace) -> None:
    """Runs the script as the main program. Its exceptions go on."""
    script: Path = given.script
    before = sys.argv, sys.path[:]
    sys.argv, sys.path[0:0] = [str(script), *given.arguments], [str(script.resolve().parent)]
    try:
        runpy.run_path(str(script), run_name="__main__")
    finally:
        sys.argv, sys.path[:] = before


def refusal(given: argparse.Namespace, out: Path, suffixes: tuple[str, ...]) -> str | None:
    """Returns why a script cannot be run, or its result not be written to `out`; None where both can be tried."""
    if out.suffix not in suffixes:
        return f"{out} is {'neither ' + ' nor '.join(suffixes) if len(suffixes) > 1 else f'no {suffixes[0]}'}"
    return None if given.script.is_file() else f"{given.script} is not a file"
