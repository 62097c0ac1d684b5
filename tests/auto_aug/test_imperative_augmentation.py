"""The same suites on Batches and Tensors, at once."""

from __future__ import annotations

import numpy as np
import pytest

import penstock.dynamic as ndd
from auto_aug.pipelines import pictures
from penstock.auto_aug import augmentations as a
from penstock.auto_aug import auto_augment, rand_augment, trivial_augment
from penstock.auto_aug.core import augmentation, signed_bin

IMAGES = pictures(32)


def batch():
    return ndd.batch(IMAGES, layout="HWC")


def arrays(made):
    return [np.asarray(each) for each in made]


SUITES = {
    "auto": lambda data: auto_augment.auto_augment(data, max_translate_abs=5),
    "auto, shape": lambda data: auto_augment.auto_augment(data, "svhn", shape=(17, 23)),
    "rand": lambda data: rand_augment.rand_augment(data, n=1, m=9),
    "rand, n=2": lambda data: rand_augment.rand_augment(data, n=2, m=17, max_translate_abs=7),
    "trivial": lambda data: trivial_augment.trivial_augment_wide(data),
}


@pytest.mark.parametrize("suite", SUITES)
def test_a_batch_is_augmented(suite):
    ndd.random.set_seed(4)
    first = arrays(SUITES[suite](batch()))
    second = arrays(SUITES[suite](batch()))
    ndd.random.set_seed(4)
    assert all(map(np.array_equal, first, arrays(SUITES[suite](batch()))))
    assert not all(map(np.array_equal, first, second))
    assert [each.shape for each in first] == [each.shape for each in IMAGES]
    changed = sum(not np.array_equal(*both) for both in zip(first, IMAGES, strict=True))
    assert 12 < changed <= 32


@pytest.mark.parametrize("suite", SUITES)
def test_a_tensor_and_a_clip_are_augmented(suite):
    made = SUITES[suite](ndd.tensor(IMAGES[0], layout="HWC"))
    assert isinstance(made, ndd.Tensor)
    assert made.shape == IMAGES[0].shape
    clip = SUITES[suite](ndd.batch([np.stack(IMAGES[:3])] * 4, layout="FHWC"))
    assert clip.layout == "FHWC"
    assert {each.shape for each in arrays(clip)} == {(3, 17, 23, 3)}


def test_single_augmentations():
    images = batch()
    assert all((255 - one == other).all() for one, other in zip(IMAGES, arrays(a.invert(images)), strict=True))
    (same,) = arrays(
        a.sharpness(ndd.batch(IMAGES[:1], layout="HWC"), magnitude_bin=signed_bin(0, 0), num_magnitude_bins=5)
    )
    assert (same == IMAGES[0]).all()
    bins = ndd.batch([np.int32(k % 3) for k in range(32)])
    solarized = arrays(a.solarize(images, magnitude_bin=bins, num_magnitude_bins=3))
    for k, (image, made) in enumerate(zip(IMAGES, solarized, strict=True)):
        assert (made == np.where(image < 256 - 128 * (k % 3), image, 255 - image)).all()
    signed = arrays(a.rotate(images, magnitude_bin=signed_bin(bins), num_magnitude_bins=3))
    assert all((signed[k] == IMAGES[k]).all() for k in range(0, 32, 3))
    shapes = ndd.batch([np.int32(image.shape) for image in IMAGES])
    moved = a.translate_x(images, magnitude_bin=signed_bin(1, 0), num_magnitude_bins=2, shape=shapes)
    assert all((each == 128).all() for each in arrays(moved))


def augmented_steps(batches):
    ndd.random.set_seed(4)
    return [array for data in batches for array in arrays(SUITES["auto"](data))]


def test_compiled_loops_make_the_same():
    source = ndd.ExternalSource([batch()] * 3, cycle=False)
    assert all(map(np.array_equal, augmented_steps(source.captured(32)), augmented_steps([batch()] * 3)))


def test_what_pipelines_alone_can_do_says_so():
    own = augmentation(lambda data, parameter: data)
    with pytest.raises(TypeError, match=r"apply_trivial_augment\(\) on Tensors and Batches"):
        trivial_augment.apply_trivial_augment([own, a.invert], batch())
    with pytest.raises(ValueError, match="`seed` is for pipelines"):
        trivial_augment.trivial_augment_wide(batch(), seed=3)
