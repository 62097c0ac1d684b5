"""RandAugment: some augmentations of a suite, all with the same magnitude (https://arxiv.org/abs/1909.13719)."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

from penstock import types
from penstock.auto_aug import augmentations as a
from penstock.auto_aug.core.augmentation import Augmentation, forbid_unused
from penstock.auto_aug.core.magnitudes import signed_bin, signs
from penstock.auto_aug.core.node_or_value import drawn, part
from penstock.auto_aug.core.policy import check_bins
from penstock.auto_aug.suites import Distance, accepted, enhancements, one_of, translations, without

# Translations are by 100 pixels in images of 224.
_FARTHEST = 100, 100 / 224


def rand_augment(
    data: Any,
    n: int,
    m: int,
    num_magnitude_bins: int = 31,
    shape: Any = None,
    fill_value: int | None = 128,
    interp_type: types.DALIInterpType | None = None,
    max_translate_abs: Distance | None = None,
    max_translate_rel: Distance | None = None,
    seed: int | None = None,
    monotonic_mag: bool = True,
    excluded: list[str] | None = None,
) -> Any:
    """Applies `n` augmentations to every image, chosen at random, with the magnitude of bin `m`.

        images = rand_augment.rand_augment(images, n=3, m=17)

    Args:
        data: RGB images or sequences of them, of uint8.
        n: How many augmentations are applied one after another.
        m: Their magnitude, from 0 to `num_magnitude_bins - 1`.
        num_magnitude_bins: How many magnitudes there are.
        shape: Height and width of the images, for translations by parts of them; otherwise by pixels.
        fill_value: What images that are moved or turned leave behind; None repeats their edges.
        interp_type: For moved and turned images: types.INTERP_LINEAR or types.INTERP_NN.
        max_translate_abs: Farthest translation in pixels; 100 by default. A pair is for y and x. Without `shape`.
        max_translate_rel: Farthest translation in parts of the image; 100 / 224 by default. With `shape`.
        seed: For all random choices.
        monotonic_mag: Let higher bins always change images more; otherwise the magnitudes are AutoAugment's.
        excluded: Names of augmentations to leave out.
    """
    suite = get_rand_augment_suite if monotonic_mag else get_rand_augment_non_monotonic_suite
    own = without(suite(shape is not None, max_translate_abs, max_translate_rel), excluded, "RandAugment")
    options = accepted(own, shape, interp_type, fill_value)
    return apply_rand_augment(own, data, n, m, num_magnitude_bins, seed, **options)


def apply_rand_augment(
    augmentations: Sequence[Augmentation],
    data: Any,
    n: int,
    m: int,
    num_magnitude_bins: int = 31,
    seed: int | None = None,
    **kwargs: Any,
) -> Any:
    """Applies RandAugment with a suite of one's own.

    Args:
        augmentations: The suite, all of which are equally likely.
        data: What the augmentations take.
        n: How many are applied one after another.
        m: Their magnitude, from 0 to `num_magnitude_bins - 1`.
        num_magnitude_bins: How many magnitudes there are.
        seed: For all random choices.
        kwargs: Further arguments of the augmentations.
    """
    if not isinstance(n, int) or n < 0:
        raise ValueError(f"The number of operations to apply `n` must be a non-negative integer, got {n}.")
    check_bins(num_magnitude_bins)
    if not isinstance(m, int) or not 0 <= m < num_magnitude_bins:
        raise ValueError(
            f"The magnitude bin `m` must be an integer from `[0, {num_magnitude_bins - 1}]` range. Got {m}."
        )
    if n == 0:
        warnings.warn("The `apply_rand_augment` was called with `n=0`, which does nothing.", stacklevel=2)
        return data
    if not augmentations:
        raise ValueError("The `augmentations` list cannot be empty, unless n=0, in `apply_rand_augment` call.")
    forbid_unused(augmentations, kwargs, "apply_rand_augment")
    shape: list[int] = [] if n == 1 else [n]
    chosen = drawn(data, seed, values=[*range(len(augmentations))], dtype=types.INT32, shape=shape)
    negates = any(each.randomly_negate for each in augmentations)
    bins: Any = signed_bin(m, signs(data, seed, shape)) if negates else m
    for k in range(n):
        own = bins if n == 1 or not negates else bins[k]
        data = one_of(
            augmentations, chosen if n == 1 else part(chosen, k), data, own, num_magnitude_bins, kwargs,
            call="apply_rand_augment", suite="get_rand_augment_suite",
        )  # fmt: skip
    return data


def get_rand_augment_suite(
    use_shape: bool = False, max_translate_abs: Distance | None = None, max_translate_rel: Distance | None = None
) -> list[Augmentation]:
    """The augmentations of RandAugment; higher bins always change images more."""
    return [
        *_geometry(use_shape, max_translate_abs, max_translate_rel),
        *enhancements((0, 0.9), True, a.shift_enhance_range, a.sharpness_kernel),
        a.posterize.augmentation(mag_range=(8, 4), randomly_negate=False),
        a.solarize.augmentation(mag_range=(256, 0)),
        *_PLAIN,
    ]


def get_rand_augment_non_monotonic_suite(
    use_shape: bool = False, max_translate_abs: Distance | None = None, max_translate_rel: Distance | None = None
) -> list[Augmentation]:
    """The augmentations of RandAugment with AutoAugment's magnitudes, some of which do least in the middle."""
    return [
        *_geometry(use_shape, max_translate_abs, max_translate_rel),
        *enhancements((0.1, 1.9), False, None, a.sharpness_kernel_shifted),
        a.posterize.augmentation(mag_range=(0, 4), randomly_negate=False),
        a.solarize.augmentation(mag_range=(0, 256), randomly_negate=False),
        *_PLAIN,
    ]


_PLAIN: tuple[Augmentation, ...] = (a.equalize, a.auto_contrast, a.identity)


def _geometry(
    use_shape: bool, max_translate_abs: Distance | None, max_translate_rel: Distance | None
) -> list[Augmentation]:
    return [
        *translations(use_shape, *_FARTHEST, max_translate_abs, max_translate_rel),
        a.shear_x.augmentation(mag_range=(0, 0.3)),
        a.shear_y.augmentation(mag_range=(0, 0.3)),
        a.rotate.augmentation(mag_range=(0, 30)),
    ]
