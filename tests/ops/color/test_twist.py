"""color_twist, hsv, hue and saturation: one matrix for every pixel."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import penstock.dynamic as ndd
from ops.promises import check_operator, photos
from penstock import types

TYPES = [ndd.uint8, ndd.int16, ndd.int32, ndd.float16, ndd.float32]
OPERATORS = ["color_twist", "hsv", "hue", "saturation"]
RED = np.array([[[255, 0, 0]]], np.uint8)
BROWN = np.array([[[200, 100, 50]]], np.uint8)


def pixel(result):
    return np.asarray(result).ravel().tolist()


@pytest.mark.parametrize("source", TYPES, ids=str)
@pytest.mark.parametrize("target", TYPES, ids=str)
def test_color_twist_keeps_the_promises(source, target):
    images = photos([(5, 7), (1, 1), (9, 33)], dtype=source.numpy)
    each = {"hue": [0.0, 120.0, -30.0], "saturation": [0.0, 1.0, 1.7], "contrast": [1.0, 0.5, 2.0]}
    check_operator("color_twist", images, per_sample=each, brightness=1.1, dtype=target)


@pytest.mark.parametrize("layout", ["HWC", "FHWC", "DHWC"])
@pytest.mark.parametrize("name", OPERATORS)
def test_every_layout_is_taken(name, layout):
    samples = [np.random.default_rng(0).integers(0, 256, (2, 3, 40, 3)[4 - len(layout) :]).astype(np.uint8)]
    check_operator(name, samples, layout=layout)
    if name != "saturation":
        check_operator(name, samples, layout=layout, hue=50.0)


def test_colours_by_eye():
    assert pixel(ndd.hue(RED, hue=120.0)) == [0, 187, 0]
    assert pixel(ndd.saturation(RED, saturation=0.0)) == [76, 76, 76]
    assert pixel(ndd.hsv(BROWN, value=0.5)) == [100, 50, 25]
    assert pixel(ndd.color_twist(BROWN, contrast=2.0)) == [255, 72, 0]
    assert pixel(ndd.color_twist(BROWN.astype(np.float32), contrast=2.0)) == pytest.approx([399.5, 199.5, 99.5])


def test_grey_has_no_hue():
    grey = np.repeat(np.arange(256, dtype=np.uint8).reshape(16, 16, 1), 3, axis=2)
    np.testing.assert_array_equal(np.asarray(ndd.hue(grey, hue=77.0)), grey)


@pytest.mark.parametrize("dtype", [np.int16, np.int32, np.float32])
def test_hsv_makes_bytes_unless_told_otherwise(dtype):
    assert ndd.hsv(BROWN.astype(dtype)).dtype == ndd.uint8
    assert ndd.hsv(BROWN.astype(dtype), dtype=ndd.float16).dtype == ndd.float16
    assert ndd.hue(BROWN.astype(dtype)).dtype == ndd.dtype(dtype)


def test_the_middle_is_128_for_all_integers():
    for dtype in (np.uint8, np.int16, np.int32):
        assert pixel(ndd.color_twist(np.full((1, 1, 3), 128, dtype), contrast=0.0)) == [128] * 3


def test_frames_may_have_values_of_their_own():
    video = ndd.tensor(np.tile(BROWN, (2, 1, 1, 1)), layout="FHWC")
    result = ndd.hsv(video, value=ndd.per_frame(ndd.tensor([1.0, 0.5])))
    assert pixel(result) == [200, 100, 50, 100, 50, 25]


@pytest.mark.parametrize("name", OPERATORS)
@pytest.mark.parametrize("channels", [1, 2, 4])
def test_images_without_three_channels_are_refused(name, channels):
    with pytest.raises(RuntimeError, match=f"expected 3 channels, got {channels}"):
        getattr(ndd, name)(np.zeros((2, 2, channels), np.uint8)).evaluate()


@pytest.mark.parametrize("dtype", [np.int8, np.uint16, np.uint32, np.int64, np.float64, bool])
def test_other_types_are_refused(dtype):
    with pytest.raises(RuntimeError, match="Unsupported input type"):
        ndd.hsv(np.zeros((2, 2, 3), dtype))
    with pytest.raises(RuntimeError, match="Unsupported output type"):
        ndd.hue(RED, dtype=ndd.dtype(dtype))


def test_bad_calls_are_refused():
    with pytest.raises(ValueError, match='The layout "CHW" does not match'):
        ndd.hsv(ndd.tensor(RED, layout="CHW"))
    with pytest.raises(ValueError, match="hue must be a number, got NaN"):
        ndd.hue(RED, hue=float("nan"))
    with pytest.raises(ValueError, match="Inconsistent batch size"):
        ndd.hue(ndd.batch([RED] * 3), hue=ndd.batch([1.0, 2.0]))
    with pytest.raises(ValueError, match="image_type must be one of"):
        ndd.color_twist(RED, image_type="XYZ")


@pytest.mark.parametrize("pixels", [1, 15, 16, 63, 64, 65, 127, 128, 200, 1000])
def test_rows_of_any_length_are_mapped_alike(pixels):
    colors = np.random.default_rng(pixels).integers(0, 256, (1, pixels, 3), np.uint8)
    for contrast in (0.5, 1.0, 3.0, 1000.0):  # the last one leads out of 16 bits
        whole = np.asarray(ndd.color_twist(colors, hue=40.0, contrast=contrast, brightness=1.1))
        alone = [
            ndd.color_twist(colors[:, k : k + 1], hue=40.0, contrast=contrast, brightness=1.1) for k in range(pixels)
        ]
        np.testing.assert_array_equal(whole, np.concatenate([np.asarray(each) for each in alone], axis=1))


def test_results_larger_than_the_caches():
    # Of this size, samples begin at any byte of a line of the cache.
    images = np.random.default_rng(0).integers(0, 256, (40, 333, 501, 3), np.uint8)
    made = ndd.saturation(ndd.batch(list(images), layout="HWC"), saturation=0.5)
    for got, image in zip(made.tensors, images, strict=True):
        np.testing.assert_array_equal(np.asarray(got), np.asarray(ndd.saturation(image, saturation=0.5)))


def test_halves_are_rounded_up():
    levels = np.arange(256, dtype=np.uint8)
    odd = np.stack([levels, levels, levels], axis=-1).reshape(4, 64, 3)
    halved = np.asarray(ndd.hsv(odd, value=0.5))
    np.testing.assert_array_equal(halved, (odd.astype(int) + 1) // 2)


def test_extreme_arguments_saturate():
    bright = np.asarray(ndd.hsv(np.full((4, 9, 3), 10, np.uint8), value=1e30))
    assert (bright == 255).all()
    for name in ("hue", "saturation", "brightness", "contrast"):
        twisted = ndd.color_twist(RED, image_type=types.RGB, **{name: float("inf")})
        assert np.asarray(twisted).shape == (1, 1, 3)


@given(
    st.tuples(*[st.integers(0, 40)] * 2),
    st.sampled_from(TYPES),
    st.sampled_from(TYPES),
    st.floats(-720, 720, width=32),
    st.floats(-3, 3, width=32),
    st.floats(-3, 3, width=32),
)
@settings(max_examples=60, deadline=None)
def test_any_image_goes_through_the_matrix(size, source, target, hue, saturation, contrast):
    (image,) = photos([size], dtype=source.numpy)
    check_operator("color_twist", [image], hue=hue, saturation=saturation, contrast=contrast, dtype=target)


@pytest.mark.parametrize("dtype", [np.uint8, np.float32])
def test_a_batch_beyond_the_caches_is_its_samples_one_by_one(dtype):
    images = [np.random.default_rng(i).integers(0, 256, (701, 611, 3)).astype(dtype) for i in range(4)]
    assert sum(image.size for image in images) * 4 > 16 << 20  # from there on results may be written past the caches
    together = ndd.color_twist(ndd.batch(images, layout="HWC"), hue=40.0, saturation=1.3, dtype=ndd.float32)
    for image, made in zip(images, together.tensors, strict=True):
        alone = ndd.color_twist(ndd.tensor(image, layout="HWC"), hue=40.0, saturation=1.3, dtype=ndd.float32)
        np.testing.assert_array_equal(np.asarray(made), np.asarray(alone))
