"""Times penstock and DALI side by side and writes docs/benchmarks.md and the table in the README.

    python benchmarks/compare.py --oracle .oracle/bin/python --images DIR [--quick]

Each library lives in a process of its own. A loop runs in one, then in the other, and again; the best run of each
counts, because on a shared machine everything else is somebody else's work.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import report
from workers import HERE, LIBRARIES, Answer, Worker


class Row(NamedTuple):
    """One line of the table. `at_least` is how many times better penstock is meant to be.

    `times` multiplies the rounds: the best of very short runs takes longer to settle. `against` is the loop that DALI
    runs, where it is another one.
    """

    title: str
    loop: str
    figure: str
    at_least: float | None
    fresh: bool = False
    cpu: bool = True
    times: int = 1
    against: str | None = None

    def loop_of(self, library: str) -> str:
        return self.against or self.loop if library == "dali" else self.loop


ROWS = (
    Row("decode only", "decode", "images/s", 1.0),
    Row("val, eager", "val_eager", "images/s", 1.9),
    Row("val, deferred", "val_deferred", "images/s", 2.0),
    Row("train, eager", "train_eager", "images/s", 1.7),
    Row("val, compiled, beside a pipeline of DALI", "val_compiled", "images/s", 2.0, against="val_pipeline"),
    Row("val, pipeline", "val_pipeline", "images/s", 2.0),
    Row("train, compiled, beside a pipeline of DALI", "train_compiled", "images/s", 1.8, against="train_pipeline"),
    Row("train, pipeline", "train_pipeline", "images/s", 1.8),
    Row("decode, rotate, twist, blur, normalise, pipeline", "strong_pipeline", "images/s", 5.0),
    Row("AutoAugment of 64 images of 480x640, pipeline", "auto_augment", "images/s", 5.0),
    Row("RandAugment of 64 images of 480x640, pipeline", "rand_augment", "images/s", 5.0),
    Row("TrivialAugment of 64 images of 480x640, pipeline", "trivial_augment", "images/s", 5.0),
    Row("log-mel of clips of 5 to 15 s, from WAV files in memory", "log_mel", "items/s", 5.0, times=3),
    Row("val, compiled, with a consumer that takes as long", "val_overlapped", "images/s", None),
    Row("a step of ten calls on tiny data, compiled", "tiny_compiled", "µs", 5.0, times=3),
    Row("a step of three calls on tiny data, compiled", "tiny_compiled_three", "µs", 5.0, times=3),
    Row("a step of three calls on tiny data, pipeline", "tiny_pipeline_three", "µs", 5.0, times=3),
    Row("val, eager, beside a thread of pure Python", "val_beside_python", "images/s", None, cpu=False),
    Row("10,000 arrays of 32x32x3: random crop, flip, normalise", "small_arrays", "items/s", 3.0, times=3),
    Row("one call on a batch of 8, eager, awaited", "call_eager", "µs", 6.0, times=6),
    Row("one call on a batch of 8, deferred, not evaluated", "call_deferred", "µs", 8.0, times=6),
    Row("import", "import", "s", 2.5, fresh=True),
    Row("import to first val batch", "first_batch", "s", None, fresh=True),
    Row("peak memory in val", "peak_rss", "MB", 1.0, fresh=True),
    Row("installed size with dependencies", "size", "MB", 4.0, fresh=True),
)


class Bench:
    def __init__(self, pythons: dict[str, str], images: str, threads: int, rounds: int) -> None:
        self._pythons = pythons
        self._images = images
        self._threads = threads
        self.rounds = rounds
        self._workers: dict[str, Worker] = {}

    @contextmanager
    def worker(self, library: str) -> Iterator[Worker]:
        made = self._start(library)
        try:
            yield made
        finally:
            made.close()

    def _start(self, library: str) -> Worker:
        return Worker(self._pythons[library], "loops.py", library, self._images, str(self._threads))

    def close(self) -> None:
        for worker in self._workers.values():
            worker.close()

    def measure(self, row: Row) -> dict[str, report.Figure]:
        """The best figure of each library."""
        runs: dict[str, list[Answer]] = {library: [] for library in LIBRARIES}
        for turn in range(self.rounds * row.times if row.loop != "size" else 1):
            for library in LIBRARIES[:: -1 if turn % 2 else 1]:
                runs[library].append(self._fresh(row, library) if row.fresh else self._warm(row, library))
        return {library: report.best(answers, row.figure, row.cpu) for library, answers in runs.items()}

    def _warm(self, row: Row, library: str) -> Answer:
        if library not in self._workers:
            self._workers[library] = self._start(library)
        return self._workers[library].ask(row.loop_of(library))

    def _fresh(self, row: Row, library: str) -> Answer:
        if row.loop == "size":
            arguments = {"penstock": ["penstock", "penstock"], "dali": ["nvidia-dali-cuda120"]}[library]
            command = [self._pythons[library], str(HERE / "installed.py"), *arguments]
            return {"value": int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)}
        with self.worker(library) as worker:
            if row.loop == "import":
                return {"value": worker.import_seconds}
            if row.loop == "first_batch":
                answer = worker.ask("first_batch")
                return answer if "error" in answer else {"value": worker.import_seconds + answer["wall"]}
            answer = worker.ask("val_without_torch")
            return answer if "error" in answer else {"value": answer["peak_rss"]}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--oracle", required=True, help="python of the environment with DALI")
    parser.add_argument("--images", type=Path, required=True, help="images in one sub-folder per class")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--quick", action="store_true", help="two rounds, nothing written")
    given = parser.parse_args()
    if not given.images.is_dir():
        parser.error(f"{given.images} is not a folder; give one with make bench DIR=...")
    pythons = {"penstock": sys.executable, "dali": given.oracle}
    bench = Bench(pythons, str(given.images), given.threads, 2 if given.quick else given.rounds)
    lines = []
    try:
        for row in ROWS:
            figures = bench.measure(row)
            lines.append(report.Line(row.title, row.figure, row.at_least, figures["penstock"], figures["dali"]))
            print(report.as_text(lines[-1]), flush=True)
    finally:
        bench.close()
    if not given.quick:
        report.write(lines, given.threads, bench.rounds)
    return 1 if any(line.failed for line in lines) else 0


if __name__ == "__main__":
    sys.exit(main())
