"""Memory, threads and open files of loops that go on and on."""

from __future__ import annotations

import gc
import os
import statistics
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import penstock.dynamic as ndd
from penstock import fn, pipeline_def, types
from soak.pictures import write_pictures

# Between the second quarter of the time, when all is warm, and the last. What the allocator keeps varies by less.
MOST_BYTES = 12 << 20
MOST_MORE = 4  # threads and open files
PATIENCE = 10.0
WARM_EPOCHS = 40
EPOCHS_PER_NOTE = 5
LEAST_NOTES = 8


def eager_loop(seconds: float, seed: int) -> None:
    """Epochs of new readers, some left in the middle, with errors and results that nobody asks for."""
    ndd.random.set_seed(seed)

    def epoch(pictures: Path, number: int) -> int:
        reader = ndd.readers.File(file_root=str(pictures), random_shuffle=True, seed=seed + number)
        steps = 0
        for jpegs, _labels in reader.next_epoch(batch_size=8):
            images = ndd.resize(ndd.decoders.image_random_crop(jpegs), size=[32, 32])
            ndd.flip(images, horizontal=ndd.random.coin_flip(batch_size=8))
            np.asarray(ndd.as_tensor(images * 2 + 1)).sum()
            str(images.slice[0:2, 0])
            steps += 1
            if steps == number % 9:
                break
        try:
            ndd.crop(ndd.decoders.image(jpegs), crop=[9999, 9999]).evaluate()
        except RuntimeError:
            pass
        else:
            raise AssertionError("a window beyond the picture was not refused")
        return steps

    _watch("eager", seconds, epoch)


def compiled_loop(seconds: float, seed: int) -> None:
    """Compiled loops over new readers and sources, some left in the middle."""
    ndd.random.set_seed(seed)

    def epoch(pictures: Path, number: int) -> int:
        reader = ndd.readers.File(file_root=str(pictures), random_shuffle=True, seed=seed + number)
        angles = ndd.ExternalSource(lambda: np.float32(10))
        steps = 0
        for jpegs, _labels in reader.next_epoch(batch_size=8, compile=True):
            images = ndd.resize(ndd.decoders.image(jpegs), size=[32, 32])
            turned = ndd.rotate(images, angle=angles(batch_size=8), keep_size=True)
            np.asarray(ndd.as_tensor(turned)).sum()
            steps += 1
            if steps == number % 9:
                break
        return steps

    _watch("compiled", seconds, epoch)


def pipeline_loop(seconds: float, seed: int) -> None:
    """Pipelines that are built, run ahead and dropped."""

    @pipeline_def(batch_size=8, num_threads=2, device_id=None)
    def training(root: str) -> tuple[object, object]:
        jpegs, labels = fn.readers.file(file_root=root, random_shuffle=True, name="reader")
        images = fn.resize(fn.decoders.image(jpegs), size=[32, 32])
        return fn.crop_mirror_normalize(images, mirror=fn.random.coin_flip(), dtype=types.FLOAT), labels

    def epoch(pictures: Path, number: int) -> int:
        pipe = training(str(pictures), seed=seed + number)
        for _ in range(number % 9 + 1):
            images, _labels = pipe.run()
            images.as_array().sum()
        return number % 9 + 1

    _watch("pipeline", seconds, epoch)


def _watch(what: str, seconds: float, epoch: Callable[[Path, int], int]) -> None:
    """Repeats what `epoch` does and fails where the process has grown: memory, threads or open files."""
    until = time.monotonic() + seconds
    sizes: list[int] = []
    with tempfile.TemporaryDirectory() as name:
        pictures = write_pictures(Path(name))
        steps = sum(epoch(pictures, number) for number in range(WARM_EPOCHS))
        threads, files = _threads(), _open_files()
        while len(sizes) < LEAST_NOTES or time.monotonic() < until:
            first = WARM_EPOCHS + len(sizes) * EPOCHS_PER_NOTE
            steps += sum(epoch(pictures, number) for number in range(first, first + EPOCHS_PER_NOTE))
            gc.collect()
            sizes.append(_resident())
        assert _comes_to(_threads, threads + MOST_MORE), (threads, threading.enumerate())
        assert _comes_to(_open_files, files + MOST_MORE), (files, _open_files())
    quarter = len(sizes) // 4
    early, late = statistics.median(sizes[quarter : 2 * quarter]), statistics.median(sizes[-quarter:])
    grown, epochs = late - early, WARM_EPOCHS + len(sizes) * EPOCHS_PER_NOTE
    assert grown <= MOST_BYTES, f"{what}: {grown / 2**20:.1f} MB more after {epochs} epochs of {steps} steps in all"
    print(f"{epochs} epochs, {steps} steps, {late / 2**20:.0f} MB, grown by {grown / 2**20:.1f} MB")


def _resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def _comes_to(count: Callable[[], int], most: int) -> bool:
    """Whether there are no more, at least in a moment: threads of readers that were dropped end by themselves."""
    until = time.monotonic() + PATIENCE
    while count() > most and time.monotonic() < until:
        time.sleep(0.02)
    return count() <= most


def _threads() -> int:
    return len(os.listdir("/proc/self/task"))


def _open_files() -> int:
    return len(os.listdir("/proc/self/fd"))
