"""What a sample costs in a user's own operator, beside what its function takes: samples so small that it shows.

python benchmarks/own_operators.py [REPEATS]

Prints CPU microseconds per sample, the best of REPEATS batches, in one thread.
"""

from __future__ import annotations

import sys
import time
from typing import Any

import numpy as np

import penstock.dynamic as ndd

SAMPLES = 512


@ndd.operator
def same(x: Any) -> Any:
    return x


@ndd.operator
def plus(x: Any, *, k: ndd.PerSample[int] = 3) -> Any:
    return x + k


@ndd.operator
def of_two(x: Any, y: Any) -> Any:
    return x


@ndd.operator
def noisy(x: Any, rng: np.random.Generator) -> Any:
    return x


def main(repeats: int) -> None:
    ready = [ndd.batch([np.full(8, k, np.float32) for k in range(SAMPLES)]).evaluate() for _ in range(2)]
    ragged = ndd.batch([np.zeros(8 + k % 2, np.float32) for k in range(SAMPLES)]).evaluate()
    numbers = ndd.batch([*range(SAMPLES)]).evaluate()
    cases = {
        "no argument": lambda: same(ready[0]),
        "samples of two shapes": lambda: same(ragged),
        "two inputs": lambda: of_two(*ready),
        "a number, x + 3": lambda: plus(ready[0]),
        "a number for each sample": lambda: plus(ready[0], k=numbers),
        "a generator for each sample": lambda: noisy(ready[0]),
    }
    best = dict.fromkeys(cases, float("inf"))
    with ndd.EvalContext(num_threads=1), ndd.EvalMode.sync_cpu:
        for _ in range(repeats):
            for name, call in cases.items():
                began = time.process_time()
                call().evaluate()
                best[name] = min(best[name], time.process_time() - began)
    for name, seconds in best.items():
        print(f"{name:30}{seconds / SAMPLES * 1e6:6.2f} us")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 50)
