"""Runs readers in one library, as a worker of readers.py: python reader_worker.py penstock|dali THREADS FOLDER

A line of input is an expression that makes a reader. Answered with the samples per second of one epoch, from making the
reader on, with those of the epochs that follow, and with those per second of CPU time.
"""

from __future__ import annotations

import importlib
import sys
import time
from typing import Any

from serving import TYPES, serve

BATCH = 64
SECONDS = 0.5


def epoch(reader: Any) -> int:
    """Goes through an epoch; says how many samples there were."""
    samples = 0
    for outputs in reader.next_epoch(batch_size=BATCH):
        first = next(iter(outputs.values())) if isinstance(outputs, dict) else outputs[0]
        first.evaluate()
        samples += first.batch_size
    return samples


def main() -> None:
    library, threads, folder = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    types = importlib.import_module(TYPES[library])

    def answer(ndd: Any, line: str) -> dict[str, Any]:
        start = time.perf_counter()
        reader = eval(line, {"ndd": ndd, "T": types, "folder": folder})
        first = epoch(reader) / (time.perf_counter() - start)
        samples, cpu, start = 0, time.process_time(), time.perf_counter()
        while time.perf_counter() - start < SECONDS:
            samples += epoch(reader)
        rate = samples / (time.perf_counter() - start)
        return {"first": first, "rate": rate, "per_cpu": samples / (time.process_time() - cpu)}

    serve(library, threads, answer)


if __name__ == "__main__":
    main()
