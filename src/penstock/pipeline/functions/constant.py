"""fn.constant."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from penstock.pipeline.functions.input_count import takes_inputs
from penstock.values.constants import constant_node
from penstock.values.deprecation import SEED_UNUSED, warn_deprecated
from penstock.values.enums import DataType


@takes_inputs("constant", 0)
def constant(
    *,
    idata: Sequence[int] | int | None = None,
    fdata: Sequence[float] | float | None = None,
    shape: Sequence[int] | int | None = None,
    dtype: DataType | None = None,
    layout: str | None = None,
    device: str | None = None,
    **options: Any,
) -> Any:
    """The same array for every sample; `types.Constant` is the easier way to it.

    Args:
        idata: Its elements where they are integers, or one for all of them.
        fdata: Its elements where they are not.
        shape: Its extents; as many elements as were given, in one axis, by default.
        dtype: Element type; int32 or float32 by default.
        layout: What the axes mean.
    """
    if (idata is None) == (fdata is None):
        raise RuntimeError("Exactly one of the arguments must be set: `fdata` or `idata`")
    if options.get("seed") is not None:
        warn_deprecated(SEED_UNUSED)
    value = np.asarray(idata, np.int64) if fdata is None else np.asarray(fdata, np.float64)
    if dtype is None:
        dtype = DataType.INT32 if fdata is None else DataType.FLOAT
    if shape is None:
        shape = [value.size]
    elif value.size not in (1, math.prod(np.atleast_1d(shape))):
        raise RuntimeError(f"The number of values, {value.size}, does not match the shape {shape}")
    return constant_node(device, value, dtype, shape, layout, **options)
