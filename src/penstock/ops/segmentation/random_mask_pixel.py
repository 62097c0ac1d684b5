"""A random pixel of a mask."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock import _native
from penstock._native import Samples
from penstock.ops.names import type_name
from penstock.ops.single_sample import run_steps
from penstock.schema import Draw, PerSample, operator
from penstock.values.dtypes import float16, float64, int64
from penstock.values.spec import Spec

Array = np.ndarray[Any, Any]


def _foretell(mask: Spec, *, foreground: Any, threshold: Any, value: Any) -> Spec:
    if mask.dtype in (float16, float64):
        raise RuntimeError(f"Unexpected data type: {type_name(mask.dtype)}; masks are integers or float")
    if mask.ndim == 0:
        raise RuntimeError("there is no pixel in a mask without axes")
    if value is not None and threshold is not None:
        raise RuntimeError("value and threshold both say what is foreground; give one of them")
    return Spec(int64, 1, "")


@operator(name="segmentation.random_mask_pixel", infer=_foretell, runs_on="cpu")
def random_mask_pixel(
    mask: Array,
    *,
    foreground: PerSample[int] = 0,
    threshold: PerSample[float] | None = None,
    value: PerSample[int] | None = None,
    draw: Draw,
) -> Array:
    """Draws a pixel of a mask, all alike, and tells its indices.

        centres = ndd.segmentation.random_mask_pixel(masks, foreground=1, threshold=0.5)

    Args:
        foreground: Draw from the foreground only, if the mask has any.
        threshold: Pixels above are foreground; 0 by default.
        value: Pixels of this value are, instead.
    """
    rows = (None if argument is None else np.asarray(argument)[None] for argument in (foreground, threshold, value))
    return run_steps(Samples.wrap_one(mask), _step(draw, *rows))


def _step(draw: Draw, foreground: Any, threshold: Array | None, value: Array | None) -> _native.Step:
    above = np.zeros(1, np.float32) if threshold is None else threshold
    return _native.MaskPixel(draw, foreground, above, value)


@random_mask_pixel.native
def native(mask: Spec, *, foreground: Array, threshold: Array | None, value: Array | None, draw: Draw) -> _native.Step:
    return _step(draw, foreground, threshold, value)
