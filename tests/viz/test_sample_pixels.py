"""Samples as pictures."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from penstock.viz.pixels import Normalization, bytes_text, curve, kind_of, picture

PHOTO = np.arange(6 * 8 * 3, dtype=np.uint8).reshape(6, 8, 3)


@pytest.mark.parametrize(
    ("shape", "dtype", "layout", "kind"),
    [
        ((6, 8, 3), "uint8", "HWC", "image"),
        ((3, 6, 8), "float32", "CHW", "image"),
        ((6, 8), "uint8", "HW", "image"),
        ((6, 8, 3), "uint8", "", "image"),
        ((3, 60, 80), "float32", "", "image"),
        ((5, 6, 8, 3), "uint8", "FHWC", "sequence"),
        ((5, 3, 6, 8), "float32", "FCHW", "sequence"),
        ((5, 60, 80, 3), "uint8", "", "sequence"),
        ((40, 100), "float32", "ft", "heat map"),
        ((40, 100), "float32", "", "heat map"),
        ((4000,), "float32", "", "waveform"),
        ((4000, 2), "float32", "", "waveform"),
        ((4000,), "uint8", "", "values"),
        ((1,), "int32", "", "values"),
        ((7, 4), "float32", "", "values"),
        ((), "float32", "", "values"),
        ((0, 8, 3), "uint8", "HWC", "values"),
    ],
)
def test_what_a_sample_is(shape: tuple[int, ...], dtype: str, layout: str, kind: str) -> None:
    assert kind_of(np.zeros(shape, dtype), layout) == kind


def test_bytes_are_shown_as_they_are() -> None:
    [shown] = picture(PHOTO, "HWC").frames
    assert (shown == PHOTO).all()
    [planar] = picture(PHOTO.transpose(2, 0, 1), "CHW").frames
    assert (planar == PHOTO).all()


def test_frames_are_pictures_of_their_own() -> None:
    film = np.stack([PHOTO, PHOTO[::-1]])
    assert [(frame == each).all() for frame, each in zip(picture(film, "FHWC").frames, film, strict=True)] == [True] * 2


@pytest.mark.parametrize("planar", [False, True])
def test_normalised_pixels_are_shown_as_they_were(planar: bool) -> None:
    mean, deviation = (120.0, 110.0, 100.0), (60.0, 61.0, 62.0)
    values = 0.5 * (PHOTO - np.float32(mean)) / np.float32(deviation) + 2
    values = values.transpose(2, 0, 1) if planar else values
    shown = picture(values, "CHW" if planar else "HWC", Normalization(mean, deviation, 0.5, 2.0))
    assert (shown.frames[0] == PHOTO).all()
    assert shown.note == "un-normalised"


def test_channels_that_were_added_to_normalised_pixels_are_left_out() -> None:
    padded = np.pad((PHOTO - np.float32(9)) / 2, [(0, 0), (0, 0), (0, 1)])
    assert (picture(padded, "HWC", Normalization((9.0, 9.0, 9.0), (2.0,))).frames[0] == PHOTO).all()


def test_a_mean_for_every_pixel_is_not_undone() -> None:
    shown = picture(PHOTO - np.float32(100), "HWC", Normalization((1.0,) * 48, (1.0,)))
    assert shown.note == "-100 to 43"


@pytest.mark.parametrize(
    ("values", "expected", "note"),
    [
        (np.float32([[0, 0.5, 1]]), [0, 128, 255], ""),
        (np.float32([[0, 100, 200]]), [0, 100, 200], ""),
        (np.float32([[-1, 0, 1]]), [0, 128, 255], "-1 to 1"),
        (np.uint16([[0, 32768, 65535]]), [0, 128, 255], "16 bits"),
        (np.array([[False, True, False]]), [0, 255, 0], ""),
        (np.float32([[np.nan, 0.5, np.inf]]), [0, 128, 255], ""),
    ],
)
def test_numbers_become_bytes(values: np.ndarray, expected: list[int], note: str) -> None:
    shown = picture(values, "HW")
    assert shown.frames[0][0, :, 0].tolist() == expected
    assert shown.note == note


def test_see_through_pixels_let_the_ground_be_seen() -> None:
    image = np.dstack([PHOTO, np.full((6, 8), 255, np.uint8)])
    image[0, 0, 3] = 0
    [shown] = picture(image, "HWC").frames
    assert (shown[1:] == PHOTO[1:]).all()
    assert (shown[0, 0] != PHOTO[0, 0]).all()


def test_a_file_is_shown_as_the_image_in_it() -> None:
    data = cv2.imencode(".png", PHOTO[..., ::-1])[1].ravel()
    shown = picture(data)
    assert shown.kind == "file"
    assert (shown.frames[0] == PHOTO).all()
    assert shown.note == f"PNG, {len(data)} B"
    assert picture(data[:40]).note == "PNG, 40 B, not decoded"


def test_low_frequencies_are_at_the_bottom() -> None:
    power = np.zeros((60, 50), np.float32)
    power[0] = 1
    [shown] = picture(power, "ft").frames
    assert shown.shape == (120, 50, 3)
    assert shown[-1].min() > 240
    assert shown[0].max() < 40


def test_a_curve_follows_its_signal() -> None:
    ramp = curve(np.linspace(-1, 1, 1000, dtype=np.float32), width=100, height=50)
    blue = ramp[..., 2].argmax(axis=0)
    assert blue[0] > 44
    assert blue[-1] < 6
    assert (np.diff(blue.astype(int)) <= 0).mean() > 0.9
    assert curve(np.zeros((100, 2), np.float32), 60, 80).shape == (80, 60, 3)


@pytest.mark.parametrize(
    ("count", "said"), [(713, "713 B"), (13_400, "13.4 kB"), (724_000, "724 kB"), (2.1e6, "2.1 MB")]
)
def test_sizes_are_told_in_few_digits(count: float, said: str) -> None:
    assert bytes_text(count) == said
