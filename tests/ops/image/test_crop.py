"""crop: where the window lies, what lies beyond the image, and what is refused."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import penstock.dynamic as ndd
from messages import told
from ops.promises import check_operator, photos
from penstock import types

POLICIES = ["pad", "trim_to_shape", "edge", "clamp", "reflect", "reflect_1001", "reflect_101", "wrap"]
EXTENTS = {"F": 2, "D": 4, "C": 3, "H": 6, "W": 8}


def ramp(*shape, dtype=np.uint8):
    return ndd.tensor(np.arange(np.prod(shape)).reshape(shape).astype(dtype), layout="HWC")


def values(tensor):
    return np.asarray(tensor).ravel().tolist()


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("size", [(2, 3), (9, 1), (7, 11)])
def test_crop_keeps_the_promises(policy, size):
    images = photos([(4, 6), (1, 1), (13, 5)])
    check_operator("crop", images, crop=size, out_of_bounds_policy=policy, fill_values=[7, 8, 9])


def test_every_sample_may_have_a_window_of_its_own():
    each = {"crop_pos_x": [0.0, 0.3, 1.0], "crop_pos_y": [1.0, 0.7, 0.0], "crop_h": [2.0, 3.0, 1.0]}
    got = check_operator("crop", photos([(4, 6), (5, 5), (3, 9)]), per_sample=each, crop_w=2)
    assert [image.shape for image in got] == [(2, 2, 3), (3, 2, 3), (1, 2, 3)]


def test_a_size_of_0_is_the_whole_axis():
    images = photos([(4, 6), (5, 5), (3, 9)])
    for got, image in zip(check_operator("crop", images, crop_h=0, crop_w=2), images, strict=True):
        assert got.shape == (len(image), 2, 3)
    got = check_operator("crop", images, per_sample={"crop_h": [0.0, 3.0, 0.0]}, crop_w=0)
    assert [image.shape for image in got] == [(4, 6, 3), (3, 5, 3), (3, 9, 3)]


@pytest.mark.parametrize("layout", ["CHW", "DHWC", "CDHW", "FHWC", "FCHW", "CFHW", "FDHWC", "FCDHW", "CFDHW"])
def test_every_layout_is_cropped_along_height_and_width(layout):
    volume = np.random.default_rng(0).integers(0, 99, [EXTENTS[name] for name in layout]).astype(np.int16)
    (got, _) = check_operator("crop", [volume, volume[::-1].copy()], layout=layout, crop=(3, 4), crop_pos_y=0)
    picked = {"H": slice(0, 3), "W": slice(2, 6)}
    np.testing.assert_array_equal(got, volume[tuple(picked.get(name, slice(None)) for name in layout)])


@pytest.mark.parametrize(("layout", "shape"), [("DHWC", (1, 2, 3, 3)), ("FHWC", (1, 2, 3, 3)), ("CDHW", (3, 1, 2, 3))])
def test_three_extents_also_crop_the_depth_or_the_frames(layout, shape):
    volume = np.zeros([EXTENTS[name] for name in layout], np.uint8)
    assert ndd.crop(ndd.tensor(volume, layout=layout), crop=(1, 2, 3)).shape == shape
    assert ndd.crop(ndd.tensor(volume, layout=layout), crop_d=1, crop_h=2, crop_w=3).shape == shape


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({}, [12, 13, 17, 18]),
        ({"rounding": "truncate"}, [6, 7, 11, 12]),
        ({"crop_pos_x": 0, "crop_pos_y": 1}, [15, 16, 20, 21]),
    ],
)
def test_the_place_is_a_fraction_of_the_room_left(arguments, expected):
    assert values(ndd.crop(ramp(5, 5, 1), crop=(2, 2), **arguments)) == expected


def test_the_fraction_is_a_float32():
    assert values(ndd.crop(ramp(1, 7, 1), crop=(1, 2), crop_pos_x=0.7)) == [3, 4]


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        ("reflect", [2, 1, 1, 2, 3, 3, 2]),
        ("reflect_1001", [2, 1, 1, 2, 3, 3, 2]),
        ("reflect_101", [3, 2, 1, 2, 3, 2, 1]),
        ("edge", [1, 1, 1, 2, 3, 3, 3]),
        ("clamp", [1, 1, 1, 2, 3, 3, 3]),
        ("wrap", [2, 3, 1, 2, 3, 1, 2]),
        ("pad", [0, 0, 1, 2, 3, 0, 0]),
        ("constant", [0, 0, 1, 2, 3, 0, 0]),
        ("const", [0, 0, 1, 2, 3, 0, 0]),
        ("Fill", [0, 0, 1, 2, 3, 0, 0]),
        ("101", [3, 2, 1, 2, 3, 2, 1]),
        ("reflect1001", [2, 1, 1, 2, 3, 3, 2]),
        ("trim_to_shape", [1, 2, 3]),
    ],
)
def test_what_lies_beyond_the_edges(policy, expected):
    row = ndd.tensor([[[1], [2], [3]]], dtype=ndd.uint8, layout="HWC")
    assert values(ndd.crop(row, crop=(1, 7), out_of_bounds_policy=policy)) == expected
    assert values(ndd.crop_mirror_normalize(row, crop=(1, 7), out_of_bounds_policy=policy)) == expected
    assert values(ndd.slice(row, start=[-2], end=[5], axes=[1], out_of_bounds_policy=policy)) == expected


def test_fill_values_may_differ_by_channel():
    pixel = ndd.tensor([[[1, 2, 3]]], dtype=ndd.uint8, layout="HWC")
    fill = {"out_of_bounds_policy": "pad", "fill_values": [7, 8, 9]}
    assert values(ndd.crop(pixel, crop=(1, 3), **fill)) == [7, 8, 9, 1, 2, 3, 7, 8, 9]
    planes = ndd.tensor([[[1]], [[2]], [[3]]], dtype=ndd.uint8, layout="CHW")
    assert values(ndd.crop(planes, crop=(1, 3), **fill)) == [7, 1, 7, 8, 2, 8, 9, 3, 9]


def test_fill_values_are_kept_in_the_range_of_the_type():
    pixel = ndd.tensor([[[1, 2, 3]]], dtype=ndd.uint8, layout="HWC")
    got = ndd.crop(pixel, crop=(1, 2), crop_pos_x=0, out_of_bounds_policy="pad", fill_values=[300, -1, 7.9])
    assert values(got) == [1, 2, 3, 255, 0, 7]


def test_a_size_of_zero_keeps_the_axis_whole():
    assert ndd.crop(ramp(4, 6, 1), crop=(0, 2)).shape == (4, 2, 1)
    assert ndd.crop(ramp(4, 6, 1)).shape == (4, 6, 1)


@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.uint16, np.int64, np.float16, np.float32, np.float64])
@pytest.mark.parametrize("wanted", [None, types.UINT8, types.FLOAT16, types.FLOAT])
def test_conversion_cuts_off_and_saturates(dtype, wanted):
    images = photos([(4, 6), (3, 3)], dtype=np.float64)
    images = [
        (image * 1.7 - 60).clip(0 if np.dtype(dtype).kind == "u" else -128, 127).astype(dtype) for image in images
    ]
    check_operator("crop", images, crop=(5, 5), out_of_bounds_policy="pad", fill_values=2.5, dtype=wanted)


def test_conversion_by_eye():
    numbers = ndd.tensor(np.float32([0.6, 2.5, -1, 300, np.nan]).reshape(1, 5, 1), layout="HWC")
    assert values(ndd.crop(numbers, dtype=types.UINT8)) == [0, 2, 0, 255, 0]
    assert values(ndd.crop(ramp(1, 2, 1, dtype=np.int32) * 70000, dtype=types.FLOAT16)) == [0, 65504]


def test_an_image_without_pixels_can_be_padded_but_not_repeated():
    nothing = ndd.tensor(np.zeros((0, 2, 1), np.uint8), layout="HWC")
    assert values(ndd.crop(nothing, crop=(1, 2), out_of_bounds_policy="pad", fill_values=5)) == [5, 5]
    with pytest.raises(RuntimeError, match="no pixels to repeat"):
        ndd.crop(nothing, crop=(1, 2), out_of_bounds_policy="edge").evaluate()


def test_outdated_arguments_still_work():
    with pytest.warns(DeprecationWarning, match="`output_dtype` is a deprecated alias for `dtype`"):
        assert ndd.crop(ramp(2, 2, 1), output_dtype=types.FLOAT).dtype == ndd.float32
    with pytest.warns(DeprecationWarning, match="`image_type` is no longer used"):
        ndd.crop(ramp(2, 2, 1), image_type=types.RGB)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"crop_w": 2}, "`crop_w` and `crop_h` arguments must be provided together"),
        ({"crop": (2, 2), "crop_w": 2}, "`crop_w` and `crop_h` arguments must be provided together"),
        ({"crop": (2, 2), "crop_w": 2, "crop_h": 2}, "`crop` argument is not compatible with"),
        ({"crop": (2, 2), "crop_w": 0, "crop_h": 0}, "`crop` argument is not compatible with"),
        ({"crop_d": 1}, "`crop_d` argument must be provided together with `crop_w` and `crop_h`"),
        ({"crop": (2,)}, "`crop` argument should have 2 or 3 elements"),
        ({"crop": (2, -3)}, "a window of -3.0 pixels along W cannot be cropped"),
        ({"crop": (2, 2), "crop_pos_x": 2}, r"Anchor for dimension 1 \(2.000000\) is out of range \[0.0, 1.0\]"),
        ({"crop": (2, 2), "out_of_bounds_policy": "xx"}, "Not supported out_of_bounds_policy: xx"),
        ({"crop": (2, 2), "rounding": "bad"}, "``rounding`` value bad is not supported"),
        ({"dtype": types.INT8}, "Not supported output type: int8"),
    ],
)
def test_contradictions_are_refused_at_the_call(arguments, message):
    with ndd.EvalMode.deferred, pytest.raises(RuntimeError, match=message):
        ndd.crop(ramp(6, 8, 1), **arguments)


@pytest.mark.parametrize(("name", "nan"), [("crop_pos_x", np.nan), ("crop", [np.nan, 2])])
def test_nan_is_refused_as_constant_and_per_sample(name, nan):
    with pytest.raises(ValueError, match="NaN"):
        ndd.crop(ramp(6, 8, 1), **{"crop": (2, 2), name: nan})
    with pytest.raises(ValueError, match="NaN"):
        ndd.crop(ramp(6, 8, 1), **{"crop": (2, 2), name: ndd.tensor(nan)}).evaluate()


def test_a_window_that_does_not_fit_names_the_sample_and_the_way_out():
    images = ndd.batch(photos([(50, 50), (6, 8)]), layout="HWC")
    with pytest.raises(RuntimeError, match="Slice can't be placed out of bounds") as caught:
        ndd.crop(images, crop=(40, 40)).evaluate()
    assert "input_shape={6 x 8 x 3}, slice_anchor={-17 x -16 x 0}, slice_shape={40 x 40 x 3}" in str(caught.value)
    assert 'out_of_bounds_policy="pad"' in str(caught.value)
    assert "sample 1" in told(caught.value)


@pytest.mark.parametrize(
    ("sizes", "message"), [([2.0, -2.0], "a window of -2 pixels"), ([2.0, 2.0**40], "a window of 1099511627776 pixels")]
)
def test_bad_sizes_of_single_samples_are_refused(sizes, message):
    with pytest.raises(RuntimeError, match=message):
        ndd.crop(ndd.batch(photos([(4, 4), (4, 4)])), crop_w=2, crop_h=ndd.batch(sizes)).evaluate()


def test_wrong_types_ranks_and_lengths_are_refused():
    with pytest.raises(RuntimeError, match="Not supported input type: bool"):
        ndd.crop(ndd.tensor(np.ones((2, 2, 1), bool)))
    with pytest.raises(ValueError, match="The number of dimensions 2 does not match"):
        ndd.crop(ndd.tensor(np.zeros((2, 2), np.uint8)))
    with pytest.raises(ValueError, match='The layout "HW" does not match'):
        ndd.crop(ndd.tensor(np.zeros((2, 2), np.uint8), layout="HW"))
    with pytest.raises(RuntimeError, match="Multi-channel fill value does not match the number of channels"):
        ndd.crop(ramp(2, 2, 1), crop=(3, 3), out_of_bounds_policy="pad", fill_values=[1, 2]).evaluate()
    with pytest.raises(ValueError, match="Inconsistent batch size"):
        ndd.crop(ndd.batch(photos([(4, 4), (4, 4)])), crop_w=1, crop_h=ndd.batch([1.0, 1.0, 1.0]))


@given(
    st.tuples(st.integers(1, 9), st.integers(1, 9)),
    st.tuples(st.integers(1, 9), st.integers(1, 9)),
    st.floats(0, 1, width=32),
    st.floats(0, 1, width=32),
)
@settings(max_examples=60, deadline=None)
def test_windows_inside_are_numpy_slices(size, window, x, y):
    image = np.arange(size[0] * size[1] * 2, dtype=np.int32).reshape(*size, 2)
    high, wide = (min(pair) for pair in zip(size, window, strict=True))
    got = np.asarray(ndd.crop(image, crop=(high, wide), crop_pos_x=x, crop_pos_y=y))
    top, left = (int(np.floor(p * (n - k) + 0.5)) for p, n, k in ((y, size[0], high), (x, size[1], wide)))
    np.testing.assert_array_equal(got, image[top : top + high, left : left + wide])


@given(
    st.integers(1, 6),
    st.integers(1, 20),
    st.sampled_from([("edge", "edge"), ("reflect", "symmetric"), ("wrap", "wrap")]),
)
@settings(max_examples=60, deadline=None)
def test_borders_are_those_of_numpy_pad(size, window, border):
    row = np.arange(size, dtype=np.int16).reshape(1, size, 1)
    got = np.asarray(ndd.crop(row, crop=(1, size + window), crop_pos_x=0, out_of_bounds_policy=border[0]))
    np.testing.assert_array_equal(got.ravel(), np.pad(row.ravel(), (0, window), mode=border[1]))
