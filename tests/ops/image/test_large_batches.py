"""Batches larger than the caches are written past them; what they hold must not show it."""

from __future__ import annotations

import numpy as np
import pytest

import penstock.dynamic as ndd
from penstock import types

HEIGHT, WIDTH = 1901, 1907
PIXELS = np.random.default_rng(0).integers(0, 256, (2, HEIGHT, WIDTH, 3), np.uint8)
IMAGES = ndd.as_batch(PIXELS, layout="HWC")


def same(got, wanted):
    return all(np.array_equal(np.asarray(one), each) for one, each in zip(got, wanted, strict=True))


def framed(top, bottom, left, right, fill):
    made = np.empty((2, HEIGHT + top + bottom, WIDTH + left + right, 3), np.uint8)
    made[...] = fill
    made[:, top : top + HEIGHT, left : left + WIDTH] = PIXELS
    return made


@pytest.mark.parametrize(
    ("top", "left", "height", "width"), [(3, 5, 1890, 1893), (700, 1, 1201, 1906), (0, 0, 1901, 9)]
)
def test_windows(top, left, height, width):
    got = ndd.slice(IMAGES, start=[top, left], shape=[height, width], axes=[0, 1])
    assert same(got, PIXELS[:, top : top + height, left : left + width])


def test_windows_that_reach_out():
    got = ndd.slice(
        IMAGES,
        start=[-7, -301],
        shape=[HEIGHT + 9, WIDTH + 305],
        axes=[0, 1],
        out_of_bounds_policy="pad",
        fill_values=5,
    )
    assert same(got, framed(7, 2, 301, 4, 5))


def test_padding():
    assert same(ndd.pad(IMAGES, axis_names="HW", shape=[2000, 1999], fill_value=3), framed(0, 99, 0, 92, 3))


def test_pasting():
    got = ndd.paste(IMAGES, ratio=1.25, fill_value=[1, 2, 3], paste_x=1.0, paste_y=0.0)
    assert same(got, framed(0, 475, 476, 0, [1, 2, 3]))


@pytest.mark.parametrize(("horizontal", "vertical"), [(1, 0), (0, 1), (1, 1)])
def test_mirroring(horizontal, vertical):
    got = ndd.flip(IMAGES, horizontal=horizontal, vertical=vertical)
    assert same(got, PIXELS[:, :: -1 if vertical else 1, :: -1 if horizontal else 1])


def test_swapped_channels_and_copies():
    assert same(ndd.color_space_conversion(IMAGES, image_type=types.RGB, output_type=types.BGR), PIXELS[..., ::-1])
    assert same(ndd.copy(IMAGES), PIXELS)


def test_regions_of_several_images():
    wanted = np.zeros((2, HEIGHT, WIDTH, 3), np.uint8)
    wanted[:, :, :1000] = PIXELS[1, :, :1000]
    wanted[:, :1500, 1000:] = PIXELS[0, :1500, :907]
    got = ndd.multi_paste(IMAGES, in_ids=[1, 0], shapes=[[HEIGHT, 1000], [1500, 907]], out_anchors=[[0, 0], [0, 1000]])
    assert same(got, wanted)


def test_casts():
    assert same(ndd.cast(IMAGES, dtype=ndd.float32), PIXELS.astype(np.float32))
