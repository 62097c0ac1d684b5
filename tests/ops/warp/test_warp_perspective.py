"""experimental.warp_perspective: images seen from elsewhere, as OpenCV shows them."""

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import penstock.dynamic as ndd
from ops.promises import check_operator
from ops.warp.warps import smooth
from penstock import types

warp_perspective = ndd.experimental.warp_perspective
VIEW = [0.913, 0.107, 1.53, -0.057, 1.113, -1.27, 0.0031, -0.0023, 1]
RIGHT = [1, 0, 2, 0, 1, 0, 0, 0, 1]
BORDERS = ["constant", "replicate", "reflect", "reflect_101", "wrap"]


@pytest.mark.parametrize("border_mode", BORDERS)
@pytest.mark.parametrize("interp", [types.INTERP_NN, types.INTERP_LINEAR, types.INTERP_CUBIC])
def test_every_border_keeps_the_promises(border_mode, interp):
    images = [smooth(23, 31), smooth(1, 9), smooth(12, 1)]
    arguments = {"matrix": VIEW, "interp_type": interp, "border_mode": border_mode}
    check_operator("experimental.warp_perspective", images, atol=1, **arguments)


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.float32])
@pytest.mark.parametrize("channels", [1, 3, 4])
def test_pixels_of_every_kind_are_shown(dtype, channels):
    images = [smooth(23, 270, channels, dtype)]
    atol = 1 if np.dtype(dtype).kind == "u" else 1e-2
    check_operator("experimental.warp_perspective", images, matrix=VIEW, size=[30, 280], fill_value=5, atol=atol)


def test_more_kinds_than_opencv_interpolates_exactly():
    for image in (smooth(23, 27, 5), smooth(23, 27, 2), smooth(23, 27, 1, np.int16)):
        check_operator("experimental.warp_perspective", [image], matrix=VIEW, atol=2)


@pytest.mark.parametrize(
    ("layout", "order"),
    [("HW", None), ("HWC", (0, 1, 2)), ("CHW", (2, 0, 1)), ("FCHW", (2, 0, 1)), ("FHWC", (0, 1, 2))],
)
def test_every_layout(layout, order):
    image = smooth(11, 13)
    turned = image[:, :, 0] if order is None else image.transpose(order)
    sample = np.stack([turned] * 2) if layout[0] == "F" else turned
    (got,) = check_operator("experimental.warp_perspective", [sample.copy()], layout=layout, matrix=VIEW, atol=1)
    whole = np.asarray(warp_perspective(image, matrix=VIEW))
    expected = whole[:, :, 0] if order is None else whole.transpose(order)
    np.testing.assert_allclose(got[0] if layout[0] == "F" else got, expected, atol=1)


def test_fill_values_by_channel():
    fill = [1.5, 2.5, 300]
    for layout, image in (("HWC", smooth(4, 5)), ("CHW", smooth(4, 5).transpose(2, 0, 1).copy())):
        far = warp_perspective(ndd.tensor(image, layout=layout), matrix=[1, 0, 99, 0, 1, 0, 0, 0, 1], fill_value=fill)
        pixel = np.asarray(far)[0, 0] if layout == "HWC" else np.asarray(far)[:, 0, 0]
        assert pixel.tolist() == [2, 2, 255]


def test_borders_as_drawn():
    row = ndd.tensor([[[1], [2], [3]]], dtype=ndd.uint8, layout="HWC")
    shown = {
        mode: np.asarray(warp_perspective(row, matrix=RIGHT, border_mode=mode)).ravel().tolist() for mode in BORDERS
    }
    assert shown == {
        "constant": [3, 0, 0],
        "replicate": [3, 3, 3],
        "reflect": [3, 3, 2],
        "reflect_101": [3, 2, 1],
        "wrap": [3, 1, 2],
    }


def test_the_origin_is_a_corner_or_a_centre():
    row = ndd.tensor(np.arange(0, 80, 10, np.float32).reshape(1, 8, 1), layout="HWC")
    double = [2, 0, 0, 0, 2, 0, 0, 0, 1]
    corner = warp_perspective(row, matrix=double, size=[1, 4], border_mode="replicate")
    assert np.asarray(corner).ravel().tolist() == [5, 25, 45, 65]
    centre = warp_perspective(row, matrix=double, size=[1, 4], pixel_origin="center")
    assert np.asarray(centre).ravel().tolist() == [0, 20, 40, 60]


def test_one_number_is_height_and_width():
    images = [smooth(60, 80), smooth(20, 30)]
    for got in check_operator("experimental.warp_perspective", images, matrix=VIEW, size=5.6, atol=1):
        assert got.shape == (6, 6, 3)
    each = check_operator("experimental.warp_perspective", images, matrix=VIEW, per_sample={"size": [7.0, 9.0]}, atol=1)
    assert [got.shape for got in each] == [(7, 7, 3), (9, 9, 3)]


