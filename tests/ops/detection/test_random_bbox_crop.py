from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import penstock.dynamic as ndd
from messages import told
from ops.detection.boxes import boxes, labels, sized
from ops.several import check_several

GIVEN = boxes(3, 1, 0, 7)
WINDOWS = {"thresholds": [0.0, 0.1, 0.3], "scaling": [0.3, 1.0], "aspect_ratio": [0.5, 2.0]}


def crops(*inputs: Any, seed: int = 1234, **arguments: Any) -> list[list[np.ndarray]]:
    """The arrays of every result, by sample."""
    made = ndd.random_bbox_crop(*inputs, rng=ndd.random.RNG(seed), **arguments)
    return [[np.asarray(sample) for sample in batch] for batch in made]


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {**WINDOWS, "num_attempts": 5, "output_bbox_indices": True},
        {**WINDOWS, "allow_no_crop": False, "threshold_type": "overlap", "total_num_attempts": 30, "quiet": True},
        {**WINDOWS, "all_boxes_above_threshold": False, "bbox_prune_threshold": 0.3},
        {**WINDOWS, "input_shape": [64, 48], "bbox_layout": "yxYX"},
        {
            "input_shape": [48, 64],
            "crop_shape": [20, 30],
            "shape_layout": "HW",
            "total_num_attempts": 20,
            "quiet": True,
        },
    ],
)
def test_random_bbox_crop_keeps_the_promises(arguments):
    check_several("random_bbox_crop", GIVEN, labels(GIVEN), **arguments)
    check_several("random_bbox_crop", GIVEN, **arguments)


def test_sizes_may_differ_by_sample():
    each = {"input_shape": [[64, 48], [60, 61]], "crop_shape": [[30, 48], [9, 2]]}
    arguments = {"all_boxes_above_threshold": False, "num_attempts": 50}
    anchors, extents, *_ = check_several("random_bbox_crop", boxes(2, 2), per_sample=each, **arguments)
    assert [extent.tolist() for extent in extents] == [[30, 48], [9, 2]]
    assert anchors[0][1] == 0


def test_a_seed_gives_known_windows():
    given = ndd.tensor(np.array([[0, 0, 1, 1]], np.float32))
    arguments = {"scaling": [0.3, 1.0], "allow_no_crop": False, "bbox_prune_threshold": 0.0}
    window = ndd.random_bbox_crop(given, aspect_ratio=[0.01, 100.0], rng=ndd.random.RNG(0), **arguments)
    assert np.asarray(window[0]).tolist() == [0.37985971570014954, 0.15431557595729828]
    assert np.asarray(window[1]).tolist() == [0.5834500789642334, 0.5856879949569702]
    pixels = ndd.random_bbox_crop(given, crop_shape=[100, 120], input_shape=[300, 400], rng=ndd.random.RNG(0),
                                  bbox_prune_threshold=0.0)  # fmt: skip
    assert np.asarray(pixels[0]).tolist() == [81, 114]


def test_a_window_larger_than_the_image_lies_anywhere_around_it():
    given = np.array([[0.1, 0.1, 0.5, 0.6], [0.6, 0.6, 0.9, 0.9]], np.float32)
    arguments = {"crop_shape": [20, 30], "input_shape": [10, 10]}
    anchor, shape, moved = ndd.random_bbox_crop(ndd.tensor(given), rng=ndd.random.RNG(3), **arguments)
    assert np.asarray(anchor).tolist() == [-6, -1]
    assert np.asarray(shape).tolist() == [20, 30]
    np.testing.assert_allclose(np.asarray(moved), [[0.35, 1 / 15, 0.55, 7 / 30], [0.6, 7 / 30, 0.75, 1 / 3]], atol=1e-6)
    anchors, _, boxes_in_it = crops(ndd.batch([given] * 300), **arguments)
    assert {tuple(rows.shape) for rows in boxes_in_it} == {(2, 4)}
    assert {int(x) for x, _ in anchors} == {*range(-10, 1)}
    assert {int(y) for _, y in anchors} <= {*range(-20, 1)}
    check_several("random_bbox_crop", GIVEN, labels(GIVEN), crop_shape=[70, 9], input_shape=[64, 48], num_attempts=50)


