"""Runs the same calls in both libraries and writes docs/parity.md.

python tests/parity/compare.py --oracle .oracle/bin/python [--only resize] [--family warp]
"""

from __future__ import annotations

import argparse
import ast
import builtins
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from parity.all_cases import CASES  # noqa: E402
from parity.encode import encode  # noqa: E402
from parity.report import Verdict, as_text, write  # noqa: E402

CALLS_IN_A_FILE = 20


class Outcome(NamedTuple):
    """What one call came to in one library; `error` is the exception's type and its bases."""

    error: list[str]
    message: str
    outputs: list[dict[str, Any]]
    arrays: list[np.ndarray]


def write_calls(calls: list[str], families: list[str], folder: Path) -> None:
    """A function for each call, beside its family, in folder/calls.py; its parameters are the names the call uses.

    DALI parses the caller's file at every call, so the functions are spread over small modules.
    """
    listed = []
    for first in range(0, len(calls), CALLS_IN_A_FILE):
        lines = []
        for number, call in enumerate(calls[first : first + CALLS_IN_A_FILE], first):
            names = {node.id for node in ast.walk(ast.parse(call)) if isinstance(node, ast.Name)} - set(dir(builtins))
            lines.append(f"def call_{number}({', '.join(sorted(names))}):\n    return {call}\n\n")
            listed.append(f"    ({families[number]!r}, calls_{first}.call_{number}),\n")
        (folder / f"calls_{first}.py").write_text("\n".join(lines))
    imports = "".join(f"import calls_{first}\n" for first in range(0, len(calls), CALLS_IN_A_FILE))
    (folder / "calls.py").write_text(f"{imports}\nCALLS = [\n{''.join(listed)}]\n")


def run_worker(python: str, library: str, folder: Path, calls: list[str]) -> None:
    done = subprocess.run([python, str(HERE / "worker.py"), library, str(folder)])
    if done.returncode:
        reached = folder / f"at_{library}"
        where = f"in {calls[int(reached.read_text())]}" if reached.exists() else "before the first call"
        sys.exit(f"{library} ended with code {done.returncode} {where}")


def read_outcomes(path: Path) -> list[Outcome]:
    """What the worker saved; messages do not name folders that are others each time."""
    folders = re.compile(rf"{re.escape(tempfile.gettempdir())}/[^/\s]+/")
    with np.load(path) as saved:
        found = []
        for number, outcome in enumerate(json.loads(str(saved["outcomes"]))):
            outputs = outcome.get("outputs", [])
            arrays = [saved[f"{number}/{place}"] for place in range(sum(output["samples"] for output in outputs))]
            found.append(
                Outcome(outcome.get("error", []), folders.sub("", outcome.get("message", "")), outputs, arrays)
            )
        return found


def difference(ours: np.ndarray, theirs: np.ndarray) -> np.ndarray:
    """In units for integers; relative to 1 or the value, whichever is larger, for floats."""
    a, b = ours.astype(np.float64), theirs.astype(np.float64)
    same = (a == b) | (np.isnan(a) & np.isnan(b))
    with np.errstate(invalid="ignore", over="ignore"):
        apart = np.abs(a - b)
        if theirs.dtype.kind == "f":
            apart = apart / np.maximum(1, np.abs(b))
    return np.where(same, 0, np.nan_to_num(apart, nan=np.inf, posinf=np.inf))


def decibels(ours: np.ndarray, theirs: np.ndarray) -> float:
    """How far a signal is above what differs in ours."""
    a, b = ours.astype(np.float64), theirs.astype(np.float64)
    with np.errstate(divide="ignore"):
        return float(10 * np.log10(np.sum(b**2) / np.sum((a - b) ** 2))) if (a != b).any() else np.inf


def said(outcome: Outcome) -> str:
    if not outcome.error:
        return "a result"
    first_line = outcome.message.partition("\n")[0]
    return f"{outcome.error[0]}: {first_line}" if first_line else outcome.error[0]


def judge(call: str, case: dict[str, Any], ours: Outcome, theirs: Outcome) -> Verdict:
    if bool(ours.error) != bool(theirs.error) or (theirs.error and theirs.error[0] not in ours.error):
        return Verdict(call, f"penstock: {said(ours)}; DALI: {said(theirs)}")
    if ours.outputs != theirs.outputs:
        return Verdict(call, f"{ours.outputs} instead of {theirs.outputs}")
    pairs = list(zip(ours.arrays, theirs.arrays, strict=True))
    for a, b in pairs:
        if a.dtype != b.dtype or a.shape != b.shape:
            return Verdict(call, f"{a.dtype}{list(a.shape)} instead of {b.dtype}{list(b.shape)}")
    apart = np.concatenate([difference(a, b).ravel() for a, b in pairs] or [np.zeros(0)])
    within, share = case.get("within", 0), case.get("share", 1.0)
    largest = float(apart.max(initial=0))
    close = np.mean(apart <= within) if apart.size else 1.0
    problem = f"{close:.3%} within {within:g}, the largest difference is {largest:.3g}" if close < share else ""
    if "snr" in case:
        least = min((decibels(a, b) for a, b in pairs), default=np.inf)
        problem = f"the signal is only {least:.1f} dB above the difference" if not least >= case["snr"] else ""
    return Verdict(call, problem, largest, float(apart.sum()), apart.size)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--oracle", required=True, help="python of the environment with DALI")
    parser.add_argument("--only", help="operators whose name contains this; nothing is written then")
    parser.add_argument("--family", help="cases of this file; nothing is written then")
    given = parser.parse_args()
    cases = [case for case in CASES if (given.only or "") in case["operator"]]
    cases = [case for case in cases if given.family in (None, case["family"])]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        encode(folder)
        calls = [call for case in cases for call in case["calls"]]
        families = [case.get("inputs", case["family"]) for case in cases for _ in case["calls"]]
        write_calls(calls, families, folder)
        for library, python in {"penstock": sys.executable, "dali": given.oracle}.items():
            run_worker(python, library, folder, calls)
        ours, theirs = (iter(read_outcomes(folder / f"{library}.npz")) for library in ("penstock", "dali"))
    verdicts = [(case, [judge(call, case, next(ours), next(theirs)) for call in case["calls"]]) for case in cases]
    print(as_text(verdicts))
    if given.only is None and given.family is None:
        write(verdicts)
    return int(any(verdict.problem for case, made in verdicts for verdict in made if "deliberate" not in case))


if __name__ == "__main__":
    sys.exit(main())
