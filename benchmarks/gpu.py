"""Times loops on the CPU and on the GPU, in penstock and, where it is installed, in DALI; prints a table.

    python benchmarks/gpu.py [--oracle .oracle/bin/python] [--images FOLDER] [--threads N] [--quick]

`device="gpu"` is the accelerator that torch finds, or what PENSTOCK_GPU says stands in for it: the head of the table
tells which. A stand-in shows that the loops run, not how fast a GPU is.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from workers import Worker

ROOT = Path(__file__).resolve().parent.parent
LOOPS = ("decode", "train", "resize", "color_twist", "normalize", "mean", "mel")
ROUNDS, BATCHES = 5, 20


def rate(worker: Worker, loop: str, device: str, rounds: int, batches: int) -> str:
    """Samples a second in the best of several rounds, or what went wrong."""
    warm_up = worker.ask(f"{loop} {device} 1")
    if "error" in warm_up:
        return str(warm_up["error"]).splitlines()[0][:60]
    answers = [worker.ask(f"{loop} {device} {batches}") for _ in range(rounds)]
    failed = [answer for answer in answers if "error" in answer]
    if failed:
        return str(failed[0]["error"]).splitlines()[0][:60]
    return f"{max(answer['items'] / answer['wall'] for answer in answers):,.0f}"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    options.add_argument("--oracle", help="the Python that DALI is installed for")
    options.add_argument("--images", default=str(ROOT / "src/penstock/cli/assets"), help="a folder with JPEG files")
    options.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    options.add_argument("--quick", action="store_true", help="one short round of each")
    given = options.parse_args()
    rounds, batches = (1, 2) if given.quick else (ROUNDS, BATCHES)
    pythons = {"penstock": sys.executable} | ({"dali": given.oracle} if given.oracle else {})
    workers = {
        name: Worker(python, "gpu_loops.py", name, given.images, str(given.threads)) for name, python in pythons.items()
    }
    print(f'device="gpu" is {workers["penstock"].ask("device").get("device")}; {given.threads} threads\n')
    columns = [(name, device) for name in workers for device in ("cpu", "gpu")]
    print("| samples/s | " + " | ".join(f"{name}, {device.upper()}" for name, device in columns) + " |")
    print("|---|" + "--:|" * len(columns))
    for loop in LOOPS:
        cells = [rate(workers[name], loop, device, rounds, batches) for name, device in columns]
        print(f"| {loop} | " + " | ".join(cells) + " |", flush=True)
    for worker in workers.values():
        worker.close()


if __name__ == "__main__":
    main()
