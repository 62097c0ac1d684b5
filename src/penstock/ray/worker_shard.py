"""Readers in Ray Train: every worker reads its shard, and goes on from a checkpoint of any number of workers."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import TypeVar

import penstock.dynamic as ndd
from penstock.readers.core.state import ReaderState

Reader = TypeVar("Reader", bound=ndd.readers.Reader)


def worker_shard(reader: Reader, name: str = "reader") -> Reader:
    """The shard of a reader that this worker of Ray Train reads; it goes on from the run's checkpoint, if there is one.

    Example:
        >>> def train_loop(config):
        ...     reader = ndd.readers.File(file_root=config["photos"], shuffle_after_epoch=True, pad_last_batch=True)
        ...     reader = penstock.ray.worker_shard(reader)
        ...     while reader.epoch < config["epochs"]:
        ...         for jpegs, labels in reader.next_epoch(batch_size=64):
        ...             ...

    After a restart with another number of workers those there are now share out exactly what was left of the epoch.

    Args:
        reader: A reader of all samples.
        name: That of its files in checkpoints, where a worker has several readers.
    """
    import ray.train  # which the actors of Ray Data have no use for: it takes 0.4 s of a CPU

    context = ray.train.get_context()
    mine = reader.shard(context.get_world_rank(), context.get_world_size())
    mine.enable_checkpointing()
    checkpoint = ray.train.get_checkpoint()
    if checkpoint is not None:
        with checkpoint.as_directory() as folder:
            mine.set_state(_restored(Path(folder), name))
    return mine


def save_shard(reader: ndd.readers.Reader, folder: str | PathLike[str], name: str = "reader") -> None:
    """Writes where this worker's reader stands into a folder of which a checkpoint is made.

    Example:
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     penstock.ray.save_shard(reader, folder)
        ...     ray.train.report(metrics, checkpoint=ray.train.Checkpoint.from_directory(folder))

    All workers do so at the same step. Ray puts the files of all of them into one checkpoint.
    """
    about = reader.get_metadata()
    file = Path(folder) / f"{name}-{about['shard_id']}-of-{about['number_of_shards']}.state"
    file.write_text(str(reader.get_state()))


def _restored(folder: Path, name: str) -> ReaderState:
    """One state out of those that the workers saved."""
    states = [file.read_text() for file in sorted(folder.glob(f"{name}-*-of-*.state"))]
    if not states:
        raise RuntimeError(f"the checkpoint has no state of {name!r}; every worker writes its own with save_shard")
    return ndd.readers.reshard(states)