def test_boxes_are_told_in_shares_of_the_window():
    given = np.array([[0.25, 0.25, 0.75, 0.5]], np.float32)
    arguments = {"crop_shape": [50, 100], "input_shape": [100, 100], "bbox_prune_threshold": 0.0}
    for seed in range(20):
        (anchor,), (shape,), (moved,) = crops(ndd.batch([given]), seed=seed, num_attempts=9, **arguments)
        assert shape.tolist() == [50, 100]
        left, right = np.clip((np.array([25, 75]) - anchor[0]) / 50, 0, 1)
        np.testing.assert_allclose(moved, [[left, 0.25, right, 0.5]], atol=1e-6)


def test_not_to_crop_is_one_choice_among_the_thresholds():
    given = ndd.batch([np.array([[0, 0, 1, 1]], np.float32)] * 2000)
    _, shapes, _ = crops(given, thresholds=[0.0, 0.0, 0.0], scaling=[0.3, 0.9], bbox_prune_threshold=0.0)
    assert np.mean(np.array(shapes)[:, 0] == 1) == pytest.approx(0.25, abs=0.03)
    _, shapes, _ = crops(given, scaling=[0.3, 0.9], bbox_prune_threshold=0.0, allow_no_crop=False)
    assert np.array(shapes).max() <= 0.9


def test_windows_are_spread_evenly():
    given = ndd.batch([np.array([[0, 0, 1, 1]], np.float32)] * 3000)
    arguments = {"scaling": [0.2, 0.8], "aspect_ratio": [0.001, 1000.0], "allow_no_crop": False}
    anchors, shapes, _ = (np.array(column) for column in crops(given, bbox_prune_threshold=0.0, **arguments))
    for values in (anchors / (1 - shapes), (shapes - 0.2) / 0.6):
        assert values.min() >= 0
        assert values.max() <= 1.00001
        np.testing.assert_allclose(np.quantile(values, [0.25, 0.5, 0.75], axis=0)[:, 0], [0.25, 0.5, 0.75], atol=0.04)
    assert abs(np.corrcoef(shapes.T)[0, 1]) < 0.06


def test_windows_meet_the_threshold_and_keep_boxes_by_their_centre():
    column = boxes(*[4] * 300, seed=5)
    arguments = {"scaling": [0.3, 1.0], "aspect_ratio": [0.5, 2.0], "allow_no_crop": False, "num_attempts": 30}
    anchors, shapes, _, indices = crops(
        ndd.batch(column), thresholds=[0.4], threshold_type="overlap", output_bbox_indices=True, **arguments
    )
    for box, anchor, shape, index in zip(column, anchors, shapes, indices, strict=True):
        assert 0.499 <= shape[0] / shape[1] <= 2.001
        inside = np.clip(np.minimum(box[:, 2:], anchor + shape) - np.maximum(box[:, :2], anchor), 0, None)
        assert (inside.prod(axis=1) / (box[:, 2:] - box[:, :2]).prod(axis=1) >= 0.4 - 1e-5).all()
        centre = (box[:, :2] + box[:, 2:]) / 2
        kept = ((centre >= anchor) & (centre <= anchor + shape)).all(axis=1)
        assert index.tolist() == np.flatnonzero(kept).tolist()
        assert len(index)


def test_pruning_by_area():
    column = boxes(*[6] * 200, seed=6)
    for least in (0.0, 0.5, 1.0):
        anchors, shapes, moved, indices = crops(
            ndd.batch(column), bbox_prune_threshold=least, num_attempts=50, output_bbox_indices=True, **WINDOWS
        )
        for box, anchor, shape, index in zip(column, anchors, shapes, indices, strict=True):
            inside = np.clip(np.minimum(box[:, 2:], anchor + shape) - np.maximum(box[:, :2], anchor), 0, None)
            share = inside.prod(axis=1) / (box[:, 2:] - box[:, :2]).prod(axis=1)
            sure = abs(share - least) > 1e-5
            kept = np.isin(np.arange(6), index)
            assert (kept == ((share >= least) & (share > 0)))[sure].all()
        assert all(((rows >= 0) & (rows <= 1)).all() for rows in moved)