@pytest.mark.parametrize("flags", [cv2.INTER_LINEAR, cv2.INTER_NEAREST])
def test_opencv_shows_the_same(flags):
    image, matrix = smooth(60, 80), np.float64(VIEW).reshape(3, 3)
    wanted = cv2.warpPerspective(image, matrix, (80, 60), flags=flags | cv2.WARP_INVERSE_MAP)
    interp = types.INTERP_LINEAR if flags == cv2.INTER_LINEAR else types.INTERP_NN
    got = np.asarray(warp_perspective(image, matrix=VIEW, pixel_origin="center", interp_type=interp))
    share = 5e-3 if cv2.__version__.startswith("4.11.") else 1e-3  # the old one interpolates more coarsely
    assert np.mean(np.abs(got.astype(int) - wanted) > 1) < share


def test_the_other_way_round_undoes_it():
    image = smooth(40, 40, dtype=np.float32)
    there = warp_perspective(image, matrix=VIEW, border_mode="replicate")
    back = np.asarray(warp_perspective(there, matrix=VIEW, inverse_map=False, border_mode="replicate"))
    np.testing.assert_allclose(back[10:30, 10:30], image[10:30, 10:30], atol=5)


def test_every_sample_and_frame_may_have_its_own_matrix():
    images = [smooth(8, 9), smooth(5, 5)]
    matrices = [np.float32(VIEW).reshape(3, 3), np.float32(RIGHT).reshape(3, 3)]
    check_operator("experimental.warp_perspective", images, per_sample={"matrix": matrices}, atol=1)
    video = ndd.tensor(np.stack([smooth(8, 9)] * 2), layout="FHWC")
    shown = np.asarray(warp_perspective(video, ndd.tensor(np.stack(matrices), layout="F**")))
    for frame, matrix in zip(shown, matrices, strict=True):
        np.testing.assert_array_equal(frame, np.asarray(warp_perspective(smooth(8, 9), matrix)))


@given(
    st.tuples(st.integers(0, 20), st.integers(0, 20), st.integers(1, 4)),
    st.lists(st.floats(-3, 3, width=32), min_size=9, max_size=9),
    st.sampled_from(BORDERS),
    st.booleans(),
)
@settings(max_examples=80, deadline=None)
def test_any_matrix_shows_only_colours_there_are(shape, matrix, border_mode, linear):
    interp = types.INTERP_LINEAR if linear else types.INTERP_NN
    image = np.full(shape, 50, np.uint8)
    arguments = {"matrix": matrix, "size": [9, 20], "fill_value": 50, "interp_type": interp}
    mode = border_mode if image.size else "constant"
    assert (np.asarray(warp_perspective(image, border_mode=mode, **arguments)) == 50).all()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "`matrix` must be given"),
        ({"matrix": [1, 0, 0, 0, 1, 0]}, "must have 9 elements"),
        ({"matrix": VIEW, "border_mode": "none"}, "border_mode"),
        ({"matrix": VIEW, "pixel_origin": "left"}, "pixel_origin"),
        ({"matrix": VIEW, "size": [5, 6, 7]}, "a height and a width"),
        ({"matrix": VIEW, "fill_value": [1, 2]}, "match the number of channels"),
        ({"matrix": VIEW, "interp_type": types.INTERP_GAUSSIAN}, "interp_type"),
    ],
)
def test_bad_arguments_are_refused(arguments, message):
    with pytest.raises(RuntimeError, match=message):
        np.asarray(warp_perspective(smooth(3, 3), **arguments))


def test_bad_input_is_refused():
    with pytest.raises(RuntimeError, match="input types"):
        warp_perspective(smooth(3, 3, dtype=np.int32), matrix=VIEW)
    with pytest.raises(RuntimeError, match="float32"):
        warp_perspective(smooth(3, 3), np.eye(3))
    with pytest.raises(RuntimeError, match="at the same time"):
        warp_perspective(smooth(3, 3), np.eye(3, dtype=np.float32), matrix=VIEW)
    with pytest.raises(ValueError, match="dimensions"):
        warp_perspective(np.zeros((2, 2, 2, 2, 2), np.uint8), matrix=VIEW)


def test_a_matrix_without_an_inverse_leaves_other_samples_alone():
    image = smooth(9, 9)
    matrices = np.array([VIEW, [0.0] * 9], np.float32)
    both = warp_perspective(ndd.batch([image, image]), matrix=ndd.batch(matrices), inverse_map=False)
    alone = warp_perspective(image, matrix=matrices[0], inverse_map=False)
    np.testing.assert_array_equal(np.asarray(both.tensors[0]), np.asarray(alone))
