"""flip: images and volumes in every layout and type."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import penstock.dynamic as ndd
from ops.promises import check_operator, photos

LAYOUTS = ["FDHWC", "FHWC", "DHWC", "HWC", "FCDHW", "FCHW", "CDHW", "CHW"]
EXTENTS = {"F": 2, "D": 3, "C": 3, "H": 4, "W": 5}


@pytest.mark.parametrize(("horizontal", "vertical"), [(0, 0), (1, 0), (0, 1), (1, 1)])
def test_flip_keeps_the_promises(horizontal, vertical):
    check_operator("flip", photos([(4, 6), (1, 5), (3, 1)]), horizontal=horizontal, vertical=vertical)


def test_every_sample_may_be_flipped_its_own_way():
    each = {"horizontal": [0, 1, 1], "vertical": [1, 0, 1]}
    check_operator("flip", photos([(4, 6), (2, 40), (3, 3)]), per_sample=each)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("turned", ["W", "H", "D", "WH", "DHW"])
def test_every_layout_is_flipped_along_the_named_axes(layout, turned):
    image = np.random.default_rng(0).random([EXTENTS[name] for name in layout])
    flags = {"horizontal": "W" in turned, "vertical": "H" in turned, "depthwise": "D" in turned}
    (got,) = check_operator("flip", [image], layout=layout, **{name: int(flag) for name, flag in flags.items()})
    np.testing.assert_array_equal(got, np.flip(image, [axis for axis, name in enumerate(layout) if name in turned]))


def test_flip_mirrors_left_to_right_unless_told_otherwise():
    row = ndd.tensor([[[1], [2], [3]]], dtype=ndd.uint8, layout="HWC")
    assert np.asarray(ndd.flip(row)).ravel().tolist() == [3, 2, 1]
    column = ndd.tensor([[[1]], [[2]]], dtype=ndd.uint8, layout="HWC")
    assert np.asarray(ndd.flip(column, vertical=1, horizontal=0)).ravel().tolist() == [2, 1]


@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.uint16, np.int16, np.uint32, np.int64, np.float32, np.float64])
@pytest.mark.parametrize("channels", [1, 2, 3, 4, 7])
def test_pixels_of_every_size_are_moved_whole(dtype, channels):
    images = photos([(2, 37), (1, 16)], channels, dtype)
    for got, image in zip(check_operator("flip", images), images, strict=True):
        np.testing.assert_array_equal(got, image[:, ::-1])


@given(st.integers(0, 5), st.integers(0, 70), st.integers(1, 9))
@settings(max_examples=60, deadline=None)
def test_any_width_is_reversed(height, width, channels):
    image = np.random.default_rng(width).integers(0, 256, (height, width, channels)).astype(np.uint8)
    np.testing.assert_array_equal(np.asarray(ndd.flip(ndd.tensor(image, layout="HWC"))), image[:, ::-1])


@pytest.mark.parametrize("dtype", [np.float16, bool])
def test_types_the_operator_does_not_have_are_refused(dtype):
    with pytest.raises(RuntimeError, match=f"The element type {np.dtype(dtype).name} is not supported"):
        ndd.flip(np.zeros((2, 2, 1), dtype))


def test_layouts_the_operator_does_not_have_are_refused():
    with pytest.raises(ValueError, match='The layout "HW" does not match any of the allowed layouts'):
        ndd.flip(ndd.tensor(np.zeros((2, 2), np.uint8), layout="HW"))
    with pytest.raises(ValueError, match="The number of dimensions 2 does not match"):
        ndd.flip(np.zeros((2, 2), np.uint8))
