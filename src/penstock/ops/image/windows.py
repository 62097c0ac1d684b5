"""Windows of images: the arguments that crop, crop_mirror_normalize, slice and the decoders share."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Any, Literal

import numpy as np

from penstock import _native
from penstock.schema import PerSample
from penstock.schema.params import Refusal, Synonyms
from penstock.values.spec import Spec

Array = np.ndarray[Any, Any]
Box = list[tuple[int, int]]

# What programs call the borders, and what they are called here.
BORDER_NAMES = {
    **dict.fromkeys(("pad", "constant", "const", "fill"), "pad"),
    **dict.fromkeys(("edge", "clamp"), "edge"),
    **dict.fromkeys(("reflect_1001", "reflect1001", "1001", "reflect"), "reflect_1001"),
    **dict.fromkeys(("reflect_101", "reflect101", "101"), "reflect_101"),
    "wrap": "wrap",
}
Policy = Annotated[
    Literal[
        "error", "pad", "constant", "const", "trim_to_shape", "edge", "clamp", "reflect", "reflect_1001", "reflect_101",
        "wrap",
    ],
    Synonyms(BORDER_NAMES),
]  # fmt: skip

LAYOUTS = ("HWC", "CHW", "DHWC", "CDHW", "FHWC", "FCHW", "CFHW", "FDHWC", "FCDHW", "CFDHW")
_BORDERS = {
    "error": _native.Border.error,
    "pad": _native.Border.pad,
    "trim_to_shape": _native.Border.trim,
    "edge": _native.Border.edge,
    "reflect_1001": _native.Border.reflect_1001,
    "reflect_101": _native.Border.reflect_101,
    "wrap": _native.Border.wrap,
}


def rounded(value: float) -> int:
    """To the nearest whole number, halves away from zero."""
    whole = math.trunc(value)
    return whole + int(math.copysign(1, value)) if abs(value - whole) >= 0.5 else whole


@dataclass
class Border:
    """What a window holds where it reaches beyond the input."""

    out_of_bounds_policy: Policy = "error"
    fill_values: list[float] = (0.0,)  # type: ignore[assignment]

    @property
    def native(self) -> _native.Border:
        return _BORDERS[self.out_of_bounds_policy]

    @property
    def fills(self) -> bool:
        return self.out_of_bounds_policy == "pad"

    @property
    def values(self) -> list[float]:
        """What is filled in: one value, or one per channel."""
        return list(self.fill_values) or [0.0] if self.fills else [0.0]


@dataclass
class CropWindow:
    """A window of given size, placed by fractions of the room it has.

    A size of 0 is the whole axis, as one that is not given is; but sizes must be given together.
    """

    crop: PerSample[list[float]] | None = None
    crop_h: PerSample[float] | None = None
    crop_w: PerSample[float] | None = None
    crop_d: PerSample[float] | None = None
    crop_pos_x: PerSample[float] = 0.5
    crop_pos_y: PerSample[float] = 0.5
    crop_pos_z: PerSample[float] = 0.5
    rounding: Annotated[Literal["round", "truncate"], Refusal("``rounding`` value {} is not supported")] = "round"

    def check(self, layout: str) -> None:
        """Refuses sizes that contradict one another, and constants that cannot be meant."""
        wide, high, deep = (size is not None for size in (self.crop_w, self.crop_h, self.crop_d))
        if wide != high:
            raise RuntimeError("`crop_w` and `crop_h` arguments must be provided together")
        if deep and not wide:
            raise RuntimeError("`crop_d` argument must be provided together with `crop_w` and `crop_h`")
        if self.crop is not None and (wide or deep):
            raise RuntimeError("`crop` argument is not compatible with `crop_h`, `crop_w`, `crop_d`")
        if isinstance(self.crop, list):
            _check_length(len(self.crop))
        if isinstance(self.crop, Spec):
            return
        for axis, (size, position) in self._axes(layout).items():
            if isinstance(size, (int, float)):
                _check_size(layout[axis], size)
                if size >= 1 and isinstance(position, (int, float)) and not 0 <= position <= 1:
                    raise RuntimeError(f"Anchor for dimension {axis} ({position:.6f}) is out of range [0.0, 1.0]")

    def rule(self, layout: str) -> _native.WindowRule:
        """The window of every sample of a batch, from per-sample rows."""
        if isinstance(self.crop, list):
            raise RuntimeError("`crop` needs the same number of values for every sample")
        if self.crop is not None:
            rows = np.ascontiguousarray(self.crop, np.float32)
            places, columns, names = _crop_places(layout, rows.shape[-1])
            given = [getattr(self, name) for name in names]
            return _native.CropRule.of_rows(places, rows, columns, given, self.rounding == "truncate")
        axes = self._axes(layout)
        sizes = [np.ascontiguousarray(size, np.float32) for size, _ in axes.values()]
        positions = [position for _, position in axes.values()]
        return _native.CropRule(list(axes), sizes, positions, self.rounding == "truncate")

    def box(self, layout: str, shape: tuple[int, ...]) -> Box:
        """First position and extent of the window along every axis of one sample."""
        result = [(0, extent) for extent in shape]
        for axis, (size, position) in self._axes(layout).items():
            _check_size(layout[axis], size)
            if size < 1:
                continue
            if not 0 <= position <= 1:
                raise RuntimeError(f"Anchor for dimension {axis} ({position:.6f}) is out of range [0.0, 1.0]")
            anchor = float(position) * (shape[axis] - int(size))
            result[axis] = (math.trunc(anchor) if self.rounding == "truncate" else rounded(anchor), int(size))
        return result

    def _axes(self, layout: str) -> dict[int, tuple[Any, Any]]:
        """The size and position of each axis the layout has; depth is that of volumes, else the frames."""
        sizes: list[Any] = [0.0 if size is None else size for size in (self.crop_d, self.crop_h, self.crop_w)]
        deep, high, wide = sizes
        if self.crop is not None:
            values = np.asarray(self.crop)
            _check_length(values.shape[-1])
            high, wide = values[..., -2], values[..., -1]
            deep = values[..., 0] if values.shape[-1] == 3 else np.zeros_like(high)
            if values.ndim == 1:
                deep, high, wide = float(deep), float(high), float(wide)
        depth = "D" if "D" in layout else "F"
        found = {depth: (deep, self.crop_pos_z), "H": (high, self.crop_pos_y), "W": (wide, self.crop_pos_x)}
        return {layout.index(name): pair for name, pair in found.items() if name in layout}


@lru_cache
def _crop_places(layout: str, count: int) -> tuple[list[int], list[int], list[str]]:
    """For each axis that is cropped: its place, which of `count` sizes is its own, -1 for none, and its position."""
    _check_length(count)
    depth = "D" if "D" in layout else "F"
    found = {depth: (count - 3, "crop_pos_z"), "H": (count - 2, "crop_pos_y"), "W": (count - 1, "crop_pos_x")}
    cropped = [name for name in found if name in layout]
    return [*map(layout.index, cropped)], [found[name][0] for name in cropped], [found[name][1] for name in cropped]


def _check_length(count: int) -> None:
    if count not in (2, 3):
        raise RuntimeError(
            f"`crop` argument should have 2 or 3 elements depending on the input data shape, got {count}"
        )


def _check_size(axis: str, size: float) -> None:
    if not 0 <= size < 1 << 31:
        raise RuntimeError(f"a window of {size} pixels along {axis} cannot be cropped; 0 means the whole axis")
