"""gaussian_blur: windows, axes, types and layouts."""

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import penstock.dynamic as ndd
from ops.promises import check_operator, photos

SIZES = [(12, 17), (1, 5), (3, 1), (40, 33)]
EXTENTS = {"F": 2, "D": 3, "C": 2, "H": 4, "W": 5}
LAYOUTS = ["W", "CW", "WC", "HW", "HWC", "CHW", "FHWC", "FCHW", "CFHW", "DHW", "DHWC", "CDHW", "FDHWC", "FCDHW"]


def blurred(array, layout="HW", **arguments):
    return np.asarray(ndd.gaussian_blur(ndd.tensor(array, layout=layout), **arguments))


@pytest.mark.parametrize("size", [1, 3, 5, 9, 11, 31])
def test_bytes_are_blurred_as_promised(size):
    check_operator("gaussian_blur", photos(SIZES), window_size=size, atol=1)


@pytest.mark.parametrize("arguments", [{"sigma": 0.4}, {"sigma": 2.0}, {"sigma": [0.5, 2.5], "window_size": [0, 3]}])
def test_floats_are_blurred_as_promised(arguments):
    check_operator("gaussian_blur", photos(SIZES, dtype=np.float32), rtol=1e-5, atol=1e-4, **arguments)


def test_every_sample_may_have_its_own_window():
    each = {"sigma": [0.5, 1.0, 2.0, 3.0], "window_size": [[3, 5], [1, 1], [7, 3], [0, 9]]}
    check_operator("gaussian_blur", photos(SIZES), per_sample=each, atol=1)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_all_axes_but_frames_and_channels_are_blurred(layout):
    impulse = np.zeros([EXTENTS[name] for name in layout], np.float32)
    impulse[(1,) * impulse.ndim] = 1
    (got,) = check_operator("gaussian_blur", [impulse], layout=layout, window_size=3, atol=1e-6)
    for axis, name in enumerate(layout):
        beside = tuple(2 if other == axis else 1 for other in range(impulse.ndim))
        if name in "DHW":
            assert got[beside] > 0.01
    for axis, name in enumerate(layout):
        if name in "FC":
            np.testing.assert_array_equal(np.delete(got, 1, axis), 0)


def test_without_a_layout_all_axes_are_blurred():
    cube = np.zeros((3, 3, 3))
    cube[1, 1, 1] = 1
    result = ndd.gaussian_blur(cube, window_size=3)
    assert result.layout is None
    assert (np.asarray(result) > 0.01).all()


def test_windows_are_those_of_the_formula():
    impulse = np.zeros((1, 5), np.float32)
    impulse[0, 2] = 1
    side = np.exp(-1 / (2 * 0.8**2))
    expected = [0, side / (1 + 2 * side), 1 / (1 + 2 * side), side / (1 + 2 * side), 0]
    np.testing.assert_allclose(blurred(impulse, window_size=[1, 3])[0], expected, rtol=1e-6)
    assert np.count_nonzero(blurred(np.eye(1, 31, 15, dtype=np.float32), sigma=[1.0, 2.0])) == 13


def test_bytes_are_no_further_from_the_exact_result_than_rounding_and_a_little():
    for size in (3, 7, 17, 63):
        image = photos([(90, 70)], seed=size)[0]
        sigma = 0.3 * (size // 2 - 1) + 0.8
        exact = cv2.GaussianBlur(image.astype(np.float64), (size, size), sigma)
        got = blurred(image, "HWC", window_size=size)
        assert np.abs(got - exact).max() < 0.65
        assert np.abs(got - exact).mean() < 0.26


@pytest.mark.parametrize("size", [1, 3, 9, 11, 21])
def test_columns_do_not_depend_on_how_many_there_are(size):
    image = photos([(30, 70)], seed=size)[0]
    whole = blurred(image, "HWC", window_size=[size, 1])
    for width in range(1, 70):
        part = blurred(image[:, :width].copy(), "HWC", window_size=[size, 1])
        np.testing.assert_array_equal(part, whole[:, :width])


@pytest.mark.parametrize("value", [0, 1, 127, 255])
@pytest.mark.parametrize("size", [3, 31, 301])
def test_one_colour_stays_that_colour(value, size):
    np.testing.assert_array_equal(blurred(np.full((9, 21, 3), value, np.uint8), "HWC", window_size=size), value)


@pytest.mark.parametrize("dtype", [np.int8, np.uint16, np.int16, np.uint32, np.int32, np.uint64, np.int64])
def test_integers_of_every_size_are_rounded_and_keep_their_type(dtype):
    check_operator("gaussian_blur", photos([(8, 9), (3, 3)], dtype=dtype), sigma=0.7, atol=1)


@pytest.mark.parametrize("dtype", [np.float16, np.float64])
def test_floats_of_every_size_keep_their_type(dtype):
    rtol = 2e-3 if dtype is np.float16 else 1e-6
    check_operator("gaussian_blur", photos([(8, 9), (3, 3)], dtype=dtype), sigma=0.7, rtol=rtol)


def test_any_type_becomes_float32_on_request():
    (got,) = check_operator("gaussian_blur", photos([(8, 9)]), sigma=0.7, dtype=ndd.float32, rtol=1e-5, atol=1e-4)
    assert got.dtype == np.float32


def test_large_integers_keep_more_digits_than_a_float_has():
    big = np.full((2, 4), 2**31 - 2, np.int32)
    np.testing.assert_array_equal(blurred(big, window_size=1), big)


def test_every_frame_may_have_its_own_sigma():
    video = np.stack(photos([(9, 9)] * 3))
    got = blurred(video, "FHWC", sigma=ndd.per_frame(ndd.tensor([0.5, 1.0, 2.0])))
    for frame, image, sigma in zip(got, video, [0.5, 1.0, 2.0], strict=True):
        np.testing.assert_array_equal(frame, blurred(image, "HWC", sigma=sigma))


def test_no_samples_need_no_arguments():
    nothing = ndd.batch([], dtype=ndd.uint8)
    empty = ndd.batch(photos([(4, 4)]), layout="HWC").select([])
    assert ndd.gaussian_blur(empty, sigma=ndd.cast(nothing, dtype=ndd.float32)).evaluate().shape == []


@pytest.mark.parametrize("shape", [(0, 4, 3), (4, 0, 3), (4, 4, 0)])
def test_nothing_stays_nothing(shape):
    assert blurred(np.zeros(shape, np.uint8), "HWC", sigma=1.0).shape == shape


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "shouldn't be 0 at the same time"),
        ({"sigma": -1.0}, "non-negative values, got -1 for sample: 0, axis: 0"),
        ({"window_size": [3, -3]}, "non-negative values, got -3 for sample: 0, axis : 1"),
        ({"window_size": 4}, "odd length, got: 4"),
        ({"sigma": [1.0, 1.0, 1.0]}, "expected to have 1 or 2 elements, got: 3"),
        ({"sigma": float("inf")}, "too large"),
        ({"sigma": 1e10}, "too large"),
        ({"window_size": 100_001}, "too large"),
        ({"sigma": 1.0, "dtype": ndd.int16}, "must be same as input, FLOAT"),
    ],
)
def test_arguments_that_make_no_sense_fail_at_the_call(arguments, message):
    with ndd.EvalMode.deferred, pytest.raises(RuntimeError, match=message):
        ndd.gaussian_blur(ndd.tensor(np.zeros((4, 4, 3), np.uint8), layout="HWC"), **arguments)


