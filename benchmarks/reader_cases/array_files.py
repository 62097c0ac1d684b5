"""Files of numpy.save: arrays like images in floats, tiny ones, and regions of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np

IMAGES, IMAGE = 256, (224, 224, 3)
TINY, VECTOR = 8_000, (256,)
# With the default of 1024, room for all 256 files, DALI opens none of them twice (strace) and has no page faults: it
# copies from mappings that it keeps. With room for fewer, as in a larger data set, it opens one file for each sample.
HELD = 64

CASES = [
    (f"Numpy, {title}", f"ndd.readers.Numpy(file_root=f'{{folder}}/{name}'{options})", True)
    for title, name, options in (
        ("600 kB arrays", "images", ""),
        ("600 kB arrays, shuffled", "images", ", random_shuffle=True"),
        ("600 kB arrays, shuffled among few", "images", f", random_shuffle=True, initial_fill={HELD}"),
        ("600 kB arrays, a quarter of each", "images", ", roi_start=[56, 56, 0], roi_shape=[112, 112, 3]"),
        ("600 kB arrays, a few rows of each", "images", ", roi_axes=[0], roi_start=[100], roi_shape=[8]"),
        ("600 kB arrays, column-major", "columns", ""),
        ("1 kB arrays", "tiny", ""),
        ("1 kB arrays, half of each", "tiny", ", roi_start=[64], roi_shape=[128]"),
        ("1 kB arrays, padded", "tiny", ", roi_shape=[300], out_of_bounds_policy='pad'"),
    )
]


def write(folder: Path) -> None:
    for name in ("images", "columns", "tiny"):
        (folder / name).mkdir()
    numbers = np.random.default_rng(0)
    for i in range(IMAGES):
        image = numbers.random(IMAGE, np.float32)
        np.save(folder / f"images/{i:05d}.npy", image)
        np.save(folder / f"columns/{i:05d}.npy", np.asfortranarray(image))
    for i in range(TINY):
        np.save(folder / f"tiny/{i:05d}.npy", numbers.random(VECTOR, np.float32))
