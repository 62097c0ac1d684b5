"""Random crop windows by themselves."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock._native import Pool, Samples
from penstock.ops.image.random_window import RandomWindow
from penstock.schema import Draw, examples, operator
from penstock.values.dtypes import int32
from penstock.values.samples import as_batch_array, from_array
from penstock.values.spec import Spec

Array = np.ndarray[Any, Any]


def _foretell(size: Spec, *, window: RandomWindow) -> tuple[Spec, Spec]:
    window.check()
    if size.dtype is None or size.dtype.storage.kind not in "iu":
        raise RuntimeError(f"a size is given in whole numbers, got {size.dtype}")
    return Spec(int32, 1, ""), Spec(int32, 1, "")


@operator(infer=_foretell, results=2, runs_on="cpu")
def random_crop_generator(size: Array, *, window: RandomWindow, draw: Draw) -> tuple[Array, Array]:
    """Draws where `random_resized_crop` would cut an image of that size: the top left corner and the extent.

        anchor, shape = ndd.random_crop_generator(ndd.peek_image_shape(jpegs))
        images = ndd.decoders.image_slice(jpegs, start=anchor, shape=shape, axis_names="HW")

    Args:
        size: Height and width of the image, and perhaps the number of its channels.
        random_area: Range of the share of the image the window covers.
        random_aspect_ratio: Range of the window's width over its height.
        num_attempts: How often to try before taking the largest window that fits.
    """
    found = window.of_sizes(draw, _sizes(size[None]))[0]
    return found[:2], found[2:]


@random_crop_generator.on_samples
def windows(pool: Pool, n: int, size: Samples, *, window: RandomWindow, draw: Draw) -> tuple[Samples, Samples]:
    each = [as_batch_array(size)] if size.uniform else [size.sample(i)[None] for i in range(n)]
    sizes = np.concatenate([_sizes(rows) for rows in each]) if n else np.zeros((0, 2), np.int64)
    rows = window.of_sizes(draw, np.ascontiguousarray(np.broadcast_to(sizes, (n, 2))))
    return from_array(rows[:, :2]), from_array(rows[:, 2:])


def _sizes(rows: Array) -> Array:
    """Heights and widths out of rows that may also have a number of channels."""
    if rows.shape[1:] not in ((2,), (3,)):
        raise RuntimeError(f"a size is two or three numbers (HW or HWC), got an array of shape {rows.shape[1:]}")
    return np.ascontiguousarray(rows[:, :2], np.int64)


random_crop_generator.examples = examples(
    "ndd.random_crop_generator(ndd.tensor([480, 640]))",
    "ndd.random_crop_generator(ndd.batch([[480, 640, 3], [33, 77, 1]]), num_attempts=1)",
)
