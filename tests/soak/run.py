"""Runs every scenario of this folder for its share of the time, each in a process of its own, and tells how it went.

python tests/soak/run.py [--minutes 15] [--seed N] [--list] [NAME ...]

A scenario is a function `name(seconds: float, seed: int) -> None` in a module beside this one. It works for about so
many seconds, raises where something is wrong, and prints what it has done: its last line stands in the report. A
process that does not end is aborted, with the stacks of its threads, and counts as failed.
"""

from __future__ import annotations

import argparse
import importlib
import inspect
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
PARAMETERS = ["seconds", "seed"]
# What a scenario may take beyond its share: starting, a last round, comparing.
GRACE_SECONDS = 120.0
SHOWN_LINES = 60


class Outcome(NamedTuple):
    passed: bool
    seconds: float
    told: str
    trouble: str


def scenarios(folder: Path = HERE) -> list[str]:
    """module.function of every scenario, in the order of files and of the functions in them."""
    _import_from_beside(folder)
    found = []
    for file in sorted(folder.glob("*.py")):
        if file.stem == "run":
            continue
        module = importlib.import_module(f"{folder.name}.{file.stem}")
        found += [
            f"{file.stem}.{name}" for name, member in vars(module).items() if _is_scenario(member, module.__name__)
        ]
    return found


def _is_scenario(member: object, module: str) -> bool:
    if not inspect.isfunction(member) or member.__module__ != module or member.__name__.startswith("_"):
        return False
    return list(inspect.signature(member).parameters) == PARAMETERS


def _import_from_beside(folder: Path) -> None:
    """Modules are imported as soak.name: beside this folder there are others of the same names, which they may use."""
    if str(folder) in sys.path:
        sys.path.remove(str(folder))
    if str(folder.parent) not in sys.path:
        sys.path.insert(0, str(folder.parent))


def run_one(name: str, seconds: float, seed: int, grace: float = GRACE_SECONDS, folder: Path = HERE) -> Outcome:
    """One scenario in a process of its own. Whatever it has started or written is gone behind it."""
    command = [sys.executable, "-X", "faulthandler", __file__, "--in", str(folder), "--one", name]
    command += ["--seconds", str(seconds), "--seed", str(seed)]
    began = time.monotonic()
    with ExitStack() as held:
        scratch = held.enter_context(tempfile.TemporaryDirectory(prefix="soak-"))
        out, err = (held.enter_context(tempfile.TemporaryFile("w+")) for _ in range(2))
        process = subprocess.Popen(
            command, stdout=out, stderr=err, env=os.environ | {"TMPDIR": scratch}, start_new_session=True
        )
        try:
            trouble = _awaited(process, seconds + grace)
        finally:
            _end_group(process)
        out.seek(0)
        err.seek(0)
        told, stderr = out.read().strip(), err.read().strip()
    if not trouble and process.returncode == 0:
        return Outcome(True, time.monotonic() - began, told.rpartition("\n")[2], "")
    ended = trouble or f"ended with code {process.returncode}"
    lines = [ended, *told.splitlines(), *stderr.splitlines()]
    return Outcome(False, time.monotonic() - began, ended, "\n".join(lines[:1] + lines[1:][-SHOWN_LINES:]))


def _awaited(process: subprocess.Popen[bytes], most: float) -> str:
    try:
        process.wait(most)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGABRT)  # faulthandler shows where every thread is
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        return f"had not ended after {most:.0f} s"
    return ""


def _end_group(process: subprocess.Popen[bytes]) -> None:
    """Ends what the scenario has started, too: it leads a group of its own."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def report(names: Sequence[str], seconds: float, seed: int, grace: float = GRACE_SECONDS, folder: Path = HERE) -> bool:
    """Runs the scenarios one after the other; prints a line for each. Whether all went well."""
    failed = []
    width = max(map(len, names))
    for name in names:
        outcome = run_one(name, seconds, seed, grace, folder)
        verdict = "ok    " if outcome.passed else "FAILED"
        print(f"{verdict}  {name:{width}}  {outcome.seconds:6.1f} s  {outcome.told}", flush=True)
        if not outcome.passed:
            failed.append(name)
            print("        " + outcome.trouble.replace("\n", "\n        "), flush=True)
    if failed:
        print(f"{len(failed)} of {len(names)} failed; again with: --seed {seed} {' '.join(failed)}")
    return not failed


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Runs the scenarios of tests/soak.")
    parser.add_argument("names", nargs="*", default=[], metavar="NAME", help="module or module.function (default: all)")
    parser.add_argument("--minutes", type=float, default=15.0, help="for all scenarios together (default: 15)")
    parser.add_argument("--seed", type=int, default=None, help="(default: another one each time)")
    parser.add_argument("--list", action="store_true", help="only say which there are, and what must hold in each")
    parser.add_argument("--in", dest="folder", type=Path, default=HERE, help=argparse.SUPPRESS)
    parser.add_argument("--one", help=argparse.SUPPRESS)
    parser.add_argument("--seconds", type=float, help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.one is not None:
        _scenario(given.one, given.folder)(given.seconds, given.seed)
        return 0
    known = scenarios(given.folder)
    wanted = [name for name in known if not given.names or {name, name.partition(".")[0]} & set(given.names)]
    unknown = {name for name in given.names if not any(name in (each, each.partition(".")[0]) for each in known)}
    if unknown or not wanted:
        parser.error(f"no scenario {', '.join(sorted(unknown))}; there are {', '.join(known)}")
    if given.list:
        for name in wanted:
            print(f"{name}: {(_scenario(name, given.folder).__doc__ or '').partition(chr(10))[0]}")
        return 0
    seed = random.randrange(1 << 30) if given.seed is None else given.seed
    share = given.minutes * 60 / len(wanted)
    print(f"{len(wanted)} scenarios, {share:.0f} s each, seed {seed}", flush=True)
    return 0 if report(wanted, share, seed, folder=given.folder) else 1


def _scenario(name: str, folder: Path) -> Callable[[float, int], None]:
    _import_from_beside(folder)
    module, _, function = name.partition(".")
    found: Callable[[float, int], None] = getattr(importlib.import_module(f"{folder.name}.{module}"), function)
    return found


if __name__ == "__main__":
    sys.exit(main())
