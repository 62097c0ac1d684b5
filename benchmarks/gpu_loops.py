"""Loops on a device, for benchmarks/gpu.py: python gpu_loops.py penstock|dali FOLDER THREADS, loops by line.

A loop is "NAME DEVICE BATCHES"; the line "device" asks penstock what `device="gpu"` stands for.
"""

from __future__ import annotations

import importlib
import sys
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from serving import MODULES, serve

BATCH = 16
SIZE = 224
RATE = 16000

LIBRARY, FOLDER, THREADS = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])


@cache
def files() -> list[Any]:
    found = [path for path in sorted(FOLDER.rglob("*")) if path.suffix.lower() in (".jpg", ".jpeg")]
    if not found:
        raise FileNotFoundError(f"no JPEG files in {FOLDER}")
    return [np.fromfile(found[k % len(found)], np.uint8) for k in range(BATCH)]


@cache
def photos(device: str) -> Any:
    """Decoded photos of one size, on the device."""
    ndd = importlib.import_module(MODULES[LIBRARY])
    images = ndd.resize(ndd.decoders.image(ndd.batch(files())), size=[512, 512])
    return (images.gpu() if device == "gpu" else images).evaluate()


@cache
def sounds(device: str) -> Any:
    ndd = importlib.import_module(MODULES[LIBRARY])
    random = np.random.default_rng(0)
    return ndd.batch([random.normal(size=10 * RATE).astype(np.float32) for _ in range(BATCH)], device=device).evaluate()


def decode(ndd: Any, device: str) -> Any:
    return ndd.decoders.image(ndd.batch(files()), device=device)


def train(ndd: Any, device: str) -> Any:
    """What a classifier is trained on: decoded, resized, mirrored by chance, normalised."""
    images = ndd.resize(decode(ndd, device), size=[SIZE, SIZE])
    mirror = ndd.random.coin_flip(batch_size=BATCH)
    return ndd.crop_mirror_normalize(
        images, mirror=mirror, mean=[124.0, 116.0, 104.0], std=[58.0, 57.0, 57.0], output_layout="CHW"
    )


def resize(ndd: Any, device: str) -> Any:
    return ndd.resize(photos(device), size=[SIZE, SIZE])


def color_twist(ndd: Any, device: str) -> Any:
    return ndd.color_twist(photos(device), brightness=1.2, contrast=0.9, saturation=1.1, hue=20.0)


def normalize(ndd: Any, device: str) -> Any:
    return ndd.normalize(photos(device), axis_names="HW")


def mean(ndd: Any, device: str) -> Any:
    return ndd.reductions.mean(photos(device), axis_names="HW")


def mel(ndd: Any, device: str) -> Any:
    """Features of ten seconds of sound."""
    power = ndd.spectrogram(sounds(device), nfft=512, window_length=400, window_step=160)
    return ndd.to_decibels(ndd.mel_filter_bank(power, sample_rate=RATE, nfilter=80), cutoff_db=-80.0)


LOOPS: dict[str, Callable[[Any, str], Any]] = {
    loop.__name__: loop for loop in (decode, train, resize, color_twist, normalize, mean, mel)
}


def run(ndd: Any, name: str, device: str, batches: int) -> float:
    """Seconds for so many batches, until the last is in host memory, which those before it are done by."""
    started = time.perf_counter()
    for _ in range(batches):
        last = LOOPS[name](ndd, device).evaluate()
    np.asarray(next(iter(last.cpu() if device == "gpu" else last)))
    return time.perf_counter() - started


def described() -> str:
    """What `device="gpu"` stands for in penstock."""
    accelerator = importlib.import_module("penstock.values.accelerator").accelerator()
    return f"{accelerator.kind}: {accelerator.found}"


def main() -> None:
    def answer(ndd: Any, line: str) -> dict[str, Any]:
        if line == "device":
            return {"device": described()}
        name, device, batches = line.split()
        return {"items": BATCH * int(batches), "wall": run(ndd, name, device, int(batches))}

    serve(LIBRARY, THREADS, answer)


if __name__ == "__main__":
    main()
