"""dilate and erode, held to OpenCV."""

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import penstock.dynamic as ndd
from ops.promises import check_operator, photos

SIZES = [(12, 17), (1, 5), (3, 1), (40, 33)]
BORDERS = {
    "constant": cv2.BORDER_CONSTANT,
    "replicate": cv2.BORDER_REPLICATE,
    "reflect": cv2.BORDER_REFLECT,
    "reflect_101": cv2.BORDER_REFLECT_101,
}
BOTH = pytest.mark.parametrize("name", ["dilate", "erode"])


def run(name, image, layout="HWC", **arguments):
    return np.asarray(getattr(ndd.experimental, name)(ndd.tensor(image, layout=layout), **arguments))


@BOTH
@pytest.mark.parametrize("arguments", [{}, {"mask_size": [5, 2]}, {"mask_size": 7, "anchor": [0, 6], "iterations": 2}])
def test_the_promises_are_kept(name, arguments):
    check_operator(f"experimental.{name}", photos(SIZES), **arguments)


@BOTH
@pytest.mark.parametrize("border", [*BORDERS, "wrap"])
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.int16, np.float32])
def test_every_type_and_border_keep_the_promises(name, border, dtype):
    check_operator(f"experimental.{name}", photos(SIZES, dtype=dtype), mask_size=[3, 4], border_mode=border)


@BOTH
def test_every_sample_may_have_its_own_mask(name):
    each = {"mask_size": [[3, 3], [1, 5], [9, 2], [4, 4]], "anchor": [[0, 0], [-1, 4], [8, 1], [-1, -1]]}
    check_operator(f"experimental.{name}", photos(SIZES), per_sample=each)


@BOTH
@pytest.mark.parametrize("border", BORDERS)
@pytest.mark.parametrize("mask", [(3, 3), (1, 7), (6, 1), (4, 5), (31, 31)])
def test_images_are_changed_as_opencv_does(name, border, mask):
    image, kernel = photos([(70, 61)])[0], np.ones(mask, np.uint8)
    expected = getattr(cv2, name)(image, kernel, borderType=BORDERS[border])
    if border == "constant":  # without a border value of its own, OpenCV lets nothing beyond the edges count
        expected = getattr(cv2, name)(image, kernel)
    np.testing.assert_array_equal(run(name, image, mask_size=list(mask), border_mode=border), expected)


@BOTH
def test_iterations_and_anchors_are_those_of_opencv(name):
    image, kernel = photos([(30, 31)])[0], np.ones((3, 4), np.uint8)
    for iterations in (0, 1, 3):
        expected = getattr(cv2, name)(image, kernel, anchor=(3, 0), iterations=iterations)
        got = run(name, image, mask_size=[3, 4], anchor=[0, 3], iterations=iterations)
        np.testing.assert_array_equal(got, expected)


def test_a_spot_grows_and_vanishes():
    spot = np.zeros((5, 5), np.uint8)
    spot[2, 2] = 9
    grown = run("dilate", spot, "HW", mask_size=[3, 1])
    assert grown[:, 2].tolist() == [0, 9, 9, 9, 0]
    np.testing.assert_array_equal(run("erode", grown, "HW", mask_size=[3, 1]), spot)
    np.testing.assert_array_equal(run("erode", spot, "HW"), 0)
    assert run("dilate", spot, "HW", mask_size=[1, 5], border_mode="wrap")[2].tolist() == [9] * 5


@BOTH
@pytest.mark.parametrize("layout", ["HW", "HWC", "CHW", "FHWC", "FCHW"])
def test_every_layout_is_changed_along_height_and_width(name, layout):
    extents = {"F": 2, "C": 3, "H": 7, "W": 9}
    sample = np.random.default_rng(0).integers(0, 256, [extents[axis] for axis in layout]).astype(np.uint8)
    check_operator(f"experimental.{name}", [sample], layout=layout, mask_size=[3, 5])


def test_every_frame_may_have_its_own_mask():
    video = np.stack(photos([(9, 9)] * 2))
    got = run("dilate", video, "FHWC", mask_size=ndd.per_frame(ndd.tensor([[3, 3], [1, 5]])))
    for frame, image, mask in zip(got, video, [[3, 3], [1, 5]], strict=True):
        np.testing.assert_array_equal(frame, run("dilate", image, mask_size=mask))


@BOTH
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"mask_size": [0, 3]}, "mask_size must be positive, got 0"),
        ({"mask_size": [3, 3, 3]}, "expected to have 1 or 2 elements, got: 3"),
        ({"mask_size": [3, 3], "anchor": [0, 3]}, "the anchor 3 lies outside a mask of 3 for sample: 0, axis: 1"),
        ({"anchor": [-2, 0]}, "the anchor -2 lies outside"),
        ({"iterations": -1}, "iterations must not be negative, got -1"),
        ({"iterations": 1_000_000}, "is larger than 65535 pixels"),
        ({"border_mode": "mirror"}, "border_mode"),
    ],
)
def test_arguments_that_make_no_sense_fail_at_the_call(name, arguments, message):
    with ndd.EvalMode.deferred, pytest.raises(RuntimeError, match=message):
        run(name, np.zeros((4, 4, 3), np.uint8), **arguments)


@BOTH
def test_other_types_layouts_and_empty_images(name):
    with pytest.raises(RuntimeError, match="Unsupported data type: double"):
        run(name, np.zeros((4, 4, 3)))
    with pytest.raises(ValueError, match='The layout "DHWC" does not match'):
        run(name, np.zeros((2, 4, 4, 3), np.uint8), "DHWC")
    for shape in [(0, 4, 3), (4, 0, 3), (4, 4, 0)]:
        assert run(name, np.zeros(shape, np.uint8)).shape == shape


@settings(max_examples=40, deadline=None)
@given(
    st.tuples(st.integers(0, 20), st.integers(0, 70), st.integers(1, 4)),
    st.tuples(st.integers(1, 12), st.integers(1, 12)),
    st.sampled_from([*BORDERS, "wrap"]),
    st.sampled_from(["dilate", "erode"]),
    st.data(),
)
def test_any_image_and_mask(shape, mask, border, name, data):
    image = np.random.default_rng(shape[1]).integers(0, 256, shape).astype(np.uint8)
    anchor = [data.draw(st.integers(-1, extent - 1)) for extent in mask]
    check_operator(f"experimental.{name}", [image], mask_size=list(mask), anchor=anchor, border_mode=border)
