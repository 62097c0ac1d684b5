"""What `ndd.profile()` costs: the same loops with and without it, in turns within one process.

    .venv/bin/python benchmarks/profile_overhead.py --images ../shared/data/photos

A ratio above 1 means that the loop takes longer with the profile on. Wall-clock time is that of the machine as it is;
CPU time counts all threads and is steadier. Of the turns, which alternate, the median of the ratios of neighbours is
taken. Writes its table between the marks in docs/benchmarks.md.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from contextlib import nullcontext

import numpy as np
from report import OVERHEAD, ROOT, machine, markdown_table

import penstock.dynamic as ndd
from penstock import fn, pipeline_def, types
from penstock.cli.classification import MEAN, SIZE, STD, train, val

Loop = Callable[[], None]


def image_loops(folder: str, batches: int, batch_size: int) -> dict[str, Loop]:
    """Loops over images, each of which goes on where it stood."""

    def running(body: Callable[[ndd.Batch], ndd.Batch], compiled: bool) -> Loop:
        reader = ndd.readers.File(file_root=folder, random_shuffle=True, seed=1)

        def endless():
            while True:
                for jpegs, _ in reader.next_epoch(batch_size=batch_size, compile=compiled):
                    body(jpegs).evaluate()
                    yield

        steps = endless()

        def loop() -> None:
            for _ in range(batches):
                next(steps)

        return loop

    @pipeline_def(batch_size=batch_size, num_threads=ndd.get_num_threads(), device_id=None)
    def pipe():
        jpegs, _ = fn.readers.file(file_root=folder, random_shuffle=True, seed=1)
        images = fn.resize(fn.decoders.image(jpegs), size=[SIZE, SIZE])
        return fn.crop_mirror_normalize(images, dtype=types.FLOAT, output_layout="CHW", mean=MEAN, std=STD)

    pipeline = pipe()

    def pipelined() -> None:
        for _ in range(batches):
            pipeline.run()

    return {
        "val, eager": running(val, False),
        "val, compiled": running(val, True),
        "train, compiled": running(train, True),
        "val, pipeline": pipelined,
    }


def tiny_loop(calls: int) -> Loop:
    """Calls on arrays so small that each takes some ten microseconds."""
    images = ndd.batch(np.zeros((8, 4, 4, 3), np.uint8), layout="HWC")

    def loop() -> None:
        for _ in range(calls):
            ndd.flip(images).evaluate()

    return loop


def ratios(loop: Loop, turns: int) -> tuple[float, float, float]:
    """Wall-clock and CPU time with the profile by those without, and the seconds of a turn without."""
    loop()
    found: list[tuple[float, float, float]] = []
    for turn in range(turns):
        took: dict[bool, tuple[float, float]] = {}
        for on in (False, True) if turn % 2 else (True, False):
            with ndd.profile() if on else nullcontext():
                started = time.perf_counter(), time.process_time()
                loop()
                took[on] = time.perf_counter() - started[0], time.process_time() - started[1]
        found.append((took[True][0] / took[False][0], took[True][1] / took[False][1], took[False][0]))
    wall, cpu, seconds = zip(*found, strict=True)
    return statistics.median(wall), statistics.median(cpu), statistics.median(seconds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--images", required=True, help="a folder of folders of images")
    parser.add_argument("--turns", type=int, default=15)
    parser.add_argument("--batches", type=int, default=12)
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--write", action="store_true", help="put the table into docs/benchmarks.md")
    given = parser.parse_args()
    rows = []
    loops = image_loops(given.images, given.batches, given.batch_size) | {"flip of eight 4x4 images": tiny_loop(2000)}
    for name, loop in loops.items():
        wall, cpu, seconds = ratios(loop, given.turns)
        rows.append((name, f"{100 * (wall - 1):+.1f} %", f"{100 * (cpu - 1):+.1f} %", f"{seconds:.2f} s"))
        print(*rows[-1], sep="  ", flush=True)
    if given.write:
        write(markdown_table(("", "time", "CPU time", "one turn"), rows))


def write(table: str) -> None:
    page = ROOT / "docs/benchmarks.md"
    before, rest = page.read_text().split(OVERHEAD[0])
    said = f"On {machine()}, batches of 64."
    page.write_text(f"{before}{OVERHEAD[0]}\n{said}\n\n{table}\n{OVERHEAD[1]}{rest.split(OVERHEAD[1])[1]}")


if __name__ == "__main__":
    main()
