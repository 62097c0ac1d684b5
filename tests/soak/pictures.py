"""A folder of small pictures for scenarios, the same for every seed."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

CLASSES = 5


def write_pictures(folder: Path, count: int = 60) -> Path:
    """JPEGs of many sizes in sub-folders, which are their classes."""
    rng = np.random.default_rng(count)
    for number in range(count):
        height, width = rng.integers(20, 120, 2)
        coarse = rng.integers(0, 256, (6, 6, 3), np.uint8)
        path = folder / f"class{number % CLASSES}" / f"{number:04d}.jpg"
        path.parent.mkdir(parents=True, exist_ok=True)
        cv2.imwrite(str(path), cv2.resize(coarse, (int(width), int(height)), interpolation=cv2.INTER_CUBIC))
    return folder
