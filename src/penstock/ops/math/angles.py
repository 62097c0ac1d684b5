"""Functions of angles in single precision that give the same bits on every processor.

NumPy's own have other vector code where a CPU has FMA or AVX-512, and differ in the last place. Those of double
precision differ as well, but where rounding to single precision cuts it off.
"""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


def cosine_and_sine(radians: Array) -> tuple[Array, Array]:
    wide = radians.astype(np.float64)
    return np.cos(wide).astype(np.float32), np.sin(wide).astype(np.float32)


def tangent(radians: Array) -> Array:
    return np.tan(radians.astype(np.float64)).astype(np.float32)
