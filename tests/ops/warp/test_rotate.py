"""rotate: images, sequences and volumes."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import penstock.dynamic as ndd
from ops.promises import check_operator
from ops.warp.warps import counted, smooth
from penstock import types

TYPES = [np.uint8, np.int16, np.int32, np.float32]


@pytest.mark.parametrize("angle", [0.0, 30.0, -200.0])
@pytest.mark.parametrize("arguments", [{}, {"fill_value": 7}, {"keep_size": True}, {"size": [9, 20], "fill_value": 0}])
def test_rotate_keeps_the_promises(angle, arguments):
    check_operator("rotate", [smooth(13, 21), smooth(1, 9), smooth(8, 1)], angle=angle, atol=1, **arguments)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("channels", [1, 2, 3, 4, 6])
def test_pixels_of_every_kind_are_turned(dtype, channels):
    atol = 1 if np.dtype(dtype).kind in "iu" else 1e-3
    check_operator("rotate", [smooth(30, 40, channels, dtype)], angle=20.0, atol=atol)


def test_nearest_pixels_are_moved_whole():
    check_operator("rotate", [smooth(13, 21)], angle=33.0, interp_type=types.INTERP_NN, fill_value=3)


@pytest.mark.parametrize(("height", "width"), [(1, 1), (1, 3), (5, 257), (300, 520), (600, 700)])
def test_nearest_pixels_reach_to_the_last_one(height, width):
    image = np.random.default_rng(0).integers(0, 256, (height, width, 3), np.uint8)
    turned = np.asarray(ndd.rotate(image, angle=180.0, interp_type=types.INTERP_NN, fill_value=3, keep_size=True))
    np.testing.assert_array_equal(turned, image[::-1, ::-1])


@pytest.mark.parametrize("axis", [[0, 0, 1], [1, 0, 0], [0, -2, 0], [1, 2, 3]])
@pytest.mark.parametrize("interp", [types.INTERP_NN, types.INTERP_LINEAR])
def test_volumes_turn_about_an_axis(axis, interp):
    volume = smooth(7, 8, 2, np.float32, depth=6)
    check_operator(
        "rotate", [volume], layout="DHWC", angle=35.0, axis=axis, interp_type=interp, fill_value=1, atol=1e-3
    )


def test_every_sample_may_have_its_own_angle_size_and_axis():
    images = [smooth(8, 9), smooth(5, 5), smooth(3, 4)]
    check_operator("rotate", images, per_sample={"angle": [10.0, 90.0, -45.0]}, atol=1)
    sizes = [[3, 4], [10, 2], [1, 1]]
    check_operator("rotate", images, per_sample={"angle": [10.0, 90.0, -45.0], "size": sizes}, atol=1)
    volumes = [smooth(4, 5, depth=3), smooth(3, 3, depth=4)]
    axes = [[0.0, 0, 1], [1.0, 1, 0]]
    check_operator("rotate", volumes, layout="DHWC", per_sample={"axis": axes}, angle=20.0, atol=1)


def test_positive_angles_turn_counter_clockwise():
    quarter = ndd.rotate(counted(2, 3), angle=90.0)
    assert np.asarray(quarter)[:, :, 0].tolist() == [[2, 12], [1, 11], [0, 10]]
    half = ndd.rotate(counted(2, 3), angle=180.0)
    assert np.asarray(half)[:, :, 0].tolist() == [[12, 11, 10], [2, 1, 0]]


def test_the_canvas_holds_the_whole_image_and_keeps_its_parity():
    assert np.asarray(ndd.rotate(counted(6, 8), angle=45.0)).shape == (10, 10, 1)
    assert np.asarray(ndd.rotate(counted(7, 8), angle=1e-3)).shape == (7, 8, 1)
    assert np.asarray(ndd.rotate(counted(7, 8), angle=90.0)).shape == (8, 7, 1)


def test_the_canvas_of_a_volume_is_that_of_its_turn_and_not_of_the_opposite_one():
    volume = ndd.tensor(np.zeros((20, 31, 17, 1), np.uint8), layout="DHWC")
    assert ndd.rotate(volume, angle=30.0, axis=[1, 2, 3]).evaluate().shape == (30, 37, 33, 1)
    assert ndd.rotate(volume, angle=-30.0, axis=[1, 2, 3]).evaluate().shape == (28, 39, 33, 1)
    assert ndd.rotate(volume, angle=30.0, axis=[-1, -2, -3]).evaluate().shape == (28, 39, 33, 1)
    corners = np.zeros((5, 9, 20, 1), np.float32)
    corners[[0, 0, -1, -1], :, [0, -1, 0, -1]] = 1
    check_operator("rotate", [corners], layout="DHWC", angle=40.0, axis=[3, -1, 2], fill_value=0, atol=1e-3)
    turned = np.asarray(ndd.rotate(ndd.tensor(corners, layout="DHWC"), angle=40.0, axis=[3, -1, 2], fill_value=0))
    assert turned.sum() == pytest.approx(corners.sum(), rel=0.02)


def test_beyond_the_image_is_its_edge_or_the_fill_value():
    row = ndd.tensor([[[1], [2]]], dtype=ndd.uint8, layout="HWC")
    assert np.asarray(ndd.rotate(row, angle=0, size=[1, 4])).ravel().tolist() == [1, 1, 2, 2]
    assert np.asarray(ndd.rotate(row, angle=0, size=[1, 4], fill_value=9)).ravel().tolist() == [9, 1, 2, 9]


def test_frames_with_angles_of_their_own_share_one_canvas():
    video = np.stack([smooth(6, 8)] * 3)
    angles = ndd.per_frame(ndd.tensor([0.0, 45.0, 90.0]))
    turned = np.asarray(ndd.rotate(ndd.tensor(video, layout="FHWC"), angle=angles, fill_value=0))
    assert turned.shape == (3, 10, 10, 3)
    np.testing.assert_array_equal(turned[0, 2:8, 1:9], video[0])
    np.testing.assert_array_equal(turned[2, 1:9, 2:8], np.rot90(video[0]))


def test_float_results_are_not_rounded():
    image = smooth(9, 9)
    exact = np.asarray(ndd.rotate(image, angle=17.0, dtype=ndd.float32))
    assert exact.dtype == np.float32
    assert np.any(exact != np.rint(exact))
    np.testing.assert_allclose(np.asarray(ndd.rotate(image, angle=17.0)), exact, atol=1)


@given(
    st.tuples(st.integers(0, 40), st.integers(0, 40), st.integers(0, 5)),
    st.floats(-1e6, 1e6, width=32),
    st.sampled_from(TYPES),
    st.booleans(),
)
@settings(max_examples=60, deadline=None)
def test_any_image_turns_by_any_angle(shape, angle, dtype, linear):
    interp = types.INTERP_LINEAR if linear else types.INTERP_NN
    turned = np.asarray(ndd.rotate(np.full(shape, 50, dtype), angle=angle, fill_value=50, interp_type=interp))
    assert turned.dtype == dtype
    assert turned.shape[2] == shape[2]
    assert (turned == 50).all()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"angle": 10.0, "interp_type": types.INTERP_CUBIC}, "Only nearest and linear"),
        ({"angle": 10.0, "dtype": ndd.int16}, "uint8 -> int16"),
        ({"angle": 10.0, "size": [-1, 5]}, "must not be negative"),
        ({"angle": 10.0, "size": [1, 2, 3]}, "needs 2 numbers"),
        ({"angle": float("inf")}, "must be finite"),
        ({"angle": 10.0, "size": [2e9, 2e9]}, "smaller size"),
    ],
)
def test_bad_arguments_are_refused(arguments, message):
    with pytest.raises(RuntimeError, match=message):
        np.asarray(ndd.rotate(smooth(3, 3), **arguments))


def test_bad_input_is_refused():
    with pytest.raises(ValueError, match="layout"):
        ndd.rotate(ndd.tensor(smooth(3, 3), layout="CHW"), angle=1.0)
    with pytest.raises(RuntimeError, match="uint16 -> uint16"):
        ndd.rotate(smooth(3, 3, dtype=np.uint16), angle=1.0)
    with pytest.raises(TypeError, match="angle"):
        ndd.rotate(smooth(3, 3))
    with pytest.raises(ValueError, match="NaN"):
        ndd.rotate(smooth(3, 3), angle=float("nan"))
    with pytest.raises(RuntimeError, match="no edge to show"):
        np.asarray(ndd.rotate(np.zeros((0, 4, 3), np.uint8), angle=30.0))
    with pytest.raises(ValueError, match="batch size"):
        ndd.rotate(ndd.batch([smooth(3, 3)] * 2), angle=ndd.batch([1.0, 2.0, 3.0]))


@pytest.mark.parametrize(
    ("axis", "message"), [(None, "`axis` is required"), ([0, 0], "expected: 3"), ([0, 0, 0], "a direction")]
)
def test_volumes_need_an_axis(axis, message):
    with pytest.raises(RuntimeError, match=message):
        np.asarray(ndd.rotate(ndd.tensor(smooth(3, 3, depth=3), layout="DHWC"), angle=1.0, axis=axis))


def test_the_old_name_of_dtype_is_understood():
    with pytest.warns(DeprecationWarning, match="output_dtype"):
        assert ndd.rotate(smooth(3, 3), angle=1.0, output_dtype=ndd.float32).dtype == ndd.float32
