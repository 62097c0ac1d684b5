"""Checkpoints of processes that are killed while they save."""

from __future__ import annotations

import hashlib
import json
import random
import re
import signal
import tempfile
import time
from pathlib import Path

from penstock.dynamic.checkpoint import Checkpoint
from soak.children import killed_after, short_delay

SAVING = """
import hashlib, sys
from penstock.dynamic.checkpoint import Checkpoint

pattern, acknowledged, seed = sys.argv[1:]
checkpoint = Checkpoint()
print(flush=True)
while True:
    text = hashlib.sha256(seed.encode()).hexdigest() * 4000
    checkpoint.set_state("text", text)
    checkpoint.set_state("digest", hashlib.sha256(text.encode()).hexdigest())
    path = checkpoint.save(pattern)
    with open(acknowledged, "a") as file:
        print(path, file=file)
    seed = text[:64]
"""
KEPT = 50


def kill_saves(seconds: float, seed: int) -> None:
    """Every file that a save returned is there and whole, however the process ended; leftovers do not pile up."""
    rng = random.Random(seed)
    until = time.monotonic() + seconds
    kills = saves = 0
    with tempfile.TemporaryDirectory() as name:
        folder, told = Path(name), Path(name, "acknowledged")
        pattern = folder / "step_{seq:06d}.json"
        while not kills or time.monotonic() < until:
            log = folder / "stderr"
            code = killed_after(SAVING, [pattern, told, rng.random()], short_delay(rng, 0.3), log)
            assert code == -signal.SIGKILL, (code, log.read_text())
            kills += 1
            saves += _check(folder, told)
            _forget_old(folder)
    print(f"{kills} processes killed in {saves} saves")


def _check(folder: Path, acknowledged: Path) -> int:
    """How many files were saved by the process that was killed last."""
    lines = acknowledged.read_text().splitlines() if acknowledged.exists() else []
    acknowledged.unlink(missing_ok=True)
    files = sorted(folder.glob("step_*.json"))
    numbers = [int(re.findall(r"\d+", file.name)[0]) for file in files]
    assert numbers == [*range(numbers[0], numbers[0] + len(numbers))] if numbers else not lines, numbers
    missing = {line for line in lines if line.endswith(".json")} - set(map(str, files))
    assert not missing, f"saved and lost: {sorted(missing)}"
    for file in files[-len(lines) - 1 :]:
        states = json.loads(file.read_bytes())["states"]
        assert hashlib.sha256(states["text"]["state"].encode()).hexdigest() == states["digest"]["state"], file
    if files:
        assert Checkpoint().load(folder / "step_{seq:06d}.json") == str(files[-1])
    assert len([*folder.glob(".*.partial")]) <= 1, [*folder.glob(".*.partial")]
    return len(lines)


def _forget_old(folder: Path) -> None:
    for file in sorted(folder.glob("step_*.json"))[:-KEPT]:
        file.unlink()
