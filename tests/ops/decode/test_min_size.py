"""min_size: JPEGs decoded at the smallest of libjpeg's fast sizes that suffices."""

import io

import numpy as np
import pytest
from PIL import Image

import penstock.dynamic as ndd
from ops.decode.files import turned
from ops.promises import check_operator, photos
from penstock import types

PHOTOS = photos([(160, 200), (97, 333), (64, 64)])


def jpeg(image, **options):
    file = io.BytesIO()
    Image.fromarray(image).save(file, "JPEG", **options)
    return np.frombuffer(file.getvalue(), np.uint8).copy()


FILES = [jpeg(image, subsampling=k, progressive=k == 1) for k, image in enumerate(PHOTOS)]


def drafted(data, mode, size):
    """Pillow has libjpeg decode at a size that is no smaller."""
    image = Image.open(io.BytesIO(data.tobytes()))
    image.draft(mode, size)
    return image


def by_pillow(data, size):
    return np.asarray(drafted(data, "RGB", size))


@pytest.mark.parametrize(
    ("min_size", "shape"),
    [((20, 25), (20, 25)), ((21, 25), (40, 50)), ((80, 1), (80, 100)), ((81, 1), (160, 200)), ((900, 900), (160, 200))],
)
def test_the_smallest_size_that_suffices(min_size, shape):
    small = np.asarray(ndd.decoders.image(FILES[0], min_size=min_size))
    assert small.shape == (*shape, 3)
    assert np.array_equal(small, by_pillow(FILES[0], shape[::-1]))


@pytest.mark.parametrize("sampling", [0, 1, 2])
@pytest.mark.parametrize("scale", [8, 4, 2])
@pytest.mark.parametrize("options", [{}, {"restart_marker_blocks": 3}, {"optimize": True}])
def test_every_scale_is_libjpegs_to_the_bit(sampling, scale, options):
    """At an eighth, and a quarter without subsampling, most are decoded past libjpeg."""
    random = np.random.default_rng(scale)
    for height, width in [(8, 8), (9, 16), (31, 17), (57, 43), (129, 250)]:
        coarse = Image.fromarray(random.integers(0, 256, (height // 5 + 1, width // 5 + 1, 3), np.uint8))
        blobs = np.asarray(coarse.resize((width, height))).astype(np.int16)
        noise = random.choice(np.uint8([0, 255]), (height, width, 3))
        image = np.clip(blobs + random.integers(-9, 10, blobs.shape), 0, 255).astype(np.uint8)
        for data in (jpeg(image, quality=90, subsampling=sampling, **options), jpeg(noise, quality=100, **options)):
            expected = by_pillow(data, (width // scale, height // scale))
            assert expected.shape == (-(-height // scale), -(-width // scale), 3)
            assert np.array_equal(np.asarray(ndd.decoders.image(data, min_size=expected.shape[:2])), expected)
        grey = jpeg(image[..., 0], **options)
        expected = np.asarray(drafted(grey, "L", (width // scale, height // scale)))
        small = ndd.decoders.image(grey, min_size=expected.shape, output_type=types.GRAY)
        assert np.array_equal(np.asarray(small)[..., 0], expected)


def test_the_luma_of_an_eighth_and_of_a_window():
    data = jpeg(PHOTOS[0], subsampling=2)
    grey = np.asarray(ndd.decoders.image(data, min_size=(20, 25), output_type=types.GRAY))[..., 0]
    assert np.array_equal(grey, np.asarray(drafted(data, "L", (25, 20))))
    small = ndd.decoders.image(data, min_size=(20, 25))
    cut = {"roi_start": [3, 5], "roi_end": [17, 21], "size": [14, 16], "interp_type": types.INTERP_NN}
    assert np.array_equal(np.asarray(ndd.resize(small, **cut)), by_pillow(data, (25, 20))[3:17, 5:21])


def test_min_size_keeps_the_promises():
    check_operator("decoders.image", FILES, layout=None, min_size=[24, 24])
    check_operator("decoders.image_random_crop", FILES, layout=None, min_size=[8, 8])


def test_a_turned_photo_is_measured_upright():
    data = jpeg(PHOTOS[0], exif=turned(6))
    upright = np.asarray(ndd.decoders.image(data, min_size=(50, 40)))
    assert upright.shape == (50, 40, 3)
    stored = np.asarray(ndd.decoders.image(data, min_size=(40, 50), adjust_orientation=False))
    assert np.array_equal(upright, np.rot90(stored, -1))


def test_a_random_window_is_the_same_part_of_the_smaller_image():

    def crop(data, **arguments):
        return np.asarray(
            ndd.decoders.image_random_crop(data, random_area=[0.3, 0.9], rng=ndd.random.RNG(5), **arguments)
        )

    for data, image in zip(FILES, PHOTOS, strict=True):
        whole = crop(data)
        small = crop(data, min_size=(12, 12))
        scale = round(whole.shape[0] / small.shape[0])
        assert scale in (2, 4, 8)
        assert all(0 <= scale * b - a <= 2 * scale for a, b in zip(whole.shape[:2], small.shape[:2], strict=True))
        half = np.asarray(ndd.decoders.image(data, min_size=[-(-side // scale) for side in image.shape[:2]]))
        places = np.lib.stride_tricks.sliding_window_view(half, small.shape)
        assert (places == small).all(axis=(-3, -2, -1)).any()


def test_other_formats_are_decoded_whole():
    file = io.BytesIO()
    Image.fromarray(PHOTOS[0]).save(file, "PNG")
    png = np.frombuffer(file.getvalue(), np.uint8)
    assert np.array_equal(np.asarray(ndd.decoders.image(png, min_size=(10, 10))), PHOTOS[0])


@pytest.mark.parametrize("min_size", [[10], [0, 5], [1, 2, 3]])
def test_what_is_no_size_is_refused(min_size):
    with pytest.raises(ValueError, match="min_size is a height and a width, both positive, not "):
        ndd.decoders.image(FILES[0], min_size=min_size)
