"""Times readers in penstock and DALI: samples per second, two threads, files in the page cache.

    python benchmarks/readers.py --oracle .oracle/bin/python [--only Webdataset]

Each library lives in a process of its own; they take turns, and the best turn of each counts.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from reader_cases import FORMATS
from workers import Worker

ROUNDS = 5


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--oracle", required=True, help="python of the environment with DALI")
    parser.add_argument("--only", default="", help="readers with this in their title")
    parser.add_argument("--threads", type=int, default=2)
    given = parser.parse_args()
    slower = 0
    print(f"{'samples/s':40} {'penstock':>10} {'DALI':>10} {'ratio':>6} {'first epoch':>12} {'per CPU second':>15}")
    for form in FORMATS.values():
        cases = [case for case in form.CASES if given.only in case[0]]
        if not cases:
            continue
        with tempfile.TemporaryDirectory() as folder:
            form.write(Path(folder))
            workers = {
                library: Worker(python, "reader_worker.py", library, str(given.threads), folder)
                for library, python in (("penstock", sys.executable), ("dali", given.oracle))
            }
            for title, reader, both in cases:
                slower += compare(title, reader, workers if both else {"penstock": workers["penstock"]})
            for worker in workers.values():
                worker.close()
    return 1 if slower else 0


def compare(title: str, reader: str, workers: dict[str, Worker]) -> bool:
    """Prints a line; says whether DALI was faster."""
    best = {library: {"first": 0.0, "rate": 0.0, "per_cpu": 0.0} for library in workers}
    for _ in range(ROUNDS):
        for library, worker in workers.items():
            answer = worker.ask(reader)
            if "error" in answer:
                raise SystemExit(f"{title} in {library}: {answer['error']}")
            best[library] = {figure: max(answer[figure], rate) for figure, rate in best[library].items()}
    ours, theirs = best["penstock"], best.get("dali")
    if theirs is None:
        print(f"{title:40} {ours['rate']:10,.0f}")
        return False
    ratios = {figure: ours[figure] / theirs[figure] for figure in ours}
    rates = f"{ours['rate']:10,.0f} {theirs['rate']:10,.0f} {ratios['rate']:6.2f}"
    print(f"{title:40} {rates} {ratios['first']:12.2f} {ratios['per_cpu']:15.2f}", flush=True)
    return ratios["rate"] < 1


if __name__ == "__main__":
    sys.exit(main())
