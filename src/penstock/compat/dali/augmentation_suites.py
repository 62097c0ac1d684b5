"""What programs find as `nvidia.dali.auto_aug.core._utils`."""

from __future__ import annotations

from collections.abc import Sequence

from penstock.auto_aug.core.declared import Augmentation
from penstock.auto_aug.suites import translations

__all__ = ["get_translations", "max_translate_hw"]

Distance = float | Sequence[float]


def get_translations(
    use_shape: bool,
    default_translate_abs: float,
    default_translate_rel: float,
    max_translate_abs: Distance | None = None,
    max_translate_rel: Distance | None = None,
) -> list[Augmentation]:
    """translate_x and translate_y, by pixels or, where shapes are known, by parts of the image."""
    return translations(use_shape, default_translate_abs, default_translate_rel, max_translate_abs, max_translate_rel)


def max_translate_hw(max_translate: Distance) -> tuple[float, float]:
    """The largest translation along y and along x."""
    if not isinstance(max_translate, Sequence):
        return max_translate, max_translate
    y, x = max_translate
    return y, x
