"""Classes as marks along an axis."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from penstock import _native
from penstock._native import Pool, Samples
from penstock.gpu.casting import by_bits, signed
from penstock.gpu.types import beside
from penstock.ops.names import type_name
from penstock.schema import operator
from penstock.values.dtypes import DType, bool_, float16, float32
from penstock.values.samples import from_array
from penstock.values.spec import Spec

if TYPE_CHECKING:
    import torch

Array = np.ndarray[Any, Any]
Shape = tuple[int, ...]


def _foretell(
    data: Spec, *, num_classes: int, axis: int | None, axis_name: str | None, dtype: DType, **values: float
) -> Spec:
    assert data.ndim is not None
    assert data.layout is not None
    if data.dtype in (float16, bool_):
        raise RuntimeError(f"Unsupported input type: {type_name(data.dtype)}")
    if dtype.numpy is None or dtype in (float16, bool_):
        raise RuntimeError(f"Unsupported output type: {type_name(dtype)}")
    if num_classes < 0:
        raise RuntimeError(f"num_classes must not be negative, got {num_classes}")
    if axis is not None and not -1 <= axis <= data.ndim:
        raise RuntimeError(f"axis must be in range [-1, {data.ndim}] for a {data.ndim}D input, got {axis}")
    if axis_name is not None and len(axis_name) != 1:
        raise RuntimeError(f"axis_name must be a single character, got {axis_name!r}")
    if axis is None and data.ndim:  # whether these are numbers in disguise, only the data will tell
        return Spec(dtype, None, None)
    return Spec(dtype, data.ndim + 1, _layout(data.layout, data.ndim, _place(axis, data.ndim), axis_name))


def _place(axis: int | None, ndim: int) -> int:
    return ndim if axis is None or axis < 0 else axis


def _layout(layout: str, ndim: int, place: int, axis_name: str | None) -> str:
    if axis_name is None:
        return ""
    if len(layout) != ndim:
        raise RuntimeError(f"axis_name needs an input with a layout, to name the other {ndim} axes of the result")
    return layout[:place] + axis_name + layout[place:]


@operator(infer=_foretell)
def one_hot(
    data: Array,
    *,
    num_classes: int = 0,
    axis: int | None = None,
    axis_name: str | None = None,
    dtype: DType = float32,
    on_value: float = 1.0,
    off_value: float = 0.0,
) -> Array:
    """Marks the class every element stands for along a new axis.

        ndd.one_hot(labels, num_classes=1000)
        ndd.one_hot(masks, num_classes=21, axis=0, axis_name="C")

    An element that is none of the classes is marked nowhere. Batches whose samples all have a single element are taken
    for batches of numbers, unless `axis` is given.

    Args:
        num_classes: How many classes there are, counted from 0.
        axis: Where the new axis is in the result; the last one by default.
        axis_name: What the layout calls it. Without it the result has no layout.
        dtype: Element type.
        on_value: The mark.
        off_value: What stands elsewhere.
    """
    shape = () if axis is None and data.size == 1 else data.shape
    place = _place(axis, len(shape))
    whole = np.trunc(data) if data.dtype.kind == "f" else data
    hot = np.expand_dims(whole.reshape(shape), place) == np.expand_dims(
        np.arange(num_classes), [*range(1, len(shape) - place + 1)]
    )
    return np.where(hot, _element(on_value, dtype), _element(off_value, dtype))


@one_hot.on_samples(anywhere=True)
def marked(
    pool: Pool,
    n: int,
    data: Samples,
    *,
    num_classes: int,
    axis: int | None,
    axis_name: str | None,
    dtype: DType,
    on_value: float,
    off_value: float,
) -> Samples:
    shapes = [data.shape(0)] if data.dense and n else data.shapes()
    layout, ndim = data.layout, data.ndim
    if n and axis is None and all(math.prod(shape) == 1 for shape in shapes):
        shapes, layout, ndim = [()], "", 0
    place = _place(axis, ndim)
    marks = _element(on_value, dtype), _element(off_value, dtype)
    if data.elsewhere:
        from penstock.gpu.samples import GpuSamples, computed

        seen = data.reshaped([shapes[0]] if len(shapes) == 1 else shapes, "")
        seen = seen if len(seen) == n else seen.select([0] * n)
        assert isinstance(seen, GpuSamples)
        out: Samples = computed(
            seen,
            lambda data: _marked_gpu(data, place, num_classes, *marks),
            Spec(dtype, ndim + 1),
        )
    else:
        made = [[*shape[:place], num_classes, *shape[place:]] for shape in shapes]
        out = Samples.empty_ragged(dtype.code, ndim + 1, made * n if len(made) == 1 else made)
        on, off = (from_array(mark[None]) for mark in marks)
        _native.one_hot(pool, out, data, place, on, off)
    out.layout = _layout(layout, ndim, place, axis_name)
    return out


def _marked_gpu(data: torch.Tensor, place: int, num_classes: int, on: Array, off: Array) -> torch.Tensor:
    """The plain function in torch, for samples under a leading axis."""
    import torch

    whole = data.trunc() if data.dtype.is_floating_point else signed(data)
    classes = torch.arange(num_classes, device=data.device).reshape(-1, *[1] * (data.ndim - 1 - place))
    hot = whole.unsqueeze(1 + place) == classes
    return by_bits(lambda on, off: torch.where(hot, on, off), beside(on, data), beside(off, data))


def _element(value: float, dtype: DType) -> Array:
    """The value in that type; of whole numbers the fraction is dropped and the range kept."""
    if dtype.storage.kind == "f":
        return np.array(value, dtype.storage)
    limits = np.iinfo(dtype.storage)
    kept = limits.max if value >= limits.max else limits.min if value <= limits.min else int(value)
    return np.array(kept, dtype.storage)
