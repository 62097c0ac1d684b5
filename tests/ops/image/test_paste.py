"""paste: an image on a larger canvas."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import penstock.dynamic as ndd
from ops.promises import check_operator, photos

SIZES = [(4, 6), (1, 5), (3, 1)]


@pytest.mark.parametrize(
    "arguments",
    [
        {"ratio": 1.0, "fill_value": 0},
        {"ratio": 2.3, "fill_value": [1, 2, 3]},
        {"ratio": 1.3, "fill_value": 300, "paste_x": 0.0, "paste_y": 1.0},
        {"ratio": 1.5, "fill_value": -4, "min_canvas_size": 7.9},
    ],
)
def test_paste_keeps_the_promises(arguments):
    check_operator("paste", photos(SIZES), **arguments)


def test_every_sample_may_have_arguments_of_its_own():
    each = {
        "ratio": [1.0, 2.0, 3.5],
        "paste_x": [0.0, 0.5, 1.0],
        "paste_y": [1.0, 0.1, 0.0],
        "min_canvas_size": [9, 0, 4],
    }
    got = check_operator("paste", photos(SIZES), per_sample=each, fill_value=5)
    assert [sample.shape[:2] for sample in got] == [(9, 9), (2, 10), (10, 4)]


def test_the_image_is_in_the_middle_unless_told_otherwise():
    pixel = np.full((1, 1, 1), 9, np.uint8)
    assert np.asarray(ndd.paste(pixel, ratio=3.0, fill_value=1))[..., 0].tolist() == [[1, 1, 1], [1, 9, 1], [1, 1, 1]]
    corner = ndd.paste(pixel, ratio=2.0, fill_value=1, paste_x=1.0, paste_y=0.0)
    assert np.asarray(corner)[..., 0].tolist() == [[1, 9], [1, 1]]


def test_a_colour_has_a_value_for_every_channel():
    pixel = np.full((1, 1, 4), 9, np.uint8)
    got = ndd.paste(pixel, ratio=2.0, fill_value=[1, 2, 3, 4], n_channels=4)
    assert np.asarray(got)[1, 1].tolist() == [1, 2, 3, 4]
    with pytest.raises(RuntimeError, match="3 values for 4 channels"):
        ndd.paste(pixel, ratio=2.0, fill_value=[1, 2, 3]).evaluate()


@pytest.mark.parametrize("shape", [(0, 3, 3), (3, 0, 3), (3, 3, 0)])
def test_empty_images_have_a_canvas(shape):
    got = ndd.paste(np.zeros(shape, np.uint8), ratio=2.0, fill_value=7, min_canvas_size=4)
    assert got.shape == (max(4, 2 * shape[0]), max(4, 2 * shape[1]), shape[2])
    assert (np.asarray(got) == 7).all()


@pytest.mark.parametrize(
    ("arguments", "kind", "text"),
    [
        ({"ratio": 2, "fill_value": 0, "min_canvas_size": -1}, RuntimeError, "less than 0 is not supported, got -1"),
        ({"ratio": 2, "fill_value": 0, "min_canvas_size": ndd.tensor(-1.0)}, RuntimeError, "less than 0"),
        ({"ratio": 0.5, "fill_value": 0}, RuntimeError, "ratio of less than 1 is not supported, got 0.5"),
        ({"ratio": 2, "fill_value": 0, "paste_x": 1.5}, RuntimeError, r"paste_x must be in range \[0, 1\], got 1.5"),
        ({"ratio": 2, "fill_value": 0, "paste_y": -1}, RuntimeError, r"paste_y must be in range \[0, 1\], got -1"),
        ({"ratio": 2, "fill_value": [1, 2]}, RuntimeError, "a list of 3 elements. 2 given"),
        ({"ratio": float("nan"), "fill_value": 0}, ValueError, "ratio must be a number"),
        ({"ratio": float("inf"), "fill_value": 0}, RuntimeError, "a canvas of inf pixels is too large"),
        ({"ratio": 2}, TypeError, "missing 1 required keyword-only argument: 'fill_value'"),
        ({"fill_value": 2}, TypeError, "missing 1 required keyword-only argument: 'ratio'"),
    ],
)
def test_bad_arguments_are_told(arguments, kind, text):
    with pytest.raises(kind, match=text):
        ndd.paste(np.zeros((4, 4, 3), np.uint8), **arguments).evaluate()


def test_bad_inputs_are_told_at_the_call():
    with pytest.raises(RuntimeError, match="paste takes uint8 images, got float"):
        ndd.paste(np.zeros((4, 4, 3), np.float32), ratio=2.0, fill_value=0)
    with pytest.raises(ValueError, match="does not match any of the allowed layouts"):
        ndd.paste(ndd.tensor(np.zeros((3, 4, 4), np.uint8), layout="CHW"), ratio=2.0, fill_value=0)
    with pytest.raises(ValueError, match="Inconsistent batch size"):
        ndd.paste(ndd.batch(photos([(2, 2)] * 2)), ratio=ndd.batch([1.0] * 3), fill_value=0)


@given(
    size=st.tuples(st.integers(0, 9), st.integers(0, 9)),
    ratio=st.floats(1, 4),
    position=st.tuples(st.floats(0, 1), st.floats(0, 1)),
    least=st.floats(0, 20),
)
@settings(max_examples=25, deadline=None)
def test_any_canvas(size, ratio, position, least):
    y, x = position
    check_operator(
        "paste", photos([size]), ratio=ratio, paste_y=y, paste_x=x, min_canvas_size=least, fill_value=[1, 2, 3]
    )
