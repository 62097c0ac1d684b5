"""Boxes of a mirrored image."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from penstock import _native
from penstock.ops.detection.boxes import by_fours, check_boxes, check_fours
from penstock.schema import Example, PerSample, examples, operator
from penstock.values.spec import Spec

if TYPE_CHECKING:
    import torch

Array = np.ndarray[Any, Any]


def _foretell(boxes: Spec, **arguments: Any) -> Spec:
    check_boxes(boxes, refusal="Bounding box in wrong format")
    return boxes


@operator(infer=_foretell)
def bb_flip(boxes: Array, *, horizontal: PerSample[int] = 1, vertical: PerSample[int] = 0, ltrb: bool = False) -> Array:
    """Moves boxes to where they lie once `flip` has mirrored their image.

        ndd.bb_flip(boxes, ltrb=True, horizontal=mirrored)

    Boxes are in shares of the image, from 0 to 1.

    Args:
        horizontal: The image was mirrored left to right.
        vertical: The image was mirrored top to bottom.
        ltrb: Boxes are left, top, right, bottom; without it left, top, width, height.
    """
    rows = by_fours(boxes)
    first, last = rows[:, :2], rows[:, 2:] if ltrb else rows[:, :2] + rows[:, 2:]
    mirrored = np.array([bool(horizontal), bool(vertical)])
    start = np.where(mirrored, 1 - last, first)
    end = np.where(mirrored, 1 - first, last)
    return np.hstack([start, end if ltrb else end - start]).reshape(boxes.shape)


@bb_flip.native
def native(boxes: Spec, *, horizontal: Array, vertical: Array, ltrb: bool) -> _native.Step:
    return _native.FlipBoxes(ltrb, horizontal, vertical)


@bb_flip.gpu
def gpu(boxes: torch.Tensor, *, horizontal: int, vertical: int, ltrb: bool) -> torch.Tensor:
    import torch

    check_fours(math.prod(boxes.shape[1:]))
    rows = boxes.reshape(-1, 4)
    starts, ends = [], []
    for axis, mirrored in enumerate((horizontal, vertical)):
        first, last = rows[:, axis], rows[:, 2 + axis] if ltrb else rows[:, axis] + rows[:, 2 + axis]
        start, end = (1 - last, 1 - first) if mirrored else (first, last)
        starts.append(start)
        ends.append(end if ltrb else end - start)
    return torch.stack([*starts, *ends], 1).reshape(boxes.shape)


bb_flip.examples = examples(
    "ndd.bb_flip(boxes)",
    "ndd.bb_flip(boxes, ltrb=True, vertical=1)",
    Example(
        "ndd.bb_flip(boxes, ltrb=True)",
        plain="np.stack([1 - boxes[:, 2], boxes[:, 1], 1 - boxes[:, 0], boxes[:, 3]], axis=1)",
    ),
)
