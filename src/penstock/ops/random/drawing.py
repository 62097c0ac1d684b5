"""What the random operators share: the shape of their result and its memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from penstock._native import Pool, Samples
from penstock.schema import Draw
from penstock.values.dtypes import DType
from penstock.values.spec import UNKNOWN, Spec

Array = np.ndarray[Any, Any]


def foretell(dtype: DType, shape: Any, *shape_like: Spec) -> Spec:
    """The spec of a drawn array: scalars unless a shape or a sample of that shape is given."""
    ndim = rank(shape, *shape_like)
    return UNKNOWN if ndim is None else Spec(dtype, ndim, "")


def rank(shape: Any, *shape_like: Spec) -> int | None:
    """How many axes are drawn; None where only the values of a per-sample `shape` can tell."""
    if shape_like:
        if shape is not None:
            raise RuntimeError("`shape` cannot be given together with a sample whose shape the result gets")
        return shape_like[0].ndim
    if isinstance(shape, Spec):
        return None
    return 0 if shape is None else len(_checked(shape))


def room(dtype: DType, n: int, shape: Any, *shape_like: Samples) -> Samples:
    """Memory for the result: shaped as `shape_like`, else as `shape` says for all samples or for each."""
    if shape_like:
        like = shape_like[0]
        if not n:
            return Samples.empty(dtype.code, 0, [0] * like.ndim)
        shapes = [list(extents) for extents in ([like.shape(0)] if like.dense else like.shapes())]
    elif shape is None:
        shapes = [[]]
    else:
        shapes = [_checked([int(extent) for extent in np.atleast_1d(row)]) for row in shape]
    if len(shapes) == 1:
        return Samples.empty(dtype.code, n, shapes[0])
    ranks = {len(extents) for extents in shapes}
    if len(ranks) != 1:
        raise RuntimeError(f"`shape` needs the same number of extents for every sample, got {sorted(ranks)}")
    return Samples.empty_ragged(dtype.code, ranks.pop(), shapes)


def _checked(shape: list[int]) -> list[int]:
    if any(extent < 0 for extent in shape):
        raise RuntimeError(f"a shape cannot have negative extents, got {shape}")
    return shape


def alone(whole: Callable[..., Samples], shape_like: Array | None, draw: Draw, dtype: Any, **values: Any) -> Array:
    """One sample by the function that draws whole batches."""
    rows = {name: None if value is None else np.asarray(value)[None] for name, value in values.items()}
    inputs = () if shape_like is None else (Samples.wrap_one(shape_like),)
    drawn: Array = whole(Pool(1), 1, *inputs, draw=draw, dtype=dtype, **rows).sample(0)
    return drawn
