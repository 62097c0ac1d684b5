"""Axes by number and by name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from penstock.values.spec import Spec

Array = np.ndarray[Any, Any]

# What an array without a layout is taken for where axes are given by name.
_BY_RANK = {2: "HW", 3: "HWC", 4: "DHWC"}


def assumed_layout(layout: str, ndim: int) -> str:
    """The layout, or the one of an unlabelled array of that rank."""
    return layout or _BY_RANK.get(ndim, "")


_TWICE = "Axis index {} occurs more than once in ``axes`` (might include negative indices referring to the same axis)"


def named_axes(names: str, layout: str, twice: str = _TWICE) -> list[int]:
    """Positions of axes in a layout; `twice` is how one that is named twice is refused."""
    for name in names:
        if name not in layout:
            raise RuntimeError(f"Axis '{name}' is not present in the input layout {layout!r}")
    return counted_axes([layout.index(name) for name in names], len(layout), twice)


def counted_axes(axes: Sequence[int], ndim: int, twice: str = _TWICE) -> list[int]:
    """Axes counted from the front, each at most once."""
    found: list[int] = []
    for axis in axes:
        if not -ndim <= axis < ndim:
            raise RuntimeError(f"Axis {axis} out of range. Expected range is [{-ndim}, {ndim - 1}] for a {ndim}D input")
        if axis % ndim in found:
            raise RuntimeError(twice.format(axis))
        found.append(int(axis) % ndim)
    return found


def chosen_axes(axes: Any, axis_names: str | None, layout: str, ndim: int) -> list[int]:
    """The axes an operator works on: those given by number or name, or all of them."""
    if axes is not None and len(axes):
        return counted_axes(axes, ndim)
    return named_axes(axis_names, layout) if axis_names else list(range(ndim))


def check_axes(axes: Any, axis_names: str | None, layout: str, ndim: int) -> int | None:
    """Refuses axes there are not; tells how many there are, None where only the data will tell."""
    if axes is not None and axis_names is not None:
        raise RuntimeError('"axes" and "axis_names" are mutually exclusive')
    return None if isinstance(axes, Spec) else len(chosen_axes(axes, axis_names, layout, ndim))


def axis_rows(axes: Any, axis_names: str | None, layout: str, ndim: int) -> Array:
    """The axes of every sample, one row for all where they are the same."""
    if axes is not None and axes.shape[1]:
        return np.array([counted_axes(row, ndim) for row in axes.tolist()], np.int32)
    return np.array([chosen_axes(None, axis_names, layout, ndim)], np.int32)


def per_axis(name: str, values: Array, count: int) -> Array:
    """Rows with one value per axis, from rows that may have one for all."""
    values = values.reshape(len(values), -1)
    if values.shape[1] not in (1, count):
        raise RuntimeError(
            f'Argument "{name}" expected shape {count} but got {values.shape[1]} values, which can\'t be interpreted '
            "as the expected shape."
        )
    return np.broadcast_to(values, (len(values), count))
