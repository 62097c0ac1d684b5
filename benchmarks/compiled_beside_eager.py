"""Compiled loops beside the same loops run call by call: on an idle machine, and with one core taken by others.

    .venv/bin/python benchmarks/compiled_beside_eager.py --images ../shared/data/photos [--write]

Each of the two lives in a process of its own, and they take turns. Epochs are timed right behind one that is not: so a
compiled loop has as much made ahead when the clock starts as when it stops. With --write the table goes into
docs/benchmarks.md.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import NamedTuple

from report import COMPILED, markdown_table, put, times
from workers import Worker

LOOPS = {
    "val": ("val_without_torch", "val_compiled"),
    "train": ("train_without_torch", "train_compiled"),
}


class Speed(NamedTuple):
    """Images in a second, by the clock."""

    best: float
    median: float


def measure(workers: list[Worker], loops: tuple[str, str], rounds: int) -> list[Speed]:
    speeds: list[list[float]] = [[] for _ in loops]
    for turn in range(rounds):
        for which in (0, 1)[:: -1 if turn % 2 else 1]:
            answer = workers[which].ask(loops[which])
            speeds[which].append(answer["items"] / answer["wall"])
    return [Speed(max(found), statistics.median(found)) for found in speeds]


@contextmanager
def core_taken() -> Iterator[None]:
    """Another process that wants a core all the time."""
    with subprocess.Popen([sys.executable, "-c", "while True: pass"]) as other:
        try:
            yield
        finally:
            other.kill()


CONDITIONS: dict[str, Callable[[], AbstractContextManager[None]]] = {"idle": nullcontext, "one core taken": core_taken}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--images", required=True, help="a folder of folders of images")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--write", action="store_true", help="put the table into docs/benchmarks.md")
    given = parser.parse_args()
    workers = [Worker(sys.executable, "loops.py", "penstock", given.images, str(given.threads)) for _ in range(2)]
    rows = []
    for name, loops in LOOPS.items():
        for condition, entered in CONDITIONS.items():
            with entered():
                eager, compiled = measure(workers, loops, given.rounds)
            best, median = times(compiled.best / eager.best), times(compiled.median / eager.median)
            rows.append((f"{name}, {condition}", f"{eager.best:,.0f}", f"{compiled.best:,.0f}", best, median))
            print(*rows[-1], sep="  ", flush=True)
    for worker in workers:
        worker.close()
    if given.write:
        put(COMPILED, markdown_table(("", "eager", "compiled", "best", "median"), rows))


if __name__ == "__main__":
    main()
