"""Images written out to be looked at."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock import _native
from penstock._native import Pool, Samples
from penstock.schema import operator
from penstock.values import parallel
from penstock.values.dtypes import uint8
from penstock.values.spec import Spec

Array = np.ndarray[Any, Any]

ROWS_AT_ONCE = 64


def _foretell(input: Spec, *, input_layout: str, suffix: str) -> Spec:
    if input_layout != "HWC":
        raise RuntimeError(f"input_layout {input_layout!r} is not supported; transpose the images to HWC")
    if input.ndim != 3:
        raise RuntimeError(f"Input images must have three dimensions, got input with `{input.ndim}` dimensions.")
    if input.dtype is not uint8:
        raise RuntimeError(f"images of uint8 are written, got {input.dtype}; cast them first")
    return input


@operator(infer=_foretell, acts=True, by_cpu=True)
def dump_image(input: Array, *, input_layout: str = "HWC", suffix: str = "") -> Array:
    """Writes images to the working directory, for a look at what a program does to them, and passes them on.

        images = ndd.dump_image(ndd.resize(images, size=[224, 224]), suffix="resized")

    Sample i goes to a text file in PPM format, `<i>-<suffix>-0.ppm`, which is overwritten every time. Images on a GPU
    are written by the CPU, and come back from there.

    Args:
        input_layout: Only "HWC" can be written, with one or three channels.
        suffix: Put into the names of the files.
    """
    write(input, 0, suffix)
    return input


@dump_image.on_samples
def dumped(pool: Pool, n: int, images: Samples, *, input_layout: str, suffix: str) -> Samples:
    if len(images) != n:
        images = images.select([0] * n)
    parallel.map_samples(lambda i: write(images.sample(i), i, suffix), n, images.nbytes, pool.threads)
    return images.relabelled(images.layout)


def write(image: Array, number: int, suffix: str) -> None:
    """One file, named after the number of the sample."""
    height, width, channels = image.shape
    if channels not in (1, 3):
        raise RuntimeError(f"Only 3-channel and gray images are supported, got input with `{channels}` channels.")
    if not image.size:
        raise RuntimeError(f"sample {number} has no pixels to write, its shape is {list(image.shape)}")
    head = f"P{3 if channels == 3 else 2}\n{width} {height}\n255\n".encode()
    with open(f"{number}-{suffix}-0.ppm", "wb") as file:
        file.write(head)
        rows = np.ascontiguousarray(image).reshape(height, -1)
        text = np.empty(ROWS_AT_ONCE * (4 * rows.shape[1] + 1), np.uint8)
        for top in range(0, height, ROWS_AT_ONCE):
            length = _native.decimals(text, rows[top : top + ROWS_AT_ONCE])
            file.write(text[:length].data)
