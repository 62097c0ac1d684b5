"""Runs readers in one library, as a worker of readers.py: python reader_worker.py penstock|dali THREADS FOLDER

A line of input is an expression that makes a reader. Answered with the samples per second of some epochs, and with
those per second of CPU time; the first time also with those of the first epoch, from making the reader on. The same
line again goes on with the same reader.
"""

from __future__ import annotations

import importlib
import sys
import time
from typing import Any

from serving import TYPES, serve

BATCH = 64
SECONDS = 0.1


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
    last: tuple[str, Any] = ("", None)

    def answer(ndd: Any, line: str) -> dict[str, Any]:
        nonlocal last
        figures = {}
        if line != last[0]:
            start = time.perf_counter()
            last = (line, eval(line, {"ndd": ndd, "T": types, "folder": folder}))
            figures["first"] = epoch(last[1]) / (time.perf_counter() - start)
        samples, cpu, start = 0, time.process_time(), time.perf_counter()
        while time.perf_counter() - start < SECONDS:
            samples += epoch(last[1])
        figures["rate"] = samples / (time.perf_counter() - start)
        return figures | {"per_cpu": samples / (time.process_time() - cpu)}

    serve(library, threads, answer)


if __name__ == "__main__":
    main()
