"""penstock graph script.py: runs a script and draws the pipelines and compiled loops that it ran."""

from __future__ import annotations

import argparse
import runpy
import sys
from pathlib import Path

from penstock.viz.graph import drawing, page
from penstock.viz.watch import Watch, watching

HELP = "run a script and draw its pipelines and compiled loops"

_SUFFIXES = (".html", ".svg")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("script", type=Path, metavar="SCRIPT", help="a Python file")
    parser.add_argument(
        "arguments", nargs="*", default=[], metavar="ARG", help="the script's own; behind -- where they are options"
    )
    parser.add_argument("--out", type=Path, default=Path("graph.html"), metavar="FILE", help="graph.html or graph.svg")
    parser.set_defaults(hint_on_unknown="; the script's own options go behind --", runs_a_script=True)


def run(given: argparse.Namespace) -> int:
    """Writes what was drawn to `out`, also where the script fails: its exception goes on."""
    script: Path = given.script
    out: Path = given.out
    try:
        if out.suffix not in _SUFFIXES:
            raise RuntimeError(f"{out} is neither .html nor .svg")
        if not script.is_file():
            raise RuntimeError(f"{script} is not a file")
    except RuntimeError as error:
        print(f"penstock graph: {error}", file=sys.stderr)
        return 1
    before = sys.argv, sys.path[:]
    sys.argv, sys.path[0:0] = [str(script), *given.arguments], [str(script.resolve().parent)]
    drawn = False
    try:
        with watching() as watch:
            try:
                runpy.run_path(str(script), run_name="__main__")
            finally:
                drawn = _draw(watch, script, out)
    finally:
        sys.argv, sys.path[:] = before
    return 0 if drawn else 1


def _draw(watch: Watch, script: Path, out: Path) -> bool:
    plans = watch.plans()
    if not plans:
        print(f"penstock graph: {script} ran no pipeline and no loop with compile=True", file=sys.stderr)
        return False
    out.write_text(drawing(plans) if out.suffix == ".svg" else page(plans, script.name), encoding="utf-8")
    print(out)
    return True
