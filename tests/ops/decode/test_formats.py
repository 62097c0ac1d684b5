"""Decoding of every format but JPEG, and the conversion to the colours and dtype asked for."""

import numpy as np
import pytest
from PIL import Image

from ops.decode.files import FIVE, GREY, LA, RGB, RGBA, RGBA16, STORED, saved, tiff, turned
from penstock.ops.decode.formats import decode_image, to_colour
from penstock.ops.decode.headers import peek_shape
from penstock.values import dtypes
from penstock.values.enums import ImageType


@pytest.mark.parametrize("kind", STORED)
def test_samples_come_as_they_are_stored(kind):
    make, stored = STORED[kind]
    data = make()
    image = decode_image(data, adjust_orientation=True)
    assert image.dtype == stored.dtype
    assert image.flags.c_contiguous
    np.testing.assert_array_equal(image, stored)
    assert peek_shape(data, adjust_orientation=True) == image.shape


@pytest.mark.parametrize("picture", [RGBA, LA, RGBA16, FIVE], ids=["rgba", "la", "rgba16", "five"])
@pytest.mark.parametrize("layout", [{}, {"tile": 16}, {"order": ">"}, {"planar": True}], ids=str)
def test_tiff_differences_are_summed_up(picture, layout):
    image = decode_image(tiff(picture, predictor=True, **layout), adjust_orientation=True)
    np.testing.assert_array_equal(image, picture)


TURNS = {
    1: lambda image: image,
    2: np.fliplr,
    3: lambda image: np.rot90(image, 2),
    4: np.flipud,
    5: lambda image: image.swapaxes(0, 1),
    6: lambda image: np.rot90(image, -1),
    7: lambda image: np.rot90(image, 2).swapaxes(0, 1),
    8: np.rot90,
}


@pytest.mark.parametrize("orientation", TURNS)
@pytest.mark.parametrize(
    "make",
    [
        lambda o: saved(RGB, "PNG", exif=turned(o)),
        lambda o: saved(RGB, "WEBP", lossless=True, exif=turned(o)),
        lambda o: saved(RGB, "TIFF", exif=turned(o)),
        lambda o: tiff(RGB, order=">", tile=16, orientation=o),
    ],
    ids=["png", "webp", "tiff", "tiff tiles"],
)
def test_the_image_is_turned_upright_only_when_asked(orientation, make):
    data = make(orientation)
    np.testing.assert_array_equal(decode_image(data, adjust_orientation=True), TURNS[orientation](RGB))
    np.testing.assert_array_equal(decode_image(data, adjust_orientation=False), RGB)


@pytest.mark.parametrize("kind", [kind for kind in STORED if "grey" not in kind])
@pytest.mark.parametrize("output_type", [ImageType.RGB, ImageType.BGR, ImageType.YCbCr], ids=lambda t: t.name)
def test_naming_the_output_type_early_changes_nothing(kind, output_type):
    data = STORED[kind][0]()
    late, early = (
        to_colour(decode_image(data, adjust_orientation=True, **hint), output_type, dtypes.uint8)
        for hint in ({}, {"output_type": output_type})
    )
    np.testing.assert_array_equal(early, late)


def test_each_codec_weighs_colours_in_its_own_way():
    pixel = np.array([[[255, 228, 34]]], np.uint8)  # 213.957
    for kind, grey in {"PNG": 213, "BMP": 214, "PPM": 214, "TIFF": 214}.items():
        image = decode_image(saved(pixel, kind), adjust_orientation=True, output_type=ImageType.GRAY)
        assert to_colour(image, ImageType.GRAY, dtypes.uint8).tolist() == [[[grey]]]


@pytest.mark.parametrize(
    ("stored", "dtype", "result"),
    [
        (np.uint8(255), dtypes.uint16, 65535),
        (np.uint8(3), dtypes.uint16, 771),
        (np.uint8(228), dtypes.int8, 114),
        (np.uint8(255), dtypes.int32, 2147483647),
        (np.uint8(255), dtypes.uint32, 4294967295),
        (np.uint8(51), dtypes.float32, np.float32(51) * np.float32(1 / 255)),
        (np.uint16(385), dtypes.uint8, 1),
        (np.uint16(386), dtypes.uint8, 2),
        (np.uint16(52326), dtypes.int16, 26163),
        (np.uint16(65535), dtypes.float32, 1),
        (np.float32(0.5), dtypes.uint8, 128),
        (np.float32(-0.5), dtypes.uint8, 0),
        (np.float32(-0.5), dtypes.int16, -16384),
        (np.float32(7), dtypes.uint16, 65535),
        (np.float32("nan"), dtypes.uint8, 0),
        (np.float32(3e38), dtypes.int32, 2147483647),
        (np.int16(-5), dtypes.uint8, 0),
        (np.float64(1e300), dtypes.float32, np.inf),
    ],
)
def test_values_are_stretched_to_the_full_range(stored, dtype, result):
    image = np.full((1, 2, 1), stored)
    for output_type in (ImageType.ANY_DATA, ImageType.GRAY, ImageType.RGB, ImageType.BGR):
        converted = to_colour(image, output_type, dtype)
        assert converted.dtype == dtype.storage
        assert (converted == result).all()


def test_alpha_is_dropped_and_grey_spread():
    np.testing.assert_array_equal(to_colour(RGBA, ImageType.RGB, dtypes.uint8), RGB)
    np.testing.assert_array_equal(to_colour(RGBA, ImageType.BGR, dtypes.uint8), RGB[..., ::-1])
    np.testing.assert_array_equal(to_colour(RGBA, ImageType.ANY_DATA, dtypes.uint8), RGBA)
    np.testing.assert_array_equal(to_colour(LA, ImageType.RGB, dtypes.uint8), np.repeat(GREY, 3, axis=2))
    np.testing.assert_array_equal(to_colour(LA, ImageType.GRAY, dtypes.uint8), GREY)
    np.testing.assert_array_equal(to_colour(FIVE, ImageType.RGB, dtypes.uint8), RGB)


@pytest.mark.parametrize(
    ("pixel", "dtype", "result"),
    [
        ([255, 228, 34], dtypes.uint8, [200, 39, 154]),
        ([95], dtypes.uint8, [98, 128, 128]),
        ([255, 228, 34], dtypes.int16, [25660, 4921, 19688]),
        ([255, 228, 34], dtypes.float32, [0.7830934, 0.1501574, 0.600846]),
    ],
)
def test_ycbcr_keeps_to_the_studio_range(pixel, dtype, result):
    for stored in (np.uint8, np.uint16, np.uint32):  # 255 times 257 is the largest uint16, and so on
        scaled = np.array([[pixel]], stored) * stored(np.iinfo(stored).max // 255)
        converted = to_colour(scaled, ImageType.YCbCr, dtype)
        np.testing.assert_allclose(converted.ravel(), result, atol=1e-6)


def test_other_dtypes_are_refused():
    with pytest.raises(RuntimeError, match="Unsupported output type: f64; known: u8, i8"):
        to_colour(RGB, ImageType.RGB, dtypes.float64)


def test_the_first_page_and_the_first_frame_are_decoded():
    pages = [Image.fromarray(RGB), Image.fromarray(255 - RGB)]
    for kind, options in {"TIFF": {}, "PNG": {}, "WEBP": {"lossless": True}}.items():
        data = saved(pages[0], kind, save_all=True, append_images=pages[1:], **options)
        np.testing.assert_array_equal(decode_image(data, adjust_orientation=True), RGB)
