"""Two processes train, one of them is killed twice, a single one finishes: every sample comes once in every epoch."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

ROOT = Path(__file__).resolve().parent.parent
PHOTOS, EPOCHS, BATCH = 22, 3, 2  # 11 photos for each of two processes: six batches, one photo is repeated
DIES_AT = (4, 8)  # in the middle of an epoch, whether or not the first process could still write the last checkpoint
NOTED = ("world2-start0", "world2-start1", "world1-start0")


def launch(processes: int, *arguments: Any, restarts: int = 0) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", f"--nproc_per_node={processes}"]
    command += [f"--max-restarts={restarts}", str(ROOT / "tests" / "noted_training.py"), *map(str, arguments)]
    environment = os.environ | {"TORCH_DISABLE_SHARE_RDZV_TCP_STORE": "1"}  # as the example explains
    return subprocess.run(command, env=environment, capture_output=True, text=True)


@pytest.fixture(scope="module")
def notes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[list[Any]]]:
    """What every process was given: the step, the epoch and the samples of each batch, by start and rank."""
    folder = tmp_path_factory.mktemp("run")
    for number in range(PHOTOS):
        path = folder / "photos" / "ab"[number % 2] / f"{number}.jpg"
        path.parent.mkdir(parents=True, exist_ok=True)
        cv2.imwrite(str(path), np.full((8, 8, 3), 10 * number, np.uint8))
    written = folder / "notes"
    written.mkdir()
    files = (written, folder / "photos", folder / "checkpoint.pt")
    killed = launch(2, *files, *DIES_AT, restarts=1)
    assert "SIGKILL" in killed.stderr, killed.stderr
    finished = launch(1, *files)
    assert finished.returncode == 0, finished.stderr
    return {
        file.name: [json.loads(line) for line in file.read_text().splitlines()] for file in sorted(written.iterdir())
    }


def kept(notes: dict[str, list[list[Any]]]) -> dict[str, list[list[Any]]]:
    """Of every process the batches that the next start did not take back."""
    made = {}
    for start, following in zip(NOTED, (*NOTED[1:], None), strict=True):
        resumed = 1 << 30 if following is None else notes[f"{following}-rank0"][0][0]
        for name in (name for name in notes if name.startswith(start)):
            made[name] = [batch for batch in notes[name] if batch[0] < resumed]
    return made


def test_all_processes_were_there(notes):
    assert sorted(notes) == sorted([f"{start}-rank{k}" for start in NOTED[:2] for k in (0, 1)] + [f"{NOTED[2]}-rank0"])
    assert (len(notes["world2-start0-rank1"]), len(notes["world2-start1-rank1"])) == DIES_AT


def test_it_died_and_went_on_in_the_middle_of_epochs(notes):
    first = {start: notes[f"{start}-rank0"][0] for start in NOTED}
    assert [(step > 1, epoch) for step, epoch, _ in first.values()] == [(False, 0), (True, 0), (True, 1)]
    for following, epoch in ((NOTED[1], 0), (NOTED[2], 1)):
        rest = [batch for batch in notes[f"{following}-rank0"] if batch[1] == epoch]
        assert 0 < len(rest) * BATCH * int(following[5]) < PHOTOS


def test_every_process_takes_as_many_steps(notes):
    for start in NOTED[:2]:
        steps = [[batch[:2] for batch in kept(notes)[f"{start}-rank{rank}"]] for rank in (0, 1)]
        assert steps[0] == steps[1] != []
    assert all(len(samples) == BATCH for batches in notes.values() for _, _, samples in batches)


def test_every_sample_comes_once_in_every_epoch(notes):
    seen: Counter[tuple[int, int]] = Counter()
    for batches in kept(notes).values():
        for epoch in range(EPOCHS):
            samples = [sample for _, of, given in batches if of == epoch for sample in given]
            assert samples[len(set(samples)) :] == samples[-1:] * (len(samples) - len(set(samples))), "padding is last"
            seen.update((epoch, sample) for sample in set(samples))
    assert seen == Counter((epoch, sample) for epoch in range(EPOCHS) for sample in range(PHOTOS))
