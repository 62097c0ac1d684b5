"""What the tests of operators that move pixels share."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


def smooth(height: int, width: int, channels: int = 3, dtype: Any = np.uint8, depth: int | None = None) -> Array:
    """An image, or a volume, without sharp edges: a place that is a little off shows a colour that is a little off."""
    extents = (height, width) if depth is None else (depth, height, width)
    axes = np.meshgrid(*(np.arange(n) for n in extents), indexing="ij")
    waves = [sum(np.sin(axis * 0.3 + c + k) for k, axis in enumerate(axes)) for c in range(channels)]
    return (100 + 30 * np.stack(waves, axis=-1)).astype(dtype)


def counted(height: int, width: int) -> Array:
    """Pixels that say where they are: 10 y + x."""
    return np.add.outer(np.arange(height) * 10, np.arange(width))[:, :, None].astype(np.uint8)
