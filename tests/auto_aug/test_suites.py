"""AutoAugment, RandAugment and TrivialAugment: what is chosen, how often, and that one pass equals branches."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from auto_aug.pipelines import made_by, pictures
from penstock import fn, types
from penstock.auto_aug import augmentations as a
from penstock.auto_aug import auto_augment, rand_augment, suites, trivial_augment
from penstock.auto_aug.core import Policy, augmentation
from penstock.auto_aug.core.augmentation import MissingArgException, UnusedArgException

IMAGES = pictures(32)
CLIPS = [np.stack(IMAGES[k : k + 2]) for k in range(16)]


def number(value, name):
    """An augmentation that fills images with a number."""
    return augmentation(lambda data, parameter: data * np.uint8(0) + np.uint8(value), name=name)


def adding(value, **settings):
    """An augmentation that adds a number, or as much of it as the magnitude says."""

    def add(data, parameter):
        return fn.cast_like(data + value * (1 if parameter is None else parameter), data)

    return augmentation(add, **settings)


def branched(monkeypatch, body, samples, layout="HWC", **options):
    """The same, every augmentation in a branch of its own."""
    with monkeypatch.context() as patched:
        patched.setattr(suites, "fused", lambda *arguments: None)
        return made_by(body, samples, layout, **options)


SUITES = {
    "image_net": lambda data: auto_augment.auto_augment(data, max_translate_abs=(5, 6)),
    "reduced_image_net": lambda data: auto_augment.auto_augment(data, "reduced_image_net", interp_type=types.INTERP_NN),
    "svhn": lambda data: auto_augment.auto_augment(data, "svhn", shape=(17, 23), fill_value=None),
    "reduced_cifar10": lambda data: auto_augment.auto_augment(data, "reduced_cifar10", seed=3, max_translate_abs=4),
    "auto_augment_image_net": lambda data: auto_augment.auto_augment_image_net(data, shape=(17, 23), fill_value=9),
    "rand": lambda data: rand_augment.rand_augment(data, n=1, m=30, max_translate_abs=9),
    "rand, n=3": lambda data: rand_augment.rand_augment(data, n=3, m=7, num_magnitude_bins=11, fill_value=0, seed=8),
    "rand, not monotonic": lambda data: rand_augment.rand_augment(data, n=2, m=8, monotonic_mag=False),
    "rand, excluded": lambda data: rand_augment.rand_augment(data, n=2, m=8, excluded=["rotate", "equalize"]),
    "trivial": lambda data: trivial_augment.trivial_augment_wide(data),
    "trivial, shape": lambda data: trivial_augment.trivial_augment_wide(data, 7, shape=(17, 23), max_translate_rel=0.3),
    "one": lambda data: trivial_augment.apply_trivial_augment([a.rotate], data),
    "no magnitudes": lambda data: rand_augment.apply_rand_augment([a.invert, a.equalize], data, n=2, m=3),
    "one bin": lambda data: trivial_augment.apply_trivial_augment([a.solarize, a.posterize], data, 1),
}


@pytest.mark.parametrize("suite", SUITES)
@pytest.mark.parametrize("layout", ["HWC", "FHWC"])
def test_one_pass_does_what_branches_do(monkeypatch, suite, layout):
    samples = IMAGES if layout == "HWC" else CLIPS
    at_once = made_by(SUITES[suite], samples, layout)
    apart = branched(monkeypatch, SUITES[suite], samples, layout)
    assert all(np.array_equal(one, other) for one, other in zip(at_once, apart, strict=True))
    assert any(not np.array_equal(one, sample) for one, sample in zip(at_once, samples, strict=True))


def test_shapes_may_be_nodes_and_differ(monkeypatch):
    samples = [*pictures(8, 11, 30), *pictures(8, 25, 12)]

    def body(data):
        return trivial_augment.trivial_augment_wide(data, shape=data.shape())

    at_once, apart = made_by(body, samples), branched(monkeypatch, body, samples)
    assert all(np.array_equal(one, other) for one, other in zip(at_once, apart, strict=True))


def test_floats_go_where_all_augmentations_take_them(monkeypatch):
    samples = [image.astype(np.float32) for image in IMAGES]
    suite = [a.rotate, a.invert, a.contrast, a.auto_contrast, a.solarize, a.brightness, a.identity]

    def body(data):
        return trivial_augment.apply_trivial_augment(suite, data, fill_value=4)

    at_once, apart = made_by(body, samples), branched(monkeypatch, body, samples)
    assert all(np.allclose(one, other, atol=1e-3) for one, other in zip(at_once, apart, strict=True))
    assert at_once[0].dtype == np.float32
    with pytest.raises(RuntimeError, match="Unsupported input type for posterize: float"):
        made_by(SUITES["trivial"], samples)


def test_empty_and_single_pixel_images():
    samples = [np.zeros((0, 4, 3), np.uint8), np.full((1, 1, 3), 9, np.uint8)] * 16
    assert [each.shape for each in made_by(SUITES["trivial"], samples)] == [each.shape for each in samples]


def test_seeds_of_the_pipeline_and_of_the_call():
    first, second = made_by(SUITES["trivial"], IMAGES), made_by(SUITES["trivial"], IMAGES)
    other = made_by(SUITES["trivial"], IMAGES, seed=6)
    assert all(map(np.array_equal, first, second))
    assert not all(map(np.array_equal, first, other))
    fixed = SUITES["reduced_cifar10"]
    assert all(map(np.array_equal, made_by(fixed, IMAGES, seed=1), made_by(fixed, IMAGES, seed=2)))


def test_all_augmentations_of_a_suite_are_equally_likely():
    suite = [number(k, f"n{k}") for k in range(5)]
    made = made_by(lambda data: trivial_augment.apply_trivial_augment(suite, data), [IMAGES[0][:1, :1]] * 2000)
    counts = Counter(int(each.max()) for each in made)
    assert {*counts} == {0, 1, 2, 3, 4}
    assert all(300 < count < 500 for count in counts.values())


def test_rand_augment_applies_several_one_after_another():
    suite = [adding(1, name="one"), adding(10, name="ten")]
    dark = [np.zeros((1, 1, 3), np.uint8)] * 200
    made = made_by(lambda data: rand_augment.apply_rand_augment(suite, data, n=3, m=0), dark)
    assert {int(each.max()) for each in made} == {3, 12, 21, 30}


def test_magnitudes_of_trivial_augment_are_drawn_and_signed():
    suite = [adding(1, name="add", mag_range=(0, 3), randomly_negate=True)]
    grey = [np.full((1, 1, 3), 100, np.uint8)] * 300
    made = made_by(lambda data: trivial_augment.apply_trivial_augment(suite, data, num_magnitude_bins=4), grey)
    assert {int(each.max()) for each in made} == {97, 98, 99, 100, 101, 102, 103}


def test_probabilities_of_a_policy():
    policy = Policy(
        "own", 3, [[(adding(1), 0.25, None), (adding(10, name="ten"), 1.0, None)], [(adding(100), 1.0, None)]]
    )
    dark = [np.zeros((1, 1, 3), np.uint8)] * 2000
    counts = Counter(
        int(each.max()) for each in made_by(lambda data: auto_augment.apply_auto_augment(policy, data), dark)
    )
    assert {*counts} == {10, 11, 100}
    assert 900 < counts[100] < 1100
    assert 170 < counts[11] < 330


def test_known_augmentations_leave_arguments_that_others_of_a_policy_take():
    @augmentation
    def set_to(data, _, value):
        return data * 0 + value

    policy = Policy("own", 3, [[(a.invert, 1.0, None), (set_to, 1.0, None)]])
    made = made_by(
        lambda data: auto_augment.apply_auto_augment(policy, data, value=np.uint8(7)), [np.zeros((1, 1, 3), np.uint8)]
    )
    assert int(made[0].max()) == 7


def test_custom_augmentations_may_have_conditions_and_arguments_of_their_own():
    @augmentation(mag_range=(0, 4))
    def flipped(data, strength, upside_down=False):
        if strength > 2:
            data = fn.flip(data, horizontal=not upside_down, vertical=upside_down)
        return data

    def body(data):
        return trivial_augment.apply_trivial_augment([flipped, a.invert], data, num_magnitude_bins=5, upside_down=True)

    for made, image in zip(made_by(body, IMAGES), IMAGES, strict=True):
        assert any(np.array_equal(made, each) for each in (image, image[::-1], 255 - image))


def test_suites_work_without_conditionals():
    for suite in (SUITES["trivial"], lambda data: rand_augment.apply_rand_augment([a.invert, adding(1)], data, 1, 1)):
        assert all(map(np.array_equal, made_by(suite, IMAGES), made_by(suite, IMAGES, conditionals=False)))


def test_nothing_to_do():
    with pytest.warns(UserWarning, match="was called with `n=0`"):
        made = made_by(lambda data: rand_augment.rand_augment(data, n=0, m=3), IMAGES)
    assert all(map(np.array_equal, made, IMAGES))
    empty = Policy("idle", 3, [[]])
    assert all(map(np.array_equal, made_by(lambda data: auto_augment.apply_auto_augment(empty, data), IMAGES), IMAGES))


def test_the_published_suites():
    names = [each.name for each in rand_augment.get_rand_augment_suite()]
    assert names == [each.name for each in trivial_augment.get_trivial_augment_wide_suite()]
    assert names == [
        *("translate_x", "translate_y", "shear_x", "shear_y", "rotate", "brightness", "contrast", "color", "sharpness"),
        *("posterize", "solarize", "equalize", "auto_contrast", "identity"),
    ]
    wide = {each.name: each.mag_range for each in trivial_augment.get_trivial_augment_wide_suite(use_shape=True)}
    assert (wide["rotate"], wide["translate_x"], wide["posterize"]) == ((0, 135), (0, 1.0), (8, 2))
    odd = {each.name: each for each in rand_augment.get_rand_augment_non_monotonic_suite(max_translate_abs=(3, 5))}
    assert (odd["translate_y"].mag_range, odd["translate_x"].mag_range) == ((0, 3), (0, 5))
    assert (odd["color"].mag_range, odd["color"].randomly_negate) == ((0.1, 1.9), False)


@pytest.mark.parametrize(
    ("body", "error", "message"),
    [
        (lambda data: auto_augment.auto_augment(data, "cifar"), ValueError, "The `policy_name` must be a string"),
        (
            lambda data: auto_augment.auto_augment(data, "reduced_image_net", shape=(1, 1)),
            ValueError,
            "The `shape` arg",
        ),
        (lambda data: auto_augment.auto_augment(data, max_translate_rel=1), ValueError, "cannot be used without image"),
        (
            lambda data: rand_augment.rand_augment(data, 1, 1, shape=(1, 1), max_translate_abs=1),
            ValueError,
            "cannot be used with image shapes",
        ),
        (lambda data: rand_augment.rand_augment(data, -1, 1), ValueError, "`n` must be a non-negative integer, got -1"),
        (lambda data: rand_augment.rand_augment(data, 1, 31), ValueError, r"from `\[0, 30\]` range. Got 31"),
        (lambda data: rand_augment.rand_augment(data, 1, 1.5), ValueError, "Got 1.5"),
        (lambda data: rand_augment.rand_augment(data, 1, 1, excluded=["x"]), ValueError, "The `x` was specified"),
        (lambda data: rand_augment.apply_rand_augment([], data, 1, 1), ValueError, "list cannot be empty"),
        (lambda data: trivial_augment.apply_trivial_augment([], data), ValueError, "list cannot be empty"),
        (lambda data: trivial_augment.trivial_augment_wide(data, 0), ValueError, "must be a positive integer, got 0"),
        (lambda data: trivial_augment.trivial_augment_wide(data, max_translate_abs=(1, 2, 3)), ValueError, "got 3"),
        (
            lambda data: trivial_augment.apply_trivial_augment([a.invert], data, fill_value=1),
            UnusedArgException,
            "The kwarg `fill_value` is not used by any",
        ),
        (
            lambda data: rand_augment.apply_rand_augment([a.translate_x], data, 1, 1),
            MissingArgException,
            "`translate_x` requires `shape` argument",
        ),
        (lambda data: auto_augment.apply_auto_augment(Policy("x", 3, []), data), ValueError, "Cannot run empty policy"),
    ],
)
def test_what_cannot_be_applied(body, error, message):
    with pytest.raises(error, match=message):
        made_by(body, IMAGES[:2])


def test_layouts_that_are_no_images_are_refused():
    with pytest.raises(ValueError, match="CHW"):
        made_by(SUITES["trivial"], [image.transpose(2, 0, 1).copy() for image in IMAGES], "CHW")


@pytest.mark.parametrize("bins", [None, 0, -1, 2.5, "a"])
@pytest.mark.parametrize(
    "apply",
    [
        lambda data, bins: rand_augment.rand_augment(data, n=1, m=1, num_magnitude_bins=bins),
        lambda data, bins: rand_augment.apply_rand_augment([a.identity], data, n=1, m=1, num_magnitude_bins=bins),
        lambda data, bins: trivial_augment.trivial_augment_wide(data, num_magnitude_bins=bins),
    ],
)
def test_a_number_of_bins_is_a_positive_integer(apply, bins):
    with pytest.raises(ValueError, match=rf"^The `num_magnitude_bins` must be a positive integer, got {bins}"):
        apply(fn.constant(idata=1), bins)
