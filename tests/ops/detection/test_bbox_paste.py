from __future__ import annotations

import numpy as np
import pytest

import penstock.dynamic as ndd
from ops.detection.boxes import boxes, sized
from ops.promises import check_operator


@pytest.mark.parametrize("ltrb", [True, False])
@pytest.mark.parametrize("place", [{}, {"paste_x": 0.0, "paste_y": 1.0}, {"paste_x": 0.3}])
def test_bbox_paste_keeps_the_promises(ltrb, place):
    given = boxes(3, 1, 0, 7)
    check_operator("bbox_paste", given if ltrb else sized(given), layout=None, ratio=1.7, ltrb=ltrb, **place)


def test_bbox_paste_takes_values_for_every_sample():
    given = boxes(2, 3)
    each = {"ratio": [1.0, 2.5], "paste_x": [0.9, 0.1], "paste_y": [0.0, 1.0]}
    made = check_operator("bbox_paste", given, layout=None, ltrb=True, per_sample=each)
    np.testing.assert_array_equal(made[0], given[0])


def test_an_image_in_the_corner_of_a_canvas_twice_as_large():
    box = ndd.tensor([0.5, 0.25, 0.25, 0.5])
    assert np.asarray(ndd.bbox_paste(box, ratio=2.0, paste_x=0.0, paste_y=1.0)).tolist() == [0.25, 0.625, 0.125, 0.25]
    assert np.asarray(ndd.bbox_paste(box, ratio=2.0)).tolist() == [0.5, 0.375, 0.125, 0.25]


@pytest.mark.parametrize("ratio", [0, ndd.batch([1.0, 0.0])])
def test_a_canvas_has_a_size(ratio):
    with ndd.EvalMode.sync_cpu, pytest.raises(RuntimeError, match="ratio is the size of the canvas"):
        ndd.bbox_paste(ndd.batch(boxes(1, 2)), ratio=ratio)


def test_ratio_must_be_given():
    with pytest.raises(TypeError, match="'ratio'"):
        ndd.bbox_paste(ndd.batch(boxes(1, 2)))


@pytest.mark.parametrize("shape", [(2, 5), (6,)])
def test_a_box_is_four_numbers(shape):
    with ndd.EvalMode.sync_cpu, pytest.raises(RuntimeError, match="four numbers"):
        ndd.bbox_paste(ndd.tensor(np.zeros(shape, np.float32)), ratio=2.0)


def test_boxes_are_float32():
    with pytest.raises(RuntimeError, match="boxes are float32, got double"):
        ndd.bbox_paste(ndd.tensor(np.zeros(4)), ratio=2.0)


def test_nan_is_no_place():
    with pytest.raises(ValueError, match="paste_x must be a number"):
        ndd.bbox_paste(ndd.batch(boxes(1)), ratio=2.0, paste_x=float("nan"))
