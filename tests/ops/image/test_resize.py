"""resize: sizes, filters, regions and types."""

from enum import Enum

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import penstock.dynamic as ndd
from ops.promises import check_operator, photos
from penstock import types

FILTERS = list(types.DALIInterpType)


def row(*values, dtype=np.float32):
    return np.array(values, dtype).reshape(1, -1, 1)


def resized(image, **arguments):
    return np.asarray(ndd.resize(image, **arguments))


@pytest.mark.parametrize("interp", FILTERS)
@pytest.mark.parametrize("size", [[3, 4], [9, 20], [7, 1]])
def test_resize_keeps_the_promises(interp, size):
    check_operator(
        "resize",
        photos([(7, 9), (1, 1), (16, 5)]),
        size=size,
        interp_type=interp,
        atol=4 if interp is types.INTERP_GAUSSIAN else 2,
    )


@pytest.mark.parametrize("layout", ["CHW", "FHWC", "FCHW", "CFHW"])
def test_every_layout_is_resampled_alike(layout):
    axes = {"F": 2, "C": 3, "H": 8, "W": 6}
    image = np.random.default_rng(0).random([axes[name] for name in layout]).astype(np.float32)
    check_operator("resize", [image, image[..., ::-1].copy()], layout=layout, size=[5, 9], rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.int16, np.float32])
def test_types_are_kept_or_made_float(dtype):
    images = photos([(6, 7), (12, 3)], dtype=dtype)
    check_operator("resize", images, size=[4, 5], atol=1, rtol=1e-5)
    check_operator("resize", images, size=[4, 5], dtype=ndd.float32, rtol=1e-5, atol=1e-3)


def test_volumes_are_resampled_along_three_axes():
    volume = np.random.default_rng(1).random((4, 5, 6, 2)).astype(np.float32)
    check_operator("resize", [volume, volume[:2]], layout="DHWC", size=[3, 7, 5], rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize(
    ("interp", "expected"),
    [
        (types.INTERP_NN, [0, 0, 10, 10]),
        (types.INTERP_LINEAR, [0, 2.5, 7.5, 10]),
        (types.INTERP_CUBIC, [-0.7031, 2.0312, 7.9688, 10.7031]),
        (types.INTERP_LANCZOS3, [-1.0316, 2.1039, 7.8961, 11.0316]),
    ],
)
def test_growing_by_each_filter(interp, expected):
    np.testing.assert_allclose(resized(row(0, 10), size=[1, 4], interp_type=interp).ravel(), expected, atol=1e-4)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"interp_type": types.INTERP_TRIANGULAR}, [6.25, 23.75]),
        ({}, [6.25, 23.75]),
        ({"interp_type": types.INTERP_GAUSSIAN}, [5.596, 24.404]),
    ],
)
def test_shrinking_by_each_filter(arguments, expected):
    np.testing.assert_allclose(resized(row(0, 10, 20, 30), size=[1, 2], **arguments).ravel(), expected, atol=1e-3)


def test_without_antialiasing_pixels_are_left_out():
    assert resized(row(0, 11, 20, 35), size=[1, 2], antialias=False).ravel().tolist() == [5.5, 27.5]


def test_bytes_are_rounded():
    assert resized(row(0, 10, dtype=np.uint8), size=[1, 4]).ravel().tolist() == [0, 3, 8, 10]


def test_a_negative_size_mirrors():
    assert resized(row(0, 10, dtype=np.uint8), size=[1, -2]).ravel().tolist() == [10, 0]


def test_a_region_is_cut_out():
    result = resized(row(0, 10, 20, 30, dtype=np.uint8), size=[1, 2], roi_start=[0, 2], roi_end=[1, 4])
    assert result.ravel().tolist() == [20, 30]
    relative = {"roi_start": [0, 0.5], "roi_end": [1, 1], "roi_relative": True}
    assert resized(row(0, 10, 20, 30, dtype=np.uint8), size=[1, 2], **relative).ravel().tolist() == [20, 30]


@pytest.mark.parametrize(
    ("arguments", "shape"),
    [
        ({"resize_x": 4}, (3, 4)),
        ({"resize_shorter": 3}, (3, 4)),
        ({"resize_longer": 4}, (3, 4)),
        ({"size": [3, 0]}, (3, 4)),
        ({"size": [3, 3], "mode": "not_larger"}, (2, 3)),
        ({"size": [3, 3], "mode": "not_smaller"}, (3, 4)),
        ({"resize_x": 4, "mode": "stretch"}, (6, 4)),
        ({"resize_shorter": 30, "max_size": 32}, (24, 32)),
        ({"resize_x": 4, "resize_y": 5}, (5, 4)),
        ({"size": 4}, (4, 4)),
        ({"resize_shorter": 3.7}, (4, 5)),
        ({"resize_shorter": 3.7, "subpixel_scale": False}, (4, 5)),
        ({"resize_x": 0}, (6, 8)),
        ({"resize_x": 0, "resize_y": 3}, (3, 4)),
        ({"resize_shorter": 0}, (6, 8)),
        ({"resize_longer": 0.0}, (6, 8)),
    ],
)
def test_the_ways_to_say_a_size(arguments, shape):
    assert resized(np.zeros((6, 8, 3), np.uint8), **arguments).shape == (*shape, 3)


@pytest.mark.parametrize("interp", [types.INTERP_LINEAR, types.INTERP_CUBIC, types.INTERP_NN])
def test_next_to_nothing_is_one_pixel(interp):
    squares = (np.arange(16, dtype=np.float32) ** 2).reshape(4, 4, 1)
    smallest = resized(squares, size=1e-10, interp_type=interp)
    assert smallest.shape == (1, 1, 1)
    assert smallest == resized(squares, size=0.1, interp_type=interp)
    assert resized(squares, resize_shorter=1e-30, interp_type=interp) == smallest
    assert resized(squares, size=[1e-10, 4], mode="stretch", interp_type=interp).shape == (1, 4, 1)


