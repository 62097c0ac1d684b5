from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import penstock.dynamic as ndd
from ops.detection.boxes import boxes, labels, sized
from ops.several import check_several

GIVEN = boxes(3, 1, 0, 7)


def rotated(box: list[float], **arguments: object) -> list[list[float]]:
    made = ndd.bbox_rotate(ndd.tensor(np.array([box], np.float32)), bbox_normalized=False, **arguments)
    return np.asarray(made).tolist()


@pytest.mark.parametrize("mode", ["expand", "halfway", "fixed"])
@pytest.mark.parametrize("keep_size", [True, False])
@pytest.mark.parametrize("angle", [0.0, 30.0, 90.0, -123.4])
def test_bbox_rotate_keeps_the_promises(mode, keep_size, angle):
    check_several(
        "bbox_rotate", GIVEN, labels(GIVEN), angle=angle, input_shape=[48, 65], mode=mode, keep_size=keep_size
    )


def test_bbox_rotate_without_labels_and_in_pixels():
    check_several("bbox_rotate", sized(GIVEN), angle=20.0, input_shape=[48, 64], bbox_layout="xyWH")
    pixels = [(box * [64, 48, 64, 48]).astype(np.float32) for box in GIVEN]
    check_several("bbox_rotate", pixels, angle=20.0, input_shape=[48, 64], bbox_normalized=False)


def test_bbox_rotate_takes_values_for_every_sample():
    each = {"angle": [10.0, 100.0], "input_shape": [[48, 64], [10, 99]], "size": [[50.0, 70.0], [40.0, 40.0]]}
    check_several("bbox_rotate", boxes(2, 3), per_sample=each)


def test_a_quarter_turn_counter_clockwise():
    assert rotated([20, 10, 60, 30], angle=90.0, input_shape=[100, 200]) == [pytest.approx([10, 140, 30, 180])]
    assert rotated([20, 10, 60, 30], angle=180.0, input_shape=[100, 200]) == [pytest.approx([140, 70, 180, 90])]
    assert rotated([20, 10, 60, 30], angle=-90.0, input_shape=[200, 100], shape_layout="WH") == [
        pytest.approx([70, 20, 90, 60])
    ]


def test_a_square_turned_by_45_degrees():
    root = 10 * 2**0.5
    middle = {"angle": 45.0, "input_shape": [100, 100, 3], "keep_size": True}
    assert rotated([40, 40, 60, 60], **middle) == [pytest.approx([50 - root, 50 - root, 50 + root, 50 + root])]
    assert rotated([40, 40, 60, 60], mode="fixed", **middle) == [pytest.approx([40, 40, 60, 60])]
    half = (10 + root) / 2
    assert rotated([40, 40, 60, 60], mode="halfway", **middle) == [pytest.approx([50 - half] * 2 + [50 + half] * 2)]


def test_boxes_that_leave_the_image_go_with_their_labels():
    corners = np.array([[0, 0, 10, 10], [90, 40, 110, 60], [180, 80, 200, 100], [0, 90, 20, 100]], np.float32)
    arguments = {"angle": 30.0, "input_shape": [100, 200], "keep_size": True, "bbox_normalized": False}
    for threshold, remain in ((0.0, [0, 1, 2, 3]), (0.1, [0, 1, 2]), (0.5, [1, 2]), (0.9, [1]), (1.0, [1])):
        kept, names = ndd.bbox_rotate(
            ndd.tensor(corners), ndd.tensor([[0], [1], [2], [3]]), remove_threshold=threshold, **arguments
        )
        assert np.asarray(names).tolist() == [[i] for i in remain]
        assert np.asarray(kept).shape == (len(remain), 4)


