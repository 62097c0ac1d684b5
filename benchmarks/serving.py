"""Inside a worker process: one of the libraries, asked line by line."""

from __future__ import annotations

import importlib
import json
import os
import sys
import time
from collections.abc import Callable
from typing import Any

MODULES = {"penstock": "penstock.dynamic", "dali": "nvidia.dali.experimental.dynamic"}
TYPES = {"penstock": "penstock.types", "dali": "nvidia.dali.types"}


def serve(library: str, threads: int, answer: Callable[[Any, str], dict[str, Any]]) -> None:
    """Imports the library and tells the seconds that took, then calls `answer(ndd, line)` for every line of input.

    Answers, and what went wrong, are printed as a line of JSON each.
    """
    started = time.perf_counter()
    ndd = importlib.import_module(MODULES[library])
    imported = time.perf_counter() - started
    # Whatever the library prints must not end up between the answers.
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    print(json.dumps({"import": imported}), file=answers)
    ndd.set_num_threads(threads)
    for line in sys.stdin:
        try:
            answered = answer(ndd, line.strip())
        except Exception as error:
            answered = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answered), file=answers)
