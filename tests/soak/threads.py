"""Many threads that each run loops of their own, and threads that share values, readers and arguments."""

from __future__ import annotations

import hashlib
import itertools
import os
import random
import tempfile
import threading
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


def shared_by_threads(seconds: float, seed: int) -> None:
    """What threads use together is the same for each of them, and what is handed out is handed out once."""
    rng = random.Random(seed)
    until = time.monotonic() + seconds
    counts = dict.fromkeys(SHARED, 0)
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(THREADS) as pool:
        pictures = write_pictures(Path(name))
        for kind in itertools.cycle(SHARED):
            task = SHARED[kind](pictures, rng.randrange(1 << 30))
            together = threading.Barrier(THREADS)
            results = [*pool.map(lambda number, task=task, together=together: (together.wait(), task.work(number))[1],
                                 range(THREADS))]  # fmt: skip
            task.check(results)
            counts[kind] += 1
            if time.monotonic() > until and all(counts.values()):
                break
    print(", ".join(f"{kind} {count} times" for kind, count in counts.items()), f"by {THREADS} threads")


class _Value:
    """A result that has not been made yet, which all threads ask for."""

    def __init__(self, pictures: Path, seed: int) -> None:
        self._data = np.random.default_rng(seed).integers(0, 256, (3, 8, 9, 3), np.uint8)
        with ndd.EvalMode.deferred:
            self._made = ndd.flip(ndd.batch(self._data, layout="HWC"))

    def work(self, number: int) -> Any:
        if number % 2:
            assert (self._made.ndim, self._made.layout, self._made.dtype) == (3, "HWC", ndd.uint8)
        turned_back = ndd.flip(self._made) if number % 4 == 0 else self._made
        return np.asarray(ndd.as_tensor(turned_back)).copy(), number % 4 == 0

    def check(self, results: list[Any]) -> None:
        for made, turned_back in results:
            np.testing.assert_array_equal(made, self._data if turned_back else self._data[:, :, ::-1])


class _Reader:
    """A reader that all threads take samples from."""

    def __init__(self, pictures: Path, seed: int) -> None:
        self._reader = ndd.readers.File(file_root=str(pictures), seed=seed)

    def work(self, number: int) -> list[bytes]:
        return [np.asarray(self._reader()[0]).tobytes() for _ in range(3)]

    def check(self, results: list[Any]) -> None:
        taken = [file for files in results for file in files]
        assert len(set(taken)) == len(taken) == 3 * THREADS, "a sample was handed out twice"


class _Calls:
    """Calls of one operator with more kinds of arguments than are remembered, and a list that changes meanwhile."""

    def __init__(self, pictures: Path, seed: int) -> None:
        self._image = ndd.tensor(np.random.default_rng(seed).integers(0, 256, (12, 12, 3), np.uint8), layout="HWC")
        self._size = [4, 5]

    def work(self, number: int) -> None:
        for step in range(60):
            self._size[step % 2] = 3 + (number + step) % 5
            height, width = np.asarray(ndd.resize(self._image, size=self._size)).shape[:2]
            assert 3 <= min(height, width) <= max(height, width) <= 7
            wanted = [2 + (number + step) % 11, 3 + step % 7]
            assert np.asarray(ndd.resize(self._image, size=wanted)).shape == (*wanted, 3)
            assert np.asarray(ndd.cast(self._image, dtype=ndd.float32) + step)[0, 0, 0] >= step
            os.environ[f"PENSTOCK_SOAK_{number % 4}_{step % 8}"] = "x" * step

    def check(self, results: list[Any]) -> None: ...


class _Checkpoint:
    """A checkpoint of each thread's reader and generator: the rest of the run is the same again."""

    def __init__(self, pictures: Path, seed: int) -> None:
        self._pictures, self._seed = pictures, seed

    def _run(self, saved: str | None) -> tuple[str, list[Any]]:
        reader = ndd.readers.File(file_root=str(self._pictures), random_shuffle=True, seed=self._seed)
        rng, checkpoint = ndd.random.RNG(self._seed), ndd.checkpoint.Checkpoint()
        if saved is not None:
            checkpoint.deserialize(saved)
        checkpoint.register(reader, "reader")
        checkpoint.register(rng, "rng")
        seen = []
        for step in range(4 if saved is None else 2):
            jpegs, labels = reader(batch_size=5)
            images = ndd.resize(ndd.decoders.image(jpegs), size=[8, 8])
            images = images * ndd.random.uniform(range=[0.5, 1.5], batch_size=5, rng=rng)
            seen.append((np.asarray(ndd.as_tensor(images)).tobytes(), np.asarray(ndd.as_tensor(labels)).tobytes()))
            if saved is None and step == 1:
                checkpoint.collect()
                saved = checkpoint.serialize()
        assert saved is not None
        return saved, seen

    def work(self, number: int) -> list[Any]:
        saved, seen = self._run(None)
        assert self._run(saved)[1] == seen[2:]
        return seen

    def check(self, results: list[Any]) -> None:
        assert all(each == results[0] for each in results)


SHARED: dict[str, Callable[[Path, int], Any]] = {
    "value": _Value,
    "reader": _Reader,
    "calls": _Calls,
    "checkpoint": _Checkpoint,
}


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
