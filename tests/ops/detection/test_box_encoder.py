from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import penstock.dynamic as ndd
from ops.detection.boxes import boxes, labels
from ops.several import check_several

GIVEN = boxes(3, 1, 0, 7)
ANCHORS = boxes(50, seed=1)[0]


@pytest.mark.parametrize("criteria", [0.0, 0.1, 0.5, 1.0])
def test_box_encoder_keeps_the_promises(criteria):
    check_several("box_encoder", GIVEN, labels(GIVEN), anchors=ANCHORS, criteria=criteria)


def test_offsets_keep_the_promises():
    scaling = {"means": [0.1, -0.2, 0.3, 0.4], "stds": [0.1, 0.1, 0.2, 0.2], "scale": 300.0}
    arguments = {"anchors": ANCHORS, "criteria": 0.2, "offset": True}
    check_several("box_encoder", GIVEN, labels(GIVEN), tolerance=1e-5, **arguments)
    check_several("box_encoder", GIVEN, labels(GIVEN), tolerance=1e-5, **arguments, **scaling)


def encoded(box: object, label: object, anchors: object, **arguments: object) -> tuple[list[object], list[int]]:
    made = ndd.box_encoder(
        ndd.tensor(np.array(box, np.float32)), ndd.tensor(np.array(label, np.int32)), anchors=anchors, **arguments
    )
    return tuple(np.asarray(t).tolist() for t in made)


def test_an_anchor_is_given_the_box_it_overlaps_with():
    anchors = [0.0, 0.0, 0.5, 0.5, 0.5, 0.5, 1.0, 1.0]
    assert encoded([[0.0, 0.0, 0.5, 0.25]], [7], anchors) == (
        [[0.25, 0.125, 0.5, 0.25], [0.75, 0.75, 0.5, 0.5]],
        [7, 0],
    )
    moved, names = encoded([[0.0, 0.0, 0.5, 0.25]], [7], anchors, offset=True)
    assert names == [7, 0]
    assert moved == [pytest.approx([0, -0.25, 0, np.log(0.5)]), [0, 0, 0, 0]]


def test_anchors_may_be_rows_or_a_flat_list():
    rows = encoded(GIVEN[0], [1, 2, 3], ANCHORS)
    assert encoded(GIVEN[0], [1, 2, 3], ANCHORS.ravel().tolist()) == rows
    assert encoded(GIVEN[0], [1, 2, 3], tuple(ANCHORS.ravel().tolist())) == rows


def test_overlap_must_be_more_than_the_criteria():
    anchors = [0.0, 0.0, 0.5, 0.5, 0.0, 0.0, 1.0, 0.5]
    assert encoded([[0, 0, 1, 0.5]], [5], anchors)[1] == [0, 5]
    assert encoded([[0, 0, 1, 0.5]], [5], anchors, criteria=0.49)[1] == [5, 5]


def test_every_box_has_an_anchor_and_the_last_box_wins():
    assert encoded([[0.9, 0.9, 1, 1]], [5], [0.0, 0.0, 0.1, 0.1, 0.2, 0.2, 0.3, 0.3])[1] == [0, 5]
    assert encoded([[0, 0, 1, 1]] * 2, [5, 6], [0.0, 0.0, 1.0, 1.0] * 3)[1] == [6, 6, 6]


def test_boxes_of_nans_find_no_anchor_but_the_last():
    assert encoded([[0.1, 0.1, float("nan"), 0.9]], [5], ANCHORS)[1] == [0] * 49 + [5]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"anchors": [0.1] * 5}, "four numbers each, got 5"),
        ({"anchors": []}, "four numbers each, got 0"),
        ({"criteria": 1.1}, "from 0 to 1, got 1.1"),
        ({"means": [0.0]}, "means takes 4 numbers"),
        ({"stds": [1.0, 1.0]}, "stds takes 4 numbers"),
        ({"stds": [1.0, 0.0, 1.0, 1.0]}, "cannot be 0"),
    ],
)
def test_bad_arguments(arguments, message):
    with pytest.raises(RuntimeError, match=message):
        ndd.box_encoder(ndd.batch(GIVEN), ndd.batch(labels(GIVEN)), **{"anchors": ANCHORS, **arguments})


@pytest.mark.parametrize(
    ("box", "label", "message"),
    [
        (np.zeros((2, 4)), np.zeros(2, np.int32), "boxes are float32"),
        (np.zeros((2, 4), np.float32), np.zeros(2, np.int64), "labels are int32"),
        (np.zeros(4, np.float32), np.zeros(1, np.int32), "Unexpected number of dimensions"),
        (np.zeros((2, 5), np.float32), np.zeros(2, np.int32), "rows of four numbers"),
        (np.zeros((2, 4), np.float32), np.zeros(1, np.int32), "1 labels for 2 boxes"),
    ],
)
def test_bad_inputs(box, label, message):
    with ndd.EvalMode.sync_cpu, pytest.raises(RuntimeError, match=message):
        ndd.box_encoder(ndd.tensor(box), ndd.tensor(label), anchors=ANCHORS)


def test_anchors_are_numbers():
    with pytest.raises(ValueError, match="NaN"):
        ndd.box_encoder(ndd.batch(GIVEN), ndd.batch(labels(GIVEN)), anchors=[0.0, 0.0, float("nan"), 1.0])
    with pytest.raises(TypeError, match="constant"):
        ndd.box_encoder(ndd.batch(GIVEN), ndd.batch(labels(GIVEN)), anchors=ndd.tensor(ANCHORS))


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 999), count=st.integers(0, 5), anchors=st.integers(1, 40), criteria=st.floats(0, 1))
def test_coarse_boxes_that_tie_are_matched_as_the_plain_function_does(seed, count, anchors, criteria):
    corners = [np.round(box * 4) / 4 for box in boxes(count, count, seed=seed)]
    grid = np.round(boxes(anchors, seed=seed + 1)[0] * 4) / 4
    check_several("box_encoder", corners, labels(corners), anchors=grid, criteria=criteria)
