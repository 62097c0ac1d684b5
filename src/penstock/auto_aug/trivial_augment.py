"""TrivialAugment: one augmentation with a magnitude drawn at random (https://arxiv.org/abs/2103.10158)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from penstock import types
from penstock.auto_aug import augmentations as a
from penstock.auto_aug.core.augmentation import Augmentation, forbid_unused
from penstock.auto_aug.core.magnitudes import signed_bin, signs
from penstock.auto_aug.core.node_or_value import drawn
from penstock.auto_aug.core.policy import check_bins
from penstock.auto_aug.suites import Distance, accepted, enhancements, one_of, translations, without


def trivial_augment_wide(
    data: Any,
    num_magnitude_bins: int = 31,
    shape: Any = None,
    fill_value: int | None = 128,
    interp_type: types.DALIInterpType | None = None,
    max_translate_abs: Distance | None = None,
    max_translate_rel: Distance | None = None,
    seed: int | None = None,
    excluded: list[str] | None = None,
) -> Any:
    """Applies one augmentation to every image; which one and how much is drawn at random.

        images = trivial_augment.trivial_augment_wide(images)

    Args:
        data: RGB images or sequences of them, of uint8.
        num_magnitude_bins: How many magnitudes there are.
        shape: Height and width of the images, for translations by parts of them; otherwise by pixels.
        fill_value: What images that are moved or turned leave behind; None repeats their edges.
        interp_type: For moved and turned images: types.INTERP_LINEAR or types.INTERP_NN.
        max_translate_abs: Farthest translation in pixels; 32 by default. A pair is for y and x. Without `shape`.
        max_translate_rel: Farthest translation in parts of the image; 1 by default. With `shape`.
        seed: For all random choices.
        excluded: Names of augmentations to leave out.
    """
    suite = get_trivial_augment_wide_suite(shape is not None, max_translate_abs, max_translate_rel)
    own = without(suite, excluded, "TrivialAugmentWide")
    options = accepted(own, shape, interp_type, fill_value)
    return apply_trivial_augment(own, data, num_magnitude_bins, seed, **options)


def apply_trivial_augment(
    augmentations: Sequence[Augmentation],
    data: Any,
    num_magnitude_bins: int = 31,
    seed: int | None = None,
    **kwargs: Any,
) -> Any:
    """Applies TrivialAugment with a suite of one's own.

    Args:
        augmentations: The suite, all of which are equally likely.
        data: What the augmentations take.
        num_magnitude_bins: How many magnitudes there are.
        seed: For all random choices.
        kwargs: Further arguments of the augmentations.
    """
    if not augmentations:
        raise ValueError("The `augmentations` list cannot be empty in `apply_trivial_augment` call.")
    check_bins(num_magnitude_bins)
    forbid_unused(augmentations, kwargs, "apply_trivial_augment")
    bins: Any = drawn(data, seed, values=[*range(num_magnitude_bins)], dtype=types.INT32)
    if any(each.randomly_negate for each in augmentations):
        bins = signed_bin(bins, signs(data, seed))
    chosen = drawn(data, seed, values=[*range(len(augmentations))], dtype=types.INT32)
    return one_of(
        augmentations, chosen, data, bins, num_magnitude_bins, kwargs,
        call="apply_trivial_augment", suite="get_trivial_augment_wide_suite",
    )  # fmt: skip


def get_trivial_augment_wide_suite(
    use_shape: bool = False, max_translate_abs: Distance | None = None, max_translate_rel: Distance | None = None
) -> list[Augmentation]:
    """The augmentations of TrivialAugment in the wide version, whose magnitudes go farther than RandAugment's."""
    return [
        *translations(use_shape, 32, 1.0, max_translate_abs, max_translate_rel),
        a.shear_x.augmentation(mag_range=(0, 0.99)),
        a.shear_y.augmentation(mag_range=(0, 0.99)),
        a.rotate.augmentation(mag_range=(0, 135)),
        *enhancements((0.01, 0.99), True, a.shift_enhance_range, a.sharpness_kernel),
        a.posterize.augmentation(mag_range=(8, 2), randomly_negate=False),
        a.solarize.augmentation(mag_range=(256, 0)),
        a.equalize,
        a.auto_contrast,
        a.identity,
    ]
