"""Times the first epoch of readers in penstock and DALI, from making the reader on, in a process that is new each time.

    python benchmarks/first_epoch.py --oracle .oracle/bin/python [--only Webdataset] [--rounds 7] [--cold]

Files are in the page cache, or with --cold have just been dropped from it. Processes take turns; told are the best of
them. readers.py times the epochs that follow.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
MODULES = {
    "penstock": ("penstock.dynamic", "penstock.types"),
    "dali": ("nvidia.dali.experimental.dynamic", "nvidia.dali.types"),
}


def one_epoch(library: str, folder: str, expression: str) -> None:
    """Runs in a process of its own, and prints what it took."""
    import importlib

    ndd, types = map(importlib.import_module, MODULES[library])
    ndd.set_num_threads(2)
    cpu, wall = time.process_time(), time.perf_counter()
    samples = 0
    for outputs in eval(expression, {"ndd": ndd, "T": types, "folder": folder}).next_epoch(batch_size=64):
        first = next(iter(outputs.values())) if isinstance(outputs, dict) else outputs[0]
        first.evaluate()
        samples += first.batch_size
    figures = {"wall": time.perf_counter() - wall, "cpu": time.process_time() - cpu, "samples": samples}
    print(json.dumps(figures), flush=True)
    os._exit(0)  # without the end of the process, which is not what is asked about


def drop_from_cache(folder: Path) -> None:
    for path in folder.rglob("*"):
        if path.is_file():
            with open(path, "rb") as file:
                os.fsync(file.fileno())
                os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--oracle", required=True, help="python of the environment with DALI")
    parser.add_argument("--only", default="", help="readers with this in their title")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--cold", action="store_true", help="drop the files from the page cache before each epoch")
    given = parser.parse_args()
    from reader_cases import FORMATS

    print(f"{'':40} {'ms':>20} {'':6} {'ms of CPU time':>20}")
    print(f"{'':40} {'penstock':>10} {'DALI':>9} {'ratio':>6} {'penstock':>10} {'DALI':>9} {'ratio':>6}")
    for form in FORMATS.values():
        cases = [case for case in form.CASES if given.only in case[0] and case[2]]
        if not cases:
            continue
        with tempfile.TemporaryDirectory() as folder:
            form.write(Path(folder))
            for title, reader, _ in cases:
                told = compare(folder, reader, given.oracle, given.rounds, given.cold)
                print(f"{title:40} {told}", flush=True)
    return 0


def compare(folder: str, reader: str, oracle: str, rounds: int, cold: bool) -> str:
    turns: dict[str, list[dict[str, Any]]] = {"penstock": [], "dali": []}
    for _ in range(rounds):
        for library, python in (("penstock", sys.executable), ("dali", oracle)):
            if cold:
                drop_from_cache(Path(folder))
            command = [python, __file__, library, folder, reader]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            turns[library].append(json.loads(done.stdout.splitlines()[-1]))
    cells = []
    for figure in ("wall", "cpu"):
        own, other = (min(turn[figure] for turn in turns[library]) * 1e3 for library in ("penstock", "dali"))
        cells.append(f"{own:10.1f} {other:9.1f} {other / own:6.2f}")
    return " ".join(cells)


if __name__ == "__main__":
    if sys.argv[1:2] in (["penstock"], ["dali"]):
        one_epoch(*sys.argv[1:])
    sys.exit(main())
