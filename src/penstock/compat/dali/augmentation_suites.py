"""What programs find as `nvidia.dali.auto_aug.core._utils`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from penstock.auto_aug.core.augmentation import Augmentation, MissingArgException
from penstock.auto_aug.core.selection import select
from penstock.auto_aug.suites import farthest, one_of, translations

__all__ = [
    "MissingArgException",
    "get_translations",
    "max_translate_hw",
    "parse_validate_offset",
    "pretty_select",
    "select",
]

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


def parse_validate_offset(
    use_shape: bool,
    max_translate_abs: Distance | None = None,
    max_translate_rel: Distance | None = None,
    default_translate_abs: float = 250,
    default_translate_rel: float = 1.0,
) -> tuple[float, float]:
    """The largest translation along y and along x, in pixels or, where shapes are known, in parts of the image."""
    return farthest(use_shape, default_translate_abs, default_translate_rel, max_translate_abs, max_translate_rel)


def max_translate_hw(max_translate: Distance) -> tuple[float, float]:
    """The largest translation along y and along x."""
    if not isinstance(max_translate, Sequence):
        return max_translate, max_translate
    y, x = max_translate
    return y, x


def pretty_select(
    augmentations: Sequence[Augmentation],
    aug_ids: Any,
    op_kwargs: Mapping[str, Any],
    auto_aug_name: str,
    ref_suite_name: str,
) -> Any:
    """Applies to every sample the augmentation that a node of numbers chooses for it.

    Args:
        op_kwargs: `data`, the samples; `magnitude_bin` and `num_magnitude_bins`; further arguments of augmentations.
        auto_aug_name: The function that errors name as called.
        ref_suite_name: The function that they name as one that shows how to make a suite.
    """
    further = {**op_kwargs}
    data, magnitude_bin = further.pop("data"), further.pop("magnitude_bin", None)
    bins = further.pop("num_magnitude_bins", None)
    return one_of(
        augmentations, aug_ids, data, magnitude_bin, bins, further, call=auto_aug_name, suite=ref_suite_name
    )  # fmt: skip
