"""Random crop windows in the manner of Inception training, shared by the operators that cut them out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from penstock import _native
from penstock.schema import Draw

Array = np.ndarray[Any, Any]


@dataclass
class RandomWindow:
    """How large a part of the image is taken, and of what shape."""

    random_area: list[float] = (0.08, 1.0)  # type: ignore[assignment]
    random_aspect_ratio: list[float] = (0.75, 4 / 3)  # type: ignore[assignment]
    num_attempts: int = 10

    def check(self) -> None:
        """Refuses ranges no window fits."""
        for name in ("random_area", "random_aspect_ratio"):
            bounds = getattr(self, name)
            if len(bounds) not in (1, 2):
                raise RuntimeError(
                    f'Argument "{name}" expects either a single value or a list of 2 elements. {len(bounds)} given.'
                )
            if not 0 < bounds[0] <= bounds[-1]:
                raise RuntimeError(f"Provided empty or negative range for `{name}`: {list(bounds)}")
        if self.random_area[-1] > 1:
            raise RuntimeError(f"`random_area` is a share of the image, up to 1, got {list(self.random_area)}")
        if self.num_attempts < 1:
            raise RuntimeError(f"`num_attempts` must be at least 1, got {self.num_attempts}")

    def rule(self, draw: Draw, height_axis: int, width_axis: int) -> _native.WindowRule:
        return _native.RandomRule(draw.words, *self._ranges(), self.num_attempts, height_axis, width_axis)

    def alone(self, draw: Draw, height: int, width: int) -> tuple[int, int, int, int]:
        """Top, left, height and width of the window of one sample."""
        top, left, rows, columns = self.of_sizes(draw, np.array([[height, width]]))[0].tolist()
        return top, left, rows, columns

    def of_sizes(self, draw: Draw, sizes: Array) -> Array:
        """Rows of top, left, height and width of the windows in pictures of these heights and widths."""
        return _native.random_windows(draw.words, draw.sample, sizes, *self._ranges(), self.num_attempts)

    def _ranges(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """A single value is both ends of its range."""
        area, ratio = self.random_area, self.random_aspect_ratio
        return (area[0], area[-1]), (ratio[0], ratio[-1])
