"""`Region`: the `roi_*` arguments of `readers.Numpy`, which choose a window of each array."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from penstock import _native
from penstock._native import ArrayOptions, Border, Unit

Rows = npt.NDArray[np.float64]

_STARTS = ("roi_start", "rel_roi_start")
_ENDS = ("roi_end", "rel_roi_end", "roi_shape", "rel_roi_shape")
_PADDING = dict.fromkeys(("pad", "constant", "const", "fill"), Border.pad)
_POLICIES = {"error": Border.error, "trim_to_shape": Border.trim, **_PADDING}


@dataclass(frozen=True)
class Region:
    """The bounds of a window, by the name of their argument: one row for all samples, or a row for each.

    Without `axes`, bounds are for all axes of the arrays, and a row of one number applies to each of them.
    """

    bounds: Mapping[str, Rows]
    axes: Sequence[int] = ()
    border: Border = Border.error
    fill: float = 0.0

    @classmethod
    def of(cls, bounds: Mapping[str, Any], axes: Sequence[int] | int, policy: str, fill: float) -> Region:
        if policy.lower() not in _POLICIES:
            raise RuntimeError(f"Not supported out_of_bounds_policy: {policy}; error, pad and trim_to_shape are")
        listed = [int(axis) for axis in np.atleast_1d(np.asarray(axes, np.int64))]
        return cls({}, listed, _POLICIES[policy.lower()], float(fill)).extended(bounds)

    def extended(self, bounds: Mapping[str, Any]) -> Region:
        """A region with more bounds; None and empty lists are ignored."""
        rows = {name: _rows(name, given) for name, given in bounds.items() if given is not None}
        merged = {**self.bounds, **{name: each for name, each in rows.items() if each.size}}
        if len(merged.keys() & {*_STARTS}) > 1:
            raise RuntimeError('"roi_start" and "rel_roi_start" arguments are mutually exclusive')
        if len(merged.keys() & {*_ENDS}) > 1:
            raise RuntimeError(
                '"roi_end", "rel_roi_end", "roi_shape", and "rel_roi_shape" arguments are mutually exclusive'
            )
        for name, each in rows.items():
            if self.axes and each.shape[1] not in (0, 1, len(self.axes)):
                raise RuntimeError(
                    f'Argument "{name}" expected {len(self.axes)} values, one for each of ``roi_axes``, but got '
                    f"{each.shape[1]}"
                )
        return replace(self, bounds=merged)

    @property
    def is_whole(self) -> bool:
        return not self.bounds

    def options(self, samples: int, max_bytes: int) -> ArrayOptions:
        """The options of the native array reader for a batch."""
        if self.is_whole:
            return ArrayOptions(max_bytes)
        for name, rows in self.bounds.items():
            if len(rows) not in (1, samples):
                raise RuntimeError(f'Argument "{name}" has {len(rows)} rows for a batch of {samples} samples')
        (start, start_unit), (end, end_unit) = self._bound(_STARTS), self._bound(_ENDS)
        axes = np.array([self.axes], np.int32) if self.axes else None
        is_extent = any(name.endswith("shape") for name in self.bounds)
        rule = _native.SliceRule(axes, start, start_unit, end, end_unit, is_extent)
        return ArrayOptions(max_bytes, rule, self.border, self.fill)

    def _bound(self, names: Sequence[str]) -> tuple[Rows | None, Unit]:
        for name in names:
            if name in self.bounds:
                rows = self.bounds[name]
                wide = np.repeat(rows, len(self.axes), 1) if self.axes and rows.shape[1] == 1 else rows
                return np.ascontiguousarray(wide), Unit.share if name.startswith("rel_") else Unit.pixels
        return None, Unit.pixels


def _rows(name: str, given: Any) -> Rows:
    values = np.asarray(given)
    if values.dtype.kind not in "iufb" or values.ndim > 2:
        raise TypeError(f"{name} is a number or a list of numbers, got {given!r}")
    rows = np.atleast_2d(values).astype(np.float64)
    return rows if name.startswith("rel_") else np.trunc(rows)
