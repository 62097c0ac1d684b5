"""Policies, and those that were published."""

from __future__ import annotations

import numpy as np
import pytest

from penstock.auto_aug import augmentations as a
from penstock.auto_aug.auto_augment import (
    get_image_net_policy,
    get_reduced_cifar10_policy,
    get_reduced_image_net_policy,
    get_svhn_policy,
)
from penstock.auto_aug.core import Policy, augmentation


@pytest.mark.parametrize(
    ("make", "name", "first", "last"),
    [
        (get_image_net_policy, "ImageNetPolicy", [("equalize", 0.8, None), ("shear_y", 0.8, 4)], ("rotate", 0.4, 5)),
        (
            get_reduced_image_net_policy,
            "ReducedImageNetPolicy",
            [("posterize", 0.4, 8), ("rotate", 0.6, 9)],
            ("equalize", 0.6, None),
        ),
        (
            get_reduced_cifar10_policy,
            "ReducedCifar10Policy",
            [("invert", 0.1, None), ("contrast", 0.2, 6)],
            ("auto_contrast", 0.9, None),
        ),
        (get_svhn_policy, "SvhnPolicy", [("shear_x", 0.9, 4), ("invert", 0.2, None)], ("invert", 0.1, None)),
    ],
)
def test_the_published_policies(make, name, first, last):
    policy = make()
    assert (policy.name, policy.num_magnitude_bins, len(policy.sub_policies)) == (name, 11, 25)
    told = [[(each.name, probability, bin) for each, probability, bin in sub] for sub in policy.sub_policies]
    assert told[0] == first
    assert told[-1][-1] == last
    assert {len(sub) for sub in told} == {1, 2}


def test_translations_of_policies():
    assert get_image_net_policy().augmentations["translate_y"].mag_range == (0, 250)
    assert get_svhn_policy(True).augmentations["translate_x"].mag_range == (0, 1.0)
    assert get_reduced_cifar10_policy(True, max_translate_rel=(0.1, 0.2)).augmentations["translate_x"].mag_range == (
        0,
        0.2,
    )


def test_augmentations_of_one_name_are_told_apart():
    policy = Policy(
        "own", 5, [[(a.rotate, 0.5, 1)], [(a.rotate.augmentation(mag_range=(0, 9)), 1, 2), (a.invert, 1, None)]]
    )
    assert [*policy.augmentations] == ["0__rotate", "1__rotate", "2__invert"]
    assert policy.sub_policies[1][0][0].mag_range == (0, 9)
    assert [*Policy("own", 5, [[(a.rotate, 0.5, 1)], ((a.rotate, 1, 0),)]).augmentations] == ["rotate"]


def test_a_policy_shows_itself():
    shown = repr(Policy("own", 5, [[(a.rotate, 0.5, 1)]]))
    assert shown.startswith("Policy(name='own', num_magnitude_bins=5, sub_policies=[\n\t[('rotate', 0.5, 1)]]")
    assert "'rotate': Augmentation(" in shown


@pytest.mark.parametrize(("count", "first"), [(2, "0__twin"), (10, "0__twin"), (11, "00__twin"), (101, "000__twin")])
def test_augmentations_of_one_name_are_numbered_so_that_they_sort(count, first):
    twins = [augmentation(lambda data, _: data, name="twin") for _ in range(count)]
    names = [*Policy("own", 5, [[(twin, 0.5, None)] for twin in twins]).augmentations]
    assert names[0] == first
    assert [int(name.partition("__")[0]) for name in names] == [*range(count)]


def test_a_probability_of_zero_is_warned_of():
    message = "The augmentation `rotate` in policy `own` is used with probability 0 in one of the sub-policies"
    with pytest.warns(UserWarning, match=message):
        Policy("own", 5, [[(a.rotate, 0, 3)]])


def test_a_bin_without_magnitudes_is_ignored():
    with pytest.warns(UserWarning, match="The magnitude bin `3` for augmentation `equalize`"):
        Policy("own", 5, [[(a.equalize, 0.5, 3)]])


@pytest.mark.parametrize(
    ("bins", "sub_policies", "error", "message"),
    [
        (0, [], ValueError, "must be a positive integer, got 0"),
        (1.5, [], ValueError, "must be a positive integer, got 1.5"),
        (5, 3, TypeError, "The `sub_policies` must be a list or tuple"),
        (5, [3], TypeError, "Each sub policy must be a list or tuple, got 3"),
        (5, [[3]], TypeError, "must be specified as a triple"),
        (5, [[(a.rotate, 0.5)]], TypeError, "must be specified as a triple"),
        (5, [[(np.sin, 0.5, 3)]], TypeError, "must be an instance of Augmentation"),
        (5, [[(a.rotate, 1.5, 3)]], ValueError, "Probability .* Got `1.5`"),
        (5, [[(a.rotate, None, 3)]], ValueError, "Probability .* Got `None`"),
        (5, [[(a.rotate, 0.5, 5)]], ValueError, r"from `\[0, 4\]` range. Got `5`"),
        (5, [[(a.rotate, 0.5, -1)]], ValueError, "Got `-1`"),
        (5, [[(a.rotate, 0.5, None)]], ValueError, "so the magnitude bin is required"),
    ],
)
def test_what_is_no_policy(bins, sub_policies, error, message):
    with pytest.raises(error, match=message):
        Policy("own", bins, sub_policies)
