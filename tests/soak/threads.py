"""Many threads that each run loops of their own."""

from __future__ import annotations

import hashlib
import random
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import penstock.dynamic as ndd
from penstock import fn, pipeline_def, types
from soak.pictures import write_pictures

THREADS = 16
SEEDS = 4
STEPS = 5


def loops_in_threads(seconds: float, seed: int) -> None:
    """Loops of every kind in sixteen threads at once give what each gives alone."""
    rng = random.Random(seed)
    until = time.monotonic() + seconds
    with tempfile.TemporaryDirectory() as name:
        pictures = write_pictures(Path(name))
        alone = {(kind, own): LOOPS[kind](pictures, own) for kind in LOOPS for own in range(SEEDS)}
        for own in range(SEEDS):
            assert alone["eager", own] == alone["deferred", own] == alone["compiled", own]
        assert len(set(alone.values())) == 2 * SEEDS

        def work(own: random.Random) -> int:
            loops = 0
            while not loops or time.monotonic() < until:
                kind, number = own.choice([*LOOPS]), own.randrange(SEEDS)
                made = LOOPS[kind](pictures, number)
                assert made == alone[kind, number], f"{kind} with seed {number} differs in a thread"
                loops += 1
            return loops

        with ThreadPoolExecutor(THREADS) as pool:
            counts = [*pool.map(work, [random.Random(rng.random()) for _ in range(THREADS)])]
    print(f"{sum(counts)} loops in {THREADS} threads, from {min(counts)} to {max(counts)} each")


def _dynamic(pictures: Path, seed: int, mode: ndd.EvalMode, **options: Any) -> str:
    digest = hashlib.sha256()
    ndd.random.set_seed(seed)
    reader = ndd.readers.File(file_root=str(pictures), random_shuffle=True, seed=seed)
    with mode:
        for step, (jpegs, labels) in enumerate(reader.next_epoch(batch_size=6, **options), 1):
            images = ndd.resize(ndd.decoders.image_random_crop(jpegs), size=[20, 20])
            images = ndd.flip(images, horizontal=ndd.random.coin_flip(batch_size=6))
            scaled = images * ndd.random.uniform(range=[0.5, 1.5], batch_size=6)
            for each in (images, scaled, labels):
                digest.update(np.asarray(ndd.as_tensor(each)).tobytes())
            if step == STEPS:
                break
    return digest.hexdigest()


@pipeline_def(batch_size=6, num_threads=2, device_id=None)
def _training(root: str, order: int) -> tuple[Any, Any]:
    jpegs, labels = fn.readers.file(file_root=root, random_shuffle=True, seed=order)
    images = fn.resize(fn.decoders.image(jpegs), size=[20, 20])
    return fn.crop_mirror_normalize(images, mirror=fn.random.coin_flip(), dtype=types.FLOAT), labels


def _pipeline(pictures: Path, seed: int) -> str:
    digest = hashlib.sha256()
    pipe = _training(str(pictures), seed, seed=seed)
    for _ in range(STEPS):
        for output in pipe.run():
            digest.update(output.as_array().tobytes())
    return digest.hexdigest()


LOOPS: dict[str, Callable[[Path, int], str]] = {
    "eager": partial(_dynamic, mode=ndd.EvalMode.eager),
    "deferred": partial(_dynamic, mode=ndd.EvalMode.deferred),
    "compiled": partial(_dynamic, mode=ndd.EvalMode.eager, compile=True),
    "pipeline": _pipeline,
}
