"""Random crop windows, as the decoder and the resizer take them."""

from __future__ import annotations

import numpy as np
import pytest

import penstock.dynamic as ndd
from penstock._native import random_windows

Window = tuple[int, int, int, int]


def windows(
    height: int,
    width: int,
    samples: int,
    area: tuple[float, float] = (0.08, 1.0),
    aspect_ratio: tuple[float, float] = (0.75, 4 / 3),
    attempts: int = 10,
    seed: int = 1234,
) -> list[Window]:
    words = ndd.random.RNG(seed).take_words()
    sizes = np.array([[height, width]] * samples)
    return [tuple(row) for row in random_windows(words, 0, sizes, area, aspect_ratio, attempts).tolist()]


def test_a_seed_gives_known_windows():
    assert windows(375, 500, 3) == [(81, 272, 145, 151), (7, 117, 359, 370), (3, 34, 369, 382)]
    assert windows(100, 100, 2, area=(0.01, 0.02), aspect_ratio=(20, 30)) == [(35, 38, 2, 51), (44, 32, 3, 65)]


def test_images_too_long_for_the_ratio_give_the_largest_window_that_has_it():
    assert windows(64, 1000, 2) == [(0, 259, 64, 85), (0, 432, 64, 85)]
    assert windows(1000, 64, 2) == [(899, 0, 85, 64), (720, 0, 85, 64)]


def test_a_ratio_that_rounding_always_spoils_falls_back_to_the_largest_area():
    assert windows(45, 33, 2, area=(0.01, 0.01), aspect_ratio=(1.2, 1.32)) == [(42, 8, 3, 4), (33, 14, 3, 4)]


def test_smallest_images():
    assert windows(1, 1, 1) == [(0, 0, 1, 1)]
    assert windows(1, 100, 2) == [(0, 57, 1, 1), (0, 55, 1, 1)]
    assert windows(0, 5, 1) == [(0, 0, 0, 0)]


@pytest.mark.parametrize("size", [(375, 500), (30, 20), (5, 7), (64, 1000), (20000, 30000)])
def test_windows_lie_inside_with_the_area_and_ratio_asked_for(size):
    height, width = size
    drawn = np.array(windows(height, width, 500, area=(0.2, 0.6), aspect_ratio=(0.5, 2.0)))
    y, x, h, w = drawn.T
    assert (y >= 0).all()
    assert (x >= 0).all()
    assert (h >= 1).all()
    assert (w >= 1).all()
    assert (y + h <= height).all()
    assert (x + w <= width).all()
    assert ((w / h >= 0.5) & (w / h <= 2)).all()
    if min(size) > 300:
        share = h * w / (height * width)
        assert share.min() == pytest.approx(0.2, abs=0.01)
        assert share.max() == pytest.approx(0.6, abs=0.01)


def test_every_place_is_as_likely():
    y, x, h, w = np.array(windows(300, 300, 4000, area=(0.1, 0.2))).T
    for start, room in ((y, 300 - h), (x, 300 - w)):
        assert (start / room).mean() == pytest.approx(0.5, abs=0.02)
        assert (start == room).any()


def test_windows_differ_between_samples_and_seeds_and_repeat_for_both():
    assert len(set(windows(400, 400, 50))) == 50
    assert windows(400, 400, 5) == windows(400, 400, 5)
    assert windows(400, 400, 5) != windows(400, 400, 5, seed=1)


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        ({"area": (0.5, 0.1)}, "random_area"),
        ({"area": (-1, 1)}, "random_area"),
        ({"area": (float("nan"), 1)}, "random_area"),
        ({"aspect_ratio": (2, 1)}, "random_aspect_ratio"),
        ({"aspect_ratio": (0, 1)}, "random_aspect_ratio"),
        ({"aspect_ratio": (1, float("inf"))}, "random_aspect_ratio"),
    ],
)
def test_ranges_must_make_sense(arguments, name):
    with pytest.raises(RuntimeError, match=f"{name} goes from"):
        windows(10, 10, 1, **arguments)
