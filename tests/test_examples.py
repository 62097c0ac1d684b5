"""The scripts in examples/ run as they are."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from one_interpreter import Outcome, outcomes

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
SAID = {
    "clip_classification.py": ("batches of (8, 8, 3, 112, 112), loss", "classes: falling, rising"),
    "log_mel.py": ("epoch 3: 3 batches of up to (8, 80, 144), loss", "classes: falling, rising"),
    "pipeline_training.py": ("epoch 1: 5 batches of (16, 3, 32, 32), loss", "epoch 4: 5 batches"),
}
LAUNCHED = "distributed_training.py"


@pytest.fixture(scope="module")
def made() -> dict[str, Outcome]:
    return dict(zip(SAID, outcomes([EXAMPLES / name for name in SAID]), strict=True))


def test_every_example_is_run() -> None:
    assert sorted([*SAID, LAUNCHED]) == sorted(script.name for script in EXAMPLES.glob("*.py"))


@pytest.mark.parametrize("name", SAID)
def test_an_example_runs(name: str, made: dict[str, Outcome]) -> None:
    assert not made[name].error
    for expected in SAID[name]:
        assert expected in made[name].printed


def test_processes_train_together() -> None:
    command = [sys.executable, "-W", "error", "-m", "torch.distributed.run", "--standalone", "--nproc_per_node=2"]
    done = subprocess.run([*command, str(EXAMPLES / LAUNCHED)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    for rank in (0, 1):
        assert f"rank {rank}, epoch 2: 5 steps, loss" in done.stdout
