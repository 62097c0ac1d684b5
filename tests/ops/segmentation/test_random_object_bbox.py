from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import penstock.dynamic as ndd
from ops.several import check_several

MASK = np.array(
    [
        [0, 1, 1, 0, 2],
        [0, 0, 1, 0, 2],
        [3, 0, 0, 0, 2],
        [3, 3, 0, 1, 0],
    ],
    np.uint8,
)
# Start, end and label of its objects.
OBJECTS = {((0, 1), (2, 3), 1), ((3, 3), (4, 4), 1), ((0, 4), (3, 5), 2), ((2, 0), (4, 2), 3)}


def objects(mask: Any, n: int = 400, seed: int = 1234, **arguments: Any) -> dict[tuple[Any, ...], int]:
    """How often each object is drawn."""
    arguments = {"format": "start_end", "output_class": not arguments.get("ignore_class"), **arguments}
    made = ndd.segmentation.random_object_bbox(ndd.tensor(mask), batch_size=n, rng=ndd.random.RNG(seed), **arguments)
    counts: dict[tuple[Any, ...], int] = {}
    for one in zip(*(([tuple(np.ravel(t).tolist()) for t in batch]) for batch in made), strict=True):
        key = (one[0], one[1], *(label[0] for label in one[2:]))
        counts[key] = counts.get(key, 0) + 1
    return counts


def by_flooding(mask: np.ndarray, background: int) -> set[tuple[Any, ...]]:
    """Start, end and label of every connected part, found one element at a time."""
    seen, found = np.zeros(mask.shape, bool), set()
    for first in map(tuple, np.argwhere(mask != background)):
        if seen[first]:
            continue
        stack, members = [first], []
        seen[first] = True
        while stack:
            here = stack.pop()
            members.append(here)
            for axis in range(mask.ndim):
                for step in (-1, 1):
                    there = (*here[:axis], here[axis] + step, *here[axis + 1 :])
                    inside = 0 <= there[axis] < mask.shape[axis]
                    if inside and not seen[there] and mask[there] == mask[first]:
                        seen[there] = True
                        stack.append(there)
        low, high = np.min(members, axis=0), np.max(members, axis=0) + 1
        found.add((tuple(low.tolist()), tuple(high.tolist()), int(mask[first])))
    return found


@pytest.mark.parametrize("format", ["anchor_shape", "start_end", "box"])
@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.uint16, np.int16, np.uint32, np.int32])
def test_random_object_bbox_keeps_the_promises(format, dtype):
    masks = [MASK.astype(dtype), MASK[:2].astype(dtype), MASK[:, :1].astype(dtype)]
    check_several("segmentation.random_object_bbox", masks, format=format)
    check_several("segmentation.random_object_bbox", masks, format=format, output_class=True, foreground_prob=0.5)


@pytest.mark.parametrize(
    "arguments",
    [
        {"ignore_class": True, "k_largest": 2, "threshold": 2},
        {"classes": [1, 3], "class_weights": [1.0, 2.0], "output_class": True},
        {"class_weights": [0.0, 1.0], "background": 2, "output_class": True, "cache_objects": True},
    ],
)
def test_choices_keep_the_promises(arguments):
    check_several("segmentation.random_object_bbox", [MASK, MASK[1:], MASK], **arguments)


def test_arguments_for_every_sample():
    each = {
        "background": [0, 1],
        "foreground_prob": [1.0, 0.0],
        "classes": [[1], [2, 3]],
        "threshold": [[2, 2], [1, 1]],
    }
    start, size, label = check_several(
        "segmentation.random_object_bbox", [MASK, MASK], per_sample=each, output_class=True
    )
    assert [part[0].tolist() for part in (start, size, label)] == [[0, 1], [2, 2], 1]
    assert [part[1].tolist() for part in (start, size, label)] == [[0, 0], [4, 5], 1]


def test_classes_are_as_likely_and_so_are_their_objects():
    counts = objects(MASK, 3000)
    assert set(counts) == OBJECTS
    for place, count in counts.items():
        assert count / 3000 == pytest.approx(1 / 6 if place[2] == 1 else 1 / 3, abs=0.03)


def test_objects_are_as_likely_without_classes():
    counts = objects(MASK, 2000, ignore_class=True)
    assert set(counts) == {place[:2] for place in OBJECTS}
    assert all(count / 2000 == pytest.approx(1 / 4, abs=0.04) for count in counts.values())


def test_weights():
    counts = objects(MASK, 2000, class_weights=[0.0, 3.0, 1.0])
    assert {place[2] for place in counts} == {2, 3}
    assert counts[((0, 4), (3, 5), 2)] / 2000 == pytest.approx(0.75, abs=0.03)
    # Without classes, weights are those of the labels that are not background.
    assert {place[2] for place in objects(MASK, background=1, class_weights=[1.0, 0.0, 1.0])} == {0, 3}


def test_formats():
    square = np.zeros((6, 7), np.int32)
    square[2:5, 3:4] = 5
    formats = {"anchor_shape": ([2, 3], [3, 1]), "start_end": ([2, 3], [5, 4])}
    for name, wanted in formats.items():
        made = ndd.segmentation.random_object_bbox(ndd.tensor(square), format=name)
        assert tuple(np.asarray(part).tolist() for part in made) == wanted
    box, label = ndd.segmentation.random_object_bbox(ndd.tensor(square), format="box", output_class=True)
    assert np.asarray(box).tolist() == [2, 3, 5, 4]
    assert np.asarray(label).tolist() == 5


