"""penstock graph script.py: runs a script and draws the pipelines and compiled loops that it ran."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from penstock.cli.script import add_script, refusal, run_script
from penstock.viz.graph import drawing, page
from penstock.viz.watch import Watch, watching

HELP = "run a script and draw its pipelines and compiled loops"

_SUFFIXES = (".html", ".svg")


def arguments(parser: argparse.ArgumentParser) -> None:
    add_script(parser)
    parser.add_argument("--out", type=Path, default=Path("graph.html"), metavar="FILE", help="graph.html or graph.svg")


def run(given: argparse.Namespace) -> int:
    """Writes what was drawn to `out`, also where the script fails: its exception goes on."""
    refused = refusal(given, given.out, _SUFFIXES)
    if refused is not None:
        print(f"penstock graph: {refused}", file=sys.stderr)
        return 1
    drawn = False
    with watching() as watch:
        try:
            run_script(given)
        finally:
            drawn = _draw(watch, given.script, given.out)
    return 0 if drawn else 1


def _draw(watch: Watch, script: Path, out: Path) -> bool:
    plans = watch.plans()
    if not plans:
        print(f"penstock graph: {script} ran no pipeline and no loop with compile=True", file=sys.stderr)
        return False
    out.write_text(drawing(plans) if out.suffix == ".svg" else page(plans, script.name), encoding="utf-8")
    print(out)
    return True
