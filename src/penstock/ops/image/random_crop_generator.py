"""Random crop windows by themselves."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock.ops.image.random_window import RandomWindow
from penstock.schema import Draw, operator
from penstock.values.dtypes import int32
from penstock.values.spec import Spec

Array = np.ndarray[Any, Any]


def _foretell(size: Spec, *, window: RandomWindow) -> tuple[Spec, Spec]:
    window.check()
    if size.dtype is None or size.dtype.storage.kind not in "iu":
        raise RuntimeError(f"a size is given in whole numbers, got {size.dtype}")
    return Spec(int32, 1, ""), Spec(int32, 1, "")


@operator(infer=_foretell)
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
    if size.shape not in ((2,), (3,)):
        raise RuntimeError(f"a size is two or three numbers (HW or HWC), got an array of shape {size.shape}")
    top, left, height, width = window.alone(draw, int(size[0]), int(size[1]))
    return np.array([top, left], np.int32), np.array([height, width], np.int32)
