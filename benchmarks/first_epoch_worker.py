"""Times first epochs in one library, as a worker of first_epoch.py: python first_epoch_worker.py penstock|dali THREADS

A line of input is an expression that makes a reader. A child, forked off the process that has imported the library and
nothing else, makes the reader and goes through one epoch: whatever the library keeps between epochs is not there yet.
Importing anew for every epoch would take longer than all the rest.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import time
from typing import Any

from reader_worker import epoch
from serving import TYPES, serve


def main() -> None:
    library, threads = sys.argv[1], int(sys.argv[2])
    types = importlib.import_module(TYPES[library])

    def answer(ndd: Any, line: str) -> dict[str, Any]:
        ours, childs = os.pipe()
        child = os.fork()
        if child == 0:
            with os.fdopen(childs, "w") as told:
                json.dump(first_epoch(line, {"ndd": ndd, "T": types}), told)
            os._exit(0)  # without the end of the process, which is not what is asked about
        os.close(childs)
        with os.fdopen(ours) as told:
            text = told.read()
        _, status = os.waitpid(child, 0)
        figures: dict[str, Any] = json.loads(text) if text else {"error": f"the process ended with {status}"}
        return figures

    serve(library, threads, answer)


def first_epoch(expression: str, names: dict[str, Any]) -> dict[str, Any]:
    cpu, wall = time.process_time(), time.perf_counter()
    try:
        samples = epoch(eval(expression, names))
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}
    return {"wall": time.perf_counter() - wall, "cpu": time.process_time() - cpu, "samples": samples}


if __name__ == "__main__":
    main()
