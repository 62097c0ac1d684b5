"""Arguments with any number of regions for every sample."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from penstock.schema import PerSample

Array = np.ndarray[Any, Any]


def counted(rows: Any, dtype: Any) -> tuple[Array, list[int]]:
    """The values of all samples one after the other, and how many each has, as native steps take them."""
    if isinstance(rows, list):
        values = np.concatenate([row.reshape(-1) for row in rows])
        return np.ascontiguousarray(values, dtype), [row.size for row in rows]
    return np.ascontiguousarray(rows.reshape(-1), dtype), [rows[0].size] * len(rows)


@dataclass
class Regions:
    """Where regions are taken from, how large they are and where they go, in pixels or in fractions."""

    in_anchors: PerSample[np.ndarray[Any, Any]] | None = None
    in_anchors_rel: PerSample[np.ndarray[Any, Any]] | None = None
    shapes: PerSample[np.ndarray[Any, Any]] | None = None
    shapes_rel: PerSample[np.ndarray[Any, Any]] | None = None
    out_anchors: PerSample[np.ndarray[Any, Any]] | None = None
    out_anchors_rel: PerSample[np.ndarray[Any, Any]] | None = None

    def check(self) -> None:
        for name in ("in_anchors", "shapes", "out_anchors"):
            given = [self.rows(name), self.rows(f"{name}_rel")]
            if None not in map(_rank, given):
                raise RuntimeError(f"The `{name}` and `{name}_rel` cannot be specified together")
            for rank in map(_rank, given):
                if rank not in (None, 2):
                    raise RuntimeError(f"`{name}` takes a row of two values for each region, got {rank} dimensions")

    def rows(self, name: str) -> Any:
        return getattr(self, name)

    def native(self, name: str) -> tuple[Array, list[int], bool] | None:
        """The values of every sample, how many, and whether they are fractions."""
        for key, relative in ((name, False), (f"{name}_rel", True)):
            rows = self.rows(key)
            if rows is not None:
                values, counts = counted(rows, np.float32)
                return values if relative else _whole(key, values), counts, relative
        return None

    def pixels(self, name: str, sample: int, frame: int, region: int, extent: Array, up: bool) -> Array | None:
        """Height and width, or top and left, of one region."""
        for key, relative in ((name, False), (f"{name}_rel", True)):
            rows = self.rows(key)
            if rows is None:
                continue
            mine = rows[sample if len(rows) > 1 else 0]
            mine = mine[frame if len(mine) > 1 else 0] if mine.ndim == 3 else mine
            value: Array = np.asarray(mine[region], np.float32)
            if not relative:
                return _whole(key, value).astype(np.int64)
            if ((value < 0) | (value > 1)).any():
                raise RuntimeError(f"The `{key}` must be in range [0, 1], got {value.tolist()}")
            scaled = value * extent.astype(np.float32)
            return np.asarray(np.ceil(scaled) if up else np.floor(scaled)).astype(np.int64)
        return None


def _rank(value: Any) -> int | None:
    return None if value is None else int(value.ndim)


def _whole(name: str, values: Array) -> Array:
    values = np.rint(values)
    if not (np.abs(values) < 1 << 31).all():
        raise RuntimeError(f"`{name}` must be below 2^31, got {values.tolist()}")
    return np.asarray(values)
