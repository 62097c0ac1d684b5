"""Runs the calls in one library: python worker.py penstock|dali FOLDER, with FOLDER holding calls.py and the images.

Writes FOLDER/<library>.npz: the arrays of all results, and what each result was. FOLDER/at_<library> holds the number
of the call that is being made, in case the process does not survive it.
"""

from __future__ import annotations

import importlib
import inspect
import json
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from parity.inputs import inputs

MODULES = {
    "penstock": ("penstock.dynamic", "penstock.types"),
    "dali": ("nvidia.dali.experimental.dynamic", "nvidia.dali.types"),
}
SEED = 1234


def run(call: Any, given: dict[str, Any]) -> tuple[list[dict[str, Any]], list[np.ndarray]]:
    """What each output is, and the arrays of their samples in order."""
    made = call(*(given[name] for name in inspect.signature(call).parameters))
    described = []
    arrays: list[np.ndarray] = []
    for output in made if isinstance(made, tuple) else (made,):
        kind = type(output).__name__
        samples = [np.asarray(sample) for sample in output] if kind == "Batch" else [np.asarray(output)]
        arrays += samples
        layout = getattr(output, "layout", None)
        described.append({"kind": kind, "layout": layout or "", "samples": len(samples)})
    return described, arrays


def root(error: BaseException) -> BaseException:
    """The error itself, without the wrappers of asynchronous evaluation."""
    while error.__cause__ is not None:
        error = error.__cause__
    return error


def main() -> None:
    library, folder = sys.argv[1], Path(sys.argv[2])
    ndd, types = (importlib.import_module(name) for name in MODULES[library])
    sys.path.insert(0, str(folder))
    calls = importlib.import_module("calls").CALLS
    warnings.simplefilter("ignore")
    given = {family: names | {"ndd": ndd, "T": types} for family, names in inputs(ndd, folder).items()}
    outcomes = []
    saved: dict[str, np.ndarray] = {}
    for number, (family, call) in enumerate(calls):
        (folder / f"at_{library}").write_text(str(number))
        ndd.random.set_seed(SEED)
        try:
            described, arrays = run(call, given[family])
            outcomes.append({"outputs": described})
            saved |= {f"{number}/{place}": array for place, array in enumerate(arrays)}
        except Exception as error:
            cause = root(error)
            kinds = [kind.__name__ for kind in type(cause).__mro__]
            outcomes.append({"error": kinds, "message": str(cause)})
    np.savez(folder / f"{library}.npz", outcomes=np.array(json.dumps(outcomes)), **saved)


if __name__ == "__main__":
    main()
