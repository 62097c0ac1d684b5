"""Times an epoch over prepared images in penstock and FFCV: CPU time for an image, at equal pixels.

    python benchmarks/prepared.py --photos DIR [--ffcv PYTHON] [--copies 5]

The photos, so many times over, are written by each library at 512 and at 256 pixels: by `penstock pack` and FFCV's
writer as JPEG of quality 90, and by FFCV's writer as pixels, which in penstock `ndd.cache` keeps in memory. Each
library has a process of its own; they take turns, and the best turn is told. Without --ffcv penstock runs alone.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from workers import HERE, Worker

CASES = ("512 jpeg", "256 jpeg", "512 raw", "256 raw")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--photos", type=Path, required=True, help="a folder of folders of JPEGs")
    parser.add_argument("--ffcv", help="python of an environment with FFCV")
    parser.add_argument("--copies", type=int, default=5, help="how often each photo is in the data set")
    parser.add_argument("--rounds", type=int, default=7)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        prepare(folder, given.photos, given.copies, given.ffcv)
        workers = {"penstock": Worker(sys.executable, "prepared_loops.py", "penstock", name)}
        if given.ffcv:
            workers["ffcv"] = Worker(given.ffcv, "prepared_loops.py", "ffcv", name)
        print(f"{'':10}" + "".join(f"{library + ', ms of CPU':>24}{'images/s':>10}" for library in workers))
        for case in CASES:
            print(f"{case:10}" + "".join(compare(case, workers, given.rounds)), flush=True)
        for worker in workers.values():
            worker.close()
    return 0


def prepare(folder: Path, photos: Path, copies: int, ffcv: str | None) -> None:
    """What the workers read."""
    for copy in range(copies):
        for file in sorted(photos.glob("*/*.*")):
            target = folder / "photos" / file.parent.name / f"{copy}_{file.name}"
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, target)
    for size in (512, 256):
        command = [sys.executable, "-m", "penstock", "pack", folder / "photos", folder / f"packed{size}"]
        subprocess.run([*command, "--max-size", str(size), "--quality", "90"], check=True, stdout=subprocess.DEVNULL)
    if ffcv:
        command = [ffcv, HERE / "prepared_loops.py", "ffcv", folder, folder / "photos"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def compare(case: str, workers: dict[str, Worker], rounds: int) -> list[str]:
    turns: dict[str, list[dict[str, float]]] = {library: [] for library in workers}
    for _ in range(rounds):
        for library, worker in workers.items():
            answer = worker.ask(case)
            if "error" in answer:
                raise SystemExit(f"{case} in {library}: {answer['error']}")
            turns[library].append(answer)
    cells = []
    for told in turns.values():
        cpu, rate = (
            min(turn["cpu"] / turn["items"] for turn in told),
            max(turn["items"] / turn["wall"] for turn in told),
        )
        cells.append(f"{cpu * 1e3:24.3f}{rate:10,.0f}")
    return cells


if __name__ == "__main__":
    sys.exit(main())
