"""Times readers in penstock and DALI: samples per second, two threads, files in the page cache.

    python benchmarks/readers.py --oracle .oracle/bin/python [--only Webdataset]

Each library lives in a process of its own; they take many short turns. Told are the medians of the turns, and of the
ratios between a turn and the next. Both libraries copy what they read, DALI from a mapping of the file: what is timed
is the whole way into memory of the program's own.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from statistics import median

from reader_cases import FORMATS
from workers import Worker


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--oracle", required=True, help="python of the environment with DALI")
    parser.add_argument("--only", default="", help="readers with this in their title")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=25)
    given = parser.parse_args()
    slower = 0
    print(f"{'':40} {'samples/s':>28} {'first epoch':>12} {'us of CPU time a sample':>24}")
    print(f"{'':40} {'penstock':>10} {'DALI':>10} {'ratio':>6} {'ratio':>12} {'penstock':>10} {'DALI':>6} {'ratio':>6}")
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
                slower += compare(title, reader, workers if both else {"penstock": workers["penstock"]}, given.rounds)
            for worker in workers.values():
                worker.close()
    return 1 if slower else 0


def compare(title: str, reader: str, workers: dict[str, Worker], rounds: int) -> bool:
    """Prints a line; says whether DALI was faster."""
    turns: dict[str, list[dict[str, float]]] = {library: [] for library in workers}
    for _ in range(rounds):
        for library, worker in workers.items():
            answer = worker.ask(reader)
            if "error" in answer:
                raise SystemExit(f"{title} in {library}: {answer['error']}")
            turns[library].append(answer)
    rate, cpu = (
        {name: median(turn[figure] for turn in turns[name]) for name in turns} for figure in ("rate", "per_cpu")
    )
    if "dali" not in turns:
        print(f"{title:40} {rate['penstock']:10,.0f} {'':29} {1e6 / cpu['penstock']:11.1f}")
        return False
    ratios = {
        figure: median(
            a[figure] / b[figure] for a, b in zip(turns["penstock"], turns["dali"], strict=True) if figure in a
        )
        for figure in ("rate", "per_cpu", "first")
    }
    rates = f"{rate['penstock']:10,.0f} {rate['dali']:10,.0f} {ratios['rate']:6.2f}"
    costs = f"{1e6 / cpu['penstock']:10.1f} {1e6 / cpu['dali']:6.1f} {ratios['per_cpu']:6.2f}"
    print(f"{title:40} {rates} {ratios['first']:12.2f} {costs}", flush=True)
    return ratios["rate"] < 1


if __name__ == "__main__":
    sys.exit(main())
