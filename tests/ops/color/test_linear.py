"""brightness, contrast and brightness_contrast: a line through all values."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import penstock.dynamic as ndd
from ops.promises import check_operator, photos

TYPES = [ndd.uint8, ndd.int16, ndd.int32, ndd.float32]
NUMBERS = st.floats(-4, 4, width=32)


def one(values, dtype=np.uint8):
    """A row of grey pixels."""
    return ndd.tensor(np.array(values, dtype).reshape(1, -1, 1), layout="HWC")


def pixels(result):
    return np.asarray(result).ravel().tolist()


@pytest.mark.parametrize("source", TYPES, ids=str)
@pytest.mark.parametrize("target", TYPES, ids=str)
def test_brightness_contrast_keeps_the_promises(source, target):
    images = photos([(5, 7), (1, 1), (9, 33)], dtype=source.numpy)
    each = {"brightness": [0.5, 1.0, 1.7], "contrast": [1.0, -0.5, 2.0], "brightness_shift": [0.0, 0.5, -0.1]}
    check_operator("brightness_contrast", images, per_sample=each, dtype=target)
    check_operator("brightness_contrast", images, contrast=1.3, contrast_center=9.5, dtype=target)


@pytest.mark.parametrize("layout", ["HWC", "FHWC", "DHWC"])
def test_every_layout_is_taken(layout):
    samples = [np.random.default_rng(0).integers(0, 256, (2, 3, 40, 3)[4 - len(layout) :]).astype(np.uint8)]
    check_operator("brightness", samples, layout=layout, brightness=1.5, brightness_shift=-0.2)
    check_operator("contrast", samples, layout=layout, contrast=1.5)


def test_brightness_by_eye():
    assert pixels(ndd.brightness(one([0, 1, 100, 200]), brightness=1.5)) == [0, 2, 150, 255]
    assert pixels(ndd.brightness(one([10]), brightness_shift=0.5)) == [138]
    assert pixels(ndd.brightness(one([10]), brightness_shift=0.5, dtype=ndd.float32)) == [10.5]
    assert pixels(ndd.brightness(one([10], np.int16), brightness_shift=0.5)) == [16394]


@pytest.mark.parametrize(
    ("dtype", "center"), [(np.uint8, 128), (np.int16, 16384), (np.int32, 2**30), (np.float32, 0.5)]
)
def test_contrast_leaves_the_middle_of_the_range_alone(dtype, center):
    assert pixels(ndd.contrast(one([center], dtype), contrast=3.0, dtype=ndd.float32)) == [center]
    assert pixels(ndd.contrast(one([7], dtype), contrast=0.0, dtype=ndd.float32)) == [center]


def test_a_given_center_is_a_value_not_a_share():
    assert pixels(ndd.contrast(one([100]), contrast=2.0, contrast_center=0.25)) == [200]
    assert pixels(ndd.contrast(one([100, 64]), contrast=2.0, contrast_center=64.0)) == [136, 64]


def test_contrast_comes_before_brightness():
    assert pixels(ndd.brightness_contrast(one([100]), brightness=2.0, contrast=0.5)) == [228]


def test_frames_may_have_values_of_their_own():
    video = ndd.tensor(np.full((3, 1, 2, 1), 10, np.uint8), layout="FHWC")
    result = ndd.brightness(video, brightness=ndd.per_frame(ndd.tensor([1.0, 2.0, 3.0])))
    assert pixels(result) == [10, 10, 20, 20, 30, 30]
    with pytest.raises(RuntimeError, match="contains 2 per-frame parameters, but there are 3 frames"):
        ndd.brightness(video, brightness=ndd.per_frame(ndd.tensor([1.0, 2.0]))).evaluate()


def test_huge_arguments_saturate():
    assert pixels(ndd.brightness(one([0, 1, 2] * 20), brightness=1e38)) == [0, 255, 255] * 20
    assert pixels(ndd.brightness(one([0, 1, 2] * 20), brightness=-1e38)) == [0] * 60
    assert pixels(ndd.brightness(one([1, 2], np.float32), brightness=1e38, dtype=ndd.int16)) == [32767, 32767]


@pytest.mark.parametrize("dtype", [np.int8, np.uint16, np.uint32, np.int64, np.float16, np.float64, bool])
def test_other_types_are_refused(dtype):
    with pytest.raises(RuntimeError, match="Unsupported input type"):
        ndd.brightness(np.zeros((2, 2, 3), dtype))
    with pytest.raises(RuntimeError, match="Unsupported output type"):
        ndd.contrast(np.zeros((2, 2, 3), np.uint8), dtype=ndd.dtype(dtype))


def test_bad_calls_are_refused():
    image = np.zeros((2, 2, 3), np.uint8)
    with pytest.raises(ValueError, match='The layout "CHW" does not match'):
        ndd.brightness(ndd.tensor(image, layout="CHW"))
    with pytest.raises(ValueError, match="brightness must be a number, got NaN"):
        ndd.brightness(image, brightness=float("nan"))
    with pytest.raises(ValueError, match="Inconsistent batch size"):
        ndd.brightness(ndd.batch([image] * 3), brightness=ndd.batch([1.0, 2.0]))
    with pytest.raises(RuntimeError, match="brightness takes one number per sample"):
        ndd.brightness(ndd.tensor(image), brightness=ndd.tensor([1.0, 2.0])).evaluate()
    with pytest.raises(TypeError, match="unexpected keyword argument 'bright'; did you mean 'brightness'"):
        ndd.brightness(image, bright=1)


@given(st.tuples(*[st.integers(0, 40)] * 2), st.sampled_from(TYPES), st.sampled_from(TYPES), NUMBERS, NUMBERS, NUMBERS)
@settings(max_examples=60, deadline=None)
def test_any_image_is_on_the_line(size, source, target, brightness, contrast, shift):
    (image,) = photos([size], dtype=source.numpy)
    given = {"brightness": brightness, "contrast": contrast, "brightness_shift": shift, "dtype": target}
    check_operator("brightness_contrast", [image], **given)


@pytest.mark.parametrize("dtype", [np.uint8, np.float32])
def test_a_batch_beyond_the_caches_is_its_samples_one_by_one(dtype):
    images = [np.random.default_rng(i).integers(0, 256, (701, 611, 3)).astype(dtype) for i in range(4)]
    assert sum(image.size for image in images) * 4 > 16 << 20  # from there on results may be written past the caches
    together = ndd.brightness(ndd.batch(images, layout="HWC"), brightness=1.3, dtype=ndd.float32)
    for image, made in zip(images, together.tensors, strict=True):
        alone = ndd.brightness(ndd.tensor(image, layout="HWC"), brightness=1.3, dtype=ndd.float32)
        np.testing.assert_array_equal(np.asarray(made), np.asarray(alone))
