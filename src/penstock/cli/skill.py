"""penstock skill: what a coding assistant needs to know to write and review programs with Penstock."""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

import penstock

HELP = "print the skill for coding assistants, or write its files"

FOLDER = Path(penstock.__file__).parent / "skill"
PARTS = ("conventions", "api", "mistakes", "migration", "review")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which part, and where to."""
    parser.add_argument("part", nargs="?", choices=PARTS, metavar="PART", help=f"one of {', '.join(PARTS)}")
    parser.add_argument("--out", metavar="DIR", help="write all files there, as DIR/penstock/SKILL.md and beside it")


def run(given: argparse.Namespace) -> int:
    """Prints a file, or copies all of them."""
    if given.out is not None:
        target = Path(given.out, "penstock")
        shutil.copytree(FOLDER, target, dirs_exist_ok=True)
        print(f"wrote {target}: {', '.join(sorted(file.name for file in target.glob('*.md')))}")
        return 0
    print((FOLDER / f"{given.part or 'SKILL'}.md").read_text(encoding="utf-8"), end="")
    return 0