def test_bad_arguments_of_one_sample_name_it():
    images = ndd.batch(photos([(4, 4)] * 2), layout="HWC")
    even, many = ndd.batch([3, 4]), ndd.batch([[3], [3, 3, 3]])
    with pytest.raises(RuntimeError, match=r"odd length, got: 4\. It is that of sample: 1"):
        ndd.gaussian_blur(images, window_size=even).evaluate()
    with pytest.raises(RuntimeError, match="for sample 1 is expected to have 1 or 2 elements, got: 3"):
        ndd.gaussian_blur(images, window_size=many).evaluate()
    with pytest.raises(ValueError, match="NaN"):
        ndd.gaussian_blur(np.zeros((4, 4)), sigma=float("nan"))
    with pytest.raises(ValueError, match="batch size"):
        ndd.gaussian_blur(ndd.batch(photos([(4, 4)] * 2)), sigma=ndd.batch([1.0, 2.0, 3.0])).evaluate()


@pytest.mark.parametrize(
    ("layout", "message"),
    [("C", "No spatial axes"), ("FC", "No spatial axes"), ("HCW", "channel-first or"), ("HFW", "should begin with"),
     ("ABDE", "Too many"), ("F", "cannot have no dimensions")],
)  # fmt: skip
def test_layouts_without_images_are_refused(layout, message):
    with pytest.raises(RuntimeError, match=message):
        blurred(np.zeros((2,) * len(layout), np.uint8), layout, sigma=1.0)
    with pytest.raises(RuntimeError, match="cannot have more than 3 dimensions"):
        ndd.gaussian_blur(np.zeros((2, 2, 2, 2)), sigma=1.0)


def test_booleans_are_refused():
    with pytest.raises(RuntimeError, match="Unsupported data type: bool"):
        ndd.gaussian_blur(np.zeros((2, 2), bool), sigma=1.0)


@settings(max_examples=40, deadline=None)
@given(
    st.tuples(st.integers(0, 9), st.integers(0, 40), st.integers(1, 4)),
    st.sampled_from([np.uint8, np.int16, np.int32, np.float32, np.float64]),
    st.lists(st.floats(0.05, 6), min_size=2, max_size=2),
    st.lists(st.sampled_from([0, 1, 3, 7, 21]), min_size=2, max_size=2),
)
def test_any_image_and_window(shape, dtype, sigma, window_size):
    image = np.random.default_rng(shape[1]).integers(0, 128, shape).astype(dtype)
    atol = 1 if np.dtype(dtype).kind != "f" else 1e-4
    check_operator("gaussian_blur", [image], sigma=sigma, window_size=window_size, rtol=1e-5, atol=atol)


def test_a_deviation_of_0_that_is_given_leaves_the_image():
    images = ndd.batch(photos([(9, 12), (7, 7)]), layout="HWC")
    left = ndd.gaussian_blur(images, sigma=0.0, window_size=5)
    drawn = ndd.gaussian_blur(images, sigma=ndd.batch([0.0, 1.5]), window_size=5)
    blurred = ndd.gaussian_blur(images, sigma=1.5, window_size=5)
    for image, same, some, other, i in zip(images, left, drawn, blurred, range(2), strict=True):
        np.testing.assert_array_equal(np.asarray(same), np.asarray(image))
        np.testing.assert_array_equal(np.asarray(some), np.asarray(other if i else image))
    check_operator("gaussian_blur", photos([(9, 12), (7, 7)]), sigma=[0.0, 2.0], window_size=7, atol=1)


def test_a_deviation_that_is_not_given_is_made_from_the_window():
    images = ndd.batch(photos([(9, 12)]), layout="HWC")
    made = ndd.gaussian_blur(images, window_size=5)
    np.testing.assert_array_equal(made.numpy(), ndd.gaussian_blur(images, window_size=5, sigma=1.1).numpy())
