"""one_hot: classes as marks along an axis."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import penstock.dynamic as ndd
from ops.promises import check_gpu, check_operator

CLASSES = [np.int32([[0, 3], [1, 9]]), np.int32([[2, -1], [1, 1]])]


@pytest.mark.parametrize(
    "arguments", [{}, {"axis": 0}, {"axis": 1, "axis_name": "C"}, {"axis": -1, "dtype": ndd.uint8}]
)
def test_one_hot_keeps_the_promises(arguments):
    check_operator("one_hot", CLASSES, layout="HW", num_classes=4, **arguments)
    check_operator("one_hot", [np.int64(1), np.int64(3)], layout=None, num_classes=4)


def test_by_eye():
    assert np.asarray(ndd.one_hot([0, 2, 5], num_classes=3)).tolist() == [[1, 0, 0], [0, 0, 1], [0, 0, 0]]
    assert np.asarray(ndd.one_hot([0, 2], num_classes=3, axis=0)).tolist() == [[1, 0], [0, 0], [0, 1]]
    assert np.asarray(ndd.one_hot(1, num_classes=2, dtype=ndd.uint8, on_value=5, off_value=1)).tolist() == [1, 5]
    assert ndd.one_hot([0, 1]).shape == (2, 0)


def test_samples_of_one_element_count_as_numbers_unless_an_axis_is_given():
    assert ndd.one_hot([[1]], num_classes=3).shape == (3,)
    assert ndd.one_hot(ndd.batch([[1], [2]]), num_classes=3).shape == [(3,), (3,)]
    assert ndd.one_hot(ndd.batch([[1], [2, 0]]), num_classes=3).shape == [(1, 3), (2, 3)]
    assert ndd.one_hot([1], num_classes=3, axis=-1).shape == (1, 3)


@pytest.mark.parametrize("dtype", [np.uint8, np.int16, np.uint32, np.uint64, np.int64, np.float32, np.float64])
def test_it_is_the_same_on_a_gpu(dtype):
    for samples in ([[1], [2]], [[1], [2, 0]], [[[3, 0], [7, 2]], [[1, 1]]]):
        arrays = [np.array(sample, dtype) for sample in samples]
        for made in (ndd.float32, ndd.uint16, ndd.uint64):
            check_gpu(ndd.one_hot, arrays, num_classes=3, dtype=made, on_value=7.5)
        check_gpu(ndd.one_hot, arrays, num_classes=3, axis=0)
    if dtype().dtype.kind == "f":
        check_gpu(ndd.one_hot, [np.array([0.9, -0.6, 1.5, np.nan, np.inf, -np.inf, 1e10], dtype)], num_classes=2)
    check_gpu(
        lambda mask: ndd.one_hot(mask, num_classes=2, axis=0, axis_name="C"), [np.ones((2, 3), dtype)], layout="HW"
    )


def test_layouts():
    mask = ndd.tensor([[0, 1]], layout="HW")
    assert ndd.one_hot(mask, num_classes=2).layout is None
    assert ndd.one_hot(mask, num_classes=2, axis_name="C").layout == "HWC"
    assert ndd.one_hot(mask, num_classes=2, axis=0, axis_name="C").layout == "CHW"
    assert ndd.one_hot(1, num_classes=2, axis_name="C").layout == "C"


def test_classes_are_whole_parts_and_what_is_none_is_not_marked():
    values = np.float32([0.9, -0.6, 1.5, np.nan, np.inf, -np.inf, 1e10])
    marked = np.asarray(ndd.one_hot(values, num_classes=2))
    assert marked.argmax(axis=1)[:3].tolist() == [0, 0, 1]
    assert not marked[3:].any()
    assert not np.asarray(ndd.one_hot(np.int64([2**32, -(2**40)]), num_classes=2)).any()


def test_values_are_cut_to_the_type():
    got = ndd.one_hot([0], num_classes=2, axis=0, on_value=300, off_value=-5, dtype=ndd.uint8)
    assert np.asarray(got).ravel().tolist() == [255, 0]
    assert np.asarray(ndd.one_hot(0, num_classes=2, on_value=2.75, dtype=ndd.int64)).tolist() == [2, 0]
    assert ndd.one_hot(0, num_classes=1, on_value=float("inf"), dtype=ndd.uint64).item() == 2**64 - 1


def test_a_tensor_as_a_batch():
    assert ndd.one_hot([0, 1], num_classes=3, batch_size=2).shape == [(2, 3), (2, 3)]
    assert ndd.one_hot(ndd.batch(np.zeros((0, 2), np.int32)), num_classes=3).batch_size == 0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ndd.one_hot([0, 1], num_classes=2, axis=2), r"axis must be in range \[-1, 1\]"),
        (lambda: ndd.one_hot([0, 1], num_classes=-1), "num_classes must not be negative"),
        (lambda: ndd.one_hot([0, 1], num_classes=2, axis_name="CD"), "single character"),
        (lambda: ndd.one_hot([0, 1], num_classes=2, axis_name="C"), "needs an input with a layout"),
        (lambda: ndd.one_hot(np.float16([0, 1]), num_classes=2), "Unsupported input type: float16"),
        (lambda: ndd.one_hot([True], num_classes=2), "Unsupported input type: bool"),
        (lambda: ndd.one_hot([0], num_classes=2, dtype=ndd.float16), "Unsupported output type: float16"),
    ],
)
def test_bad_arguments_are_refused(call, message):
    with pytest.raises(RuntimeError, match=message):
        call().evaluate()


@given(
    st.lists(st.integers(0, 4), max_size=3),
    st.integers(0, 5),
    st.sampled_from([np.uint8, np.int8, np.uint64, np.int64, np.float32, np.float64]),
    st.data(),
)
@settings(max_examples=60, deadline=None)
def test_marks_where_the_class_is(shape, classes, dtype, data):
    values = np.random.default_rng(1).integers(-2 if np.dtype(dtype).kind != "u" else 0, 7, shape).astype(dtype)
    axis = data.draw(st.integers(-1, len(shape)))
    got = np.asarray(ndd.one_hot(values, num_classes=classes, axis=axis, dtype=ndd.int16, on_value=7, off_value=2))
    marks = np.moveaxis(got, axis, -1)
    np.testing.assert_array_equal(marks, np.where(values[..., None] == np.arange(classes), 7, 2))
