"""Runs examples/distributed_training.py, notes what each process was given, and dies where it is told to.

torchrun tests/noted_training.py NOTES PHOTOS CHECKPOINT [--fsdp] [--with-agent] [STEP ...]

Process 1 kills itself as it gets its STEP-th batch: the first STEP counts for the first start, the second for the
restart after it. With --with-agent it kills the agent that launched it as well, as if the machine had died. Every
process writes a line of JSON for each batch into a file in NOTES.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch.distributed as dist

import penstock.dynamic as ndd
from penstock.torch import Loader

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "examples"))
import distributed_training as example

NOTES, PHOTOS, CHECKPOINT = map(Path, sys.argv[1:4])
START, RANK, WORLD = (int(os.environ[name]) for name in ("TORCHELASTIC_RESTART_COUNT", "RANK", "WORLD_SIZE"))
WITH_AGENT, FSDP = "--with-agent" in sys.argv, "--fsdp" in sys.argv
FATAL = [int(step) for step in sys.argv[4:] if step.isdigit()][START : START + 1] if RANK == 1 else []


class NotedReader(ndd.readers.File):
    steps_before = steps = 0

    def next_epoch(self, *arguments: Any, **options: Any) -> Iterator[Any]:
        epoch = self.epoch
        for batch in super().next_epoch(*arguments, **options):
            self.steps += 1
            samples = [np.asarray(index).item() for index in ndd.get_property(batch[0], key="index")]
            with open(NOTES / f"world{WORLD}-start{START}-rank{RANK}", "a") as file:
                print(json.dumps([self.steps_before + self.steps, epoch, samples]), file=file)
            if self.steps in FATAL:
                if WITH_AGENT:
                    os.kill(os.getppid(), signal.SIGKILL)
                os.kill(os.getpid(), signal.SIGKILL)
            yield batch


class NotedCheckpoint(example.Checkpoint):
    def load(self, loader: Loader) -> int:
        loader.dataset.steps_before = super().load(loader)
        return loader.dataset.steps_before


example.Checkpoint, ndd.readers.File = NotedCheckpoint, NotedReader
dist.init_process_group("gloo")
example.train(PHOTOS, CHECKPOINT, FSDP, batch_size=2, save_every=1)
dist.destroy_process_group()
