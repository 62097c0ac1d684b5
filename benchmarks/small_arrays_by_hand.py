"""10,000 arrays of 32x32x3 in memory beside the same in NumPy: random crop, flip, normalise, batches of 256.

    python benchmarks/small_arrays_by_hand.py [--rounds 20] [--threads 2]

The loops take turns in one process, and the best round of each counts, of wall-clock and of CPU time each by itself.
"sample by sample" does what Penstock does: a window and a coin for each array, planes of float32. "one expression" does
less, the most that NumPy does in one expression for a batch: all arrays share a window, and pixels stay interleaved.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from epochs import MEAN, STD
from loops import small_arrays

import penstock.dynamic as ndd

BATCH, SIZE, CROP = 256, 32, 28
SCALE = 1 / np.array(STD, np.float32)
SHIFT = -np.array(MEAN, np.float32) * SCALE

Array = np.ndarray[Any, Any]


def sample_by_sample(batch: Array, draws: np.random.Generator) -> Array:
    n = len(batch)
    left, top = draws.integers(0, SIZE - CROP + 1, (2, n)).tolist()
    taken = np.empty((n, CROP, CROP, 3), np.uint8)
    for i, (mirrored, x, y) in enumerate(zip((draws.random(n) < 0.5).tolist(), left, top, strict=True)):
        window = batch[i, y : y + CROP, x : x + CROP]
        taken[i] = window[:, ::-1] if mirrored else window
    made = np.empty((n, 3, CROP, CROP), np.float32)
    np.multiply(taken.transpose(0, 3, 1, 2), SCALE.reshape(3, 1, 1), out=made)
    made += SHIFT.reshape(3, 1, 1)
    return made


def one_expression(batch: Array, draws: np.random.Generator) -> Array:
    left, top = draws.integers(0, SIZE - CROP + 1, 2)
    rows = batch.reshape(len(batch), SIZE, 3 * SIZE)[:, top : top + CROP, 3 * left : 3 * (left + CROP)]
    made: Array = rows * np.tile(SCALE, CROP)
    made += np.tile(SHIFT, CROP)
    return made


def by_hand(body: Callable[[Array, np.random.Generator], Array]) -> Callable[[], int]:
    arrays = np.random.default_rng(0).integers(0, 256, (10_000, SIZE, SIZE, 3), np.uint8)
    draws = np.random.default_rng(1)

    def run() -> int:
        import torch

        for start in range(0, len(arrays), BATCH):
            torch.from_numpy(body(arrays[start : start + BATCH], draws))
        return len(arrays)

    return run


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--threads", type=int, default=2)
    given = parser.parse_args()
    ndd.set_num_threads(given.threads)
    loops = {
        "penstock": small_arrays(ndd, ""),
        "NumPy, sample by sample": by_hand(sample_by_sample),
        "NumPy, one expression": by_hand(one_expression),
    }
    for run in loops.values():
        run()
    wall, cpu = dict.fromkeys(loops, 0.0), dict.fromkeys(loops, 0.0)
    for _ in range(given.rounds):
        for name, run in loops.items():
            started, used = time.perf_counter(), time.process_time()
            items = run()
            cpu[name] = max(cpu[name], items / (time.process_time() - used))
            wall[name] = max(wall[name], items / (time.perf_counter() - started))
    for name in loops:
        ratios = f"penstock is at {wall['penstock'] / wall[name]:.2f}x, of CPU time {cpu['penstock'] / cpu[name]:.2f}x"
        print(f"{name:<24} {wall[name]:9,.0f} items/s, {cpu[name]:9,.0f} per CPU second; {ratios}")


if __name__ == "__main__":
    main()
