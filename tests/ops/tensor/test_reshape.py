"""reshape: the same memory in another shape."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import penstock.dynamic as ndd
from ops.promises import check_operator, photos

NUMBERS = ndd.tensor(np.arange(12, dtype=np.int32).reshape(3, 4), layout="HW")


def reshaped(data, *inputs, **arguments):
    result = ndd.reshape(data, *inputs, **arguments)
    return result.shape, result.layout


@pytest.mark.parametrize("arguments", [{"shape": [-1]}, {"shape": [3, -1]}, {"rel_shape": [0.5, -1]}])
def test_reshape_keeps_the_promises(arguments):
    check_operator("reshape", photos([(4, 6), (2, 5), (2, 1)]), **arguments)


def test_every_sample_may_have_a_shape_of_its_own():
    each = {"shape": [[2, 3], [2, 4]]}
    got = check_operator("reshape", [np.arange(6), np.arange(8)], layout=None, per_sample=each)
    assert [sample.shape for sample in got] == [(2, 3), (2, 4)]


@pytest.mark.parametrize(
    ("arguments", "shape", "layout"),
    [
        ({"shape": [4, 3]}, (4, 3), "HW"),
        ({"shape": [-1]}, (12,), None),
        ({"shape": [2, -1]}, (2, 6), "HW"),
        ({"shape": 12}, (12,), None),
        ({"layout": "XY"}, (3, 4), "XY"),
        ({"layout": ""}, (3, 4), None),
        ({"shape": [4, 3], "layout": ""}, (4, 3), None),
        ({"shape": [2, 2, 3], "layout": "ABC"}, (2, 2, 3), "ABC"),
        ({"rel_shape": [2, 0.5]}, (6, 2), "HW"),
        ({"rel_shape": [1 / 3, 3]}, (1, 12), "HW"),
        ({"rel_shape": [1, 0.5, -1]}, (3, 2, 2), None),
        ({"src_dims": [1, 0]}, (4, 3), "HW"),
        ({"src_dims": [0, 1, -1]}, (3, 4, 1), None),
        ({"src_dims": [0, -1, 1], "rel_shape": [1, 2, 0.5]}, (3, 2, 2), None),
        ({"src_dims": [1, 0], "rel_shape": [0.5, 2]}, (2, 6), "HW"),
    ],
)
def test_shapes_by_eye(arguments, shape, layout):
    assert reshaped(NUMBERS, **arguments) == (shape, layout)
    assert np.asarray(ndd.reshape(NUMBERS, **arguments)).ravel().tolist() == list(range(12))


def test_the_shape_may_be_the_second_input():
    assert reshaped(NUMBERS, np.int64([2, 6])) == ((2, 6), "HW")
    assert reshaped(NUMBERS, np.uint8([2, 6]))[0] == (2, 6)
    batch = ndd.reshape(ndd.batch([np.arange(6), np.arange(8)]), ndd.batch([[2, 3], [2, -1]]))
    assert batch.shape == [(2, 3), (2, 4)]
    assert ndd.reshape(NUMBERS, ndd.batch([[2, 6], [6, 2]])).shape == [(2, 6), (6, 2)]


def test_numbers_and_empty_arrays():
    assert ndd.reshape(ndd.tensor([5]), shape=[]).shape == ()
    assert ndd.reshape(5, shape=[1]).shape == (1,)
    assert ndd.reshape(np.zeros((0, 3)), shape=[3, -1]).shape == (3, 0)
    assert ndd.reshape(np.zeros((0, 3)), shape=[0]).shape == (0,)


def test_nothing_is_copied():
    original = ndd.tensor(np.arange(6))
    view = ndd.reshape(original, shape=[2, 3]).evaluate()
    assert np.shares_memory(np.asarray(original), np.asarray(view))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "is no-op: arguments specify neither new shape nor layout"),
        ({"shape": [3, 4], "rel_shape": [1, 1]}, "mutually exclusive"),
        ({"shape": [-1, -1]}, "Only one negative extent is allowed"),
        ({"shape": [4, 3], "layout": "ABC"}, "Requested layout 'ABC' is not compatible with a 2D shape"),
        ({"src_dims": [2, 0]}, r"`src_dims\[0\] == 2` is out of bounds"),
        ({"src_dims": [0, 1], "rel_shape": [1, 2, -1]}, "`src_dims` and `rel_shape` have different lengths: 2 vs 3"),
    ],
)
def test_contradictions_are_refused_at_the_call(arguments, message):
    with ndd.EvalMode.deferred, pytest.raises(RuntimeError, match=message):
        ndd.reshape(NUMBERS, **arguments)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"shape": [5, 2]}, "Input and output samples must occupy the same size in bytes"),
        ({"shape": [5, -1]}, "Input and output samples must occupy the same size in bytes"),
        ({"shape": [0, -1]}, "Extent of 0 is illegal"),
        ({"shape": [2**20, 2**20, 2**20, 16]}, "Input and output samples must occupy the same size in bytes"),
        (
            {"rel_shape": [1, 0.5, 2]},
            r"`rel_shape` has more elements \(3\) than there are dimensions in the input \(2\)",
        ),
    ],
)
def test_shapes_that_do_not_fit_are_refused(arguments, message):
    with pytest.raises(RuntimeError, match=message):
        ndd.reshape(NUMBERS, **arguments).evaluate()


def test_shapes_of_wrong_type_or_rank_are_refused():
    with pytest.raises(RuntimeError, match="Shape input must have integral type; got: float"):
        ndd.reshape(NUMBERS, np.float32([4, 3]))
    with pytest.raises(RuntimeError, match="shape input must be a list of 1D tensors"):
        ndd.reshape(NUMBERS, 12)
    with pytest.raises(RuntimeError, match="All samples must have the same number of dimensions"):
        ndd.reshape(ndd.batch([np.arange(6), np.arange(8)]), shape=ndd.batch([[6], [2, 4]])).evaluate()


BETWEEN = {
    "first": lambda x: ndd.cast(ndd.reshape(x, shape=[2, -1]), dtype=ndd.int16),
    "last": lambda x: ndd.reshape(ndd.transpose(ndd.cast(x, dtype=ndd.int16), perm=[1, 0]), shape=[-1, 6]),
    "in the middle": lambda x: ndd.flip(ndd.reshape(ndd.cast(x, dtype=ndd.int16), shape=[6, 2, 1], layout="HWC")),
    "twice": lambda x: ndd.reshape(ndd.cast(ndd.reshape(x, shape=[12]), dtype=ndd.int16), shape=[3, 2, 2]),
    "one after the other": lambda x: ndd.reshape(ndd.reshape(ndd.cast(x, dtype=ndd.int16), shape=[12]), shape=[2, 6]),
    "for each sample": lambda x: ndd.cast(ndd.reshape(x, shape=ndd.batch([[2, 6], [6, 2]])), dtype=ndd.int16),
    "by factors": lambda x: ndd.cast(ndd.reshape(x, rel_shape=[0.5, 2]), dtype=ndd.int16),
}


@pytest.mark.parametrize("calls", BETWEEN.values(), ids=BETWEEN)
def test_other_calls_go_on_with_it_in_one_pass(calls):
    pictures = ndd.batch([np.arange(12).reshape(4, 3), np.arange(12, 24).reshape(4, 3)], layout="HW")
    with ndd.EvalMode.sync_cpu:
        expected = calls(pictures)
    with ndd.EvalMode.deferred:
        fused = calls(pictures).evaluate()
    assert (fused.shape, fused.layout, fused.dtype) == (expected.shape, expected.layout, expected.dtype)
    for one, other in zip(fused, expected, strict=True):
        np.testing.assert_array_equal(np.asarray(one), np.asarray(other))


@pytest.mark.parametrize("shape", [[5, 2], [5, -1], [0, -1], [2**20, 2**20, 2**20, 16]])
def test_a_shape_that_does_not_fit_is_refused_alike_in_a_chain(shape):
    with pytest.raises(RuntimeError) as alone:
        ndd.reshape(NUMBERS, shape=shape).evaluate()
    with ndd.EvalMode.deferred, pytest.raises(RuntimeError) as fused:
        ndd.cast(ndd.reshape(ndd.transpose(NUMBERS), shape=shape), dtype=ndd.int16).evaluate()
    assert str(fused.value).split("\n")[0] == str(alone.value).split("\n")[0]


@given(st.lists(st.integers(1, 5), min_size=1, max_size=5), st.data())
@settings(max_examples=60, deadline=None)
def test_one_extent_is_whatever_is_left(shape, data):
    array = np.arange(np.prod(shape)).reshape(data.draw(st.permutations(shape)))
    open_axis = data.draw(st.integers(0, len(shape) - 1))
    wanted = [-1 if axis == open_axis else extent for axis, extent in enumerate(shape)]
    np.testing.assert_array_equal(np.asarray(ndd.reshape(array, shape=wanted)), array.reshape(wanted))
