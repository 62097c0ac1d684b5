"""Two processes train, one of them is killed, a single one finishes: every sample comes once in every epoch.

Once they are processes of one machine with a copy of the model each (DDP), of which one is killed twice; once two
agents launch them, as on two machines, with a part of the model each (FSDP), and one of these dies.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np
import pytest

SCRIPT = str(Path(__file__).resolve().parent / "noted_training.py")
PHOTOS, EPOCHS, BATCH = 22, 3, 2  # 11 photos for each of two processes: six batches, one photo is repeated


class Scenario(NamedTuple):
    """When the second process dies, in the middle of an epoch, and the starts of the run that write notes.

    It does so whether or not the first process could still write the last checkpoint.
    """

    machines: int
    fsdp: bool
    dies_at: tuple[int, ...]
    starts: tuple[str, ...]


SCENARIOS = {
    "one machine": Scenario(1, False, (4, 8), ("world2-start0", "world2-start1", "world1-start0")),
    "two machines": Scenario(2, True, (4,), ("world2-start0", "world1-start0")),
}


def torchrun(*options: str) -> list[str]:
    return [sys.executable, "-m", "torch.distributed.run", *options, SCRIPT]


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


def run_at_once(commands: list[list[str]], **variables: str) -> list[subprocess.CompletedProcess[str]]:
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    environment = {**os.environ, "OMP_NUM_THREADS": "1", **variables}
    running = [subprocess.Popen(command, env=environment, **pipes) for command in commands]
    said = [(each, each.communicate()) for each in running]
    return [subprocess.CompletedProcess(each.args, each.returncode, *text) for each, text in said]


def killed(scenario: Scenario, files: list[str]) -> str:
    """What is left to read of a run whose second process dies."""
    steps = [*map(str, scenario.dies_at)]
    if scenario.machines == 1:
        options = ["--standalone", "--nproc_per_node=2", f"--max-restarts={len(steps) - 1}"]
        restarts = {"TORCH_DISABLE_SHARE_RDZV_TCP_STORE": "1"}  # as the example explains
        [done] = run_at_once([[*torchrun(*options), *files, *steps]], **restarts)
        return done.stderr
    options = ["--nnodes=2", "--nproc_per_node=1", "--rdzv-backend=c10d", f"--rdzv-endpoint=127.0.0.1:{free_port()}"]
    agent = [*torchrun(*options, "--max-restarts=0"), *files, "--with-agent", *steps]
    agents = run_at_once([agent, agent])
    codes = [each.returncode for each in agents]
    return f"died of SIGKILL: {codes}" if -signal.SIGKILL in codes else "".join(each.stderr for each in agents)


def finish(files: list[str]) -> None:
    """Lets a single process take the run to its end."""
    alone = {"RANK": "0", "WORLD_SIZE": "1", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(free_port())}
    [finished] = run_at_once([[sys.executable, SCRIPT, *files]], TORCHELASTIC_RESTART_COUNT="0", **alone)
    assert finished.returncode == 0, finished.stderr


@pytest.fixture(scope="module", params=SCENARIOS)
def scenario(request: pytest.FixtureRequest) -> Scenario:
    return SCENARIOS[request.param]


@pytest.fixture(scope="module")
def notes(scenario: Scenario, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[list[Any]]]:
    """What every process was given: the step, the epoch and the samples of each batch, by start and rank."""
    folder = tmp_path_factory.mktemp("run")
    for number in range(PHOTOS):
        path = folder / "photos" / "ab"[number % 2] / f"{number}.jpg"
        path.parent.mkdir(parents=True, exist_ok=True)
        cv2.imwrite(str(path), np.full((8, 8, 3), 10 * number, np.uint8))
    written = folder / "notes"
    written.mkdir()
    files = [str(written), str(folder / "photos"), str(folder / "checkpoint.pt"), *["--fsdp"] * scenario.fsdp]
    said = killed(scenario, files)
    assert "SIGKILL" in said, said
    finish(files)
    return {
        file.name: [json.loads(line) for line in file.read_text().splitlines()] for file in sorted(written.iterdir())
    }


def kept(scenario: Scenario, notes: dict[str, list[list[Any]]]) -> dict[str, list[list[Any]]]:
    """Of every process the batches that the next start did not take back."""
    made = {}
    for start, following in zip(scenario.starts, (*scenario.starts[1:], None), strict=True):
        resumed = 1 << 30 if following is None else notes[f"{following}-rank0"][0][0]
        for name in (name for name in notes if name.startswith(start)):
            made[name] = [batch for batch in notes[name] if batch[0] < resumed]
    return made


def test_all_processes_were_there(scenario, notes):
    together, alone = scenario.starts[:-1], scenario.starts[-1]
    assert sorted(notes) == sorted([f"{start}-rank{k}" for start in together for k in (0, 1)] + [f"{alone}-rank0"])
    assert tuple(len(notes[f"{start}-rank1"]) for start in together) == scenario.dies_at


def test_it_died_and_went_on_in_the_middle_of_epochs(scenario, notes):
    first = [notes[f"{start}-rank0"][0] for start in scenario.starts]
    assert [(step > 1, epoch) for step, epoch, _ in first] == [(False, 0), (True, 0), (True, 1)][: len(first)]
    for following, (_, epoch, _) in zip(scenario.starts[1:], first[1:], strict=True):
        rest = [batch for batch in notes[f"{following}-rank0"] if batch[1] == epoch]
        assert 0 < len(rest) * BATCH * int(following[5]) < PHOTOS


def test_every_process_takes_as_many_steps(scenario, notes):
    for start in scenario.starts[:-1]:
        steps = [[batch[:2] for batch in kept(scenario, notes)[f"{start}-rank{rank}"]] for rank in (0, 1)]
        assert steps[0] == steps[1] != []
    assert all(len(samples) == BATCH for batches in notes.values() for _, _, samples in batches)


def test_every_sample_comes_once_in_every_epoch(scenario, notes):
    seen: Counter[tuple[int, int]] = Counter()
    for batches in kept(scenario, notes).values():
        for epoch in range(EPOCHS):
            samples = [sample for _, of, given in batches if of == epoch for sample in given]
            assert samples[len(set(samples)) :] == samples[-1:] * (len(samples) - len(set(samples))), "padding is last"
            seen.update((epoch, sample) for sample in set(samples))
    assert seen == Counter((epoch, sample) for epoch in range(EPOCHS) for sample in range(PHOTOS))
