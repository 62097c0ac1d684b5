"""equalize: flat histograms."""

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import penstock.dynamic as ndd
from ops.promises import check_operator, photos

EXTENTS = {"F": 2, "C": 3, "H": 9, "W": 40}


def dull(shape, seed=0):
    """An image of few levels."""
    return np.clip(np.random.default_rng(seed).normal(100, 20, shape), 0, 255).astype(np.uint8)


@pytest.mark.parametrize("layout", ["HW", "HWC", "CHW", "FHW", "FHWC", "FCHW"])
def test_equalize_keeps_the_promises(layout):
    image = dull([EXTENTS[name] for name in layout])
    check_operator("equalize", [image, image.clip(0, 90)], layout=layout)


@pytest.mark.parametrize("channels", [1, 2, 3, 5])
def test_every_channel_is_equalised_by_itself(channels):
    image = dull((30, 41, channels)) + np.arange(channels, dtype=np.uint8)
    (result,) = check_operator("equalize", [image])
    for c in range(channels):
        np.testing.assert_array_equal(result[..., c], cv2.equalizeHist(np.ascontiguousarray(image[..., c])))


def test_levels_by_eye():
    row = ndd.tensor(np.array([[0, 0, 1, 2]], np.uint8), layout="HW")
    assert np.asarray(ndd.equalize(row)).tolist() == [[0, 0, 128, 255]]


def test_a_single_level_stays():
    flat = np.full((4, 5, 3), 9, np.uint8)
    (result,) = check_operator("equalize", [flat])
    np.testing.assert_array_equal(result, flat)


def test_bad_images_are_refused():
    with pytest.raises(RuntimeError, match="Unsupported input type for equalize operator: float"):
        ndd.equalize(np.zeros((2, 2), np.float32))
    with pytest.raises(ValueError, match='The layout "DHWC" does not match'):
        ndd.equalize(ndd.tensor(np.zeros((2, 2, 2, 3), np.uint8), layout="DHWC"))
    with pytest.raises(ValueError, match="The number of dimensions 1 does not match"):
        ndd.equalize(np.zeros(2, np.uint8))


@given(st.integers(0, 12), st.integers(0, 70), st.integers(1, 4), st.integers(1, 256))
@settings(max_examples=60, deadline=None)
def test_any_image_is_equalised(height, width, channels, levels):
    (image,) = photos([(height, width)], channels, seed=width)
    check_operator("equalize", [image % np.uint16(levels).astype(np.uint8) if levels < 256 else image])
