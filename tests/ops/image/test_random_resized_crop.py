"""random_resized_crop and decoders.image_random_crop: the same windows for the same seed, in every mode."""

import io

import numpy as np
import pytest
from PIL import Image

import penstock.dynamic as ndd
from ops.promises import photos


def seeded():
    return ndd.random.RNG(seed=42)


def ramps(sizes):
    """Images whose pixels tell where they are: (y, x, 0)."""
    return [np.stack([*np.mgrid[:h, :w], np.zeros((h, w))], axis=-1).astype(np.uint8) for h, w in sizes]


def jpegs(images):
    def encode(image):
        buffer = io.BytesIO()
        Image.fromarray(image).save(buffer, "JPEG", quality=92)
        return np.frombuffer(buffer.getvalue(), np.uint8).copy()

    return ndd.batch([encode(image) for image in images])


@pytest.mark.parametrize("mode", list(ndd.EvalMode))
def test_windows_do_not_depend_on_the_mode(mode):
    images = ndd.batch(photos([(40, 60), (33, 21), (64, 64)]))
    expected = [np.asarray(t) for t in ndd.random_resized_crop(images, size=[8, 9], rng=seeded())]
    with mode:
        again = ndd.random_resized_crop(images, size=[8, 9], rng=seeded())
    assert all(np.array_equal(np.asarray(a), b) for a, b in zip(again, expected, strict=True))
    assert again.shape == [(8, 9, 3)] * 3


def test_a_decoded_window_is_a_window_of_the_decoded_image():
    data = jpegs(photos([(70, 90), (120, 50), (33, 33)]))
    crops = ndd.decoders.image_random_crop(data, rng=seeded())
    for crop, image in zip(crops, ndd.decoders.image(data), strict=True):
        crop, image = np.asarray(crop), np.asarray(image)
        height, width = crop.shape[:2]
        views = np.lib.stride_tricks.sliding_window_view(image, crop.shape)[..., 0, :, :, :]
        assert (views == crop).all(axis=(-1, -2, -3)).sum() == 1, f"a window of {height}x{width}"


def test_cropping_while_decoding_equals_cropping_after():
    data = jpegs(photos([(70, 90), (120, 50)]))
    fused = ndd.resize(ndd.decoders.image_random_crop(data, rng=seeded()), size=[16, 16])
    crops = ndd.decoders.image_random_crop(data, rng=seeded()).evaluate()
    assert all(
        np.array_equal(np.asarray(a), np.asarray(ndd.resize(b, size=[16, 16])))
        for a, b in zip(fused, crops, strict=True)
    )


def test_windows_keep_to_their_ranges():
    images = ndd.batch(ramps([(100, 200)] * 200))
    whole = ndd.random_resized_crop(
        images, size=[50, 50], random_area=[0.25, 0.5], random_aspect_ratio=[0.5, 2], rng=seeded()
    )
    for crop in whole:
        pixels = np.asarray(crop).astype(int)
        height = (pixels[-1, 0, 0] - pixels[0, 0, 0]) * 50 / 49
        width = (pixels[0, -1, 1] - pixels[0, 0, 1]) * 50 / 49
        assert 0.2 < height * width / 20000 < 0.56
        assert 0.45 < width / height < 2.2


def test_the_whole_image_is_a_window_too():
    image = photos([(16, 24)])[0]
    arguments = {"random_area": [1, 1], "random_aspect_ratio": [1.5, 1.5]}
    result = ndd.random_resized_crop(image, size=[16, 24], **arguments)
    assert np.array_equal(np.asarray(result), image)


@pytest.mark.parametrize("layout", ["CHW", "FHWC", "FCHW"])
def test_layouts(layout):
    axes = {"F": 2, "C": 3, "H": 20, "W": 30}
    image = np.random.default_rng(0).integers(0, 256, [axes[a] for a in layout], dtype=np.uint8)
    result = ndd.random_resized_crop(ndd.tensor(image, layout=layout), size=[5, 6], rng=seeded())
    assert result.shape == tuple({**axes, "H": 5, "W": 6}[a] for a in layout)
    order = [layout.index(axis) for axis in "FHWC" if axis in layout]
    straight = np.ascontiguousarray(image.transpose(order))
    reference = ndd.random_resized_crop(straight, size=[5, 6], rng=seeded())
    assert np.array_equal(np.asarray(result).transpose(order), np.asarray(reference))


@pytest.mark.parametrize("mode", [ndd.EvalMode.eager, ndd.EvalMode.sync_cpu])
def test_one_number_is_both_ends_of_a_range(mode):
    image = np.zeros((40, 50, 3), np.uint8)
    data = jpegs([image])
    size = np.array([40, 50])
    with mode:
        for one, both in ((0.25, [0.25, 0.25]), ([0.25], [0.25, 0.25])):
            ranges = (
                {"random_area": one, "random_aspect_ratio": 1},
                {"random_area": both, "random_aspect_ratio": [1, 1]},
            )
            (a, anchor), (b, wanted) = (
                (ndd.decoders.image_random_crop(data, rng=seeded(), **given).tensors[0].shape,
                 np.asarray(ndd.random_crop_generator(size, rng=seeded(), **given)[0]).tolist())
                for given in ranges
            )  # fmt: skip
            assert a == b == (22, 22, 3)
            assert anchor == wanted
            got, same = (np.asarray(ndd.random_resized_crop(image, size=4, rng=seeded(), **given)) for given in ranges)
            assert np.array_equal(got, same)


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"size": [0, 4]}, "`size` must be one or two positive numbers"),
        ({"size": 4, "random_area": [0.5, 0.1]}, "empty or negative range for `random_area`"),
        ({"size": 4, "random_area": [0.5, 2]}, "up to 1"),
        ({"size": 4, "random_aspect_ratio": [-1, 1]}, "empty or negative range for `random_aspect_ratio`"),
        ({"size": 4, "random_area": [0.1, 0.2, 0.3]}, "a single value or a list of 2 elements. 3 given"),
        ({"size": 4, "random_area": 2}, "up to 1"),
        ({"size": 4, "num_attempts": 0}, "`num_attempts` must be at least 1"),
    ],
)
def test_bad_arguments_are_told_at_the_call(arguments, text):
    with pytest.raises(RuntimeError, match=text):
        ndd.random_resized_crop(np.zeros((4, 4, 3), np.uint8), **arguments)


def test_a_missing_size_is_told():
    with pytest.raises(TypeError, match="missing 1 required keyword-only argument: 'size'"):
        ndd.random_resized_crop(np.zeros((4, 4, 3), np.uint8))


def test_rng_must_be_a_generator():
    with pytest.raises(ValueError, match="rng must be an instance of"):
        ndd.random_resized_crop(np.zeros((4, 4, 3), np.uint8), size=2, rng=5)
