"""Workers of Ray Train read their shards, a node is killed, those that are left go on with exactly the rest."""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import pytest

if TYPE_CHECKING:
    from ray.cluster_utils import Cluster

pytest.importorskip("ray.train")

PHOTOS, EPOCHS, BATCH, DIES_AT = 12, 2, 2, 3


def train_loop(config: dict[str, Any]) -> None:
    """Notes the samples of every step; at one of them a worker of the doomed node kills it, and itself."""
    import os
    import signal
    import tempfile

    import ray.train

    import penstock.dynamic as ndd
    import penstock.ray

    context = ray.train.get_context()
    rank, world = context.get_world_rank(), context.get_world_size()
    photos = ndd.readers.File(file_root=config["photos"], shuffle_after_epoch=True, pad_last_batch=True)
    reader = penstock.ray.worker_shard(photos)
    step, checkpoint = 0, ray.train.get_checkpoint()
    if checkpoint is not None:
        step = json.loads(Path(checkpoint.path, "step.json").read_text())
    while reader.epoch < config["epochs"]:
        epoch = reader.epoch
        for images, _ in reader.next_epoch(batch_size=config["batch_size"]):
            step += 1
            samples = [np.asarray(index).item() for index in ndd.get_property(images, key="index")]
            with open(Path(config["notes"], f"world{world}-rank{rank}"), "a") as notes:
                print(json.dumps([step, epoch, samples]), file=notes)
            if step == config["dies_at"] and ray.get_runtime_context().get_node_id() == config["doomed"]:
                os.kill(config["raylet"], signal.SIGKILL)
                os.kill(os.getpid(), signal.SIGKILL)
            if world == 1:
                continue
            with tempfile.TemporaryDirectory() as folder:
                penstock.ray.save_shard(reader, folder)
                if rank == 0:
                    Path(folder, "step.json").write_text(json.dumps(step))
                ray.train.report({"step": step}, checkpoint=ray.train.Checkpoint.from_directory(folder))


@pytest.fixture(scope="module")
def notes(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[list[Any]]]:
    """What every worker was given: the step, the epoch and the samples of each batch, by number of workers and rank."""
    from ray import cloudpickle
    from ray.train import FailureConfig, RunConfig, ScalingConfig
    from ray.train.v2.api.data_parallel_trainer import DataParallelTrainer

    cloudpickle.register_pickle_by_value(sys.modules[__name__])  # workers cannot import it
    folder = tmp_path_factory.mktemp("run")
    for number in range(PHOTOS):
        path = folder / "photos" / "ab"[number % 2] / f"{number}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        cv2.imwrite(str(path), np.full((8, 8, 3), number, np.uint8))
    written = folder / "notes"
    written.mkdir()
    doomed = next(iter(cluster.worker_nodes))
    config = {
        "photos": str(folder / "photos"), "notes": str(written), "epochs": EPOCHS, "batch_size": BATCH,
        "dies_at": DIES_AT, "doomed": doomed.node_id, "raylet": doomed.all_processes["raylet"][0].process.pid,
    }  # fmt: skip
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_TRAIN_HEALTH_CHECK_INTERVAL_S", "0.1")  # how long a report takes to get through
        # How long it waits for two workers, of which the node of one has just died, before it starts with one.
        patch.setenv("RAY_TRAIN_WORKER_GROUP_START_TIMEOUT_S", "2")
        trainer = DataParallelTrainer(
            train_loop,
            train_loop_config=config,
            scaling_config=ScalingConfig(num_workers=(1, 2), resources_per_worker={"worker": 1}),
            run_config=RunConfig(storage_path=str(folder / "run"), failure_config=FailureConfig(max_failures=3)),
        )
        assert trainer.fit().error is None
    return {
        file.name: [json.loads(line) for line in file.read_text().splitlines()] for file in sorted(written.iterdir())
    }


def test_two_workers_began_and_one_finished(notes: dict[str, list[list[Any]]]) -> None:
    assert sorted(notes) == ["world1-rank0", "world2-rank0", "world2-rank1"]
    assert max(step for step, _, _ in notes["world2-rank1"]) == DIES_AT
    first, epoch, _ = notes["world1-rank0"][0]
    assert 1 < first <= DIES_AT
    assert epoch == 0
    assert notes["world1-rank0"][-1][1] == EPOCHS - 1


def test_every_sample_comes_once_in_every_epoch(notes: dict[str, list[list[Any]]]) -> None:
    resumed = notes["world1-rank0"][0][0]
    kept = [
        (epoch, sample)
        for name, batches in notes.items()
        for step, epoch, samples in batches
        for sample in samples
        if name == "world1-rank0" or step < resumed
    ]
    assert Counter(kept) == Counter((epoch, sample) for epoch in range(EPOCHS) for sample in range(PHOTOS))
