from __future__ import annotations

import numpy as np
import pytest

import penstock.dynamic as ndd


def rng() -> ndd.random.RNG:
    return ndd.random.RNG(1234)


def test_a_seed_gives_known_windows():
    anchors, shapes = ndd.random_crop_generator(ndd.batch([[375, 500]] * 2), rng=rng())
    assert [np.asarray(anchor).tolist() for anchor in anchors] == [[81, 272], [7, 117]]
    assert [np.asarray(shape).tolist() for shape in shapes] == [[145, 151], [359, 370]]
    assert anchors.dtype == shapes.dtype == ndd.int32


def test_they_are_the_windows_of_random_resized_crop():
    image = np.zeros((375, 500, 1), np.uint8)
    anchor, shape = (np.asarray(t) for t in ndd.random_crop_generator(ndd.tensor(image.shape), rng=rng()))
    top, left = anchor
    height, width = shape
    image[top : top + height, left : left + width] = 255
    seen = ndd.random_resized_crop(ndd.tensor(image, layout="HWC"), size=[height, width], rng=rng())
    assert np.asarray(seen).min() == 255


@pytest.mark.parametrize("size", [[5], [1, 2, 3, 4], [[2, 2]]])
def test_a_size_is_two_or_three_numbers(size):
    with ndd.EvalMode.sync_cpu, pytest.raises(RuntimeError, match="two or three numbers"):
        ndd.random_crop_generator(ndd.tensor(size))


def test_a_size_is_whole():
    with ndd.EvalMode.deferred, pytest.raises(RuntimeError, match="whole numbers"):
        ndd.random_crop_generator(ndd.tensor([2.5, 3.0]))
