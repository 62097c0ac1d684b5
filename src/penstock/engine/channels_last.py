"""Lets functions of channels-last images (H, W, C, or D, H, W, C for volumes) take images of any layout."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


def apply(function: Callable[..., Array], layout: str, arrays: list[Array], arguments: dict[str, Any]) -> Array:
    """Calls `function` on the first array with channels last, frame by frame; returns the result in its layout."""
    order = "".join(sorted(layout, key="FDHWC".index))
    image, rest = arrays[0], arrays[1:]
    transposed = image.transpose([layout.index(name) for name in order])
    if order.startswith("F"):
        result = np.stack([function(frame, *rest, **arguments) for frame in transposed])
    else:
        result = function(transposed, *rest, **arguments)
    return np.ascontiguousarray(result.transpose([order.index(name) for name in layout]))
