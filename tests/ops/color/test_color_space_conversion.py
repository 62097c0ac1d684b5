"""color_space_conversion: every pair of colour spaces."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import penstock.dynamic as ndd
from ops.promises import check_operator, photos
from penstock.types import ANY_DATA, BGR, GRAY, RGB, YCbCr

PAIRS = list(itertools.permutations([RGB, BGR, GRAY, YCbCr], 2))


def converted(pixels, image_type, output_type):
    image = np.array([pixels], np.uint8)
    return np.asarray(ndd.color_space_conversion(image, image_type=image_type, output_type=output_type))[0].tolist()


@pytest.mark.parametrize(("image_type", "output_type"), PAIRS)
def test_every_pair_keeps_the_promises(image_type, output_type):
    images = photos([(6, 8), (1, 1), (3, 57)], channels=1 if image_type == GRAY else 3)
    check_operator("color_space_conversion", images, image_type=image_type, output_type=output_type)


@pytest.mark.parametrize("layout", ["HWC", "FHWC", "DHWC", "FDHWC"])
@pytest.mark.parametrize("output_type", [BGR, GRAY, YCbCr])
def test_every_layout_is_taken(layout, output_type):
    shape = (2, 2, 3, 20, 3)[5 - len(layout) :]
    samples = [np.random.default_rng(0).integers(0, 256, shape).astype(np.uint8)]
    check_operator("color_space_conversion", samples, layout=layout, image_type=RGB, output_type=output_type)


def test_colours_by_eye():
    primaries = [[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 255]]
    assert converted(primaries, RGB, GRAY) == [[76], [150], [29], [255]]
    assert converted(primaries, BGR, GRAY) == [[29], [150], [76], [255]]
    assert converted(primaries, RGB, YCbCr) == [[81, 90, 240], [145, 54, 34], [41, 240, 110], [235, 128, 128]]
    assert converted([[82, 90, 240], [235, 128, 128]], YCbCr, RGB) == [[255, 1, 0], [255, 255, 255]]
    assert converted([[1, 2, 3]], RGB, BGR) == [[3, 2, 1]]
    assert converted([[9], [255]], GRAY, RGB) == [[9, 9, 9], [255, 255, 255]]
    assert converted([[0], [255]], GRAY, YCbCr) == [[16, 128, 128], [235, 128, 128]]
    assert converted([[16, 7, 7], [235, 7, 7], [255, 7, 7]], YCbCr, GRAY) == [[0], [255], [255]]


def test_there_and_back_is_nearly_the_same():
    (image,) = photos([(40, 40)])
    there = ndd.color_space_conversion(image, image_type=RGB, output_type=YCbCr)
    back = np.asarray(ndd.color_space_conversion(there, image_type=YCbCr, output_type=RGB))
    assert np.abs(back.astype(int) - image).max() <= 2


def test_bad_calls_are_refused():
    image = np.zeros((2, 2, 3), np.uint8)
    with pytest.raises(RuntimeError, match="accept only uint8 tensors, got float"):
        ndd.color_space_conversion(image.astype(np.float32), image_type=RGB, output_type=GRAY)
    with pytest.raises(RuntimeError, match="conversion not supported: RGB to RGB"):
        ndd.color_space_conversion(image, image_type=RGB, output_type=RGB)
    with pytest.raises(RuntimeError, match="conversion not supported: RGB to ANY_DATA"):
        ndd.color_space_conversion(image, image_type=RGB, output_type=ANY_DATA)
    with pytest.raises(RuntimeError, match="expected 1 channels, got 3"):
        ndd.color_space_conversion(image, image_type=GRAY, output_type=RGB).evaluate()
    with pytest.raises(RuntimeError, match="expected 3 channels, got 1"):
        ndd.color_space_conversion(image[..., :1].copy(), image_type=YCbCr, output_type=GRAY).evaluate()
    with pytest.raises(TypeError, match="missing 1 required keyword-only argument: 'output_type'"):
        ndd.color_space_conversion(image, image_type=RGB)
    with pytest.raises(ValueError, match='The layout "CHW" does not match'):
        ndd.color_space_conversion(ndd.tensor(image, layout="CHW"), image_type=RGB, output_type=GRAY)


@given(st.integers(0, 5), st.integers(0, 90), st.sampled_from(PAIRS))
@settings(max_examples=60, deadline=None)
def test_any_size_is_converted(height, width, pair):
    images = photos([(height, width)], channels=1 if pair[0] == GRAY else 3, seed=width)
    check_operator("color_space_conversion", images, image_type=pair[0], output_type=pair[1])
