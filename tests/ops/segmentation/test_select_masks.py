from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import penstock.dynamic as ndd
from messages import told
from ops.several import check_several

POLYGONS = np.array([[0, 0, 3], [1, 3, 7], [2, 7, 10]], np.int32)
VERTICES = np.arange(20, dtype=np.float32).reshape(10, 2)
select = ndd.segmentation.select_masks


def ids(*numbers: int) -> np.ndarray:
    return np.array(numbers, np.int32)


@pytest.mark.parametrize("reindex_masks", [True, False])
@pytest.mark.parametrize("dtype", [np.uint8, np.float16, np.float64, np.int64, np.bool_])
def test_select_masks_keeps_the_promises(reindex_masks, dtype):
    vertices = [VERTICES.astype(dtype), VERTICES[:7].astype(dtype), VERTICES.astype(dtype)]
    check_several(
        "segmentation.select_masks", [ids(2, 0), ids(1), ids()], [POLYGONS, POLYGONS[:2], POLYGONS], vertices,
        reindex_masks=reindex_masks,
    )  # fmt: skip


def test_masks_come_in_the_order_they_are_asked_for():
    polygons, vertices = select(ids(2, 0), POLYGONS, VERTICES)
    assert np.asarray(polygons).tolist() == [[2, 0, 3], [0, 3, 6]]
    np.testing.assert_array_equal(np.asarray(vertices), VERTICES[[7, 8, 9, 0, 1, 2]])
    polygons, _ = select(ids(2, 0), POLYGONS, VERTICES, reindex_masks=True)
    assert np.asarray(polygons).tolist() == [[0, 0, 3], [1, 3, 6]]


def test_a_mask_keeps_all_its_polygons():
    several = np.array([[5, 0, 3], [1, 3, 7], [5, 6, 10]], np.int32)
    polygons, vertices = select(ids(5), several, VERTICES)
    assert np.asarray(polygons).tolist() == [[5, 0, 3], [5, 3, 7]]
    np.testing.assert_array_equal(np.asarray(vertices), VERTICES[[0, 1, 2, 6, 7, 8, 9]])


def test_one_set_of_polygons_serves_all_samples():
    polygons, _ = select(ndd.batch([ids(0), ids(2, 1)]), ndd.tensor(POLYGONS), ndd.tensor(VERTICES))
    assert polygons.shape == [(1, 3), (2, 3)]


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ([ids(9), POLYGONS, VERTICES], "Selected mask_id 9 is not present"),
        ([ids(1, 1), POLYGONS, VERTICES], "mask 1 is named twice"),
        ([np.array([1]), POLYGONS, VERTICES], "mask_ids are int32, got int64"),
        ([np.array([[1]], np.int32), POLYGONS, VERTICES], "mask_ids take 1 axes, got 2"),
        ([ids(1), POLYGONS.astype(np.int64), VERTICES], "polygons are int32"),
        ([ids(1), POLYGONS[0], VERTICES], "polygons take 2 axes"),
        ([ids(1), np.zeros((2, 4), np.int32), VERTICES], "got 4 numbers"),
        ([ids(1), POLYGONS, VERTICES[:, 0].copy()], "vertices take 2 axes"),
        ([ids(0), np.array([[0, 0, 11]], np.int32), VERTICES], "from vertex 0 to 11 of 10"),
        ([ids(0), np.array([[0, -1, 3]], np.int32), VERTICES], "from vertex -1 to 3"),
        ([ids(0), np.array([[0, 5, 3]], np.int32), VERTICES], "from vertex 5 to 3"),
    ],
)
def test_bad_inputs(inputs, message):
    with ndd.EvalMode.sync_cpu, pytest.raises(RuntimeError, match=message):
        select(*(ndd.tensor(array) for array in inputs))


def test_an_error_names_the_sample():
    with pytest.raises(RuntimeError, match="Selected mask_id") as caught:
        select(ndd.batch([ids(0), ids(7)]), ndd.tensor(POLYGONS), ndd.tensor(VERTICES))[0].evaluate()
    assert "in segmentation.select_masks, sample 1" in told(caught.value)


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_any_polygons_are_kept_as_the_plain_function_keeps_them(data):
    count = data.draw(st.integers(1, 8))
    bounds = st.tuples(st.integers(0, 9), st.integers(0, 9)).map(sorted)
    rows = [[data.draw(st.integers(0, 3)), *data.draw(bounds)] for _ in range(count)]
    wanted = data.draw(st.permutations(sorted({row[0] for row in rows})))
    check_several(
        "segmentation.select_masks", [ids(*wanted)], [np.array(rows, np.int32)], [VERTICES],
        reindex_masks=data.draw(st.booleans()),
    )  # fmt: skip
