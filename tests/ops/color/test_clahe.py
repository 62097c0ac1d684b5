"""clahe: contrast equalised tile by tile."""

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import penstock.dynamic as ndd
from ops.promises import check_operator, photos

GRID = {"tiles_x": 4, "tiles_y": 3, "clip_limit": 2.0}


@pytest.mark.parametrize("channels", [1, 3])
@pytest.mark.parametrize("luma_only", [True, False])
def test_clahe_keeps_the_promises(channels, luma_only):
    images = photos([(24, 40), (7, 5), (1, 1), (61, 83)], channels)
    check_operator("clahe", images, luma_only=luma_only, **GRID)


@pytest.mark.parametrize("clip_limit", [0.0, 0.5, 1.0, 2.5, 40.0, float("inf")])
def test_every_limit_is_that_of_the_plain_function(clip_limit):
    image = np.clip(np.random.default_rng(0).normal(100, 20, (50, 70, 1)), 0, 255).astype(np.uint8)
    check_operator("clahe", [image], tiles_x=5, tiles_y=5, clip_limit=min(clip_limit, 1e6))


def test_colours_go_by_their_lightness():
    (image,) = photos([(40, 60)])
    lab = cv2.cvtColor(image, cv2.COLOR_RGB2LAB)
    lab[..., 0] = cv2.createCLAHE(2.0, (4, 3)).apply(np.ascontiguousarray(lab[..., 0]))
    np.testing.assert_array_equal(np.asarray(ndd.clahe(image, **GRID)), cv2.cvtColor(lab, cv2.COLOR_LAB2RGB))


def test_every_colour_is_converted_as_opencv_does_it():
    steps = np.arange(0, 256, 5, dtype=np.uint8)
    cube = np.stack(np.meshgrid(steps, steps, steps, indexing="ij"), axis=-1).reshape(52, -1, 3)
    check_operator("clahe", [np.ascontiguousarray(cube)], tiles_x=1, tiles_y=1, clip_limit=3.0)


def test_contrast_grows_no_further_than_the_limit():
    dull = np.clip(np.random.default_rng(0).normal(100, 5, (64, 64, 1)), 0, 255).astype(np.uint8)
    spreads = [np.asarray(ndd.clahe(dull, tiles_x=2, tiles_y=2, clip_limit=limit)).std() for limit in (1.0, 3.0, 20.0)]
    assert dull.std() <= spreads[0] < spreads[1] < spreads[2]


def test_an_infinite_limit_is_none():
    (image,) = photos([(30, 30)], channels=1)
    grid = {"tiles_x": 2, "tiles_y": 2}
    unlimited = np.asarray(ndd.clahe(image, clip_limit=0.0, **grid))
    np.testing.assert_array_equal(np.asarray(ndd.clahe(image, clip_limit=float("inf"), **grid)), unlimited)


def test_bad_calls_are_refused():
    image = np.zeros((8, 8, 1), np.uint8)
    with pytest.raises(ValueError, match="ClaheCPU supports 1 or 3 channels, got 2"):
        ndd.clahe(np.zeros((8, 8, 2), np.uint8), **GRID).evaluate()
    with pytest.raises(ValueError, match="ClaheCPU currently supports only uint8 input, got float"):
        ndd.clahe(image.astype(np.float32), **GRID)
    for tiles in (0, -1, 2**30):
        with pytest.raises(ValueError, match=f"there can be 1 to 1048576 tiles, got {tiles} x 2"):
            ndd.clahe(image, tiles_x=tiles, tiles_y=2, clip_limit=1.0)
    for bins in (0, -8, 100):
        with pytest.raises(ValueError, match=f"bins must be a power of 2, got {bins}"):
            ndd.clahe(image, bins=bins, **GRID)
    with pytest.raises(TypeError, match="missing 1 required keyword-only argument: 'clip_limit'"):
        ndd.clahe(image, tiles_x=1, tiles_y=1)
    with pytest.raises(ValueError, match='The layout "CHW" does not match'):
        ndd.clahe(ndd.tensor(image, layout="CHW"), **GRID)


@given(
    st.tuples(st.integers(0, 60), st.integers(0, 60)),
    st.integers(1, 20),
    st.integers(1, 20),
    st.floats(0, 50, width=32),
    st.sampled_from([1, 3]),
)
@settings(max_examples=50, deadline=None)
def test_any_grid_is_that_of_the_plain_function(size, tiles_x, tiles_y, clip_limit, channels):
    images = photos([size], channels)
    check_operator("clahe", images, tiles_x=tiles_x, tiles_y=tiles_y, clip_limit=clip_limit, luma_only=False)
