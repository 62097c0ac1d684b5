"""Boxes for the tests of detection operators."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


def boxes(*counts: int, ndim: int = 2, seed: int = 0) -> list[Array]:
    """Random boxes as two corners in shares of the image, one array for each count."""
    rng = np.random.default_rng(seed)
    return [np.sort(rng.uniform(0, 1, (n, 2, ndim)), axis=1).reshape(n, 2 * ndim).astype(np.float32) for n in counts]


def sized(corners: list[Array]) -> list[Array]:
    """The same boxes, a little smaller, as a corner and a size."""
    half = corners[0].shape[1] // 2
    made = (np.hstack([box[:, :half], 0.9 * (box[:, half:] - box[:, :half])]) for box in corners)
    return [box.astype(np.float32) for box in made]


def labels(corners: list[Array]) -> list[Array]:
    """A label for every box, from 10 on."""
    return [np.arange(10, 10 + len(box), dtype=np.int32) for box in corners]