def test_boxes_follow_the_image():
    """A lit rectangle, turned as an image is, lies in the turned box and touches its edges."""
    angle = np.deg2rad(25.0)
    y, x = np.mgrid[:100, :100] + 0.5 - 50
    back_x, back_y = np.cos(angle) * x - np.sin(angle) * y, np.sin(angle) * x + np.cos(angle) * y
    lit = (back_x > -30) & (back_x < 10) & (back_y > -20) & (back_y < 5)
    rows, columns = np.flatnonzero(lit.any(axis=1)), np.flatnonzero(lit.any(axis=0))
    box = rotated([20, 30, 60, 55], angle=25.0, input_shape=[100, 100], keep_size=True)[0]
    assert box == pytest.approx([columns[0], rows[0], columns[-1] + 1, rows[-1] + 1], abs=1)


def test_boxes_without_area_and_of_nans_are_dropped():
    given = np.array([[0.5, 0.5, 0.5, 0.5], [0.1, 0.1, np.nan, 0.2], [0.1, 0.1, 0.2, 0.2]], np.float32)
    made = ndd.bbox_rotate(ndd.tensor(given), angle=10.0, input_shape=[10, 10])
    assert np.asarray(made).shape == (1, 4)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"mode": "bad"}, "mode"),
        ({"bbox_layout": "XYxy"}, "bbox_layout"),
        ({"remove_threshold": 1.5}, "from 0 to 1, got 1.5"),
        ({"remove_threshold": -0.1}, "from 0 to 1, got -0.1"),
        ({"shape_layout": "WD"}, "shape_layout needs H and W"),
        ({"input_shape": [10]}, "input_shape takes 2 numbers, got 1"),
        ({"input_shape": [-1, 5]}, "at least 1, got -1"),
        ({"input_shape": [9, 0]}, "at least 1, got 0"),
        ({"size": [0.5, 9.0]}, "at least 1, got 0"),
        ({"size": [10.0]}, "size takes 2 numbers, got 1"),
        ({"size": [10.0, 10.0], "keep_size": True}, "exclude each other"),
    ],
)
def test_bad_arguments(arguments, message):
    with ndd.EvalMode.sync_cpu, pytest.raises(RuntimeError, match=message):
        ndd.bbox_rotate(ndd.batch(GIVEN), **{"angle": 10.0, "input_shape": [10, 10], **arguments})


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ([np.zeros((2, 4))], "boxes are float32"),
        ([np.zeros(4, np.float32)], "Unexpected number of dimensions"),
        ([np.zeros((2, 5), np.float32)], "rows of four numbers"),
        ([np.zeros((2, 4), np.float32), np.zeros(2)], "labels are int32"),
        ([np.zeros((2, 4), np.float32), np.zeros(3, np.int32)], "3 labels for 2 boxes"),
        ([np.zeros((2, 4), np.float32), np.zeros((2, 2), np.int32)], "4 labels for 2 boxes"),
        ([np.zeros((2, 4), np.float32), np.zeros((2, 1, 1), np.int32)], "labels take one axis"),
    ],
)
def test_bad_inputs(inputs, message):
    with ndd.EvalMode.sync_cpu, pytest.raises(RuntimeError, match=message):
        ndd.bbox_rotate(*(ndd.tensor(array) for array in inputs), angle=10.0, input_shape=[10, 10])


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    count=st.integers(0, 9),
    angle=st.floats(-1000, 1000),
    shape=st.tuples(st.integers(1, 500), st.integers(1, 500)),
    keep_size=st.booleans(),
    threshold=st.floats(0, 1),
)
def test_what_remains_is_on_the_canvas(seed, count, angle, shape, keep_size, threshold):
    made = ndd.bbox_rotate(
        ndd.tensor(boxes(count, seed=seed)[0]), angle=angle, input_shape=shape, keep_size=keep_size,
        remove_threshold=threshold,
    )  # fmt: skip
    remain = np.asarray(made)
    assert len(remain) <= count
    assert ((remain >= 0) & (remain <= 1)).all()
    assert (remain[:, :2] <= remain[:, 2:]).all()
