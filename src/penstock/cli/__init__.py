"""The command line. Every file of this folder that has a line `HELP = "..."` is a command of that name."""

from __future__ import annotations

import argparse
import ast
import importlib
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol, cast

import penstock


class Command(Protocol):
    """What the file of a command has besides its HELP."""

    def arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declares the arguments of the command."""

    def run(self, given: argparse.Namespace) -> int:
        """Runs the command and returns its exit code. An OSError is printed as its message."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command. Its file is the only one that is imported; `penstock --help` imports none."""
    arguments = sys.argv[1:] if arguments is None else arguments
    given, unknown = _parser(arguments).parse_known_args(arguments)
    if unknown:
        given.refuse(f"unrecognized arguments: {' '.join(unknown)}{given.hint_on_unknown}")
    try:
        return _command(given.command).run(given)
    except BrokenPipeError:
        return 1
    except OSError as error:
        if given.runs_a_script:  # whose error it is
            raise
        print(f"penstock {given.command}: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return 130


def commands() -> dict[str, str]:
    """The names of all commands and what each is for, as their files say."""
    found = {}
    for file in sorted(file for folder in __path__ for file in Path(folder).glob("*.py")):
        for line in file.read_text(encoding="utf-8").splitlines():
            if line.startswith("HELP = "):
                found[file.stem] = str(ast.literal_eval(line.removeprefix("HELP = ")))
    return found


def _command(name: str) -> Command:
    return cast(Command, importlib.import_module(f"penstock.cli.{name}"))


def _parser(arguments: Sequence[str]) -> argparse.ArgumentParser:
    """Of all commands by name, and of the arguments of the one that is called."""
    parser = argparse.ArgumentParser(prog="penstock", description="Data loading and pre-processing for deep learning.")
    parser.add_argument("--version", action="version", version=f"penstock {penstock.__version__}")
    choices = parser.add_subparsers(dest="command", required=True, metavar="command")
    for name, purpose in commands().items():
        command = choices.add_parser(name, help=purpose)
        command.set_defaults(refuse=command.error)  # shows the usage of that command, not of all
        command.set_defaults(hint_on_unknown="", runs_a_script=False)
        if name in arguments[:1]:
            _command(name).arguments(command)
    return parser
