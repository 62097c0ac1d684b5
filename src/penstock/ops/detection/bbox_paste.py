"""Boxes of an image on a larger canvas."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock import _native
from penstock.ops.detection.boxes import by_fours, check_boxes
from penstock.schema import Example, PerSample, examples, operator
from penstock.values.spec import Spec

Array = np.ndarray[Any, Any]


def _foretell(boxes: Spec, *, ratio: Any, **arguments: Any) -> Spec:
    check_boxes(boxes, refusal="Calling type does not match buffer data type")
    if not isinstance(ratio, Spec):
        _check_ratio(np.array([ratio]))
    return boxes


def _check_ratio(ratios: Array) -> None:
    for ratio in ratios[ratios == 0]:
        raise RuntimeError(f"ratio is the size of the canvas over that of the image, at least 1, got {ratio}")


@operator(infer=_foretell, runs_on="cpu")
def bbox_paste(
    boxes: Array,
    *,
    ratio: PerSample[float],
    paste_x: PerSample[float] = 0.5,
    paste_y: PerSample[float] = 0.5,
    ltrb: bool = False,
) -> Array:
    """Moves boxes to where they lie once `paste` has put their image on a larger canvas.

        ndd.bbox_paste(boxes, ratio=2.0, paste_x=0.0, paste_y=1.0)

    Boxes are in shares of the image before and of the canvas after.

    Args:
        ratio: The size of the canvas over that of the image.
        paste_x: Where the image is: 0 at the left edge of the canvas, 1 at the right.
        paste_y: 0 at the top, 1 at the bottom.
        ltrb: Boxes are left, top, right, bottom; without it left, top, width, height.
    """
    scale, room = np.float32(1) / ratio, (ratio - np.float32(1)) / ratio
    shift = np.array([paste_x * room, paste_y * room] * 2, np.float32)
    if not ltrb:
        shift[2:] = 0
    return (by_fours(boxes) * scale + shift).reshape(boxes.shape)


@bbox_paste.native
def native(boxes: Spec, *, ratio: Array, paste_x: Array, paste_y: Array, ltrb: bool) -> _native.Step:
    _check_ratio(ratio)
    return _native.PasteBoxes(ltrb, ratio, paste_x, paste_y)


bbox_paste.examples = examples(
    Example("ndd.bbox_paste(boxes, ltrb=True, ratio=2.0)", plain="boxes * np.float32(0.5) + np.float32(0.25)"),
)
