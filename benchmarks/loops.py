"""The timed loops: one program for both libraries, run as a worker of compare.py.

    python loops.py penstock|dali IMAGES THREADS

The library is imported first, with nothing else loaded, and the seconds that took are the first line of the answer.
Then every line of input names a loop, and is answered by a line of JSON.
"""

from __future__ import annotations

import resource
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

from ahead_loops import (
    strong_pipeline,
    tiny_compiled,
    tiny_compiled_three,
    tiny_pipeline_three,
    train_compiled,
    train_pipeline,
    val_compiled,
    val_overlapped,
    val_pipeline,
)
from augment_loops import auto_augment, rand_augment, trivial_augment
from epochs import BATCH_SIZE, MEAN, STD, Run, epoch, train_images, val_images
from serving import serve
from sound_loops import log_mel

CALLS = 300


def decode(ndd: Any, images: str) -> Run:
    return epoch(ndd, images, lambda jpegs: ndd.decoders.image(jpegs).evaluate())


def val_eager(ndd: Any, images: str) -> Run:
    return epoch(ndd, images, lambda jpegs: val_images(ndd, jpegs).torch())


def val_without_torch(ndd: Any, images: str) -> Run:
    return epoch(ndd, images, lambda jpegs: val_images(ndd, jpegs).evaluate())


def val_deferred(ndd: Any, images: str) -> Run:
    return within(ndd.EvalMode.deferred, val_eager(ndd, images))


def within(mode: Any, run: Run) -> Run:
    def inside() -> int:
        with mode:
            return run()

    return inside


def val_beside_python(ndd: Any, images: str) -> Run:
    """val while another thread computes in pure Python and wants the interpreter lock all the time."""
    run = val_eager(ndd, images)

    def contended() -> int:
        stop = threading.Event()

        def burn() -> None:
            while not stop.is_set():
                sum(range(1000))

        burner = threading.Thread(target=burn)
        burner.start()
        try:
            return run()
        finally:
            stop.set()
            burner.join()

    return contended


def train_eager(ndd: Any, images: str) -> Run:
    return epoch(ndd, images, lambda jpegs: train_images(ndd, jpegs).torch())


def train_without_torch(ndd: Any, images: str) -> Run:
    return epoch(ndd, images, lambda jpegs: train_images(ndd, jpegs).evaluate())


def small_arrays(ndd: Any, images: str) -> Run:
    """10,000 arrays of 32x32x3 in batches of 256: random crop, flip, normalise."""
    import numpy as np

    arrays = np.random.default_rng(0).integers(0, 256, (10_000, 32, 32, 3), np.uint8)

    def run() -> int:
        for start in range(0, len(arrays), 256):
            batch = ndd.as_batch(arrays[start : start + 256], layout="HWC")
            size = batch.batch_size
            x = ndd.random.uniform(range=[0.0, 1.0], batch_size=size)
            y = ndd.random.uniform(range=[0.0, 1.0], batch_size=size)
            cropped = ndd.crop(batch, crop=[28, 28], crop_pos_x=x, crop_pos_y=y)
            flipped = ndd.flip(cropped, horizontal=ndd.random.coin_flip(batch_size=size))
            ndd.crop_mirror_normalize(flipped, dtype=ndd.float32, output_layout="CHW", mean=MEAN, std=STD).torch()
        return len(arrays)

    return run


def tiny_calls(ndd: Any, consume: Callable[[Any], Any]) -> Run:
    import numpy as np

    tiny = ndd.batch(np.zeros((8, 4, 4, 1), np.uint8), layout="HWC")

    def run() -> int:
        for _ in range(CALLS):
            consume(ndd.flip(tiny))
            consume(ndd.cast(tiny, dtype=ndd.float32))
            consume(tiny + 1)
        return 3 * CALLS

    return run


def call_eager(ndd: Any, images: str) -> Run:
    return tiny_calls(ndd, lambda result: result.evaluate())


def call_deferred(ndd: Any, images: str) -> Run:
    return within(ndd.EvalMode.deferred, tiny_calls(ndd, lambda result: None))


def first_batch(ndd: Any, images: str) -> Run:
    """Only for a fresh process. Importing torch is not what is measured."""
    import torch  # noqa: F401

    def run() -> int:
        reader = ndd.readers.File(file_root=images, random_shuffle=True, seed=1)
        jpegs, _labels = next(iter(reader.next_epoch(batch_size=BATCH_SIZE)))
        val_images(ndd, jpegs).torch()
        return 1

    return run


LOOPS: dict[str, Callable[[Any, str], Run]] = {
    loop.__name__: loop
    for loop in (
        decode, val_eager, val_deferred, val_beside_python, val_without_torch, train_eager, train_without_torch,
        small_arrays, call_eager, call_deferred, first_batch, val_compiled, val_pipeline, train_compiled,
        train_pipeline, strong_pipeline, val_overlapped, tiny_compiled, tiny_compiled_three,
        tiny_pipeline_three, auto_augment, rand_augment, trivial_augment, log_mel,
    )
}  # fmt: skip


def timed(run: Run, leads_in: bool) -> dict[str, float]:
    """Times a run; `leads_in` puts one right before it: as much has then been made ahead at the start as at the end."""
    if leads_in:
        run()
    wall, cpu = time.perf_counter(), time.process_time()
    items = run()
    return {"items": items, "wall": time.perf_counter() - wall, "cpu": time.process_time() - cpu}


def main() -> None:
    library, images, threads = sys.argv[1:]
    ready: dict[str, Run] = {}

    def answer(ndd: Any, name: str) -> dict[str, Any]:
        if name not in ready:
            ready[name] = LOOPS[name](ndd, images)
        figures = timed(ready[name], leads_in=name != first_batch.__name__)
        return figures | {"peak_rss": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024}

    serve(library, int(threads), answer)


if __name__ == "__main__":
    main()
