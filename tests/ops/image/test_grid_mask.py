"""grid_mask: the squares of a grid blackened."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import penstock.dynamic as ndd
from ops.promises import check_operator, photos

SIZES = [(24, 36), (1, 5), (3, 1)]


def mask(height, width, **arguments):
    return np.asarray(ndd.grid_mask(np.ones((height, width, 1), np.uint8), **arguments))[..., 0].tolist()


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"tile": 7, "ratio": 0.3},
        {"tile": 5, "angle": 0.4},
        {"tile": 9, "ratio": 0.6, "angle": -2.0, "shift_x": 3.3, "shift_y": -40.0},
        {"tile": 1, "ratio": 0.0},
        {"tile": 3, "ratio": 1.0},
        {"angle": float("inf")},
    ],
)
@pytest.mark.parametrize("dtype", [np.uint8, np.int16, np.int32, np.float32])
def test_grid_mask_keeps_the_promises(arguments, dtype):
    check_operator("grid_mask", photos(SIZES, dtype=dtype), **arguments)


@pytest.mark.parametrize(
    ("layout", "shape"),
    [("HWC", (9, 8, 1)), ("HWC", (9, 8, 2)), ("CHW", (3, 9, 8)), ("FHWC", (2, 9, 8, 3)), ("FCHW", (2, 3, 9, 8))],
)
def test_the_mask_is_over_height_and_width_in_every_layout(layout, shape):
    image = np.ones(shape, np.uint8)
    got = check_operator("grid_mask", [image], layout=layout, tile=4, angle=0.3)[0]
    order = [layout.index("H"), layout.index("W")]
    planes = np.moveaxis(got, order, [-2, -1]).reshape(-1, 9, 8)
    assert (planes == np.array(mask(9, 8, tile=4, angle=0.3))).all()


def test_an_array_without_a_layout_is_an_image():
    assert np.asarray(ndd.grid_mask(np.ones((2, 4), np.uint8), tile=2)).tolist() == mask(2, 4, tile=2)
    assert ndd.grid_mask(np.ones((2, 4, 3), np.uint8)).layout is None


def test_every_sample_may_have_arguments_of_its_own():
    each = {"tile": [3, 1, 2], "ratio": [0.5, 0.2, 0.9], "angle": [0.0, 1.0, 2.0], "shift_x": [1.0, 0.0, 2.5]}
    check_operator("grid_mask", photos(SIZES), per_sample=each | {"shift_y": [0.0, 1.0, -7.0]})


def test_a_square_is_black_and_the_rest_is_kept():
    assert mask(4, 6, tile=2) == [[0, 1, 0, 1, 0, 1], [1, 1, 1, 1, 1, 1]] * 2
    assert mask(2, 4, tile=2, shift_x=1) == [[1, 0, 1, 0], [1, 1, 1, 1]]
    assert mask(2, 4, tile=2, shift_y=1) == [[1, 1, 1, 1], [0, 1, 0, 1]]
    assert mask(2, 3, tile=4, ratio=1.0) == [[0, 0, 0], [0, 0, 0]]


@pytest.mark.parametrize("shape", [(0, 3, 3), (3, 0, 3), (3, 3, 0)])
def test_empty_images_stay_empty(shape):
    assert ndd.grid_mask(np.zeros(shape, np.uint8), angle=1.0).shape == shape


def test_bad_arguments_are_told():
    image = np.ones((4, 4, 3), np.uint8)
    with pytest.raises(RuntimeError, match="Tile argument must be positive, got 0"):
        ndd.grid_mask(image, tile=0)
    with pytest.raises(RuntimeError, match="Tile argument must be positive, got -1"):
        ndd.grid_mask(image, tile=ndd.tensor(-1)).evaluate()
    with pytest.raises(ValueError, match="angle must be a number"):
        ndd.grid_mask(image, angle=float("nan"))


def test_bad_inputs_are_told_at_the_call():
    with pytest.raises(RuntimeError, match="Unsupported input type: int8"):
        ndd.grid_mask(np.zeros((4, 4, 3), np.int8))
    with pytest.raises(RuntimeError, match="H and W next to one another in the layout, got 'HCW'"):
        ndd.grid_mask(ndd.tensor(np.zeros((4, 3, 4), np.uint8), layout="HCW"))
    with pytest.raises(RuntimeError, match="of 1 dimensions"):
        ndd.grid_mask(np.zeros(4, np.uint8))


@given(
    size=st.tuples(st.integers(0, 40), st.integers(0, 40)),
    channels=st.integers(1, 5),
    tile=st.integers(1, 50),
    numbers=st.tuples(st.floats(-1, 2), st.floats(-7, 7), st.floats(-99, 99), st.floats(-99, 99)),
)
@settings(max_examples=30, deadline=None)
def test_any_grid(size, channels, tile, numbers):
    ratio, angle, x, y = numbers
    check_operator("grid_mask", photos([size], channels), tile=tile, ratio=ratio, angle=angle, shift_x=x, shift_y=y)
