"""Single augmentations: what each does to pixels, and how magnitudes become parameters."""

from __future__ import annotations

import numpy as np
import pytest

from auto_aug.pipelines import made_by, pictures
from penstock import fn, types
from penstock.auto_aug import augmentations as a
from penstock.auto_aug.core import augmentation, select, signed_bin
from penstock.auto_aug.core.augmentation import MissingArgException

ROW = np.array([[[0, 100, 250], [10, 120, 250], [30, 128, 250], [50, 255, 250]]], np.uint8)


def changed(body, samples=(ROW,), **options):
    return made_by(body, samples, **options)


def at(augmentation, bin, bins, **kwargs):
    return lambda data: augmentation(data, magnitude_bin=bin, num_magnitude_bins=bins, **kwargs)


def plus(magnitude_bin):
    return signed_bin(magnitude_bin, random_sign=0)


def minus(magnitude_bin):
    return signed_bin(magnitude_bin, random_sign=1)


def test_invert_solarize_and_posterize():
    (inverted,) = changed(lambda data: a.invert(data))
    assert (inverted == 255 - ROW).all()
    (solarized,) = changed(at(a.solarize, 1, 3))  # the threshold is 128
    assert (solarized == np.where(ROW < 128, ROW, 255 - ROW)).all()
    (poster,) = changed(at(a.posterize, 1, 3))  # two bits of 0 to 4
    assert (poster == ROW & 0b11000000).all()
    (added,) = changed(at(a.solarize_add, 10, 11))
    assert (added == np.where(ROW < 128, ROW + 110, ROW)).all()


def test_auto_contrast_stretches_channels_and_leaves_flat_ones():
    (stretched,) = changed(lambda data: a.auto_contrast(data))
    assert stretched[0, :, 0].tolist() == [0, 51, 153, 255]
    assert stretched[0, :, 1].tolist() == [0, 33, 46, 255]
    assert stretched[0, :, 2].tolist() == [250] * 4


def test_contrast_keeps_the_mean_grey():
    grey = (ROW.reshape(-1, 3).mean(axis=0) * [0.299, 0.587, 0.114]).sum()
    (made,) = changed(at(a.contrast.augmentation(mag_range=(0.0, 0.0), mag_to_param=None), plus(0), 1))
    assert np.abs(made - grey).max() <= 0.5
    (halved,) = changed(at(a.contrast.augmentation(mag_range=(0.5, 0.5), mag_to_param=None), plus(0), 1))
    assert np.abs(halved - (grey + (ROW - grey) / 2)).max() <= 0.51


def test_brightness_and_color():
    (brighter,) = changed(at(a.brightness, plus(4), 5))
    assert (brighter == np.clip(np.floor(ROW * np.float32(1.9) + 0.5), 0, 255)).all()
    (darker,) = changed(at(a.brightness, minus(4), 5))
    assert (darker == np.floor(ROW * np.float32(0.1) + 0.5)).all()
    (grey,) = changed(at(a.color.augmentation(mag_range=(0, 1)), minus(1), 2))
    assert np.ptp(grey.astype(int), axis=-1).max() <= 1


def test_sharpness_goes_from_blurred_to_sharpened():
    spot = np.zeros((5, 5, 3), np.uint8)
    spot[2, 2] = 130
    (blurred,) = changed(at(a.sharpness.augmentation(mag_range=(0, 1)), minus(1), 2), [spot])
    assert (blurred[2, 2] == 50).all()
    assert (blurred[1, 1] == 10).all()
    (same,) = changed(at(a.sharpness, plus(0), 5), [spot])
    assert (same == spot).all()


def test_translations_by_pixels_and_by_parts():
    (image,) = pictures(1, 8, 10)
    (right,) = changed(at(a.translate_x_no_shape.augmentation(mag_range=(0, 4)), plus(2), 5, fill_value=7), [image])
    assert (right[:, 2:] == image[:, :-2]).all()
    assert (right[:, :2] == 7).all()
    (up,) = changed(at(a.translate_y, minus(1), 5, shape=(8, 10)), [image])  # a quarter of the height
    assert (up[:-2] == image[2:]).all()
    assert (up[-2:] == 128).all()
    (by_node,) = changed(lambda data: at(a.translate_y, minus(1), 5, shape=data.shape())(data), [image])
    assert (by_node == up).all()


