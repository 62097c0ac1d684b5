"""A run that is killed and started again hands out what an uninterrupted one would have."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no SIGKILL here")

STEPS = 8  # seven files in batches of three: an epoch ends after steps 3 and 6

TRAINING = """
import os, signal, sys
import penstock.dynamic as ndd

files, log_file, pattern = sys.argv[1:4]
seed, end, killed_after = map(int, sys.argv[4:])
reader = ndd.readers.File(file_root=files, random_shuffle=True, initial_fill=4, seed=seed)
rng = ndd.random.RNG(seed=seed)
checkpoint = ndd.checkpoint.current()
step = 0
if os.path.exists(log_file):
    step = int(os.path.basename(checkpoint.load(pattern))) + 1
checkpoint.register(reader, "reader")
checkpoint.register(rng, "rng")

with open(log_file, "a") as log:
    while step < end:
        for _, labels in reader.next_epoch(batch_size=3):
            drawn = ndd.random.uniform(batch_size=3, rng=rng)
            print(step, [x.item() for x in labels], [x.item() for x in drawn], file=log, flush=True)
            os.fsync(log.fileno())
            checkpoint.collect()
            checkpoint.save(pattern)
            step += 1
            if step == killed_after:
                os.kill(os.getpid(), signal.SIGKILL)
            if step == end:
                break
"""


def train(files: Path, work: Path, seed: int, killed_after: int = 0) -> int:
    work.mkdir(exist_ok=True)
    arguments = [files, work / "log", work / "{seq:04d}", seed, STEPS, killed_after]
    return subprocess.run([sys.executable, "-c", TRAINING, *map(str, arguments)], timeout=120).returncode


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("files")
    for number in range(7):
        folder = root / str(number)
        folder.mkdir()
        (folder / "a.jpg").write_text(str(number))
    return root


@pytest.fixture(scope="module")
def uninterrupted(files: Path, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    work = tmp_path_factory.mktemp("uninterrupted")
    assert train(files, work, seed=5) == 0
    lines = (work / "log").read_text().splitlines()
    assert len(set(lines)) == STEPS
    return lines


@pytest.mark.parametrize("kills", [[2, 6], [1, 3, 4, 7]], ids=str)
def test_a_killed_run_goes_on_with_exactly_the_next_batch(kills, files, uninterrupted, tmp_path):
    # Restarted with other seeds, so that only the checkpoint can tell where it stood.
    for restarts, step in enumerate(kills):
        assert train(files, tmp_path, seed=5 + restarts, killed_after=step) == -signal.SIGKILL
        assert (tmp_path / "log").read_text().splitlines() == uninterrupted[:step]
    assert train(files, tmp_path, seed=5 + len(kills)) == 0
    assert (tmp_path / "log").read_text().splitlines() == uninterrupted
