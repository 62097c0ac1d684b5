"""Loops of automatic augmentation: pipelines that are given the same 64 images again and again. See loops.py."""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Callable
from typing import Any

from ahead_loops import THREADS, declarative
from epochs import Run

IMAGES, HEIGHT, WIDTH = 64, 480, 640
STEPS = 4


def pictures() -> Any:
    """Images of coloured tiles with a little noise."""
    import numpy as np

    rng = np.random.default_rng(0)
    tiles = rng.integers(0, 256, (IMAGES, HEIGHT // 16, WIDTH // 16, 3)).repeat(16, axis=1).repeat(16, axis=2)
    return np.clip(tiles + rng.integers(-12, 13, tiles.shape), 0, 255).astype(np.uint8)


def augmented(ndd: Any, module: str, augment: Callable[[Any, Any], Any]) -> Run:
    """Batches of a pipeline that does nothing but `augment(module, images)`."""
    library = declarative(ndd)
    fn = importlib.import_module(f"{library.__name__}.fn")
    own = importlib.import_module(f"{library.__name__}.auto_aug.{module}")
    images = pictures()

    @library.pipeline_def(  # type: ignore[untyped-decorator]
        batch_size=IMAGES, num_threads=THREADS, device_id=None, seed=1, enable_conditionals=True
    )
    def defined() -> Any:
        return augment(own, fn.external_source(lambda: images, layout="HWC", no_copy=True))

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # DALI's augmentations use names that it has deprecated
        pipeline = defined()
        pipeline.build()

    def run() -> int:
        for _ in range(STEPS):
            pipeline.run()
        return STEPS * IMAGES

    return run


def auto_augment(ndd: Any, images: str) -> Run:
    return augmented(ndd, "auto_augment", lambda module, data: module.auto_augment(data, "image_net"))


def rand_augment(ndd: Any, images: str) -> Run:
    return augmented(ndd, "rand_augment", lambda module, data: module.rand_augment(data, n=2, m=17))


def trivial_augment(ndd: Any, images: str) -> Run:
    return augmented(ndd, "trivial_augment", lambda module, data: module.trivial_augment_wide(data))
