"""Indexing of Tensors, and of every sample of a Batch."""

from __future__ import annotations

import operator
from typing import Any

from penstock.dynamic.values.operator_calls import calls
from penstock.dynamic.values.value import Value
from penstock.interop.frameworks import is_array, to_numpy
from penstock.ops.tensor.subscript import ARRAY_INDEX, NO_INDEX, Input, Ranges

_WHOLE = slice(None)


class HugeIndexError(OverflowError, IndexError):
    """An index beyond 32 bits, which is beyond every axis, too."""


def subscript(value: Value, ranges: Any) -> Any:
    """value[ranges], lazily. Indices may be Tensors, and Batches of one index per sample; None is a new axis."""
    items = [_WHOLE if _is_whole(item) else item for item in (ranges if isinstance(ranges, tuple) else (ranges,))]
    items = _spread(items, value)
    if all(item is _WHOLE for item in items):
        return value
    inputs: list[Value] = []
    axes = tuple(_axis(item, inputs) for item in items)
    path = "_subscript_by" if inputs else "_subscript"
    return calls.function(path)(value, *inputs, ranges=Ranges(axes))


def _is_whole(item: Any) -> bool:
    return (
        isinstance(item, slice)
        and item.stop is None
        and _is_one_of(item.start, None, 0)
        and _is_one_of(item.step, None, 1)
    )


def _is_one_of(bound: Any, nothing: None, number: int) -> bool:
    return bound is nothing or (isinstance(bound, int) and bound == number)


def _spread(items: list[Any], value: Value) -> list[Any]:
    """Replaces an Ellipsis by as many whole axes as it stands for."""
    dots = [k for k, item in enumerate(items) if item is ...]
    if len(dots) > 1:
        raise ValueError("Only one Ellipsis is allowed.")
    given = len([item for item in items if item is not ... and item is not None])
    if given > value.ndim:
        if not value._is_batch:
            raise ValueError(
                f"Number of ranges ({given}) is greater than the number of dimensions of the tensor ({value.ndim})"
            )
        raise RuntimeError(f"Too many indices ({given}) for a {value.ndim}D tensor.")
    if dots:
        items[dots[0] : dots[0] + 1] = [_WHOLE] * (value.ndim - given)
    return items


def _axis(item: Any, inputs: list[Value]) -> Any:
    if item is None:
        return None
    if not isinstance(item, slice):
        return _bound(item, inputs)
    parts = (item.start, item.stop, item.step)
    return slice(*(None if part is None else _bound(part, inputs) for part in parts))


def _bound(item: Any, inputs: list[Value]) -> int | Input:
    """An index as a number, or as the input it comes with."""
    if isinstance(item, Value):
        inputs.append(item)
        return Input(len(inputs) - 1)
    if is_array(item):
        item = to_numpy(item)
        if item.ndim:
            raise RuntimeError(ARRAY_INDEX.format(item.ndim))
    if isinstance(item, (list, tuple, range)):
        raise RuntimeError(ARRAY_INDEX.format(1))
    try:
        number = operator.index(item)
    except TypeError:
        kind = ValueError if isinstance(item, str) else TypeError
        raise kind(NO_INDEX.format(repr(item))) from None
    if not -(2**31) <= number < 2**31:
        raise HugeIndexError(f"Python integer {number} out of bounds for int32")
    return number
