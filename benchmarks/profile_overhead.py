"""What `ndd.profile()` costs: the same loops with and without it, in turns within one process.

    .venv/bin/python benchmarks/profile_overhead.py --images ../shared/data/photos

CPU time counts all threads and is steadier than the clock on a shared machine. Turns with and without the profile
alternate; of each kind the mean of the quarter that took least counts, since other programs only ever add to the time
of a turn. With `--write` the table goes between the marks in docs/benchmarks.md.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from contextlib import nullcontext

import numpy as np
from report import OVERHEAD, markdown_table, put

import penstock.dynamic as ndd
from penstock import fn, pipeline_def, types
from penstock.cli.classification import MEAN, SIZE, STD, train, val

Loop = Callable[[], None]
Seconds = tuple[float, float]


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


def tiny_loops(steps: int) -> dict[str, Loop]:
    """Loops on arrays so small that all time goes into calls and events, not into pixels."""
    images = ndd.batch(np.zeros((8, 4, 4, 3), np.uint8), layout="HWC")

    def calls() -> None:
        for _ in range(steps):
            ndd.flip(images).evaluate()

    return {"flip of eight 4x4 images, awaited": calls}


def undisturbed(loop: Loop, turns: int) -> tuple[Seconds, Seconds]:
    """Wall-clock and CPU time of an undisturbed turn without the profile, and those with it."""
    loop()
    found: dict[bool, list[Seconds]] = {False: [], True: []}
    for turn in range(turns):
        for on in (False, True) if turn % 2 else (True, False):
            with ndd.profile() if on else nullcontext():
                loop()  # the first events of a profile are all measured
                started = time.perf_counter(), time.process_time()
                loop()
                found[on].append((time.perf_counter() - started[0], time.process_time() - started[1]))
    least = {on: np.sort(each, axis=0)[: max(1, turns // 4)].mean(axis=0) for on, each in found.items()}
    return tuple(least[False]), tuple(least[True])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--images", required=True, help="a folder of folders of images")
    parser.add_argument("--turns", type=int, default=40)
    parser.add_argument("--batches", type=int, default=4)
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--only", default="", metavar="WORD", help="only the loops with this in their names")
    parser.add_argument("--write", action="store_true", help="put the table into docs/benchmarks.md")
    given = parser.parse_args()
    rows = []
    loops = image_loops(given.images, given.batches, given.batch_size)
    steps = dict.fromkeys(loops, given.batches) | dict.fromkeys(tiny := tiny_loops(1000), 1000)
    chosen = {name: loop for name, loop in (loops | tiny).items() if given.only in name}
    for name, loop in chosen.items():
        (wall, cpu), (wall_on, cpu_on) = undisturbed(loop, given.turns)
        step = cpu / steps[name]
        took = f"{1e6 * step:.1f} µs" if step < 1e-3 else f"{1e3 * step:.1f} ms"
        rows.append((name, f"{100 * (cpu_on / cpu - 1):+.1f} %", f"{100 * (wall_on / wall - 1):+.1f} %", took))
        print(*rows[-1], sep="  ", flush=True)
    if given.write:
        put(OVERHEAD, markdown_table(("", "CPU time", "time", "CPU time of a step without"), rows))


if __name__ == "__main__":
    main()
