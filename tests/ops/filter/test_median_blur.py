"""median_blur, held to OpenCV and to its definition."""

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import penstock.dynamic as ndd
from ops.promises import check_operator, photos


def blurred(image, layout="HWC", **arguments):
    return np.asarray(ndd.experimental.median_blur(ndd.tensor(image, layout=layout), **arguments))


def medians(image, height, width):
    """By definition, one pixel after the other."""
    if not image.size:
        return image
    padded = np.pad(image, [(height // 2, height // 2), (width // 2, width // 2), (0, 0)], "edge")
    result = np.empty_like(image)
    for y, x in np.ndindex(image.shape[:2]):
        result[y, x] = np.median(padded[y : y + height, x : x + width], axis=(0, 1))
    return result


@pytest.mark.parametrize("size", [1, 3, [5, 5], [3, 7], 9])
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.int16, np.int32, np.float32])
def test_the_promises_are_kept_and_the_medians_right(size, dtype):
    height, width = size if isinstance(size, list) else (size, size)
    images = photos([(9, 12), (1, 5), (3, 1)], dtype=dtype)
    for got, image in zip(check_operator("experimental.median_blur", images, window_size=size), images, strict=True):
        np.testing.assert_array_equal(got, medians(image, height, width))


@pytest.mark.parametrize("size", [3, 5, 7, 21])
def test_images_are_blurred_as_opencv_does(size):
    image = photos([(70, 61)])[0]
    np.testing.assert_array_equal(blurred(image, window_size=size), cv2.medianBlur(image, size))


@pytest.mark.parametrize("channels", [1, 2, 3, 4, 5])
def test_any_number_of_channels(channels):
    image = photos([(9, 8)], channels)[0]
    np.testing.assert_array_equal(blurred(image), medians(image, 3, 3))


@pytest.mark.parametrize("layout", ["HW", "HWC", "CHW", "FHWC", "FCHW"])
def test_every_layout_is_blurred_along_height_and_width(layout):
    extents = {"F": 2, "C": 3, "H": 7, "W": 9}
    sample = np.random.default_rng(0).integers(0, 256, [extents[axis] for axis in layout]).astype(np.uint8)
    check_operator("experimental.median_blur", [sample], layout=layout, window_size=[5, 3])


def test_every_sample_may_have_its_own_window():
    check_operator(
        "experimental.median_blur", photos([(9, 9)] * 3), per_sample={"window_size": [[1, 1], [3, 5], [7, 7]]}
    )


def test_a_speck_vanishes_and_an_edge_stays():
    image = np.repeat(np.array([[0, 0, 0, 200, 200, 200]], np.uint8), 5, axis=0)
    dotted = image.copy()
    dotted[2, 1] = 255
    np.testing.assert_array_equal(blurred(dotted, "HW"), image)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"window_size": 4}, "must be odd, from 1 to 255, got 4"),
        ({"window_size": [3, -1]}, "got -1 for sample: 0, axis: 1"),
        ({"window_size": 257}, "got 257"),
        ({"window_size": [3, 3, 3]}, "expected to have 1 or 2 elements, got: 3"),
    ],
)
def test_arguments_that_make_no_sense_fail_at_the_call(arguments, message):
    with ndd.EvalMode.deferred, pytest.raises(RuntimeError, match=message):
        blurred(np.zeros((4, 4, 3), np.uint8), **arguments)


def test_other_types_layouts_and_empty_images():
    with pytest.raises(RuntimeError, match="Unsupported data type: double"):
        blurred(np.zeros((4, 4, 3)))
    with pytest.raises(ValueError, match='The layout "DHWC" does not match'):
        blurred(np.zeros((2, 4, 4, 3), np.uint8), "DHWC")
    for shape in [(0, 4, 3), (4, 0, 3), (4, 4, 0)]:
        assert blurred(np.zeros(shape, np.uint8)).shape == shape


@settings(max_examples=25, deadline=None)
@given(
    st.tuples(st.integers(0, 9), st.integers(0, 9), st.integers(1, 5)),
    st.tuples(st.sampled_from([1, 3, 5, 9]), st.sampled_from([1, 3, 5, 9])),
    st.sampled_from([np.uint8, np.int16, np.float32]),
)
def test_any_image_and_window(shape, size, dtype):
    image = np.random.default_rng(shape[1]).integers(0, 128, shape).astype(dtype)
    (got,) = check_operator("experimental.median_blur", [image], window_size=list(size))
    np.testing.assert_array_equal(got, medians(image, *size))
