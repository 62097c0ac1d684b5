"""Histogram equalisation."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock import _native
from penstock.ops.names import type_name
from penstock.schema import Example, examples, operator
from penstock.schema.params import Layout
from penstock.values.dtypes import uint8
from penstock.values.spec import Spec

Array = np.ndarray[Any, Any]
LAYOUTS = ("HW", "HWC", "CHW", "FHW", "FHWC", "FCHW")


def _foretell(image: Spec) -> Spec:
    if image.dtype != uint8:
        raise RuntimeError(
            f"Unsupported input type for equalize operator: {type_name(image.dtype)}. Expected input type: uint8"
        )
    return image


@operator(layouts=LAYOUTS, frames=True, infer=_foretell)
def equalize(image: Array, *, layout: Layout) -> Array:
    """Spreads the values of every channel evenly over 0 to 255.

        ndd.equalize(images)

    The lowest value of a channel becomes 0 and the highest 255; a channel of one value stays as it is.
    """
    axis = layout.find("C")
    if axis < 0 or image.size == 0:
        return _equalized(image)
    return np.stack([_equalized(channel) for channel in np.moveaxis(image, axis, 0)], axis=axis)


def _equalized(channel: Array) -> Array:
    if channel.size == 0:
        return channel
    counts = np.bincount(channel.ravel(), minlength=256)
    lowest = int(np.flatnonzero(counts)[0])
    rest = channel.size - counts[lowest]
    if rest == 0:
        return channel
    counts[lowest] = 0
    table = np.rint(np.cumsum(counts).astype(np.float32) * (np.float32(255) / np.float32(rest)))
    return np.asarray(table.astype(np.uint8)[channel])


@equalize.native
def native(image: Spec) -> _native.Step:
    assert image.layout is not None
    return _native.Equalize(image.layout.find("C"))


equalize.examples = examples(
    Example(
        "ndd.equalize(image)",
        compared=True,
        drawn=True,
        plain="cv2.merge([cv2.equalizeHist(plane) for plane in cv2.split(image)])",
    ),
)
