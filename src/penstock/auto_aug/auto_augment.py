"""AutoAugment: for every sample one of a policy's sub-policies (https://arxiv.org/abs/1805.09501)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from penstock import types
from penstock.auto_aug import augmentations as a
from penstock.auto_aug import policies
from penstock.auto_aug.core.augmentation import Augmentation, forbid_unused
from penstock.auto_aug.core.magnitudes import signed_bin, signs
from penstock.auto_aug.core.node_or_value import drawn, given, part, row_of
from penstock.auto_aug.core.policy import Operation, Policy
from penstock.auto_aug.suites import Distance, enhancements, one_of, translations

Array = np.ndarray[Any, Any]


def auto_augment(
    data: Any,
    policy_name: str = "image_net",
    shape: Any = None,
    fill_value: int | None = 128,
    interp_type: types.DALIInterpType | None = None,
    max_translate_abs: Distance | None = None,
    max_translate_rel: Distance | None = None,
    seed: int | None = None,
) -> Any:
    """Applies AutoAugment with one of the policies it was published with.

        images = auto_augment.auto_augment(images, "image_net", shape=fn.peek_image_shape(jpegs))

    Args:
        data: RGB images or sequences of them, of uint8.
        policy_name: "image_net", "reduced_image_net", "svhn" or "reduced_cifar10".
        shape: Height and width of the images, for translations by parts of them; otherwise by pixels.
        fill_value: What images that are moved or turned leave behind; None repeats their edges.
        interp_type: For moved and turned images: types.INTERP_LINEAR or types.INTERP_NN.
        max_translate_abs: Farthest translation in pixels; 250 by default. A pair is for y and x. Without `shape`.
        max_translate_rel: Farthest translation in parts of the image; 1 by default. With `shape`.
        seed: For all random choices.
    """
    policy = _policy(policy_name, shape, max_translate_abs, max_translate_rel)
    options = given(shape=shape, interp_type=interp_type)
    return apply_auto_augment(policy, data, seed, fill_value=fill_value, **options)


def auto_augment_image_net(
    data: Any,
    shape: Any = None,
    fill_value: int | None = 128,
    interp_type: types.DALIInterpType | None = None,
    max_translate_abs: Distance | None = None,
    max_translate_rel: Distance | None = None,
    seed: int | None = None,
) -> Any:
    """`auto_augment` with the policy "image_net"."""
    options = (shape, fill_value, interp_type, max_translate_abs, max_translate_rel, seed)
    return auto_augment(data, "image_net", *options)


def apply_auto_augment(policy: Policy, data: Any, seed: int | None = None, **kwargs: Any) -> Any:
    """Applies AutoAugment with a policy of one's own.

    Args:
        policy: Its sub-policies, all equally likely.
        data: What the augmentations of the policy take.
        seed: For all random choices.
        kwargs: Further arguments of the augmentations.
    """
    stages = _stages(policy.sub_policies)
    if not policy.sub_policies:
        raise ValueError(f"Cannot run empty policy. Got {policy} in `apply_auto_augment` call.")
    every = [*policy.augmentations.values()]
    forbid_unused(every, kwargs, "apply_auto_augment")
    if not stages:
        return data
    dice = drawn(data, seed, range=[0, 1], shape=[len(stages)], dtype=types.FLOAT)
    chosen = drawn(data, seed, values=[*range(len(policy.sub_policies))], dtype=types.INT32)
    probabilities = row_of(_table(stages, lambda operation: operation[1], 0.0).astype(np.float32), chosen)
    bins: Any = row_of(_table(stages, lambda operation: operation[2], 0).astype(np.int32), chosen)
    if any(each.randomly_negate for each in every):
        bins = signed_bin(bins, signs(data, seed, [len(stages)]))
    for stage, operations in enumerate(stages):
        own = [*dict.fromkeys(operation[0] for operation in operations if operation is not None)]
        numbers = np.array([len(own) if each is None else own.index(each[0]) for each in operations], np.int32)
        applied = part(dice, stage) < part(probabilities, stage)
        data = one_of(
            [*own, a.identity], row_of(numbers, chosen), data, part(bins, stage), policy.num_magnitude_bins, kwargs,
            call="apply_auto_augment", suite="get_image_net_policy", applied=applied,
        )  # fmt: skip
    return data


def get_image_net_policy(
    use_shape: bool = False, max_translate_abs: Distance | None = None, max_translate_rel: Distance | None = None
) -> Policy:
    """The policy for ImageNet of the reference implementation."""
    own = _augmentations(use_shape, max_translate_abs, max_translate_rel)
    return policies.policy("ImageNetPolicy", policies.IMAGE_NET, own)


def get_reduced_image_net_policy() -> Policy:
    """The policy for ImageNet of the paper, found on a part of it; nothing is translated."""
    return policies.policy("ReducedImageNetPolicy", policies.REDUCED_IMAGE_NET, _augmentations(False, None, None))


def get_reduced_cifar10_policy(
    use_shape: bool = False, max_translate_abs: Distance | None = None, max_translate_rel: Distance | None = None
) -> Policy:
    """The policy for CIFAR-10 of the paper, found on a part of it."""
    own = _augmentations(use_shape, max_translate_abs, max_translate_rel)
    return policies.policy("ReducedCifar10Policy", policies.REDUCED_CIFAR10, own)


def get_svhn_policy(
    use_shape: bool = False, max_translate_abs: Distance | None = None, max_translate_rel: Distance | None = None
) -> Policy:
    """The policy for SVHN of the paper."""
    own = _augmentations(use_shape, max_translate_abs, max_translate_rel)
    return policies.policy("SvhnPolicy", policies.SVHN, own)


_POLICIES: dict[str, Callable[..., Policy]] = {
    "image_net": get_image_net_policy,
    "reduced_image_net": get_reduced_image_net_policy,
    "svhn": get_svhn_policy,
    "reduced_cifar10": get_reduced_cifar10_policy,
}


def _policy(name: str, shape: Any, max_translate_abs: Distance | None, max_translate_rel: Distance | None) -> Policy:
    if name not in _POLICIES:
        raise ValueError(
            "The `policy_name` must be a string that takes one of the values: "
            f"{', '.join(f'`{known}`' for known in _POLICIES)}; got {name!r}"
        )
    if name != "reduced_image_net":
        return _POLICIES[name](shape is not None, max_translate_abs, max_translate_rel)
    about_shape = given(shape=shape, max_translate_abs=max_translate_abs, max_translate_rel=max_translate_rel)
    for argument in about_shape:
        raise ValueError(
            f"The policy `{name}` does not contain any augmentations that rely on the image shape. The `{argument}` "
            "argument must not be specified in that case."
        )
    return get_reduced_image_net_policy()


def _augmentations(
    use_shape: bool, max_translate_abs: Distance | None, max_translate_rel: Distance | None
) -> dict[str, Augmentation]:
    """The augmentations of the published policies, with their magnitudes."""
    every = [
        *translations(use_shape, 250, 1.0, max_translate_abs, max_translate_rel),
        a.shear_x.augmentation(mag_range=(0, 0.3)),
        a.shear_y.augmentation(mag_range=(0, 0.3)),
        a.rotate.augmentation(mag_range=(0, 30)),
        *enhancements((0.1, 1.9), False, None, a.sharpness_kernel_shifted),
        a.posterize.augmentation(mag_range=(0, 4), randomly_negate=False),
        a.solarize.augmentation(mag_range=(0, 256), randomly_negate=False),
        a.solarize_add.augmentation(mag_range=(0, 110), randomly_negate=False),
        a.invert,
        a.equalize,
        a.auto_contrast,
    ]
    return {each.name: each for each in every}


def _stages(sub_policies: Sequence[Sequence[Operation]]) -> list[list[Operation | None]]:
    """What every sub-policy does first, second and so on; None where it has done everything."""
    longest = max(map(len, sub_policies), default=0)
    return [[each[k] if k < len(each) else None for each in sub_policies] for k in range(longest)]


def _table(stages: list[list[Operation | None]], value: Any, nothing: Any) -> Array:
    """A row for every sub-policy, a column for every stage; `nothing` where there is no value."""
    values = [[None if each is None else value(each) for each in stage] for stage in stages]
    rows = zip(*values, strict=True)
    return np.array([[nothing if each is None else each for each in row] for row in rows])
