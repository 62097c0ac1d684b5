"""crop_mirror_normalize: one pass that must equal cropping, flipping and arithmetic."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import penstock.dynamic as ndd
from ops.promises import check_operator, photos
from penstock import types

MEAN, STD = [123.675, 116.28, 103.53], [58.395, 57.12, 57.375]
EXTENTS = {"F": 2, "D": 4, "C": 3, "H": 6, "W": 18}


def pixels(*values, channels=1, dtype=np.uint8):
    """An image one pixel high."""
    return ndd.tensor(np.array(values, dtype).reshape(1, -1, channels), layout="HWC")


def normalized(image, **arguments):
    return np.asarray(ndd.crop_mirror_normalize(image, **arguments)).ravel().tolist()


@pytest.mark.parametrize("output_layout", ["CHW", "HWC", "WHC"])
@pytest.mark.parametrize("mirror", [0, 1])
@pytest.mark.parametrize("dtype", [types.FLOAT, types.FLOAT16, types.UINT8, types.INT8])
def test_crop_mirror_normalize_keeps_the_promises(output_layout, mirror, dtype):
    check_operator(
        "crop_mirror_normalize",
        photos([(5, 37), (1, 1), (20, 3)]),
        mirror=mirror,
        mean=MEAN,
        std=STD,
        scale=64.0,
        shift=100.0,
        output_layout=output_layout,
        dtype=dtype,
    )


@pytest.mark.parametrize("policy", ["pad", "trim_to_shape", "edge", "reflect", "reflect_101", "wrap"])
@pytest.mark.parametrize("output_layout", ["CHW", "HWC"])
def test_windows_may_reach_beyond_the_image(policy, output_layout):
    arguments = {"crop": (6, 21), "out_of_bounds_policy": policy, "fill_values": [1, 2, 3], "crop_pos_x": 0.3}
    each = {"mirror": [0, 1, 1]}
    images = photos([(4, 18), (9, 25), (3, 3)])
    check_operator(
        "crop_mirror_normalize", images, per_sample=each, mean=MEAN, output_layout=output_layout, **arguments
    )


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.int16, np.int32, np.float16, np.float32])
@pytest.mark.parametrize("channels", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("pad_output", [False, True])
def test_every_input_type_and_number_of_channels(dtype, channels, pad_output):
    got = check_operator(
        "crop_mirror_normalize",
        photos([(3, 19), (2, 2)], channels, dtype),
        mean=[float(c) for c in range(channels)],
        std=2.0,
        mirror=1,
        pad_output=pad_output,
    )
    assert got[0].shape[0] == ({1: 1, 2: 2, 3: 4, 4: 4, 5: 8}[channels] if pad_output else channels)


@pytest.mark.parametrize(
    ("layout", "output_layout"),
    [
        ("CHW", "CHW"), ("CHW", "HWC"), ("DHWC", "CDHW"), ("DHWC", "DCHW"), ("CDHW", "DHWC"), ("FHWC", "FCHW"),
        ("FCHW", "FHWC"), ("CFHW", "FHWC"), ("FDHWC", "FCDHW"), ("CFDHW", "FDHWC"), ("FHWC", ""),
    ],
)  # fmt: skip
def test_every_layout_is_turned_into_its_permutations(layout, output_layout):
    image = np.random.default_rng(0).integers(0, 256, [EXTENTS[name] for name in layout]).astype(np.uint8)
    (got, _) = check_operator(
        "crop_mirror_normalize",
        [image, image[::-1].copy()],
        layout=layout,
        mean=[1, 2, 3],
        mirror=1,
        output_layout=output_layout,
        crop=(4, 17),
    )
    last = np.moveaxis(image, layout.index("C"), -1)[..., 1:5, 1:, :] - np.float32([1, 2, 3])
    order = layout.replace("C", "") + "C"
    turned = last[..., ::-1, :].transpose([order.index(name) for name in output_layout or layout])
    np.testing.assert_array_equal(got, turned)


def test_every_sample_may_have_arguments_of_its_own():
    each = {"mean": [[1.0, 2, 3], [4, 5, 6]], "std": [2.0, 3.0], "mirror": [1, 0], "crop_pos_x": [0.0, 1.0]}
    check_operator("crop_mirror_normalize", photos([(4, 6), (5, 7)]), per_sample=each, crop=(3, 4))


def test_results_by_eye():
    assert normalized(pixels(1, 2, channels=2)) == [1, 2]
    assert normalized(pixels(1, 2, 3), mirror=1) == [3, 2, 1]
    assert normalized(pixels(3, 5, channels=2), dtype=types.UINT8, scale=2, shift=1) == [7, 11]
    assert normalized(pixels(1, 2, 3, channels=3), pad_output=True) == [1, 2, 3, 0]
    assert normalized(pixels(1, 2, 3, channels=3), mean=[1, 2, 3], std=[2], mirror=1) == [0, 0, 0]
    assert normalized(pixels(1, 2, 3, 4, 5, 6, channels=3), mean=1, std=2) == [0, 1.5, 0.5, 2, 1, 2.5]
    assert normalized(pixels(200), dtype=types.INT8) == [127]


def test_fill_values_are_not_normalized():
    image = pixels(1, 2, 3, 4, 5, 6, channels=3)
    arguments = {"crop": (1, 4), "out_of_bounds_policy": "pad", "output_layout": "HWC", "mean": 1, "std": 2}
    got = normalized(image, fill_values=[7.5, 8, 9], **arguments)
    assert got == [7.5, 8, 9, 0, 0.5, 1, 1.5, 2, 2.5, 7.5, 8, 9]


def test_new_channels_are_filled_as_the_border_is():
    image = pixels(1, 2, 3, channels=3)
    padding = {"pad_output": True, "fill_values": [7, 8, 9, 10]}
    assert normalized(image, out_of_bounds_policy="pad", **padding) == [1, 2, 3, 10]
    assert normalized(image, **padding) == [1, 2, 3, 0]


def test_fill_values_of_the_image_leave_the_new_channels_at_zero():
    padding = {"pad_output": True, "fill_values": [7, 8, 9], "out_of_bounds_policy": "pad"}
    wide = normalized(pixels(1, 2, 3, channels=3), crop=(1, 2), crop_pos_x=0, output_layout="HWC", **padding)
    assert wide == [1, 2, 3, 0, 7, 8, 9, 0]
    for layout in ("CHW", "HWC"):
        check_operator("crop_mirror_normalize", photos([(2, 3), (5, 5)]), crop=(4, 4), output_layout=layout, **padding)


def test_integers_are_rounded_and_saturated():
    image = pixels(0.5, 1.5, 2.4, -0.5, -3, 300, dtype=np.float32)
    assert normalized(image, dtype=types.UINT8) == [1, 2, 2, 0, 0, 255]
    assert normalized(image, dtype=types.INT8) == [1, 2, 2, -1, -3, 127]


@pytest.mark.parametrize(("scale", "shift"), [(1.0, 0.0), (1.7, 0.0), (0.3, -2.5)])
def test_the_arithmetic_is_that_of_single_precision(scale, shift):
    image = np.arange(256, dtype=np.uint8).reshape(1, -1, 1)
    got = np.asarray(ndd.crop_mirror_normalize(image, mean=[103.53], std=[57.375], scale=scale, shift=shift)).ravel()
    mean, std, scale, shift = (np.float64(np.float32(x)) for x in (103.53, 57.375, scale, shift))
    expected = (np.arange(256, dtype=np.float32) - np.float32(mean - shift * std / scale)) * np.float32(scale / std)
    np.testing.assert_array_equal(got, expected)


@pytest.mark.parametrize("mirror", [0, 1])
@pytest.mark.parametrize("width", [28, 95, 96])
def test_short_rows_are_taken_together_in_several_blocks(width, mirror):
    images = photos([(50, 100), (50, 101)])
    window = {"crop": (47, width), "crop_pos_x": 0.3, "output_layout": "CHW"}
    check_operator("crop_mirror_normalize", images, mean=MEAN, std=STD, mirror=mirror, **window)


@given(
    st.tuples(st.integers(1, 40), st.integers(1, 40)),
    st.tuples(st.floats(0, 1, width=32), st.floats(0, 1, width=32)),
    st.tuples(st.integers(1, 40), st.integers(1, 40)),
    st.booleans(),
)
@settings(max_examples=80, deadline=None)
def test_one_pass_equals_crop_flip_and_arithmetic(size, position, window, mirror):
    image = np.random.default_rng(size).integers(0, 256, (*size, 3)).astype(np.uint8)
    crop = tuple(min(pair) for pair in zip(size, window, strict=True))
    place = {"crop": crop, "crop_pos_y": position[0], "crop_pos_x": position[1]}
    got = ndd.crop_mirror_normalize(image, mean=MEAN, std=STD, mirror=int(mirror), output_layout="HWC", **place)
    steps = np.asarray(ndd.flip(ndd.crop(image, **place), horizontal=int(mirror)), np.float32)
    np.testing.assert_array_equal(np.asarray(got), (steps - np.float32(MEAN)) * (1 / np.float32(STD)))


def test_outdated_arguments_still_work():
    with pytest.warns(DeprecationWarning, match="`output_dtype` is a deprecated alias for `dtype`"):
        assert ndd.crop_mirror_normalize(pixels(1), output_dtype=types.UINT8).dtype == ndd.uint8
    with pytest.warns(DeprecationWarning, match="`image_type` is no longer used"):
        ndd.crop_mirror_normalize(pixels(1), image_type=types.RGB)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"dtype": types.FLOAT64}, "Not supported output type:double"),
        ({"dtype": types.INT32}, "Not supported output type:int32"),
        ({"output_layout": "HW"}, "The requested output layout is not a permutation of input layout"),
        ({"mean": [1, 2, 3], "std": [1, 2]}, "``mean`` and ``std`` must either be of the same size"),
        ({"mean": []}, "at least one value"),
        ({"crop_w": 2}, "`crop_w` and `crop_h` arguments must be provided together"),
        ({"out_of_bounds_policy": "xx"}, "Not supported out_of_bounds_policy: xx"),
    ],
)
def test_contradictions_are_refused_at_the_call(arguments, message):
    with ndd.EvalMode.deferred, pytest.raises(RuntimeError, match=message):
        ndd.crop_mirror_normalize(pixels(1, 2, 3, channels=3), **arguments)


@pytest.mark.parametrize("dtype", [np.int8, np.uint32, np.uint64, np.int64, np.float64, bool])
def test_input_types_the_operator_does_not_have_are_refused(dtype):
    name = {"float64": "double"}.get(np.dtype(dtype).name, np.dtype(dtype).name)
    with pytest.raises(RuntimeError, match=f"Not supported input type:{name}"):
        ndd.crop_mirror_normalize(np.zeros((2, 2, 3), dtype))


@pytest.mark.parametrize("arguments", [{"mean": [1, 2]}, {"std": [1, 2, 3, 4]}, {"mean": [1.0] * 4, "std": [1.0] * 4}])
def test_a_wrong_number_of_channels_is_refused(arguments):
    message = "The number of per-channel arguments should match the number of channels in the output slice"
    with pytest.raises(RuntimeError, match=message):
        ndd.crop_mirror_normalize(pixels(1, 2, 3, channels=3), **arguments).evaluate()
    with pytest.raises(RuntimeError, match=message):
        ndd.crop_mirror_normalize(
            pixels(1, 2, 3, channels=3), fill_values=[1, 2], out_of_bounds_policy="pad"
        ).evaluate()


def test_sequences_need_a_layout_with_frames():
    frames = ndd.tensor(np.zeros((2, 4, 4, 3), np.uint8), layout="FHWC")
    with pytest.raises(RuntimeError, match="not a permutation of input layout"):
        ndd.crop_mirror_normalize(frames)
