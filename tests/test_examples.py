"""The scripts in examples/ run as they are."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
SAID = {
    "clip_classification.py": ("batches of (8, 8, 3, 112, 112), loss", "classes: falling, rising"),
    "distributed_training.py": ("rank 0, epoch 2: 5 steps, loss", "rank 1, epoch 2: 5 steps, loss"),
    "log_mel.py": ("epoch 3: 3 batches of up to (8, 80, 144), loss", "classes: falling, rising"),
    "pipeline_training.py": ("epoch 1: 5 batches of (16, 3, 32, 32), loss", "epoch 4: 5 batches"),
}
LAUNCHED = {"distributed_training.py": ["-m", "torch.distributed.run", "--standalone", "--nproc_per_node=2"]}


def test_every_example_is_run() -> None:
    assert sorted(SAID) == sorted(script.name for script in EXAMPLES.glob("*.py"))


@pytest.mark.parametrize("name", SAID)
def test_an_example_runs(name: str) -> None:
    command = [sys.executable, "-W", "error", *LAUNCHED.get(name, []), str(EXAMPLES / name)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    for expected in SAID[name]:
        assert expected in done.stdout
