"""decoders.image_crop and image_slice: a window of the decoded image, to the bit."""

import io

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

import penstock.dynamic as ndd
from ops.promises import check_operator, photos


def jpeg(image, **options):
    buffer = io.BytesIO()
    Image.fromarray(image).save(buffer, "JPEG", **options)
    return np.frombuffer(buffer.getvalue(), np.uint8).copy()


def png(image):
    buffer = io.BytesIO()
    Image.fromarray(image).save(buffer, "PNG")
    return np.frombuffer(buffer.getvalue(), np.uint8).copy()


FILES = [jpeg(image, subsampling=s) for s, image in enumerate(photos([(40, 50), (35, 61), (64, 33)]))]
FILES.append(png(photos([(50, 50)])[0]))


def test_image_crop_keeps_the_promises():
    check_operator("decoders.image_crop", FILES, layout=None, crop=(20, 30), crop_pos_x=0.3, crop_pos_y=1.0)


def test_image_slice_keeps_the_promises():
    check_operator("decoders.image_slice", FILES, layout=None, start=[3, 5], end=[20, 17], axis_names="HW")
    check_operator("decoders.image_slice", FILES, layout=None, rel_start=[0.2, 0.1], rel_end=[0.9, 0.6])


def test_image_keeps_the_promises():
    check_operator("decoders.image", FILES, layout=None)


def test_peek_keeps_the_promises():
    shapes = check_operator("peek_image_shape", FILES, layout=None)
    assert [shape.tolist() for shape in shapes] == [[40, 50, 3], [35, 61, 3], [64, 33, 3], [50, 50, 3]]


def test_a_slice_by_position():
    image = np.asarray(ndd.decoders.image(FILES[0]))
    anchor, shape = np.float32([0.2, 0.5]), np.float32([0.4, 0.25])
    part = ndd.decoders.image_slice(FILES[0], anchor, shape)
    assert np.array_equal(np.asarray(part), image[20:30, 10:30])


def test_crops_per_sample():
    crops = ndd.decoders.image_crop(ndd.batch(FILES), crop=ndd.batch([[4, 5], [6, 7], [8, 9], [1, 1]]))
    assert crops.shape == [(4, 5, 3), (6, 7, 3), (8, 9, 3), (1, 1, 3)]


def test_without_a_window_the_image_is_whole():
    assert ndd.decoders.image_crop(FILES[0]).shape == (40, 50, 3)


@pytest.mark.parametrize("data", FILES[2:], ids=["jpeg", "png"])
def test_a_window_outside_is_refused(data):
    with pytest.raises(RuntimeError, match=r"The cropping window \[.*\] is not valid for image dimensions"):
        ndd.decoders.image_crop(data, crop=(400, 6)).evaluate()


@given(
    top=st.integers(0, 60), left=st.integers(0, 60), height=st.integers(1, 40), width=st.integers(1, 40),
    subsampling=st.integers(0, 2), progressive=st.booleans(), orientation=st.integers(1, 8),
)  # fmt: skip
@settings(deadline=None, max_examples=80)
def test_any_window_equals_that_of_the_whole_image(top, left, height, width, subsampling, progressive, orientation):
    exif = Image.Exif()
    exif[0x112] = orientation
    data = jpeg(photos([(100, 100)])[0], subsampling=subsampling, progressive=progressive, exif=exif)
    whole = np.asarray(ndd.decoders.image(data))
    part = ndd.decoders.image_slice(data, start=[top, left], shape=[height, width], axis_names="HW")
    assert np.array_equal(np.asarray(part), whole[top : top + height, left : left + width])
