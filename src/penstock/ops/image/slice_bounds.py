"""Windows from one corner to the other: the arguments slice and the decoders share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from penstock import _native
from penstock.ops.image.windows import Box, rounded
from penstock.ops.names import type_name
from penstock.ops.tensor.axes import assumed_layout, axis_rows, check_axes, chosen_axes, per_axis
from penstock.schema import PerSample
from penstock.values.dtypes import float32, int32, int64
from penstock.values.spec import Spec

Array = np.ndarray[Any, Any]
_ENDS = ("end", "rel_end", "shape", "rel_shape")


class Bound(NamedTuple):
    """One of the two ends of a window: the argument it comes from, its values and how they are meant."""

    name: str
    values: Any
    unit: _native.Unit

    def pixels(self, k: int, size: int, exact: bool = False) -> float:
        """Bound k of one sample, along an axis of that size."""
        value = float(self.values[k if len(self.values) > 1 else 0])
        if self.unit is _native.Unit.pixels:
            return value
        if exact or self.unit is _native.Unit.exact_share:
            return value * size
        return float(np.float32(value) * np.float32(size))


@dataclass
class SliceBounds:
    """The two corners of a window, absolute or as shares of the input, along chosen axes."""

    start: PerSample[list[int]] | None = None
    end: PerSample[list[int]] | None = None
    shape: PerSample[list[int]] | None = None
    rel_start: PerSample[list[float]] | None = None
    rel_end: PerSample[list[float]] | None = None
    rel_shape: PerSample[list[float]] | None = None
    axes: PerSample[list[int]] | None = None
    axis_names: str | None = "WH"
    normalized_anchor: bool = True
    normalized_shape: bool = True

    @property
    def names(self) -> str | None:
        """The axes by name, unless they are given by number."""
        return None if self.axes is not None and self.axis_names == "WH" else self.axis_names

    def check(self, data: Spec, positional: tuple[Spec, ...]) -> None:
        """Refuses bounds that contradict one another or do not fit the axes."""
        assert data.ndim is not None
        assert data.layout is not None
        layout = assumed_layout(data.layout, data.ndim)
        axes = check_axes(self.axes, self.names, layout, data.ndim)
        named = [name for name in ("start", "rel_start", *_ENDS) if getattr(self, name) is not None]
        if len({"start", "rel_start"} & {*named}) > 1:
            raise RuntimeError('"start" and "rel_start" arguments are mutually exclusive')
        if len({*_ENDS} & {*named}) > 1:
            raise RuntimeError('"end", "rel_end", "shape", and "rel_shape" arguments are mutually exclusive')
        if named and positional:
            raise RuntimeError(
                "Named arguments start/end/shape are not compatible with positional anchor and shape inputs"
            )
        if not named and len(positional) != 2:
            raise RuntimeError(
                "Expected named slice arguments (e.g. start/end, start/shape) or positional inputs (start, shape). "
                f"Got {1 + len(positional)} inputs."
            )
        if positional:
            _check_positional(*positional)
        for name in named if axes is not None else ():
            if isinstance(getattr(self, name), list):
                per_axis(name, np.array([getattr(self, name)]), axes or 0)

    def bounds(self, positional: tuple[Array, ...]) -> tuple[Bound | None, Bound | None, bool]:
        """Where the window starts, where it ends, and whether the latter is its extent."""
        if positional:
            anchor, shape = positional
            first = _by_position("anchor", anchor, self.normalized_anchor)
            return first, _by_position("shape", shape, self.normalized_shape), True
        start, end = self._first_given("start", "rel_start"), self._first_given(*_ENDS)
        return start, end, end is not None and end.name.endswith("shape")

    def _first_given(self, *names: str) -> Bound | None:
        for name in names:
            if getattr(self, name) is not None:
                unit = _native.Unit.share if name.startswith("rel_") else _native.Unit.pixels
                return Bound(name, getattr(self, name), unit)
        return None

    def rule(self, data: Spec, positional: tuple[Array, ...]) -> _native.WindowRule | None:
        """The window of every sample of a batch, from per-sample rows; None where their number differs by sample."""
        assert data.ndim is not None
        assert data.layout is not None
        start, end, end_is_extent = self.bounds(positional)
        if any(isinstance(rows, list) for rows in (self.axes, start and start.values, end and end.values)):
            return None
        axes = axis_rows(self.axes, self.names, assumed_layout(data.layout, data.ndim), data.ndim)
        values = [
            None
            if bound is None
            else np.ascontiguousarray(per_axis(bound.name, bound.values, axes.shape[1]), np.float64)
            for bound in (start, end)
        ]
        units = [_native.Unit.pixels if bound is None else bound.unit for bound in (start, end)]
        return _native.SliceRule(axes, values[0], units[0], values[1], units[1], end_is_extent)

    def box(self, layout: str, shape: tuple[int, ...], positional: tuple[Array, ...]) -> Box:
        """First position and extent of the window along every axis of one sample."""
        start, end, end_is_extent = self.bounds(tuple(np.atleast_1d(values) for values in positional))
        axes = chosen_axes(self.axes, self.names, assumed_layout(layout, len(shape)), len(shape))
        result = [(0, extent) for extent in shape]
        exact = end_is_extent and (start and start.unit) is (end and end.unit)
        for k, axis in enumerate(axes):
            size = shape[axis]
            first = start.pixels(k, size) if start else 0.0
            last = end.pixels(k, size, exact) if end else float(size)
            if end_is_extent and last < 0:
                raise RuntimeError(f"negative shapes are not allowed. Got: {last:g}")
            if end_is_extent:
                last = max(first, last + (start.pixels(k, size, exact) if start else 0.0))
            if last < first:
                raise RuntimeError(
                    f"end coordinates can't be before start coordinates. Got: start={first:g} end={last:g}"
                )
            result[axis] = (rounded(first), rounded(last) - rounded(first))
        return result


def _by_position(name: str, values: Array, share: bool) -> Bound:
    is_share = share and values.dtype.kind == "f"
    return Bound(name, values, _native.Unit.exact_share if is_share else _native.Unit.pixels)


def _check_positional(anchor: Spec, shape: Spec) -> None:
    if anchor.dtype != shape.dtype:
        raise RuntimeError(
            f"Anchor and shape should have the same type. Got: {type_name(anchor.dtype)} and {type_name(shape.dtype)}"
        )
    if anchor.dtype not in (int32, int64, float32):
        raise RuntimeError(f"Unsupported type of anchor and shape arguments: {type_name(anchor.dtype)}")
