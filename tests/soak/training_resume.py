"""Runs that are killed at any moment and started again."""

from __future__ import annotations

import random
import signal
import tempfile
import time
from pathlib import Path

from soak.children import killed_after, short_delay
from soak.pictures import write_pictures

STEPS = 150  # sixty pictures in batches of seven: some epochs end among them
TRAINING = """
import hashlib, os, sys
import numpy as np
import penstock.dynamic as ndd

pictures, log_file, pattern, compiled, seed = sys.argv[1:]
compiled, seed = compiled == "True", int(seed)
reader = ndd.readers.File(file_root=pictures, random_shuffle=True, initial_fill=20, seed=seed)
rng = ndd.random.RNG(seed=seed)
checkpoint = ndd.checkpoint.current()
step = 0
try:
    step = int(os.path.basename(checkpoint.load(pattern))) + 1
except FileNotFoundError:
    pass
checkpoint.register(reader, "reader")
checkpoint.register(rng, "rng")
print(flush=True)

def digest(*batches):
    parts = [np.asarray(ndd.as_tensor(batch)).tobytes() for batch in batches]
    return hashlib.sha256(b"".join(parts)).hexdigest()

with open(log_file, "a") as log:
    while step < STEPS:
        for jpegs, labels in reader.next_epoch(batch_size=7, compile=compiled):
            images = ndd.decoders.image_random_crop(jpegs, rng=rng)
            images = ndd.resize(images, size=[24, 24])
            images = ndd.flip(images, horizontal=ndd.random.coin_flip(batch_size=7, rng=rng))
            print(step, digest(images, labels), file=log, flush=True)
            checkpoint.collect()
            checkpoint.save(pattern)
            step += 1
            if step == STEPS:
                break
""".replace("STEPS", str(STEPS))


def kill_runs(seconds: float, seed: int) -> None:
    """Every step of a run that is killed and started again is that of the run that was not, eager and compiled."""
    rng = random.Random(seed)
    until = time.monotonic() + seconds
    kills = runs = 0
    with tempfile.TemporaryDirectory() as name:
        pictures = write_pictures(Path(name, "pictures"))
        whole = _run(Path(name, "whole"), pictures, False, rng, seed, kill=False)
        assert len(whole[1]) == STEPS
        while not runs or time.monotonic() < until:
            compiled = bool(runs % 2)
            killed, steps = _run(Path(name, str(runs)), pictures, compiled, rng, seed, kill=True, until=until)
            assert steps == {step: whole[1][step] for step in steps}, f"compile={compiled}, seed={seed}"
            kills += killed
            runs += 1
    print(f"{runs} runs of {STEPS} steps, killed {kills} times")


def _run(
    folder: Path, pictures: Path, compiled: bool, rng: random.Random, seed: int, kill: bool, until: float = float("inf")
) -> tuple[int, dict[int, str]]:
    """How often a run was killed before it ended, or before time was up, and the digest of every step."""
    folder.mkdir()
    kills = 0
    while True:
        delay = short_delay(rng, 0.8) if kill and time.monotonic() < until else None
        # Started again with another seed, so that only the checkpoint can tell where it stood.
        again = seed + kills if (folder / "0000").exists() else seed
        arguments = [pictures, folder / "log", folder / "{seq:04d}", compiled, again]
        code = killed_after(TRAINING, arguments, delay, folder / "stderr")
        if code == 0:
            return kills, _steps(folder / "log")
        assert code == -signal.SIGKILL, (code, (folder / "stderr").read_text())
        kills += 1


def _steps(log: Path) -> dict[int, str]:
    """Steps that were made twice, since the process was killed before it saved, must have been the same."""
    found: dict[int, str] = {}
    for line in log.read_text().splitlines() if log.exists() else []:
        step, _, digest = line.partition(" ")
        assert found.setdefault(int(step), digest) == digest, f"step {step} was another one the second time"
    return found
