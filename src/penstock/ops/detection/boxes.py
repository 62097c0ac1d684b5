"""What the operators on boxes share."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock.ops.names import type_name
from penstock.values.dtypes import float32, int32
from penstock.values.spec import Spec

Array = np.ndarray[Any, Any]


def check_boxes(boxes: Spec, ndim: int | None = None, refusal: str = "Input boxes must be float32") -> None:
    """Refuses what cannot be boxes; `ndim` where only that number of axes will do."""
    if boxes.dtype != float32:
        raise RuntimeError(f"{refusal}: boxes are float32, got {type_name(boxes.dtype)}; ndd.cast would convert them")
    if ndim is not None and boxes.ndim != ndim:
        raise RuntimeError(f"Unexpected number of dimensions for bounding boxes input: {boxes.ndim}; boxes are rows")


def check_labels(labels: Spec) -> None:
    if labels.dtype != int32:
        raise RuntimeError(f"labels are int32, got {type_name(labels.dtype)}; ndd.cast would convert them")


def by_fours(boxes: Array) -> Array:
    """The boxes of an array of any shape, one a row."""
    check_fours(boxes.size)
    return boxes.reshape(-1, 4)


def check_fours(size: int) -> None:
    """Refuses a number of elements that boxes cannot have."""
    if size % 4:
        raise RuntimeError(f"a box is four numbers, which {size} are no multiple of")