def test_sizes_and_filters_per_sample():
    images = photos([(6, 8), (5, 5)])
    assert ndd.resize(ndd.batch(images), size=ndd.batch([[2, 3], [4, 5]])).shape == [(2, 3, 3), (4, 5, 3)]
    assert ndd.resize(ndd.tensor(images[0]), size=ndd.batch([[2, 3], [4, 5]])).shape == [(2, 3, 3), (4, 5, 3)]
    picks = [types.INTERP_NN, types.INTERP_CUBIC]
    each = ndd.resize(ndd.batch(images), size=[3, 3], interp_type=ndd.batch([int(pick) for pick in picks]))
    for got, image, pick in zip(each, images, picks, strict=True):
        assert np.array_equal(np.asarray(got), resized(image, size=[3, 3], interp_type=pick))


def test_the_original_size_comes_along():
    image, size = ndd.resize(np.zeros((6, 8, 3), np.uint8), size=[3, 4], save_attrs=True)
    assert image.shape == (3, 4, 3)
    assert np.asarray(size).tolist() == [6, 8]


def test_an_empty_image_stays_empty():
    assert resized(np.zeros((0, 8, 3), np.uint8), size=[3, 4]).shape == (0, 4, 3)


@pytest.mark.parametrize(
    ("arguments", "error", "text"),
    [
        ({}, RuntimeError, "Exactly one method of specifying size must be used"),
        ({"size": [1, 1], "resize_x": 2}, RuntimeError, "Exactly one method"),
        ({"size": [1, 1], "resize_x": 0.0}, RuntimeError, "Exactly one method"),
        ({"resize_shorter": 0, "resize_longer": 3}, RuntimeError, "Exactly one method"),
        ({"size": [1, 1, 1]}, RuntimeError, "expects either a single value or a list of 2 elements. 3 given"),
        ({"resize_x": 4, "mode": "bad"}, RuntimeError, "Invalid resize mode: bad"),
        ({"size": [1, 1], "interp_type": 77}, RuntimeError, "interp_type must be one of types.INTERP_NN, .*, got 77"),
        (
            {"size": [1, 1], "interp_type": "nearst"},
            ValueError,
            "interp_type must be one of types.INTERP_NN, .*, or 'nn', 'nearest', .*, got 'nearst'",
        ),
        ({"size": [1, 1], "interp_type": ndd.tensor(77)}, RuntimeError, "there is no interpolation type 77"),
        ({"size": [1, 1], "dtype": 99}, ValueError, "dtype must be an element type such as ndd.uint8, got 99"),
        ({"size": [1, 1], "batch_size": -1}, ValueError, "batch_size must not be negative, got -1"),
        ({"size": [1, 1], "dtype": ndd.int32}, RuntimeError, "Resize must output original type or float"),
        ({"size": [float("nan"), 1]}, ValueError, "must be a number"),
        ({"size": [float("inf"), 1]}, ValueError, "an output size must be a finite number"),
        ({"size": [1e9, 1]}, ValueError, "is not possible"),
        ({"resize_w": 4}, TypeError, "did you mean 'resize_x'|did you mean 'resize_y'|did you mean 'resize_z'"),
        ({"size": [1, 1], "roi_start": [0, 0]}, RuntimeError, "must be given together"),
        ({"resize_x": [2, 3]}, TypeError, r"resize_x=ndd\.batch\(\[2, 3\]\)"),
    ],
)
def test_bad_arguments_are_told(arguments, error, text):
    with pytest.raises(error, match=text):
        ndd.resize(np.zeros((2, 2, 3), np.uint8), **arguments).evaluate()


@pytest.mark.parametrize("dtype", [np.int8, np.int32, np.float64, np.float16])
def test_types_without_a_kernel_are_refused_at_the_call(dtype):
    with pytest.raises(RuntimeError, match="Unsupported type"):
        ndd.resize(np.zeros((2, 2, 3), dtype), size=[1, 1])


@given(
    height=st.integers(1, 40), width=st.integers(1, 40), out_h=st.integers(1, 50), out_w=st.integers(1, 50),
    interp=st.sampled_from(FILTERS), channels=st.integers(1, 5),
)  # fmt: skip
@settings(deadline=None, max_examples=60)
def test_a_flat_image_stays_flat(height, width, out_h, out_w, interp, channels):
    image = np.full((height, width, channels), 77, np.uint8)
    assert (resized(image, size=[out_h, out_w], interp_type=interp) == 77).all()


@pytest.mark.parametrize(
    ("word", "member"),
    [
        ("nearest", types.INTERP_NN),
        ("nn", types.INTERP_NN),
        ("bilinear", types.INTERP_LINEAR),
        ("Bicubic", types.INTERP_CUBIC),
        ("lanczos", types.INTERP_LANCZOS3),
        ("INTERP_CUBIC", types.INTERP_CUBIC),
        (Enum("InterpolationMode", {"NEAREST": "nearest"}).NEAREST, types.INTERP_NN),
    ],
)
def test_filters_are_known_by_the_words_of_others(word, member):
    images = ndd.batch(photos([(9, 12), (7, 7)]), layout="HWC")
    by_word, by_member = (ndd.resize(images, size=[20, 20], interp_type=kind) for kind in (word, member))
    np.testing.assert_array_equal(by_word.numpy(), by_member.numpy())
