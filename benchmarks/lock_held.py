"""How long the interpreter lock is held for each image of the val loop, and what that bounds on many cores.

    .venv/bin/python benchmarks/lock_held.py --images ../shared/data/photos [--write]

The CPU time of threads is added up from where native code has taken the lock again to where it lets go of it the next
time. What Python itself does without the lock in between, such as waiting, takes next to no CPU time. The best of
several epochs counts. They are as long as those of real data sets begin to be, by links to the same images, so that
this is what every batch costs; what beginning an epoch costs on top of that is told beside it, from epochs of a few
batches. The same loops on images of 16x16 pixels run the same Python code with caches that decoding leaves alone. With
--write the table goes into docs/benchmarks.md.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
from ahead_loops import val_compiled, val_pipeline
from epochs import BATCH_SIZE, Run, epoch, val_images
from PIL import Image
from report import LOCK, markdown_table, put

import penstock.dynamic as ndd
from penstock._native import count_held_time, held_seconds

CORES = 64
BATCHES, FEW_BATCHES = 32, 4


class Cost(NamedTuple):
    """CPU seconds of one image: of all threads, and of those that held the lock."""

    held: float
    cpu: float

    @property
    def most_cores(self) -> float:
        """How many cores the lock keeps busy at most, where whoever holds it never waits for anything else."""
        return self.cpu / self.held

    def speedup(self, cores: int) -> float:
        """How much faster than one core, were nothing else done while the lock is held (Amdahl's law)."""
        share = self.held / self.cpu
        return 1 / (share + (1 - share) / cores)


def measure(run: Run, rounds: int) -> Cost:
    run()  # starts all threads
    costs = []
    count_held_time(True)
    try:
        for _ in range(rounds):
            held, cpu = held_seconds(), time.process_time()
            images = run()
            costs.append(Cost((held_seconds() - held) / images, (time.process_time() - cpu) / images))
    finally:
        count_held_time(False)
    return min(costs)


def linked(images: str, folder: Path, batches: int) -> str:
    """A folder of so many batches of links to the images, repeated as often as that takes."""
    files = sorted(each for each in Path(images).rglob("*") if each.is_file())
    (folder / "links").mkdir(parents=True)
    for number in range(batches * BATCH_SIZE):
        file = files[number % len(files)].resolve()
        (folder / "links" / f"{number}{file.suffix}").symlink_to(file)
    return str(folder)


def small_images(folder: Path) -> str:
    """A folder with a batch of JPEGs of 16x16 pixels."""
    folder.mkdir()
    pixels = np.random.default_rng(0).integers(0, 256, (BATCH_SIZE, 16, 16, 3), np.uint8)
    for number, each in enumerate(pixels):
        Image.fromarray(each).save(folder / f"{number}.jpg")
    return str(folder)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--images", required=True, help="a folder of folders of images")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--write", action="store_true", help="put the table into docs/benchmarks.md")
    given = parser.parse_args()
    loops: dict[str, Callable[[str], Run]] = {
        "eager val": lambda images: epoch(ndd, images, lambda jpegs: val_images(ndd, jpegs).evaluate()),
        "compiled val": lambda images: val_compiled(ndd, images),
        "pipeline val": lambda images: val_pipeline(ndd, images),
    }
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for kind, images in (("", given.images), (" of 16x16 pixels", small_images(Path(folder, "small")))):
            many, few = (linked(images, Path(folder, f"{count}{kind}"), count) for count in (BATCHES, FEW_BATCHES))
            for name, loop in loops.items():
                cost, short = measure(loop(many), given.rounds), measure(loop(few), 3 * given.rounds)
                beginning = max(short.held - cost.held, 0.0) * FEW_BATCHES * BATCH_SIZE
                held, cpu, begun = f"{cost.held * 1e6:.1f} µs", f"{cost.cpu * 1e6:.0f} µs", f"{beginning * 1e6:.0f} µs"
                rows.append((name + kind, held, cpu, f"{cost.most_cores:.0f}", f"{cost.speedup(CORES):.0f}x", begun))
                print(*rows[-1], sep="  ", flush=True)
    if given.write:
        head = (
            f"epochs of {BATCHES} batches of {BATCH_SIZE}", "lock held per image", "CPU time per image",
            "cores it keeps busy", f"{CORES} cores, serially", "lock held on top, per epoch",
        )  # fmt: skip
        put(LOCK, markdown_table(head, rows))


if __name__ == "__main__":
    main()
