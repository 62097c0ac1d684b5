"""Feeds damaged files to every parser: `make fuzz MINUTES=1 TARGET=jpeg`.

Each target runs in a process of its own. Where that dies, hangs or raises what no parser may raise, the input is kept
under build/fuzz, and the next process goes on with another seed. Exits with 1 where there was anything of that kind.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from fuzz.case_file import CaseFile
from fuzz.targets import TARGETS

_WORKER = Path(__file__).with_name("worker.py")
_PATIENCE = 60  # seconds that one input may take
_START = 600  # seconds until the first one: a busy machine takes long to import everything
_MOST_FINDINGS = 20  # of a target; then something is wrong with all of it


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--target", action="append", choices=TARGETS, help="all of them by default")
    parser.add_argument("--minutes", type=float, default=1, help="for each target")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="where random numbers start")
    parser.add_argument("--kept", type=Path, default=Path("build/fuzz"), help="where inputs are kept")
    parser.add_argument("--input", type=Path, help="feed this file to the target, to see what happens")
    chosen = parser.parse_args()
    names = chosen.target or list(TARGETS)
    if chosen.input is not None:
        with tempfile.TemporaryDirectory() as folder:
            return subprocess.run([*_command(names[0], folder), "--input", chosen.input]).returncode
    return int(sum(fuzz(name, chosen.minutes * 60, chosen.seed, chosen.kept) for name in names) > 0)


def fuzz(name: str, seconds: float, seed: int, kept: Path) -> int:
    """How many different things were found wrong with a target."""
    found: set[str] = set()
    end, inputs = time.monotonic() + seconds, 0
    while (left := end - time.monotonic()) > 0 and len(found) < _MOST_FINDINGS:
        with tempfile.TemporaryDirectory() as folder:
            problem, told = _watch(name, Path(folder), seed, left)
            case = CaseFile(Path(folder) / "case")
            inputs += case.number
            if problem:
                kind = f"{problem}: {_essence(told)}"
                if kind not in found:
                    found.add(kind)
                    _keep(name, case.data, kind, told, seed, kept)
                if case.number == 0:  # an undamaged file: it would be so again
                    break
        seed += 1
    print(f"{name}: {inputs} inputs, {len(found)} findings", flush=True)
    return len(found)


def _command(name: str, folder: str | Path) -> list[str | Path]:
    return [sys.executable, _WORKER, name, folder]


def _watch(name: str, folder: Path, seed: int, seconds: float) -> tuple[str, str]:
    """Runs a worker to its end: what went wrong, if anything, and what it said about it."""
    case, log = CaseFile(folder / "case"), folder / "log"
    with log.open("wb") as output:
        command = [*_command(name, folder), "--seed", str(seed), "--seconds", str(seconds)]
        worker = subprocess.Popen(command, stdout=output, stderr=output)
    number, since, hangs = case.number, time.monotonic(), False
    patience = _START
    while worker.poll() is None:
        if case.number != number:
            number, since, patience = case.number, time.monotonic(), _PATIENCE
        elif time.monotonic() - since > patience:
            hangs = True
            worker.send_signal(signal.SIGABRT)  # faulthandler tells where it was
            worker.wait()
        time.sleep(0.05)
    told = log.read_text(errors="replace")
    if hangs:
        return "no end", told
    if worker.returncode < 0:
        return signal.Signals(-worker.returncode).name, told
    return ("unexpected" if worker.returncode else ""), told


def _essence(told: str) -> str:
    """By what two findings are the same: the last call in our own code and the error, or the sanitizer's summary."""
    summary = re.findall(r"SUMMARY: .*|runtime error: .*", told)
    if summary:
        return str(summary[-1])
    frames = re.findall(r'File ".*?(?:penstock|fuzz)/([^"]+)", line (\d+)', told)
    last = told.strip().splitlines()[-1] if told.strip() else ""
    return f"{last.split(':')[0]} at {frames[-1][0]}:{frames[-1][1]}" if frames else last


def _keep(name: str, data: bytes, kind: str, told: str, seed: int, kept: Path) -> None:
    kept.mkdir(parents=True, exist_ok=True)
    path = kept / f"{name}-{hashlib.sha256(data).hexdigest()[:12]}"
    path.write_bytes(data)
    path.with_suffix(".txt").write_text(told)
    print(f"{name}: {kind}\n  seed {seed}, input {path}: tests/fuzz/run.py --target {name} --input {path}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
