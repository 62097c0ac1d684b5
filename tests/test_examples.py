"""The scripts in examples/ run as they are."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from one_interpreter import Outcome, outcomes

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
SAID = {
    "accelerate_training.py": ("stopped in epoch 0 after 4 of 6 steps", "epoch 0: 2 steps, loss", "epoch 2: 6 steps"),
    "clip_classification.py": ("batches of (8, 8, 3, 112, 112), loss", "classes: falling, rising"),
    "hugging_face_trainer.py": ("12 steps,", "of 16 right"),
    "image_classification.py": ("epoch 3: 5 steps, 50 of 50 right", "resumed: [3, 5] steps, the same weights: True"),
    "jax_training.py": ("epoch 3: 4 batches of (16, 24, 24, 3) on 2 devices, loss",),
    "lightning_training.py": ("stopped after 11 steps", "finished after 24 steps of 8 an epoch"),
    "log_mel.py": ("epoch 3: 3 batches of up to (8, 80, 144), loss", "classes: falling, rising"),
    "object_detection.py": ("epoch 5: 6 batches of (8, 3, 64, 64) with",),
    "own_operator.py": ("compiled: the same 12: True", "pipeline: mean 129.6 of 248.5", "checked"),
    "pipeline_training.py": ("epoch 1: 5 batches of (16, 3, 32, 32), loss", "epoch 4: 5 batches"),
}
LAUNCHED = "distributed_training.py"
WITH_WORKERS = "data_loader_workers.py"  # forks and spawns, so that it is a process of its own
ON_RAY = ("ray_data.py",)  # tests/ray runs them, which has a cluster
STOPPED = "stopped_frameworks.py"


@pytest.fixture(scope="module")
def made() -> dict[str, Outcome]:
    scripts = [*(EXAMPLES / name for name in SAID), Path(__file__).with_name(STOPPED)]
    return dict(zip([*SAID, STOPPED], outcomes(scripts), strict=True))


def test_every_example_is_run() -> None:
    run = [*SAID, LAUNCHED, WITH_WORKERS, *ON_RAY]
    assert sorted(run) == sorted(script.name for script in EXAMPLES.glob("*.py"))


@pytest.mark.parametrize("name", SAID)
def test_an_example_runs(name: str, made: dict[str, Outcome]) -> None:
    assert not made[name].error
    for expected in SAID[name]:
        assert expected in made[name].printed


@pytest.mark.parametrize("framework", ["lightning", "trainer"])
def test_a_framework_resumes_exactly(framework: str, made: dict[str, Outcome]) -> None:
    assert not made[STOPPED].error
    whole, stopped, resumed = json.loads(made[STOPPED].printed.splitlines()[-1])[framework]
    assert len(resumed) < len(whole)
    assert stopped + resumed == whole


def test_processes_train_together() -> None:
    command = [sys.executable, "-W", "error", "-m", "torch.distributed.run", "--standalone", "--nproc_per_node=2"]
    done = subprocess.run([*command, str(EXAMPLES / LAUNCHED)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    for rank in (0, 1):
        assert f"rank {rank}, epoch 2: 5 steps, loss" in done.stdout


def test_workers_of_a_data_loader_load() -> None:
    done = subprocess.run([sys.executable, "-W", "error", EXAMPLES / WITH_WORKERS], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("True") == 3
