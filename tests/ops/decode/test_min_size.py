"""min_size: JPEGs decoded at the smallest of libjpeg's fast sizes that suffices."""

import io

import numpy as np
import pytest
from PIL import Image

import penstock.dynamic as ndd
from ops.decode.files import turned
from ops.promises import check_operator, photos

PHOTOS = photos([(160, 200), (97, 333), (64, 64)])


def jpeg(image, **options):
    file = io.BytesIO()
    Image.fromarray(image).save(file, "JPEG", **options)
    return np.frombuffer(file.getvalue(), np.uint8).copy()


FILES = [jpeg(image, subsampling=k, progressive=k == 1) for k, image in enumerate(PHOTOS)]


def by_pillow(data, size):
    """Pillow has libjpeg decode at a size that is no smaller."""
    image = Image.open(io.BytesIO(data.tobytes()))
    image.draft("RGB", size)
    return np.asarray(image)


@pytest.mark.parametrize(
    ("min_size", "shape"),
    [((20, 25), (20, 25)), ((21, 25), (40, 50)), ((80, 1), (80, 100)), ((81, 1), (160, 200)), ((900, 900), (160, 200))],
)
def test_the_smallest_size_that_suffices(min_size, shape):
    small = np.asarray(ndd.decoders.image(FILES[0], min_size=min_size))
    assert small.shape == (*shape, 3)
    assert np.array_equal(small, by_pillow(FILES[0], shape[::-1]))


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
