"""Text that a program saved: states of readers and of generators, checkpoints."""

from __future__ import annotations

import base64
import contextlib
import tempfile
from pathlib import Path

import penstock.dynamic as ndd
from fuzz.target import Target
from penstock.engine.checkpoint import Checkpoint

OPTIONS = ({}, {"random_shuffle": True}, {"num_shards": 2}, {"shuffle_after_epoch": True})


def reader(folder: Path, **options: object) -> ndd.readers.File:
    paths = [folder / f"{n}.jpg" for n in range(10)]
    for n, path in enumerate(paths):
        if not path.exists():
            path.write_bytes(bytes([n]))
    return ndd.readers.File(files=paths, enable_checkpointing=True, **options)


def states() -> list[bytes]:
    made = []
    with tempfile.TemporaryDirectory() as folder:
        for options in OPTIONS:
            each = reader(Path(folder), **options)
            next(each.next_epoch(batch_size=3))
            made.append(base64.b64decode(str(each.get_state())))
        halves = [reader(Path(folder), num_shards=2, shard_id=shard) for shard in range(2)]
        for half in halves:
            next(half.next_epoch(batch_size=3))
        made.append(base64.b64decode(str(ndd.readers.reshard([half.get_state() for half in halves]))))
    return made


def set_state(data: bytes, folder: Path) -> None:
    state = base64.b64encode(data).decode()
    for options in OPTIONS:
        with contextlib.suppress(RuntimeError):  # it is the state of one of them at most
            fresh = reader(folder, **options)
            fresh.set_state(state)
            next(fresh.next_epoch(batch_size=3), None)
    with contextlib.suppress(RuntimeError):
        ndd.readers.reshard([state])


def checkpoints() -> list[bytes]:
    checkpoint = Checkpoint()
    checkpoint.register(ndd.random.RNG(7), "generator")
    checkpoint.collect()
    return [checkpoint.serialize().encode()]


def load_checkpoint(data: bytes, folder: Path) -> None:
    checkpoint = Checkpoint()
    checkpoint.deserialize(data)
    checkpoint.register(ndd.random.RNG(1), "generator")


TARGETS = {
    "reader_state": Target(states, set_state),
    "checkpoint": Target(checkpoints, load_checkpoint, refusals=(RuntimeError, ValueError, TypeError, KeyError)),
}
