"""min_size of decoders.image beside decoding whole: CPU time and likeness of large photos made small.

    python benchmarks/decode_scaled.py [IMAGES] [--size 224] [--rounds 5]

Without photos at hand it makes one of 12 megapixels, at 4:2:0 and quality 90, from noise of all sizes.
"""

from __future__ import annotations

import argparse
import io
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from PIL import Image

import penstock.dynamic as ndd


def made_photo(height: int = 3000, width: int = 4000) -> np.ndarray:
    """The spectrum of photos: each octave of detail has less contrast than the one before."""
    random = np.random.default_rng(3)
    image = np.full((height, width, 3), 128, np.float32)
    for octave in range(11):
        side = (4 << octave) * 4 // 3, 4 << octave
        noise = random.normal(0, 40 / 1.35**octave, (side[1], side[0], 3)).astype(np.float32)
        for channel in range(3):
            layer = Image.fromarray(noise[..., channel]).resize((width, height), Image.Resampling.BICUBIC)
            image[..., channel] += np.asarray(layer)
    return np.clip(image, 0, 255).astype(np.uint8)


def made_jpeg() -> np.ndarray:
    file = io.BytesIO()
    Image.fromarray(made_photo()).save(file, "JPEG", quality=90, subsampling=2)
    return np.frombuffer(file.getvalue(), np.uint8)


def cpu_milliseconds(run: Callable[[], object], rounds: int) -> float:
    def once() -> float:
        start = time.process_time()
        run()
        return time.process_time() - start

    return 1000 * min(once() for _ in range(rounds))


def decibels(image: np.ndarray, other: np.ndarray) -> float:
    error = np.mean((image.astype(np.float64) - other) ** 2)
    return 10 * np.log10(255**2 / error)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("images", type=Path, nargs="?")
    parser.add_argument("--size", type=int, default=224)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    size = arguments.size
    paths = sorted(arguments.images.rglob("*.[jJ][pP]*[gG]")) if arguments.images else []
    files = [np.fromfile(path, np.uint8) for path in paths] or [made_jpeg()]
    ndd.set_num_threads(1)
    batch = ndd.batch(files)

    def resized(factor: int | None) -> np.ndarray:
        """With sides of `factor` times the size asked for, or more, before they are made small."""
        min_size = None if factor is None else (factor * size, factor * size)
        images = ndd.decoders.image(batch, min_size=min_size)
        return np.asarray(ndd.as_tensor(ndd.resize(images, size=[size, size])))

    with ndd.EvalMode.sync_cpu:
        whole = resized(None)
        times = {factor: cpu_milliseconds(lambda f=factor: resized(f), arguments.rounds) for factor in (None, 1, 2)}
        print(f"{len(files)} JPEGs made {size}x{size}, CPU per image: whole {times[None] / len(files):.2f} ms")
        for factor in (1, 2):
            likeness = decibels(whole, resized(factor))
            print(
                f"min_size={factor * size}: {times[factor] / len(files):.2f} ms, "
                f"{times[None] / times[factor]:.1f} times as fast, PSNR {likeness:.1f} dB"
            )


if __name__ == "__main__":
    main()
