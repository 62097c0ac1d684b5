"""Makes the calls whose instructions arm_instructions.py counts, as a worker of it: under QEMU, on one thread.

It tells the plugin of QEMU where a call begins and ends by asking for its parent's number, which nothing else does.
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

import penstock.dynamic as ndd
from penstock import types

HEIGHT, WIDTH = 480, 640
PICTURES = Path(__file__).resolve().parents[1] / "src/penstock/cli/assets"
KEYS = list(range(256))
COLORS = {"mean": [123.7, 116.3, 103.5], "std": [58.4, 57.1, 57.4]}
WARM_UP = 3

rng = np.random.default_rng(0)
image = ndd.tensor(rng.integers(0, 256, (HEIGHT, WIDTH, 3), np.uint8), layout="HWC")
gray = ndd.tensor(rng.integers(0, 256, (HEIGHT, WIDTH, 1), np.uint8), layout="HWC")
floats = ndd.tensor(rng.uniform(-20, 280, (HEIGHT, WIDTH, 3)).astype(np.float32), layout="HWC")
halves = ndd.tensor(np.asarray(floats).astype(np.float16), layout="HWC")
numbers = ndd.tensor(np.asarray(floats).astype(np.int32), layout="HWC")
sound = ndd.tensor(rng.normal(size=16000).astype(np.float32))
jpeg = ndd.tensor(np.fromfile(min(PICTURES.glob("*/*.jpg")), np.uint8))

CALLS = {
    "`decoders.image` of 360x480": lambda: ndd.decoders.image(jpeg),
    "`decoders.image_crop` of 128x128 of it": lambda: ndd.decoders.image_crop(jpeg, crop=(128, 128)),
    "`decoders.image` with `min_size=(32, 32)`": lambda: ndd.decoders.image(jpeg, min_size=(32, 32)),
    "`resize` to 224x224": lambda: ndd.resize(image, size=[224, 224]),
    "`resize` to 600x800": lambda: ndd.resize(image, size=[600, 800]),
    "`resize` of floats to 224x224": lambda: ndd.resize(floats, size=[224, 224]),
    "`crop_mirror_normalize`": lambda: ndd.crop_mirror_normalize(image, mirror=1, **COLORS),
    "`crop_mirror_normalize` to float16": lambda: ndd.crop_mirror_normalize(image, dtype=ndd.float16, **COLORS),
    "`flip`": lambda: ndd.flip(image),
    "`transpose` to CHW": lambda: ndd.transpose(image, perm=[2, 0, 1]),
    "`rotate`": lambda: ndd.rotate(image, angle=30.0, fill_value=7),
    "`warp_affine`": lambda: ndd.warp_affine(image, [1.0, 0.1, 0.0, 0.0, 1.0, 0.0], fill_value=0),
    "`brightness`": lambda: ndd.brightness(image, brightness=1.2),
    "`color_twist`": lambda: ndd.color_twist(image, hue=20.0, saturation=1.4),
    "RGB to gray": lambda: ndd.color_space_conversion(image, image_type=types.RGB, output_type=types.GRAY),
    "RGB to BGR": lambda: ndd.color_space_conversion(image, image_type=types.RGB, output_type=types.BGR),
    "gray to RGB": lambda: ndd.color_space_conversion(gray, image_type=types.GRAY, output_type=types.RGB),
    "`equalize`": lambda: ndd.equalize(image),
    "`lookup_table`": lambda: ndd.lookup_table(image, keys=KEYS, values=KEYS[::-1], dtype=ndd.uint8),
    "`gaussian_blur`": lambda: ndd.gaussian_blur(image, sigma=1.5),
    "`laplacian`": lambda: ndd.laplacian(image, window_size=3),
    "`experimental.median_blur`": lambda: ndd.experimental.median_blur(image, window_size=[3, 3]),
    "`cast` of float32 to uint8": lambda: ndd.cast(floats, dtype=ndd.uint8),
    "`cast` of float32 to float16": lambda: ndd.cast(floats, dtype=ndd.float16),
    "`cast` of float16 to float32": lambda: ndd.cast(halves, dtype=ndd.float32),
    "int32 `// 7`": lambda: numbers // 7,
    "float32 `* 2 + 1`": lambda: floats * 2.0 + 1.0,
    "`reductions.mean` over height and width": lambda: ndd.reductions.mean(floats, axes=[0, 1]),
    "`normalize`": lambda: ndd.normalize(floats),
    "`random.uniform`, 100,000 of them": lambda: ndd.random.uniform(range=(0.0, 1.0), shape=[100_000]),
    "`noise.gaussian`": lambda: ndd.noise.gaussian(image, stddev=10.0),
    "`spectrogram` of a second of sound": lambda: ndd.spectrogram(sound, nfft=512, window_length=400, window_step=160),
}


def main() -> None:
    ndd.set_num_threads(1)
    with ndd.EvalMode.sync_cpu:
        for call in CALLS.values():
            for _ in range(WARM_UP):
                call()
            os.getppid()
            call()
            os.getppid()


if __name__ == "__main__":
    main()
