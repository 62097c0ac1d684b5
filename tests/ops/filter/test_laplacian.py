"""laplacian: derivatives, smoothing and their scales."""

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import penstock.dynamic as ndd
from ops.promises import check_operator, photos

SIZES = [(12, 17), (1, 5), (3, 1), (40, 33)]


def laplacian(array, layout="HW", **arguments):
    return np.asarray(ndd.laplacian(ndd.tensor(array, layout=layout), **arguments))


@pytest.mark.parametrize("size", [3, 5, 7, [3, 9]])
def test_bytes_keep_the_promises(size):
    check_operator("laplacian", photos(SIZES), window_size=size)
    check_operator("laplacian", photos(SIZES), window_size=size, normalized_kernel=True, atol=1)


@pytest.mark.parametrize("arguments", [{}, {"smoothing_size": 1}, {"smoothing_size": [5, 3], "scale": [0.5, -2.0]}])
@pytest.mark.parametrize("dtype", [np.float32, np.int16, np.int32])
def test_other_types_keep_the_promises(dtype, arguments):
    check_operator("laplacian", photos(SIZES, dtype=dtype), rtol=1e-5, atol=1e-2, **arguments)


def test_every_sample_may_have_its_own_windows():
    each = {"window_size": [3, 5, 7, 3], "smoothing_size": [1, 3, 5, 7], "scale": [1.0, 0.1, 0.01, 0.2]}
    check_operator("laplacian", photos(SIZES), per_sample=each, atol=1)


@pytest.mark.parametrize("layout", ["W", "HW", "HWC", "CHW", "FHWC", "DHW", "CDHW", "FDHWC"])
def test_every_layout_keeps_the_promises(layout):
    extents = {"F": 2, "D": 3, "C": 2, "H": 4, "W": 5}
    sample = np.random.default_rng(1).random([extents[name] for name in layout]).astype(np.float32)
    check_operator("laplacian", [sample], layout=layout, window_size=5, normalized_kernel=True, atol=1e-5)


def test_an_impulse_shows_the_filter():
    impulse = np.zeros((5, 5), np.float32)
    impulse[2, 2] = 1
    expected = np.array([[2, 0, 2], [0, -8, 0], [2, 0, 2]])
    np.testing.assert_array_equal(laplacian(impulse)[1:4, 1:4], expected)
    np.testing.assert_array_equal(laplacian(impulse, normalized_kernel=True)[1:4, 1:4], expected / 4)
    plain = [[0, 1, 0], [1, -4, 1], [0, 1, 0]]
    np.testing.assert_array_equal(laplacian(impulse, smoothing_size=1)[1:4, 1:4], plain)
    np.testing.assert_array_equal(laplacian(impulse, smoothing_size=1, scale=[1.0, 0.0])[1:4, 1:4][:, 1], [1, -2, 1])


@pytest.mark.parametrize("size", [3, 5, 7])
def test_images_are_filtered_as_opencv_does(size):
    image = photos([(30, 41)])[0]
    np.testing.assert_array_equal(laplacian(image, "HWC", window_size=size), cv2.Laplacian(image, -1, ksize=size))
    exact = cv2.Laplacian(image, cv2.CV_32F, ksize=size)
    np.testing.assert_allclose(laplacian(image, "HWC", window_size=size, dtype=ndd.float32), exact, rtol=1e-4, atol=0.1)


@pytest.mark.parametrize("size", [(1, 1), (1, 40), (40, 1), (2, 2), (33, 47)])
@pytest.mark.parametrize(("smoothing", "corner", "side", "middle"), [(3, 2, 0, -8), (1, 0, 1, -4)])
def test_bytes_under_windows_of_three_are_exact(size, smoothing, corner, side, middle):
    image = np.random.default_rng(1).integers(0, 256, (*size, 3)).astype(np.uint8)
    padded = np.pad(image.astype(np.int32), ((1, 1), (1, 1), (0, 0)), "reflect")
    weights = {(0, 0): middle, (0, 1): side, (1, 0): side, (1, 1): corner}
    wanted = sum(
        weights[abs(y - 1), abs(x - 1)] * padded[y : y + size[0], x : x + size[1]] for y in range(3) for x in range(3)
    )
    options = {"window_size": 3, "smoothing_size": smoothing}
    np.testing.assert_array_equal(laplacian(image, "HWC", dtype=ndd.float32, **options), wanted)
    np.testing.assert_array_equal(laplacian(image, "HWC", **options), np.clip(wanted, 0, 255))


def test_every_frame_may_have_its_own_window():
    video = np.stack(photos([(9, 9)] * 2))
    got = laplacian(video, "FHWC", window_size=ndd.per_frame(ndd.tensor([3, 5])))
    for frame, image, size in zip(got, video, [3, 5], strict=True):
        np.testing.assert_array_equal(frame, laplacian(image, "HWC", window_size=size))


@pytest.mark.parametrize("shape", [(0, 4, 3), (4, 0, 3), (4, 4, 0)])
def test_nothing_stays_nothing(shape):
    assert laplacian(np.zeros(shape, np.uint8), "HWC").shape == shape


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"window_size": 1}, "Window size must be an odd integer between 3 and 31, got 1"),
        ({"window_size": [3, 33]}, "got 33 for sample: 0"),
        ({"smoothing_size": 2}, "Smoothing window size must be an odd integer between 1 and 31, got 2"),
        ({"scale": [1.0, 2.0, 3.0]}, "expected to have 1 or 2 elements, got: 3"),
        ({"scale": 2.0, "normalized_kernel": True}, "cannot be specified when"),
        ({"dtype": ndd.int16}, "must be same as input, FLOAT"),
    ],
)
def test_arguments_that_make_no_sense_fail_at_the_call(arguments, message):
    with ndd.EvalMode.deferred, pytest.raises(RuntimeError, match=message):
        ndd.laplacian(ndd.tensor(np.zeros((4, 4, 3), np.uint8), layout="HWC"), **arguments)


@pytest.mark.parametrize("dtype", [np.float64, bool])
def test_types_the_operator_does_not_have_are_refused(dtype):
    with pytest.raises(RuntimeError, match="Unsupported data type"):
        ndd.laplacian(np.zeros((2, 2), dtype))


@settings(max_examples=30, deadline=None)
@given(
    st.tuples(st.integers(0, 9), st.integers(0, 40), st.integers(1, 4)),
    st.sampled_from([np.uint8, np.int16, np.float32]),
    st.lists(st.sampled_from([3, 5, 31]), min_size=2, max_size=2),
    st.none() | st.sampled_from([1, 3, 31]),
)
def test_any_image_and_window(shape, dtype, window_size, smoothing_size):
    image = np.random.default_rng(shape[1]).integers(0, 128, shape).astype(dtype)
    arguments = {"window_size": window_size, "smoothing_size": smoothing_size, "normalized_kernel": True}
    atol = 1 if np.dtype(dtype).kind != "f" else 1e-3
    check_operator("laplacian", [image], rtol=1e-5, atol=atol, **arguments)
