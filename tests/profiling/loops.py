"""Loops over twelve pictures in every mode, for profiles of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

import penstock
import penstock.dynamic as ndd
from penstock import fn, pipeline_def

PICTURES = sorted(str(file) for file in (Path(penstock.__file__).parent / "cli/assets").glob("*/*.jpg"))
BATCH = 3
EPOCHS = 2


def augmented(jpegs: ndd.Batch) -> ndd.Batch:
    images = ndd.decoders.image(jpegs)
    images = ndd.resize(images, size=[96, 96])
    return ndd.crop_mirror_normalize(images, dtype=ndd.float32, output_layout="CHW", mean=[128.0], std=[64.0])


def _epochs(compiled: bool = False) -> int:
    reader = ndd.readers.File(files=PICTURES)
    got = 0
    for _ in range(EPOCHS):
        for jpegs, _labels in reader.next_epoch(batch_size=BATCH, compile=compiled):
            got += len(np.asarray(ndd.as_tensor(augmented(jpegs))))
    return got


def eager() -> int:
    return _epochs()


def deferred() -> int:
    with ndd.EvalMode.deferred:
        return _epochs()


def sync() -> int:
    with ndd.EvalMode.sync_cpu:
        return _epochs()


def compiled() -> int:
    return _epochs(compiled=True)


def pipeline() -> int:
    @pipeline_def(batch_size=BATCH, num_threads=2, device_id=None)
    def pipe():
        jpegs, _ = fn.readers.file(files=PICTURES)
        images = fn.resize(fn.decoders.image(jpegs), size=[96, 96])
        return fn.crop_mirror_normalize(images, dtype=penstock.types.FLOAT, mean=[128.0], std=[64.0])

    running = pipe()
    return sum(len(running.run()[0]) for _ in range(EPOCHS * len(PICTURES) // BATCH))


LOOPS: dict[str, Callable[[], int]] = {loop.__name__: loop for loop in (eager, deferred, sync, compiled, pipeline)}
