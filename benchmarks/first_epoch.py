"""Times the first epoch of readers in penstock and DALI, from making the reader on, in a process that is new each time.

    python benchmarks/first_epoch.py --oracle .oracle/bin/python [--only Webdataset] [--rounds 7] [--write]

Once with the files in the page cache, and once with them just dropped from it: only their pages are, what the system
knows of folders and sizes stays. The libraries take turns. Told are the best of them, and ratios of the medians as
well. readers.py times the epochs that follow. With --write the table goes into docs/benchmarks.md.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from reader_cases import FORMATS
from report import FIRST_EPOCHS, markdown_table, put, times
from workers import Worker

HEAD = ("", "page cache", "penstock", "DALI", "ratio", "of medians", "CPU ms", "DALI's", "ratio", "of medians")


class Turns(NamedTuple):
    """What the epochs of one reader took in either library, by figure: milliseconds, and those of CPU time."""

    ours: list[dict[str, float]]
    theirs: list[dict[str, float]]

    def best(self, figure: str) -> tuple[float, float]:
        own, other = (min(turn[figure] for turn in turns) * 1e3 for turns in self)
        return own, other

    def ratio_of_medians(self, figure: str) -> float:
        own, other = (median(turn[figure] for turn in turns) for turns in self)
        return other / own

    def cells(self) -> list[str]:
        cells = []
        for figure, unit in (("wall", " ms"), ("cpu", "")):
            own, other = self.best(figure)
            shown = [f"{each:.1f}{unit}" for each in (own, other)]
            cells += [*shown, times(other / own), times(self.ratio_of_medians(figure))]
        return cells


def drop_from_cache(folder: Path) -> None:
    """Drops the pages of all files, which must have been written to the disk before."""
    for path in folder.rglob("*"):
        if path.is_file():
            descriptor = os.open(path, os.O_RDONLY)
            os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
            os.close(descriptor)


def check_droppable(folder: Path) -> None:
    """Ends the program where files stay in memory whatever is said, as those of a tmpfs do."""
    os.sync()  # once for all: an fsync takes milliseconds for every file, though there is nothing left to write
    drop_from_cache(folder)
    path = max(folder.rglob("*"), key=lambda path: path.stat().st_size if path.is_file() else -1)
    with open(path, "rb", buffering=0) as file:
        try:
            os.preadv(file.fileno(), [bytearray(1)], path.stat().st_size // 2, os.RWF_NOWAIT)
        except BlockingIOError:
            return
    raise SystemExit(f"{path} stays in the page cache; set TMPDIR to a folder on a disk, or leave out --caches cold")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--oracle", required=True, help="python of the environment with DALI")
    parser.add_argument("--only", default="", help="readers with this in their title")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--caches", nargs="+", choices=("warm", "cold"), default=["warm", "cold"])
    parser.add_argument("--write", action="store_true", help="put the table into docs/benchmarks.md")
    given = parser.parse_args()
    workers = [
        Worker(python, "first_epoch_worker.py", library, str(given.threads))
        for library, python in (("penstock", sys.executable), ("dali", given.oracle))
    ]
    rows: list[tuple[str, ...]] = []
    for form in FORMATS.values():
        cases = [case for case in form.CASES if given.only in case[0] and case[2]]
        if not cases:
            continue
        with tempfile.TemporaryDirectory() as folder:
            form.write(Path(folder))
            if "cold" in given.caches:
                check_droppable(Path(folder))
            for title, reader, _ in cases:
                for cache in given.caches:
                    turns = compare(Path(folder), reader, workers, given.rounds, cold=cache == "cold")
                    rows.append((title, cache, *turns.cells()))
                    print(f"{title:42} {cache:5}", *(f"{cell:>10}" for cell in turns.cells()), flush=True)
    for worker in workers:
        worker.close()
    if given.write:
        put(FIRST_EPOCHS, f"Best of {given.rounds}, {given.threads} threads.\n\n" + markdown_table(HEAD, rows, left=2))
    return 0


def compare(folder: Path, reader: str, workers: list[Worker], rounds: int, cold: bool) -> Turns:
    turns = Turns([], [])
    line = f"(lambda folder: {reader})({str(folder)!r})"
    if not cold:
        for worker in workers:  # brings the files into the page cache
            _ask(worker, line)
    for _ in range(rounds):
        for worker, answers in zip(workers, turns, strict=True):
            if cold:
                drop_from_cache(folder)
            answers.append(_ask(worker, line))
    return turns


def _ask(worker: Worker, line: str) -> dict[str, Any]:
    answer = worker.ask(line)
    if "error" in answer:
        raise SystemExit(f"{line}: {answer['error']}")
    return answer


if __name__ == "__main__":
    sys.exit(main())
