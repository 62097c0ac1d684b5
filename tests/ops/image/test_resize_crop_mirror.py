"""resize_crop_mirror: the same as its three parts one after the other, without the pixels in between."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import penstock.dynamic as ndd
import penstock.types as types
from ops.promises import check_operator, photos

SIZES = [(40, 60), (33, 21), (16, 16)]


def apart(images, size, crop, mirror, **arguments):
    whole = ndd.crop(ndd.resize(images, size=size, **arguments), crop=crop)
    return ndd.flip(whole, horizontal=mirror & 1, vertical=mirror >> 1 & 1)


@pytest.mark.parametrize(
    "arguments",
    [
        {"size": [20, 24]},
        {"size": [20, 24], "mirror": 3},
        {"resize_shorter": 15.3, "crop": [9, 10], "mirror": 1},
        {"size": [50, 70], "crop": [9, 10], "crop_pos_x": 0.2, "crop_pos_y": 1.0, "rounding": "truncate"},
        {"size": [-20, 30], "crop_h": 7, "crop_w": 30, "mirror": 2, "dtype": ndd.float32},
        {"size": [10, 12], "crop": [14, 16]},
        {"size": [20, 24], "crop": [5, 5], "roi_start": [3, 4], "roi_end": [12, 15]},
        {"size": [17, 23], "crop": [5, 5], "interp_type": types.INTERP_NN},
    ],
)
def test_resize_crop_mirror_keeps_the_promises(arguments):
    check_operator("resize_crop_mirror", photos(SIZES), atol=1, **arguments)


@pytest.mark.parametrize("mirror", range(4))
@pytest.mark.parametrize("dtype", [np.uint8, np.int16, np.uint16, np.float32])
@pytest.mark.parametrize("kind", [types.INTERP_LINEAR, types.INTERP_CUBIC, types.INTERP_LANCZOS3])
def test_it_is_resize_crop_and_flip(mirror, dtype, kind):
    images = ndd.batch(photos(SIZES, dtype=dtype))
    arguments = {"size": [24, 31], "crop": [11, 12], "interp_type": kind}
    got = ndd.resize_crop_mirror(images, mirror=mirror, **arguments)
    for a, b in zip(got, apart(images, mirror=mirror, **arguments), strict=True):
        tolerance = 2e-3 if dtype is np.float32 else 1
        np.testing.assert_allclose(np.asarray(a).astype(float), np.asarray(b).astype(float), atol=tolerance)


def test_every_sample_may_have_arguments_of_its_own():
    each = {
        "crop": [[5.0, 6.0], [7.0, 8.0], [9.0, 10.0]],
        "mirror": [0, 1, 2],
        "crop_pos_x": [0.0, 0.5, 1.0],
        "size": [[20.0, 20.0], [30.0, 10.0], [9.0, 50.0]],
    }
    got = check_operator("resize_crop_mirror", photos(SIZES), atol=1, per_sample=each)
    assert [sample.shape[:2] for sample in got] == [(5, 6), (7, 8), (9, 10)]


@pytest.mark.parametrize("layout", ["CHW", "FHWC", "FCHW", "CFHW", "DHWC", "CDHW", "FDHWC"])
def test_every_layout_is_mirrored_along_its_own_axes(layout):
    extents = {"F": 2, "C": 3, "D": 5, "H": 8, "W": 9}
    shape = [extents[axis] for axis in layout]
    array = np.arange(np.prod(shape)).reshape(shape).astype(np.float32)
    sizes = [extents[axis] for axis in "DHW" if axis in layout]
    got = np.asarray(ndd.resize_crop_mirror(ndd.tensor(array, layout=layout), size=sizes, mirror=7))
    turned = [slice(None, None, -1 if axis in "DHW" else 1) for axis in layout]
    np.testing.assert_allclose(got, array[tuple(turned)], rtol=1e-5)


def test_a_window_beyond_the_edges_repeats_them():
    row = ndd.tensor(np.array([[[10], [20]]], np.uint8), layout="HWC")
    got = ndd.resize_crop_mirror(row, size=[1, 2], crop=[1, 6], interp_type=types.INTERP_NN)
    assert np.asarray(got).ravel().tolist() == [10, 10, 10, 20, 20, 20]


@pytest.mark.parametrize("shape", [(0, 3, 3), (3, 0, 3), (3, 3, 0)])
def test_empty_images_make_empty_images(shape):
    got = ndd.resize_crop_mirror(np.zeros(shape, np.uint8), size=[6, 6], crop=[4, 4])
    assert got.shape == tuple(extent and new for extent, new in zip(shape, (4, 4, 3), strict=True))


@pytest.mark.parametrize(
    ("arguments", "kind", "text"),
    [
        ({"crop": [3, 3]}, RuntimeError, "Exactly one method of specifying size"),
        ({"size": [9, 9], "crop_h": 3}, RuntimeError, "`crop_w` and `crop_h` arguments must be provided together"),
        ({"size": [9, 9], "crop": [3, 3], "crop_pos_x": 2}, RuntimeError, "out of range"),
        ({"size": [9, 9, 9]}, RuntimeError, "a list of 2 elements"),
        ({"size": [9, 9], "crop": [-3, 3]}, RuntimeError, "cannot be cropped"),
        ({"size": [9, 9], "rounding": "up"}, RuntimeError, "``rounding`` value up is not supported"),
        ({"size": [9, 9], "dtype": ndd.int8}, RuntimeError, "must output original type or float"),
        ({"size": [9, 9], "mirrored": 1}, TypeError, "did you mean 'mirror'"),
    ],
)
def test_bad_arguments_are_told_at_the_call(arguments, kind, text):
    with pytest.raises(kind, match=text):
        ndd.resize_crop_mirror(np.zeros((4, 4, 3), np.uint8), **arguments)


@given(
    size=st.tuples(st.integers(1, 30), st.integers(1, 30)),
    target=st.tuples(st.floats(1, 40), st.floats(1, 40)),
    crop=st.tuples(st.integers(0, 40), st.integers(0, 40)),
    mirror=st.integers(0, 3),
)
@settings(max_examples=25, deadline=None)
def test_any_window_of_any_size(size, target, crop, mirror):
    check_operator("resize_crop_mirror", photos([size]), atol=1, size=list(target), crop=list(crop), mirror=mirror)
