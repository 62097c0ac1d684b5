"""The process that feeds a target: it may die of it, `run.py` starts the next one."""

from __future__ import annotations

import argparse
import contextlib
import faulthandler
import os
import resource
import sys
import time
import traceback
import warnings
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parent.parent))

from fuzz.case_file import CaseFile
from fuzz.mutate import mutated
from fuzz.target import Target
from fuzz.targets import TARGETS

_MEMORY = 3 << 30  # beyond what the process has when it starts
UNEXPECTED = 3  # exit code for an exception that no parser may raise


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("target", choices=TARGETS)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--input", type=Path, help="feed this file only")
    chosen = parser.parse_args()
    faulthandler.enable()
    warnings.simplefilter("ignore")
    target = TARGETS[chosen.target]
    if chosen.input is not None:
        return _feed(target, chosen.input.read_bytes(), chosen.folder)
    corpus = [bytes(each) for each in target.corpus()]
    for each in corpus:
        target.run(each, chosen.folder)  # what is not damaged is read, or nothing behind its fault is reached
    _limit_memory()
    return _loop(target, corpus, chosen.folder, Random(chosen.seed), time.monotonic() + chosen.seconds)


def _loop(target: Target, corpus: list[bytes], folder: Path, random: Random, end: float) -> int:
    case, number = CaseFile(folder / "case"), 0
    while time.monotonic() < end:
        data = mutated(random, corpus)
        if target.repair is not None and random.random() < 0.8:
            data = target.repair(data)
        number += 1
        case.note(number, data)
        if _feed(target, data, folder):
            return UNEXPECTED
    return 0


def _feed(target: Target, data: bytes, folder: Path) -> int:
    try:
        with contextlib.suppress(*target.refusals):
            target.run(data, folder)
    except BaseException:
        traceback.print_exc()
        return UNEXPECTED
    return 0


def _limit_memory() -> None:
    """So that a file that takes too much is an error here, and not the end of other programs; but ASan reserves all."""
    if "libasan" in os.environ.get("LD_PRELOAD", ""):
        return
    with open("/proc/self/statm") as file:
        now = int(file.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (now + _MEMORY, now + _MEMORY))


if __name__ == "__main__":
    sys.exit(main())