def test_layouts_say_the_same_in_other_words():
    corners = [np.hstack([box[:, :2], box[:, :2] + box[:, 2:]]) for box in sized(boxes(4, 2))]
    plain = crops(ndd.batch(corners), **WINDOWS)
    for layout, order in (("yxYX", [1, 0, 3, 2]), ("XYxy", [2, 3, 0, 1])):
        other = crops(
            ndd.batch([np.ascontiguousarray(box[:, order]) for box in corners]), bbox_layout=layout, **WINDOWS
        )
        for a, b in zip(plain[2], other[2], strict=True):
            np.testing.assert_array_equal(a[:, order], b)
    sizes = crops(ndd.batch(sized(boxes(4, 2))), bbox_layout="xyWH", **WINDOWS)
    outdated = crops(ndd.batch(sized(boxes(4, 2))), ltrb=False, **WINDOWS)
    for a, b, c in zip(plain[2], sizes[2], outdated[2], strict=True):
        np.testing.assert_allclose(a[:, 2:], b[:, :2] + b[:, 2:], atol=1e-6)
        np.testing.assert_array_equal(b, c)


def test_three_axes():
    solid = boxes(2, 4, ndim=3)
    check_several("random_bbox_crop", solid, labels(solid), num_attempts=5, **WINDOWS)
    ratios = [1.0, 1.0, 2.0, 2.0, 2.0, 2.0]
    _, shapes, _ = crops(ndd.batch(solid), aspect_ratio=ratios, scaling=[0.3, 1.0], allow_no_crop=False,
                         total_num_attempts=5, quiet=True)  # fmt: skip
    for shape in shapes:
        assert shape == pytest.approx([shape[0], shape[0], shape[0] / 2], abs=1e-6)


def test_a_square_window_of_a_wide_image_fits():
    given = ndd.batch([np.array([[0, 0, 1, 1]], np.float32)] * 50)
    anchors, shapes, _ = crops(given, input_shape=[400, 100], scaling=[0.3, 1.0], allow_no_crop=False,
                               bbox_prune_threshold=0.0)  # fmt: skip
    for anchor, shape in zip(anchors, shapes, strict=True):
        assert shape[0] * 400 == pytest.approx(shape[1] * 100, rel=1e-5)
        assert (anchor >= 0).all()
        assert (anchor + shape <= 1 + 1e-6).all()


def test_the_best_window_is_taken_when_attempts_run_out():
    given = ndd.batch(boxes(2, 3))
    arguments = {"thresholds": [1.0], "scaling": [0.3, 0.4], "allow_no_crop": False, "total_num_attempts": 10}
    # Without a GIL, Python keeps filters of warnings by thread: the warning has to come from this one.
    with pytest.warns(UserWarning, match="2 of 2 samples have the best of 10 windows"), ndd.EvalMode.sync_cpu:
        crops(given, **arguments)
    shapes = crops(given, quiet=True, **arguments)[1]
    assert all((shape >= 0.29).all() for shape in shapes)
    impossible = {**arguments, "aspect_ratio": [8.0, 9.0], "quiet": True}
    assert [shape.tolist() for shape in crops(given, **impossible)[1]] == [[1, 1], [1, 1]]


def test_a_search_that_cannot_end_is_an_error():
    with pytest.raises(RuntimeError, match="total_num_attempts"):
        crops(ndd.batch(boxes(1)), scaling=[0.9, 1.0], aspect_ratio=[8.0, 9.0], allow_no_crop=False)


