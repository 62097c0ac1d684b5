"""Indexing of Tensors, and of every sample of a Batch."""

from __future__ import annotations

from typing import Any

from penstock.dynamic.functions import function
from penstock.dynamic.value import Value


def subscript(value: Value, ranges: Any) -> Any:
    """value[ranges], lazily. Indices may be Tensors, and Batches of one index per sample."""
    items = list(ranges) if isinstance(ranges, tuple) else [ranges]
    items = _spread([item for item in items if item is not None], value)
    if all(isinstance(item, slice) and item == slice(None) for item in items):
        return value
    bounds: list[Any] = []
    kinds: list[str] = []
    for item in items:
        if isinstance(item, slice):
            parts = [item.start, item.stop, item.step]
            kinds.append("".join("-" if part is None else ":" for part in parts))
            bounds += [_index(part) for part in parts if part is not None]
        else:
            kinds.append("@")
            bounds.append(_index(item))
    return function("_subscript")(value, *bounds, kinds=kinds)


def _spread(items: list[Any], value: Value) -> list[Any]:
    """Replaces an Ellipsis by as many whole axes as it stands for."""
    dots = [k for k, item in enumerate(items) if item is ...]
    if len(dots) > 1:
        raise ValueError("Only one Ellipsis is allowed.")
    given = len(items) - len(dots)
    if given > value.ndim:
        raise ValueError(f"too many indices: {given} for {value.ndim} axes")
    if dots:
        items[dots[0] : dots[0] + 1] = [slice(None)] * (value.ndim - given)
    return items


def _index(item: Any) -> Any:
    if isinstance(item, Value):
        return item
    if isinstance(item, (bool, int, float)) or hasattr(item, "__index__"):
        return int(item)
    if isinstance(item, str):
        raise ValueError(f"an index is a number, a range or a Tensor, got {item!r}")
    if hasattr(item, "__len__") or getattr(item, "ndim", 0):
        raise RuntimeError("Array indices must be scalar (0D); to pick several elements use slices")
    raise ValueError(f"an index is a number, a range or a Tensor, got {item!r}")
