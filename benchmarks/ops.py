"""Times every operator in penstock and in DALI and writes docs/op_speed.md.

    python benchmarks/ops.py --oracle .oracle/bin/python [--only resize]

The calls are the examples beside the operators and those of op_cases. Each library lives in a process of its own, and a
third one compares penstock with the plain expression on one thread. They take turns, a slice of a second each, and the
best round counts, because on a shared machine everything else is somebody else's work.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import op_report
from op_calls import Timed, timed_calls, write_modules
from workers import Answer, Worker

CASE_SECONDS = 0.6
SLICE_SECONDS = 0.03
ROUNDS = range(3, 10)


class Side(NamedTuple):
    """One of what is compared: the library, its threads and which expression of the case it runs."""

    library: str
    threads: int
    kind: str


class Bench:
    def __init__(self, oracle: str, threads: int, calls: list[Timed], folder: Path) -> None:
        write_modules(calls, folder)
        self._calls, self._folder = calls, folder
        self._pythons = {"penstock": sys.executable, "dali": oracle}
        self._workers: dict[tuple[str, int], Worker] = {}
        self.ours, self.dali = Side("penstock", threads, "call"), Side("dali", threads, "call")
        self.alone, self.plain = Side("penstock", 1, "call"), Side("penstock", 1, "plain")
        self._bytes = Side("penstock", threads, "bytes")
        self.bandwidth: float = self._worker(self.ours).ask("copy")["bandwidth"]

    def measure(self, number: int) -> op_report.Line:
        """The best of several rounds. A side that fails is left out from then on."""
        timed = self._calls[number]
        sides = [self.ours, self.dali, *([self.alone, self.plain] if timed.plain else [])]
        warm_up = {side: self._ask(side, number, 0) for side in sides}
        errors = {side: answer["error"] for side, answer in warm_up.items() if "error" in answer}
        best: dict[tuple[Side, str], float] = {}
        started = time.perf_counter()
        for turn in range(ROUNDS.stop):
            if turn >= ROUNDS.start and time.perf_counter() - started > CASE_SECONDS:
                break
            for side in sides[:: -1 if turn % 2 else 1]:
                if side in errors:
                    continue
                answer = self._ask(side, number, SLICE_SECONDS)
                if "error" in answer:
                    errors[side] = answer["error"]
                for figure in {"wall", "cpu"} & set(answer):
                    best[side, figure] = min(answer[figure], best.get((side, figure), answer[figure]))
        return op_report.Line(
            timed.family, timed.operator, timed.call, best.get((self.ours, "wall")), best.get((self.dali, "wall")),
            best.get((self.alone, "cpu")), best.get((self.plain, "cpu")),
            next((error for side, error in errors.items() if side is not self.dali), ""),
            None if errors.get(self.ours) else self._ask(self._bytes, number, 0)["bytes"] / self.bandwidth,
        )  # fmt: skip

    def _ask(self, side: Side, number: int, seconds: float) -> Answer:
        timed = self._calls[number]
        return self._worker(side).ask(json.dumps([timed.module, timed.source, number, side.kind, seconds]))

    def _worker(self, side: Side) -> Worker:
        key = side.library, side.threads
        if key not in self._workers or not self._workers[key].alive:
            self._workers[key] = Worker(
                self._pythons[side.library], "op_worker.py", side.library, str(side.threads), str(self._folder)
            )
        return self._workers[key]

    def close(self) -> None:
        for worker in self._workers.values():
            worker.close()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--oracle", required=True, help="python of the environment with DALI")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--only", help="operators whose name contains this; nothing is written then")
    given = parser.parse_args()
    calls = timed_calls()
    wanted = [number for number, timed in enumerate(calls) if given.only is None or given.only in timed.operator]
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(given.oracle, given.threads, calls, Path(folder))
        try:
            for number in wanted:
                lines.append(bench.measure(number))
                print(op_report.as_text(lines[-1]), flush=True)
        finally:
            bench.close()
    for name, count, ratio, cpu_ratio in op_report.medians(lines):
        print(f"median of {name} ({count}): {ratio or 'no'} x DALI, CPU {cpu_ratio or 'no'} x plain")
    if given.only is None:
        op_report.write(lines, given.threads, bench.bandwidth)
    return int(any(line.error for line in lines))


if __name__ == "__main__":
    sys.exit(main())