def test_small_objects_can_be_left_out():
    assert set(objects(MASK, threshold=2)) == {place for place in OBJECTS if place[2] != 2} - {((3, 3), (4, 4), 1)}
    assert set(objects(MASK, threshold=[3, 1])) == {((0, 4), (3, 5), 2)}
    assert set(objects(MASK, k_largest=1)) == OBJECTS - {((3, 3), (4, 4), 1)}
    assert set(objects(MASK, k_largest=2, ignore_class=True)) == {((0, 1), (2, 3)), ((2, 0), (4, 2))}


def test_the_whole_mask_where_there_is_no_object():
    whole = ((0, 0), (4, 5))
    assert set(objects(np.zeros((4, 5), np.uint8))) == {(*whole, 0)}
    assert set(objects(MASK, foreground_prob=0.0)) == {(*whole, 0)}
    assert set(objects(MASK, threshold=[9, 9])) == {(*whole, 0)}
    assert set(objects(MASK, classes=[0, 9], threshold=[9, 9])) == {(*whole, -1)}
    assert set(objects(MASK, classes=[0, -5], threshold=[9, 9])) == {(*whole, -6)}
    assert set(objects(MASK, classes=[])) == {(*whole, 0)}
    assert set(objects(MASK, class_weights=[])) == {(*whole, 0)}
    assert set(objects(MASK, classes=[9], background=4)) == {(*whole, 4)}
    share = objects(MASK, 2000, foreground_prob=0.25)[(*whole, 0)] / 2000
    assert share == pytest.approx(0.75, abs=0.03)
    assert set(objects(np.zeros((0, 5), np.uint8))) == {((0, 0), (0, 5), 0)}


def test_a_seed_gives_known_objects():
    made = ndd.segmentation.random_object_bbox(ndd.batch([MASK] * 4), format="box", rng=ndd.random.RNG(1234))
    assert [np.asarray(box).tolist() for box in made] == [[0, 1, 2, 3], [3, 3, 4, 4], [0, 1, 2, 3], [2, 0, 4, 2]]


def test_parts_that_meet_late_are_one_object():
    comb = np.zeros((300, 401), np.uint8)
    comb[:, ::2] = 1
    comb[-1] = 1
    assert set(objects(comb, 20)) == {((0, 0), (300, 401), 1)}
    snake = np.zeros((21, 9), np.uint8)
    snake[::2] = 1
    snake[1::4, -1] = snake[3::4, 0] = 1
    assert set(objects(snake, 20)) == {((0, 0), (21, 9), 1)}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"ignore_class": True, "classes": [1]}, "Class-related arguments ``classes``"),
        ({"ignore_class": True, "class_weights": [1.0]}, "cannot be used when ``ignore_class`` is True"),
        ({"ignore_class": True, "output_class": True}, "cannot be used when ``ignore_class`` is True"),
        ({"k_largest": 0}, "``k_largest`` must be at least 1; got 0"),
        ({"classes": [1, 2], "class_weights": [1.0]}, "their shapes must match. Got: classes.shape"),
        ({"class_weights": [-1.0, 2.0]}, "cannot be negative"),
        ({"class_weights": ndd.tensor([-1.0, 2.0])}, "cannot be negative"),
        ({"class_weights": [float("inf"), 1.0]}, "must be finite"),
        ({"class_weights": ndd.tensor([float("inf"), 1.0])}, "must be finite"),
        ({"classes": [1], "background": 1}, "Class label 1 coincides with background label"),
        ({"threshold": [1, 2, 3]}, "the mask has 2 axes"),
        ({"threshold": ndd.tensor([1, 2, 3])}, "the mask has 2 axes"),
        ({"format": "corners"}, "format"),
    ],
)
def test_bad_arguments(arguments, message):
    with ndd.EvalMode.sync_cpu, pytest.raises(RuntimeError, match=message):
        ndd.segmentation.random_object_bbox(ndd.tensor(MASK), **arguments)


@pytest.mark.parametrize("dtype", [np.uint64, np.int64, np.float32])
def test_labels_are_small_integers(dtype):
    with pytest.raises(RuntimeError, match="integers of up to 32 bits"):
        ndd.segmentation.random_object_bbox(ndd.tensor(MASK.astype(dtype)))


def test_a_mask_has_axes():
    with pytest.raises(RuntimeError, match="Unsuported number of dimensions 0"):
        ndd.segmentation.random_object_bbox(ndd.tensor(np.uint8(1)))


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    shape=st.lists(st.integers(1, 7), min_size=1, max_size=4),
    labels=st.integers(1, 4),
    background=st.integers(-1, 3),
    dtype=st.sampled_from([np.uint8, np.int16, np.int32]),
)
def test_objects_are_the_connected_parts(seed, shape, labels, background, dtype):
    mask = np.random.default_rng(seed).integers(0, labels + 1, shape).astype(dtype)
    wanted = by_flooding(mask, background) or {((0,) * len(shape), tuple(shape), background)}
    drawn = set(objects(mask, 60, seed=seed, background=background))
    assert drawn <= wanted
    if len(wanted) == 1:
        assert drawn == wanted
