"""Loops that run ahead of the program: compiled ones and pipelines. See loops.py."""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable
from typing import Any

from epochs import BATCH_SIZE, MEAN, STD, Run, epoch, train_images, val_images

TINY_STEPS = 250
THREADS = 2


def declarative(ndd: Any) -> Any:
    """The package with `fn`, `types` and `pipeline_def` of the library that `ndd` is part of."""
    return importlib.import_module("penstock" if ndd.__name__.startswith("penstock") else "nvidia.dali")


def pipeline_loop(ndd: Any, images: str, augment: Callable[[Any, Any], Any]) -> Run:
    """An epoch of a pipeline that reads images, `augment(fn, types)` being what it does with them."""
    library = declarative(ndd)
    fn, types = importlib.import_module(f"{library.__name__}.fn"), importlib.import_module(f"{library.__name__}.types")

    @library.pipeline_def(batch_size=BATCH_SIZE, num_threads=THREADS, device_id=None, seed=1)  # type: ignore[untyped-decorator]
    def defined() -> Any:
        jpegs, labels = fn.readers.file(file_root=images, random_shuffle=True, name="images")
        return augment(fn, types)(jpegs), labels

    pipeline = defined()
    pipeline.build()
    steps = -(-pipeline.epoch_size("images") // BATCH_SIZE)

    def run() -> int:
        for _ in range(steps):
            pipeline.run()
        return steps * BATCH_SIZE

    return run


def val(fn: Any, types: Any) -> Callable[[Any], Any]:
    def augment(jpegs: Any) -> Any:
        images = fn.resize(fn.decoders.image(jpegs), size=[224, 224])
        return fn.crop_mirror_normalize(images, dtype=types.FLOAT, output_layout="CHW", mean=MEAN, std=STD)

    return augment


def train(fn: Any, types: Any) -> Callable[[Any], Any]:
    def augment(jpegs: Any) -> Any:
        images = fn.resize(fn.decoders.image_random_crop(jpegs), size=[224, 224])
        return fn.crop_mirror_normalize(
            images, dtype=types.FLOAT, output_layout="CHW", mean=MEAN, std=STD, mirror=fn.random.coin_flip()
        )

    return augment


def strong(fn: Any, types: Any) -> Callable[[Any], Any]:
    """Decode, rotate, twist the colours, blur and normalise."""

    def augment(jpegs: Any) -> Any:
        images = fn.resize(fn.decoders.image(jpegs), size=[480, 640])
        images = fn.rotate(images, angle=fn.random.uniform(range=[-30.0, 30.0]), keep_size=True)
        images = fn.color_twist(images, brightness=fn.random.uniform(range=[0.8, 1.2]), hue=10.0, saturation=1.2)
        images = fn.gaussian_blur(images, window_size=5)
        return fn.crop_mirror_normalize(images, dtype=types.FLOAT, output_layout="CHW", mean=MEAN, std=STD)

    return augment


def val_pipeline(ndd: Any, images: str) -> Run:
    return pipeline_loop(ndd, images, val)


def train_pipeline(ndd: Any, images: str) -> Run:
    return pipeline_loop(ndd, images, train)


def strong_pipeline(ndd: Any, images: str) -> Run:
    return pipeline_loop(ndd, images, strong)


def compiled(ndd: Any, images: str, work: Callable[[Any, Any], Any], step: Callable[[], Any] = lambda: None) -> Run:
    """A compiled epoch, with a `step` of the program's own after each batch."""

    def whole(jpegs: Any) -> None:
        work(ndd, jpegs).evaluate()
        step()

    return epoch(ndd, images, whole, capture=True)


def val_compiled(ndd: Any, images: str) -> Run:
    return compiled(ndd, images, val_images)


def train_compiled(ndd: Any, images: str) -> Run:
    return compiled(ndd, images, train_images)


def val_overlapped(ndd: Any, images: str) -> Run:
    """val with a consumer that waits as long as loading takes: all of it should be hidden."""
    alone = compiled(ndd, images, val_images)
    alone()
    seconds = min(_seconds_of_a_step(alone) for _ in range(5))
    return compiled(ndd, images, val_images, lambda: time.sleep(seconds))


def _seconds_of_a_step(run: Run) -> float:
    started = time.perf_counter()
    steps = run() / BATCH_SIZE
    return (time.perf_counter() - started) / steps


def three_calls(functions: Any, pictures: Any) -> Any:
    """Three operators of `ndd` or of `fn`."""
    made = functions.flip(pictures, horizontal=1)
    made = functions.crop(made, crop=[2, 2])
    return functions.brightness(made, brightness=1.5)


def ten_calls(ndd: Any, pictures: Any) -> Any:
    made = three_calls(ndd, pictures)
    made = ndd.contrast(made, contrast=1.5)
    made = ndd.cast(made, dtype=ndd.float32)
    made = ndd.flip(made, vertical=1)
    made = ndd.transpose(made, perm=[2, 0, 1])
    made = ndd.reshape(made, shape=[4])
    made = ndd.cast(made, dtype=ndd.int32)
    return ndd.cast(made, dtype=ndd.float32)


def compiled_on_tiny_data(ndd: Any, calls: Callable[[Any, Any], Any]) -> Run:
    """Operators on next to no data: what a step costs by itself."""
    import numpy as np

    source = ndd.ExternalSource(lambda: ndd.as_batch(np.zeros((4, 4, 4, 1), np.uint8), layout="HWC"))

    def run() -> int:
        done = 0
        for pictures in source.captured(4):
            calls(ndd, pictures).evaluate()
            done += 1
            if done == TINY_STEPS:
                break
        return done

    return run


def tiny_compiled(ndd: Any, images: str) -> Run:
    return compiled_on_tiny_data(ndd, ten_calls)


def tiny_compiled_three(ndd: Any, images: str) -> Run:
    return compiled_on_tiny_data(ndd, three_calls)


def tiny_pipeline_three(ndd: Any, images: str) -> Run:
    import numpy as np

    library = declarative(ndd)
    fn = importlib.import_module(f"{library.__name__}.fn")

    @library.pipeline_def(batch_size=4, num_threads=THREADS, device_id=None)  # type: ignore[untyped-decorator]
    def defined() -> Any:
        return three_calls(fn, fn.external_source(lambda: np.zeros((4, 4, 4, 1), np.uint8), layout="HWC"))

    pipeline = defined()
    pipeline.build()

    def run() -> int:
        for _ in range(TINY_STEPS):
            pipeline.run()
        return TINY_STEPS

    return run
