"""The two classic loops of image classification, as demo and bench run them."""

from __future__ import annotations

import time
from typing import Any, NamedTuple

import penstock.dynamic as ndd
from penstock import fn, types
from penstock.pipeline.definition.pipeline_function import pipeline_def
from penstock.pipeline.pipeline import Pipeline

SIZE = 224
MEAN = [0.485 * 255, 0.456 * 255, 0.406 * 255]
STD = [0.229 * 255, 0.224 * 255, 0.225 * 255]


def train(jpegs: ndd.Batch) -> ndd.Batch:
    """A random part of each image, resized, mirrored by chance, normalised."""
    images = ndd.decoders.image_random_crop(jpegs)
    images = ndd.resize(images, size=[SIZE, SIZE])
    return normalised(images, mirror=ndd.random.coin_flip(batch_size=jpegs.batch_size))


def val(jpegs: ndd.Batch) -> ndd.Batch:
    """Each whole image, resized and normalised."""
    return normalised(ndd.resize(ndd.decoders.image(jpegs), size=[SIZE, SIZE]))


def normalised(images: ndd.Batch, **arguments: Any) -> ndd.Batch:
    made: ndd.Batch = ndd.crop_mirror_normalize(
        images, dtype=ndd.float32, output_layout="CHW", mean=MEAN, std=STD, **arguments
    )
    return made


@pipeline_def(device_id=None)
def _pipeline(folder: str, random: bool) -> Any:
    jpegs, _labels = fn.readers.file(file_root=folder)
    images = fn.decoders.image_random_crop(jpegs) if random else fn.decoders.image(jpegs)
    mirror = fn.random.coin_flip() if random else 0
    return fn.crop_mirror_normalize(
        fn.resize(images, size=[SIZE, SIZE]), dtype=types.FLOAT, output_layout="CHW", mean=MEAN, std=STD, mirror=mirror
    )


def pipeline(folder: str, random: bool, batch_size: int, num_threads: int) -> Pipeline:
    """The loop of `train`, or without `random` that of `val`, as a pipeline."""
    made: Pipeline = _pipeline(folder, random, batch_size=batch_size, num_threads=num_threads)
    return made


class Stopwatch:
    """Wall-clock and CPU time since it was made."""

    def __init__(self) -> None:
        self._wall = time.perf_counter()
        self._cpu = time.process_time()

    def read(self, images: int) -> Speed:
        wall, cpu = time.perf_counter() - self._wall, time.process_time() - self._cpu
        return Speed(images / wall, 1e3 * wall / images, 1e3 * cpu / images)


class Speed(NamedTuple):
    """How fast a loop went."""

    per_second: float
    wall_ms: float
    cpu_ms: float

    def __str__(self) -> str:
        return f"{self.per_second:,.0f} images/s, {self.cpu_ms:.2f} ms of CPU time per image"
