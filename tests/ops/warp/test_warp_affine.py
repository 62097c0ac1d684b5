"""warp_affine: by a matrix given as argument or input."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import penstock.dynamic as ndd
from ops.promises import check_operator
from ops.warp.warps import counted, smooth
from penstock import types

TURN = [0.8, -0.5, 4.3, 0.45, 0.9, -2.7]
SOLID = [0.913, 0.107, 0, 0.33, -0.119, 1.03, 0.21, -0.41, 0, 0.13, 0.83, 0.57]
RIGHT = [1, 0, 1, 0, 1, 0]


@pytest.mark.parametrize("dtype", [np.uint8, np.int16, np.int32, np.float32])
@pytest.mark.parametrize("arguments", [{}, {"fill_value": 20}, {"inverse_map": False}, {"size": [7, 50]}])
def test_warp_affine_keeps_the_promises(dtype, arguments):
    images = [smooth(13, 21, dtype=dtype), smooth(40, 3, dtype=dtype), smooth(1, 1, dtype=dtype)]
    check_operator("warp_affine", images, matrix=TURN, atol=1 if np.dtype(dtype).kind in "iu" else 1e-3, **arguments)


@pytest.mark.parametrize("channels", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("interp", [types.INTERP_NN, types.INTERP_LINEAR])
@pytest.mark.parametrize("fill_value", [None, 3])
def test_any_number_of_channels(channels, interp, fill_value):
    images = [smooth(33, 290, channels)]
    check_operator("warp_affine", images, matrix=TURN, interp_type=interp, fill_value=fill_value, atol=1)


@pytest.mark.parametrize("arguments", [{}, {"fill_value": 3}, {"inverse_map": False, "size": [3, 4, 5]}])
def test_volumes_take_three_rows_of_four(arguments):
    volumes = [smooth(7, 8, 2, np.float32, depth=6), smooth(2, 1, 1, np.float32, depth=1)]
    for volume in volumes:
        check_operator("warp_affine", [volume], layout="DHWC", matrix=SOLID, atol=1e-3, **arguments)


def test_every_sample_may_have_its_own_matrix():
    images = [smooth(8, 9), smooth(5, 5)]
    matrices = [np.float32(TURN).reshape(2, 3), np.float32(RIGHT).reshape(2, 3)]
    check_operator("warp_affine", images, per_sample={"matrix": matrices, "size": [[4, 5], [9, 9]]}, atol=1)


def test_the_matrix_leads_from_the_result_to_the_image():
    row = ndd.tensor([[[1], [2], [3]]], dtype=ndd.uint8, layout="HWC")
    assert np.asarray(ndd.warp_affine(row, matrix=RIGHT, fill_value=0)).ravel().tolist() == [2, 3, 0]
    assert np.asarray(ndd.warp_affine(row, matrix=RIGHT)).ravel().tolist() == [2, 3, 3]
    back = ndd.warp_affine(row, matrix=RIGHT, fill_value=0, inverse_map=False)
    assert np.asarray(back).ravel().tolist() == [0, 1, 2]
    halves = ndd.warp_affine(row, matrix=[1, 0, 0.5, 0, 1, 0], dtype=ndd.float32)
    assert np.asarray(halves).ravel().tolist() == [1.5, 2.5, 3.0]


@pytest.mark.parametrize("dtype", [np.uint8, np.float32])
def test_a_result_drawn_in_strips_is_the_one_drawn_by_rows(dtype):
    image = np.random.default_rng(0).integers(0, 256, (180, 2100, 3)).astype(dtype)  # more than 1 MB
    wide = np.asarray(ndd.warp_affine(image, matrix=TURN, size=[150, 2100]))  # and rows of more than 2048 pixels
    np.testing.assert_array_equal(wide[:, :2048], np.asarray(ndd.warp_affine(image, matrix=TURN, size=[150, 2048])))


@pytest.mark.parametrize("channels", [3, 4])
@pytest.mark.parametrize("size", [(37, 53), (1, 9), (9, 1), (2, 2)])
@pytest.mark.parametrize("fill_value", [None, 3])
def test_channels_of_floats_taken_together_are_those_taken_one_by_one(channels, size, fill_value):
    image = np.random.default_rng(0).normal(size=(*size, channels)).astype(np.float32)
    together = np.asarray(ndd.warp_affine(image, matrix=TURN, fill_value=fill_value, size=[40, 60]))
    for channel in range(channels):
        alone = ndd.warp_affine(image[:, :, [channel]], matrix=TURN, fill_value=fill_value, size=[40, 60])
        np.testing.assert_array_equal(together[:, :, [channel]], np.asarray(alone))


def test_an_unmoved_image_stays_as_it_is():
    image = np.random.default_rng(0).integers(0, 256, (37, 300, 3)).astype(np.uint8)
    np.testing.assert_array_equal(np.asarray(ndd.warp_affine(image, matrix=[1, 0, 0, 0, 1, 0])), image)


def test_whole_steps_show_every_second_pixel():
    image = counted(6, 8)
    small = ndd.warp_affine(image, matrix=[2, 0, -0.5, 0, 2, -0.5], size=[3, 4])
    np.testing.assert_array_equal(np.asarray(small), image[::2, ::2])


@pytest.mark.parametrize("dtype", [np.uint8, np.int16, np.float32])
def test_the_nearest_pixel_of_three_channels_is_copied_whole(dtype):
    image = np.arange(5 * 7 * 3).reshape(5, 7, 3).astype(dtype)
    turned = np.float32([[-1, 0, 7], [0, -1, 5]])  # the last pixel is the first of the result
    warped = ndd.warp_affine(
        ndd.tensor(image, layout="HWC"), matrix=turned, size=[7, 9], fill_value=50, interp_type=types.INTERP_NN
    )
    expected = np.full((7, 9, 3), 50, dtype)
    expected[:5, :7] = image[::-1, ::-1]
    np.testing.assert_array_equal(np.asarray(warped), expected)


def test_the_matrix_may_be_an_input():
    images = ndd.batch([smooth(8, 9), smooth(5, 5)], layout="HWC")
    matrix = ndd.tensor(np.float32(TURN).reshape(2, 3))
    given = [np.asarray(t) for t in ndd.warp_affine(images, matrix, fill_value=1)]
    for got, wanted in zip(given, ndd.warp_affine(images, matrix=TURN, fill_value=1), strict=True):
        np.testing.assert_array_equal(got, np.asarray(wanted))


def test_frames_may_have_matrices_of_their_own():
    video = ndd.tensor(np.stack([smooth(8, 9)] * 2), layout="FHWC")
    matrices = np.float32([TURN, RIGHT]).reshape(2, 2, 3)
    marked = np.asarray(ndd.warp_affine(video, matrix=ndd.per_frame(ndd.tensor(matrices))))
    for frame, matrix in zip(marked, matrices, strict=True):
        np.testing.assert_array_equal(frame, np.asarray(ndd.warp_affine(smooth(8, 9), matrix=matrix)))
    np.testing.assert_array_equal(np.asarray(ndd.warp_affine(video, ndd.tensor(matrices, layout="F**"))), marked)


def test_an_empty_image_is_all_fill_value():
    filled = ndd.warp_affine(np.zeros((0, 5, 3), np.uint8), matrix=RIGHT, size=[2, 2], fill_value=7)
    assert (np.asarray(filled) == 7).all()
    with pytest.raises(RuntimeError, match="no edge to show"):
        np.asarray(ndd.warp_affine(np.zeros((0, 5, 3), np.uint8), matrix=RIGHT, size=[2, 2]))


NUMBERS = st.one_of(st.floats(-3, 3, width=32), st.sampled_from([0.0, 1e30, -1e30, float("inf")]))


@given(
    st.tuples(st.integers(1, 30), st.integers(1, 30), st.integers(1, 5)),
    st.lists(NUMBERS, min_size=6, max_size=6),
    st.sampled_from([np.uint8, np.int16, np.int32, np.float32]),
    st.booleans(),
    st.booleans(),
)
@settings(max_examples=80, deadline=None)
def test_any_matrix_shows_only_colours_there_are(shape, matrix, dtype, linear, filled):
    interp = types.INTERP_LINEAR if linear else types.INTERP_NN
    image = np.random.default_rng(1).integers(40, 90, shape).astype(dtype)
    fill = 60 if filled else None
    made = np.asarray(ndd.warp_affine(image, matrix=matrix, size=[9, 270], interp_type=interp, fill_value=fill))
    assert made.shape == (9, 270, shape[2])
    assert ((made >= 40) & (made < 90)).all()


@given(st.integers(1, 40), st.integers(1, 300), st.integers(1, 5), st.lists(st.floats(-2, 2), min_size=6, max_size=6))
@settings(max_examples=60, deadline=None)
def test_bytes_are_within_one_of_floats(height, width, channels, matrix):
    image = np.random.default_rng(height).integers(0, 256, (height, width, channels)).astype(np.uint8)
    whole = np.asarray(ndd.warp_affine(image, matrix=matrix, fill_value=9)).astype(np.float32)
    exact = np.asarray(ndd.warp_affine(image, matrix=matrix, fill_value=9, dtype=ndd.float32))
    assert np.abs(whole - exact).max(initial=0) < 1.1


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({}, RuntimeError, "`matrix` argument must be provided"),
        ({"matrix": [1, 0, 0, 0, 1]}, RuntimeError, "must have 6 elements"),
        ({"matrix": [0] * 6, "inverse_map": False}, ValueError, "singular"),
        ({"matrix": [float("nan")] * 6}, ValueError, "NaN"),
        ({"matrix": RIGHT, "size": [5]}, RuntimeError, "needs 2 numbers"),
        ({"matrix": RIGHT, "interp_type": types.INTERP_CUBIC}, RuntimeError, "Only nearest and linear"),
        ({"matrix": RIGHT, "dtype": ndd.float64}, RuntimeError, "uint8 -> double"),
    ],
)
def test_bad_arguments_are_refused(arguments, error, message):
    with pytest.raises(error, match=message):
        ndd.warp_affine(smooth(3, 3), **arguments)


def test_bad_input_is_refused():
    with pytest.raises(RuntimeError, match="float32"):
        ndd.warp_affine(smooth(3, 3), np.eye(3)[:2])
    with pytest.raises(RuntimeError, match="must have 6 elements"):
        np.asarray(ndd.warp_affine(smooth(3, 3), np.eye(3, dtype=np.float32)))
    with pytest.raises(ValueError, match="layout"):
        ndd.warp_affine(ndd.tensor(smooth(3, 3), layout="CHW"), matrix=RIGHT)


@pytest.mark.parametrize("interp", [types.INTERP_LINEAR, types.INTERP_NN])
@pytest.mark.parametrize("dtype", [np.uint8, np.float32])
def test_images_of_more_elements_than_32_bits_number(interp, dtype):
    plane = np.zeros((30000, 30000, 3), dtype)  # its pages are made when they are touched, which are a few
    plane[-2:, -2:] = np.arange(12).reshape(2, 2, 3) + 100
    arguments = {"matrix": [1, 0, 29998, 0, 1, 29998], "size": [3, 3], "interp_type": interp}
    corner = ndd.warp_affine(ndd.as_tensor(plane, layout="HWC"), fill_value=7, **arguments)
    assert np.asarray(corner)[..., 0].tolist() == [[100, 103, 7], [106, 109, 7], [7, 7, 7]]
    edge = ndd.warp_affine(ndd.as_tensor(plane, layout="HWC"), **arguments)
    assert np.asarray(edge)[..., 2].tolist() == [[102, 105, 105], [108, 111, 111], [108, 111, 111]]
