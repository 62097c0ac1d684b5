"""jpeg_compression_distortion, held to what writing and reading a JPEG gives."""

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import penstock.dynamic as ndd
from ops.promises import check_operator, photos


def smooth_photos(sizes):
    return [cv2.GaussianBlur(photo, (5, 5), 2).reshape(photo.shape) for photo in photos(sizes)]


@pytest.mark.parametrize("quality", [-5, 0, 1, 20, 50, 95, 100, 101])
def test_the_promises_are_kept(quality):
    sizes = [(64, 48), (37, 53), (1, 1), (8, 8), (17, 16), (16, 33)]
    check_operator("jpeg_compression_distortion", smooth_photos(sizes), quality=quality)


def test_every_sample_may_have_its_own_quality():
    each = {"quality": [3, 50, 99]}
    check_operator("jpeg_compression_distortion", smooth_photos([(20, 20), (30, 9), (16, 16)]), per_sample=each)


def test_sequences_are_distorted_frame_by_frame():
    video = np.stack(smooth_photos([(20, 24)] * 3))
    (got,) = check_operator("jpeg_compression_distortion", [video], layout="FHWC", quality=10)
    alone = [np.asarray(ndd.jpeg_compression_distortion(frame, quality=10)) for frame in video]
    np.testing.assert_array_equal(got, alone)


def test_a_lower_quality_takes_the_image_further_away():
    image = smooth_photos([(64, 64)])[0]
    away = [np.abs(np.asarray(ndd.jpeg_compression_distortion(image, quality=q)) - image.astype(int)).mean() for q in
            (5, 50, 100)]  # fmt: skip
    assert away[0] > 1.2 * away[1] > 1.2 * away[2] > 0


def test_an_image_of_one_colour_stays_one():
    grey = np.full((24, 40, 3), 128, np.uint8)
    np.testing.assert_array_equal(np.asarray(ndd.jpeg_compression_distortion(grey, quality=5)), grey)


@pytest.mark.parametrize("shape", [(0, 4, 3), (4, 0, 3)])
def test_nothing_stays_nothing(shape):
    assert np.asarray(ndd.jpeg_compression_distortion(np.zeros(shape, np.uint8))).shape == shape


def test_what_is_no_rgb_image_is_refused():
    with pytest.raises(RuntimeError, match=r"3 channels \(RGB\), got 1"):
        ndd.jpeg_compression_distortion(np.zeros((4, 4, 1), np.uint8)).evaluate()
    with pytest.raises(RuntimeError, match="made of uint8 images, got float"):
        ndd.jpeg_compression_distortion(np.zeros((4, 4, 3), np.float32))
    with pytest.raises(ValueError, match='The layout "CHW" does not match'):
        ndd.jpeg_compression_distortion(ndd.tensor(np.zeros((3, 4, 4), np.uint8), layout="CHW"))
    with pytest.raises(RuntimeError, match="a JPEG has at most 65500"):
        ndd.jpeg_compression_distortion(np.zeros((1, 65501, 3), np.uint8)).evaluate()


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 70), st.integers(1, 70), st.integers(-10, 120))
def test_any_size_and_quality(height, width, quality):
    check_operator("jpeg_compression_distortion", photos([(height, width)], seed=width), quality=quality)


def test_every_frame_may_have_its_own_quality():
    video = np.stack(smooth_photos([(20, 24)] * 2))
    each = ndd.per_frame(ndd.tensor([5, 90]))
    got = np.asarray(ndd.jpeg_compression_distortion(ndd.tensor(video, layout="FHWC"), quality=each))
    for frame, image, quality in zip(got, video, [5, 90], strict=True):
        np.testing.assert_array_equal(frame, np.asarray(ndd.jpeg_compression_distortion(image, quality=quality)))
