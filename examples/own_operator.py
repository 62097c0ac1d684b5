"""An operator of your own in three ways of running: eager, in a compiled loop, and in a pipeline.

    python examples/own_operator.py

A vignette darkens images towards a random corner. It is written once, for one image in NumPy; each way of running
makes the same images of it where they draw the same numbers.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import cv2
import numpy as np

import penstock.dynamic as ndd
from penstock import fn, pipeline_def
from penstock.testing import check_operator

BATCH = 4


@ndd.operator(infer=lambda image, **arguments: image)
def vignette(image: Any, strength: float = 0.5, *, rng: np.random.Generator) -> Any:
    """Darkens an image with the distance from a point that is drawn for it."""
    height, width = image.shape[:2]
    y, x = rng.uniform(0, height), rng.uniform(0, width)
    distance = np.hypot((np.arange(height)[:, None] - y) / height, (np.arange(width) - x) / width)
    return (image * (1 - strength * np.minimum(distance, 1))[..., None]).astype(np.uint8)


def loop(files: list[str], *, compile: bool) -> list[Any]:
    """The images of an epoch; compiled, they are made ahead of the loop."""
    ndd.random.set_seed(1)
    reader, made = ndd.readers.File(files=files), []
    for jpegs, _ in reader.next_epoch(batch_size=BATCH, compile=compile):
        images = ndd.resize(ndd.decoders.image(jpegs), size=[48, 64])
        made += [np.array(image) for image in vignette(images, strength=0.8)]
    return made


@pipeline_def(batch_size=BATCH, num_threads=2, device_id=None, seed=1)
def darkened(files: list[str]) -> Any:
    jpegs, _ = fn.readers.file(files=files)
    images = fn.resize(fn.decoders.image(jpegs), size=[48, 64])
    return vignette(images, strength=0.8), vignette(images, strength=0.0)


def photos(folder: Path) -> list[str]:
    names = [str(folder / f"{k:02}.jpg") for k in range(3 * BATCH)]
    for k, name in enumerate(names):
        cv2.imwrite(name, np.full((60, 80, 3), 250 - k, np.uint8))
    return names


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        files = photos(Path(folder))
        eager, compiled = loop(files, compile=False), loop(files, compile=True)
        print(f"eager: {len(eager)} images, mean {np.mean(eager):.1f}")
        print(f"compiled: the same {len(compiled)}: {all(map(np.array_equal, eager, compiled))}")

        pipe = darkened(files)
        dark, bright = pipe.run()
        print(f"pipeline: mean {np.mean(dark.as_array()):.1f} of {np.mean(bright.as_array()):.1f}")

    check_operator(vignette, [np.full((5, 7, 3), 200, np.uint8), np.full((1, 1, 3), 9, np.uint8)], layout="HWC")
    print("checked")


if __name__ == "__main__":
    main()