def test_rotate_and_shear():
    (image,) = pictures(1, 9, 9)
    (turned,) = changed(at(a.rotate.augmentation(mag_range=(0, 90)), plus(1), 2), [image])
    assert (turned == np.rot90(image)).all()
    (sheared,) = changed(at(a.shear_y.augmentation(mag_range=(0, 2)), plus(1), 2, fill_value=3), [image])
    assert (sheared[3:, 1] == image[:-3, 1]).all()  # pixels have their centres at halves
    assert (sheared[:3, 1] == 3).all()


def test_equalize_and_identity():
    (image,) = pictures(1)
    (evened,) = changed(lambda data: a.equalize(data), [image])
    assert evened.min() == 0
    assert evened.max() == 255
    assert (changed(lambda data: a.identity(data), [image])[0] == image).all()


@pytest.mark.parametrize(
    ("bits", "mask"), [(0, 0x80), (1, 0x80), (2, 0xC0), (3.4, 0xE0), (3.6, 0xF0), (8, 0xFF), (11, 0xFF)]
)
def test_masks_of_posters(bits, mask):
    assert a.poster_mask_uint8(bits) == mask


def test_parameters_of_magnitudes():
    assert a.warp_x_param(3.0) == [3.0, 0]
    assert a.warp_y_param(3.0) == [0, 3.0]
    assert a.shift_enhance_range(-0.25) == 0.75
    assert np.allclose(a.sharpness_kernel_shifted(0.0), np.array([[1, 1, 1], [1, 5, 1], [1, 1, 1]]) / 13)
    assert np.array_equal(a.sharpness_kernel(0.0), [[0, 0, 0], [0, 1, 0], [0, 0, 0]])
    with pytest.raises(ValueError, match="accepts shifts from 0 to 128"):
        a.solarize_add_shift(128)


def shown(**settings):
    """An augmentation whose result is its parameter."""
    return augmentation(lambda data, parameter: parameter, **settings)


def test_bins_divide_the_range_evenly():
    def body(data):
        bins = fn.external_source(lambda: [np.int32(k) for k in (0, 2, 4)])
        return shown(mag_range=(10, 30))(data, magnitude_bin=bins, num_magnitude_bins=5)

    made = made_by(body, [ROW] * 3)
    assert [float(each) for each in made] == [10, 20, 30]
    assert made[0].dtype == np.float32


@pytest.mark.parametrize(
    ("settings", "dtype", "value"),
    [
        ({"mag_range": np.array([1, 3, 9])}, np.int32, 3),
        ({"mag_range": (0, 10), "mag_to_param": lambda m: np.int16(m)}, np.int16, 5),
        ({"mag_range": (0, 10), "mag_to_param": lambda m: m > 2}, np.bool_, True),
        ({"mag_range": (0, 10), "mag_to_param": lambda m: [m, 2]}, np.float32, [5, 2]),
    ],
)
def test_parameters_keep_their_types_but_for_wide_ones(settings, dtype, value):
    (made,) = changed(at(shown(**settings), 1, 3))
    assert made.dtype == dtype
    assert made.tolist() == value


def test_signs_are_shared_by_those_who_are_given_them():
    def body(data):
        signed = signed_bin(1)
        own = shown(mag_range=(0, 1), randomly_negate=True)
        first, second = (own(data, magnitude_bin=signed, num_magnitude_bins=2) for _ in range(2))
        return fn.stack(first, second)

    made = np.array(made_by(body, [ROW] * 40))
    assert {*made[:, 0].tolist()} == {-1.0, 1.0}
    assert (made[:, 0] == made[:, 1]).all()


def test_a_sign_is_drawn_with_a_warning_where_none_is_given():
    with pytest.warns(UserWarning, match="unsigned `magnitude_bin`"):
        made = made_by(at(shown(mag_range=(0, 1), randomly_negate=True), 1, 2), [ROW] * 40)
    assert {float(each) for each in made} == {-1.0, 1.0}


def test_settings_can_be_changed():
    other = a.rotate.augmentation(mag_range=(0, 3), randomly_negate=False, name="tilt")
    assert (other.name, other.mag_range, other.randomly_negate, other.op) == ("tilt", (0, 3), False, a.rotate.op)
    assert a.rotate.augmentation().mag_range == (0, 30)
    assert a.rotate.augmentation(mag_range=None).mag_range is None
    assert "mag_range=(0, 3)" in repr(other)