def test_samples_and_seeds_differ():
    given = [np.array([[0, 0, 1, 1]], np.float32)] * 20
    arguments = {"scaling": [0.3, 0.9], "allow_no_crop": False, "bbox_prune_threshold": 0.0}
    first, again, other = (crops(ndd.batch(given), seed=seed, **arguments)[0] for seed in (1, 1, 2))
    np.testing.assert_array_equal(first, again)
    assert not np.isin(np.array(first), np.array(other)).any()
    assert len(np.unique(np.array(first), axis=0)) == 20
    repeated = ndd.random_bbox_crop(ndd.tensor(given[0]), batch_size=20, rng=ndd.random.RNG(1), **arguments)
    np.testing.assert_array_equal([np.asarray(sample) for sample in repeated[0]], first)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"thresholds": []}, "At least one threshold value must be provided"),
        ({"thresholds": [1.5]}, "Threshold value must be within the range"),
        ({"threshold_type": "bad"}, "threshold_type"),
        ({"bbox_prune_threshold": -0.1}, "`bbox_prune_threshold` must be in range"),
        ({"num_attempts": 0}, "Minimum number of attempts must be greater than zero"),
        ({"total_num_attempts": 0}, "Minimum total number of attempts must be greater than zero"),
        ({"scaling": [0.9, 0.1]}, "`scaling` range must be positive and min <= max. Got: 0.9, 0.1"),
        ({"scaling": [0.5]}, "`scaling` must be a range"),
        ({"aspect_ratio": [2.0, 1.0]}, "`aspect_ratio` range must be positive and min <= max"),
        ({"aspect_ratio": [0.0, 0.0]}, "`aspect_ratio` range must be positive and min <= max"),
        ({"aspect_ratio": [1.0]}, "`aspect_ratio` range argument should have 2 elements"),
        ({"bbox_layout": "xyXH"}, "`bbox_layout` should be a permutation of `xyXY` or `xyWH`"),
        ({"bbox_layout": "xyzXYZ"}, "`bbox_layout` should be a permutation of `xyXY` or `xyWH`"),
        ({"bbox_layout": "xyXY", "ltrb": True}, "can't be provided at the same time"),
        ({"crop_shape": [2, 2]}, "``input_shape`` must be provided when"),
        (
            {"crop_shape": [2, 2], "input_shape": [9, 9], "scaling": [0.5, 1.0]},
            "`scaling` is incompatible with providing the crop shape",
        ),
        ({"crop_shape": [2, 2], "input_shape": [9, 9], "allow_no_crop": True}, "`allow_no_crop` is incompatible"),
        ({"crop_shape": [0, 2], "input_shape": [9, 9]}, "0 pixels in a picture of 9"),
        ({"crop_shape": [2, 2], "input_shape": [9, 0]}, "2 pixels in a picture of 0"),
        ({"input_shape": [9]}, "argument `input_shape`: 1, expected: 2"),
        ({"input_shape": [9, 9, 3], "shape_layout": "HWC"}, "`shape_layout` should be a permutation of"),
    ],
)
def test_bad_arguments(arguments, message):
    with ndd.EvalMode.sync_cpu, pytest.raises(RuntimeError, match=message):
        ndd.random_bbox_crop(ndd.batch(GIVEN), **arguments)


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ([np.zeros((2, 4))], "boxes are float32"),
        ([np.zeros(4, np.float32)], "Unexpected number of dimensions for bounding boxes input: 1"),
        ([np.zeros((2, 5), np.float32)], "Unexpected number of coordinates for bounding boxes: 5"),
        ([np.full((2, 4), 1.5, np.float32)], "not in the picture"),
        ([np.full((2, 4), np.nan, np.float32)], "not in the picture"),
        ([np.full((2, 4), -0.1, np.float32)], "not in the picture"),
        ([np.zeros((2, 4), np.float32), np.zeros(2, np.int64)], "labels are int32"),
        ([np.zeros((2, 4), np.float32), np.zeros((), np.int32)], "labels need an axis"),
        ([np.zeros((2, 4), np.float32), np.zeros(1, np.int32)], "1 labels for 2 boxes"),
    ],
)
def test_bad_inputs(inputs, message):
    with ndd.EvalMode.sync_cpu, pytest.raises(RuntimeError, match=message):
        ndd.random_bbox_crop(*(ndd.tensor(array) for array in inputs))


def test_an_error_names_the_sample():
    with pytest.raises(RuntimeError, match="not in the picture") as caught:
        ndd.random_bbox_crop(ndd.batch([*boxes(2, 2), boxes(1)[0] + 1]))[2].evaluate()
    assert "in random_bbox_crop, sample 2" in told(caught.value)


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    counts=st.lists(st.integers(0, 6), min_size=1, max_size=4),
    ndim=st.sampled_from([2, 3]),
    low=st.floats(0, 1),
    attempts=st.integers(1, 5),
    kind=st.sampled_from(["iou", "overlap"]),
    prune=st.none() | st.floats(0, 1),
)
def test_what_is_drawn_is_in_the_image(seed, counts, ndim, low, attempts, kind, prune):
    column = boxes(*counts, ndim=ndim, seed=seed % 1000)
    anchors, shapes, moved, indices = crops(
        ndd.batch(column), seed=seed, scaling=[low, 1.0], aspect_ratio=[0.5, 3.0], num_attempts=attempts,
        total_num_attempts=20, quiet=True, threshold_type=kind, bbox_prune_threshold=prune, output_bbox_indices=True,
    )  # fmt: skip
    for anchor, shape, rows, index in zip(anchors, shapes, moved, indices, strict=True):
        assert (anchor >= 0).all()
        assert (anchor + shape <= 1 + 1e-6).all()
        assert rows.shape == (len(index), 2 * ndim)
        assert ((rows >= 0) & (rows <= 1)).all()
