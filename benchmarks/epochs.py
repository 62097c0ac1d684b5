"""What the timed loops share: an epoch of images, and what is done with them before a model is validated or trained."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

BATCH_SIZE = 64
MEAN = [0.485 * 255, 0.456 * 255, 0.406 * 255]
STD = [0.229 * 255, 0.224 * 255, 0.225 * 255]

# A loop is set up once and returns the function that is timed, which returns how many items it has worked on.
Run = Callable[[], int]


def epoch(ndd: Any, images: str, work: Callable[[Any], Any], **options: Any) -> Run:
    """An epoch of a reader; `options` are those of `next_epoch`."""
    reader = ndd.readers.File(file_root=images, random_shuffle=True, seed=1)

    def run() -> int:
        done = 0
        for jpegs, _labels in reader.next_epoch(batch_size=BATCH_SIZE, **options):
            work(jpegs)
            done += BATCH_SIZE
        return done

    return run


def val_images(ndd: Any, jpegs: Any) -> Any:
    images = ndd.resize(ndd.decoders.image(jpegs), size=[224, 224])
    return ndd.crop_mirror_normalize(images, dtype=ndd.float32, output_layout="CHW", mean=MEAN, std=STD)


def train_images(ndd: Any, jpegs: Any) -> Any:
    images = ndd.resize(ndd.decoders.image_random_crop(jpegs), size=[224, 224])
    mirror = ndd.random.coin_flip(batch_size=BATCH_SIZE)
    return ndd.crop_mirror_normalize(images, dtype=ndd.float32, output_layout="CHW", mean=MEAN, std=STD, mirror=mirror)
