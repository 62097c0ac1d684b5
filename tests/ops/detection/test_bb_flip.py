from __future__ import annotations

import numpy as np
import pytest

import penstock.dynamic as ndd
from messages import told
from ops.detection.boxes import boxes, sized
from ops.promises import check_operator


@pytest.mark.parametrize(("horizontal", "vertical"), [(0, 0), (1, 0), (0, 1), (1, 1)])
@pytest.mark.parametrize("ltrb", [True, False])
def test_bb_flip_keeps_the_promises(horizontal, vertical, ltrb):
    given = boxes(3, 1, 0, 7)
    given = given if ltrb else sized(given)
    check_operator("bb_flip", given, layout=None, horizontal=horizontal, vertical=vertical, ltrb=ltrb)


def test_bb_flip_takes_a_flag_for_every_sample():
    given = boxes(2, 3, 1)
    mirrored = check_operator("bb_flip", given, layout="BC", ltrb=True, per_sample={"horizontal": [0, 1, 0]})
    np.testing.assert_array_equal(mirrored[0], given[0])
    np.testing.assert_array_equal(mirrored[1][:, [0, 2]], 1 - given[1][:, [2, 0]])


def test_bb_flip_moves_the_corner_of_a_box_with_a_size():
    box = ndd.tensor([0.125, 0.25, 0.5, 0.125])
    assert np.asarray(ndd.bb_flip(box)).tolist() == [0.375, 0.25, 0.5, 0.125]
    assert np.asarray(ndd.bb_flip(box, horizontal=0, vertical=1)).tolist() == [0.125, 0.625, 0.5, 0.125]


def test_bb_flip_mirrors_back_and_forth():
    given = boxes(50)[0]
    once = ndd.bb_flip(ndd.tensor(given), ltrb=True, vertical=1)
    np.testing.assert_allclose(np.asarray(ndd.bb_flip(once, ltrb=True, vertical=1)), given, atol=1e-7)


@pytest.mark.parametrize("shape", [(2, 5), (3,), ()])
def test_a_box_is_four_numbers(shape):
    with ndd.EvalMode.sync_cpu, pytest.raises(RuntimeError, match="four numbers"):
        ndd.bb_flip(ndd.tensor(np.zeros(shape, np.float32)))


def test_boxes_are_float32():
    with pytest.raises(RuntimeError, match="boxes are float32, got int32"):
        ndd.bb_flip(ndd.tensor([1, 2, 3, 4]))


def test_an_error_names_the_sample():
    with pytest.raises(RuntimeError, match="no multiple of") as caught:
        ndd.bb_flip(ndd.batch([np.zeros(4, np.float32), np.zeros(6, np.float32)])).evaluate()
    assert "in bb_flip, sample 1" in told(caught.value)


def test_batches_must_agree_in_size():
    with pytest.raises(ValueError, match="Inconsistent batch size"):
        ndd.bb_flip(ndd.batch(boxes(1, 2)), horizontal=ndd.batch([1, 0, 1]))