def test_select_leads_every_sample_through_its_operation():
    chosen = [2, 0, 1, 1]

    def body(data):
        numbers = fn.external_source(lambda: [np.int32(k) for k in chosen])
        return select([lambda x: x + 0, lambda x: x + 1, lambda x: x + 2], numbers, data)

    made = made_by(body, [np.zeros((1, 1, 1), np.int32)] * 4)
    assert [int(each[0, 0, 0]) for each in made] == chosen
    assert int(changed(lambda data: select([lambda x: x, lambda x: 255 - x], 1, data))[0][0, 0, 0]) == 255


@pytest.mark.parametrize(
    ("body", "error", "message"),
    [
        (lambda data: a.rotate(data, magnitude_bin=1), ValueError, "The `num_magnitude_bins` argument is missing"),
        (lambda data: a.rotate(data, num_magnitude_bins=3), ValueError, "it requires `magnitude_bin`"),
        (at(a.rotate, plus, 3), TypeError, "The `magnitude_bin` must be an int or _DataNode"),
        (at(a.solarize, 3, 3), IndexError, "bin 3 is out of bounds"),
        (at(a.solarize, -1, 3), IndexError, "bin -1 is out of bounds"),
        (at(a.translate_x, 1, 3), Exception, "requires following named argument.* shape"),
        (at(shown(mag_range=np.array([1, 2])), 1, 3), ValueError, "has nd.array of length 2"),
        (lambda data: signed_bin(1.5), TypeError, "The `magnitude_bin` must be an int"),
        (lambda data: select([], 0, data), ValueError, "at least one operation"),
        (lambda data: augmentation(lambda only: only), TypeError, "must accept at least two positional arguments"),
        (lambda data: augmentation(3), TypeError, "not callable: 3"),
        (lambda data: augmentation(a.rotate), TypeError, "already decorated Augmentation"),
    ],
)
def test_what_cannot_be_called(body, error, message):
    with pytest.raises(error, match=message):
        changed(body)


def test_parameters_of_different_shapes_are_refused():
    ragged = shown(mag_range=(1, 3), mag_to_param=lambda m: [1.0] * int(m))
    drawn = {"values": [0, 1, 2], "dtype": types.INT32}
    with pytest.raises(ValueError, match="callback of `<lambda>` augmentation must return the arrays of the same type"):
        changed(lambda data: at(ragged, fn.random.uniform(**drawn), 3)(data))


@pytest.mark.parametrize("bin", [1, lambda: types.Constant(1, device="cpu")])
def test_an_array_of_magnitudes_tells_how_many_bins_there_are(bin):
    @augmentation(mag_range=np.array([1, 2, 3]))
    def add(data, magnitude):
        return data + magnitude

    def body(data):
        return add(data, magnitude_bin=bin if isinstance(bin, int) else bin())

    [made] = changed(body, [np.int32([42])], layout="X")
    assert made == 44
    with pytest.raises(ValueError, match="it requires `magnitude_bin`"):
        add(fn.constant(idata=1))
    with pytest.raises(IndexError, match="has 3 magnitude bins"):
        add(fn.constant(idata=1), magnitude_bin=3)
    with pytest.raises(ValueError, match="The `num_magnitude_bins` argument is missing"):
        add.augmentation(mag_range=(1, 3))(fn.constant(idata=1), magnitude_bin=1)


@pytest.mark.parametrize("known", [True, False])
def test_magnitudes_of_several_numbers_are_negated_together(known):
    @augmentation(mag_range=np.array([[1, 2], [3, 4]]), randomly_negate=True)
    def add(data, magnitude):
        return data + magnitude

    def body(data):
        return add(data, magnitude_bin=minus(1 if known else types.Constant(1, device="cpu")))

    [made] = changed(body, [np.int32([10, 10])], layout="X")
    assert made.tolist() == [7, 6]


def test_an_argument_that_is_none_is_given():
    @augmentation
    def same(data, _, extra):
        assert extra is None
        return data

    [made] = changed(lambda data: same(data, extra=None))
    np.testing.assert_array_equal(made, ROW)
    with pytest.raises(MissingArgException, match=r"which were not provided to the call: extra"):
        same(fn.constant(idata=1))


def test_a_parameter_cannot_be_a_node():
    @augmentation(mag_range=(1, 3), mag_to_param=lambda magnitude: fn.constant(fdata=magnitude))
    def add(data, magnitude):
        return data + magnitude

    with pytest.raises(
        ValueError, match=r"^The `mag_to_param` callback of `add` augmentation returned `DataNode`, i\.e\."
    ):
        add(fn.constant(idata=1), magnitude_bin=0, num_magnitude_bins=3)
