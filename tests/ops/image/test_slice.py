"""slice: the ways to give two corners, along any axes."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import penstock.dynamic as ndd
from ops.promises import check_operator, photos
from penstock import types

NUMBERS = np.arange(10, dtype=np.int32)


def values(tensor):
    return np.asarray(tensor).ravel().tolist()


@pytest.mark.parametrize(
    "bounds",
    [
        {"start": [1, 2], "end": [3, 4]},
        {"start": [1, 0], "shape": [2, 3]},
        {"rel_start": [0.25, 0.5], "rel_end": [0.75, 1]},
        {"rel_start": [0.35, 0.45], "rel_shape": [0.65, 0.449]},
        {"rel_start": [0.45, 0.2], "shape": [1, 2]},
        {"start": [1, 1], "rel_shape": [0.5, 0.5]},
        {"start": [2, 2]},
        {"rel_end": [0.5, 0.5]},
        {"start": 1, "end": 2},
        {"start": [-2, -1], "end": [12, 9], "out_of_bounds_policy": "pad", "fill_values": [7, 8, 9]},
        {"start": [-2, -1], "end": [12, 9], "out_of_bounds_policy": "reflect_101"},
    ],
)
def test_slice_keeps_the_promises(bounds):
    check_operator("slice", photos([(5, 7), (4, 4), (6, 9)]), **bounds)


def test_every_sample_may_have_bounds_of_its_own():
    each = {"start": [[1], [2]], "end": [[3], [6]]}
    got = check_operator("slice", [np.arange(5), np.arange(7)], layout=None, per_sample=each, axes=[0])
    assert [sample.tolist() for sample in got] == [[1, 2], [2, 3, 4, 5]]


def test_every_sample_may_have_axes_of_its_own():
    samples = [np.arange(6).reshape(2, 3), np.arange(6).reshape(3, 2)]
    each = {"axes": [[0], [1]]}
    got = check_operator("slice", samples, layout=None, per_sample=each, start=[1], end=[2])
    assert [sample.shape for sample in got] == [(1, 3), (3, 1)]


def test_even_their_number_may_differ():
    samples = ndd.batch([np.arange(6).reshape(2, 3), np.arange(6).reshape(3, 2)])
    got = ndd.slice(
        samples, start=ndd.batch([[1], [0, 0]]), end=ndd.batch([[2], [1, 1]]), axes=ndd.batch([[0], [1, 0]])
    )
    assert got.shape == [(1, 3), (1, 1)]


@pytest.mark.parametrize("ndim", [1, 2, 3, 4, 5, 6])
def test_arrays_of_any_rank_are_sliced(ndim):
    array = np.random.default_rng(ndim).random((3,) * ndim)
    (got,) = check_operator("slice", [array], layout=None, start=[1], end=[3], axes=[ndim - 1])
    np.testing.assert_array_equal(got, array[..., 1:3])


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"start": [1], "end": [3]}, [1, 2]),
        ({"rel_start": [0.1], "rel_end": [0.3]}, [1, 2]),
        ({"start": [1], "shape": [2]}, [1, 2]),
        ({"end": [2]}, [0, 1]),
        ({"start": [8]}, [8, 9]),
        ({"start": [8], "end": [11], "out_of_bounds_policy": "pad", "fill_values": 5}, [8, 9, 5]),
        ({"start": [8], "end": [11], "out_of_bounds_policy": "trim_to_shape"}, [8, 9]),
        ({"start": [20], "end": [22], "out_of_bounds_policy": "trim_to_shape"}, []),
        ({"start": [-1], "end": [1], "out_of_bounds_policy": "pad"}, [0, 0]),
        ({"rel_start": [0.45], "shape": [1]}, [5]),
    ],
)
def test_bounds_by_eye(arguments, expected):
    assert values(ndd.slice(NUMBERS, axes=[0], **arguments)) == expected


def test_bounds_by_position():
    assert values(ndd.slice(NUMBERS, np.int32([1]), np.int32([3]), axes=[0])) == [1, 2, 3]
    assert values(ndd.slice(NUMBERS, np.float32([0.1]), np.float32([0.3]), axes=[0])) == [1, 2, 3]
    absolute = {"normalized_anchor": False, "normalized_shape": False}
    assert values(ndd.slice(NUMBERS, np.float32([1.5]), np.float32([3.5]), axes=[0], **absolute)) == [2, 3, 4]
    batch = ndd.batch([NUMBERS, NUMBERS])
    got = ndd.slice(batch, ndd.batch([[1], [2]]), ndd.batch([[3], [4]]), axes=[0])
    assert [values(t) for t in got] == [[1, 2, 3], [2, 3, 4, 5]]
    assert [values(t) for t in ndd.slice(batch, ndd.tensor([1]), ndd.tensor([1]), axes=[0])] == [[1], [1]]


def test_bounds_by_position_come_late_in_a_chain():
    with ndd.EvalMode.deferred:
        got = ndd.slice(ndd.copy(ndd.batch([NUMBERS, NUMBERS])), ndd.batch([[1], [2]]) + 1, ndd.tensor([2]), axes=[0])
    assert [values(t) for t in got] == [[2, 3], [3, 4]]


def test_without_axes_the_order_is_width_then_height():
    image = np.arange(6 * 8 * 3, dtype=np.uint8).reshape(6, 8, 3)
    got = np.asarray(ndd.slice(ndd.tensor(image, layout="HWC"), start=[1, 2], end=[3, 4]))
    np.testing.assert_array_equal(got, image[2:4, 1:3])
    np.testing.assert_array_equal(np.asarray(ndd.slice(image, start=[1, 2], end=[3, 4])), image[2:4, 1:3])
    by_name = ndd.slice(ndd.tensor(image, layout="HWC"), start=[1], end=[3], axis_names="W")
    assert by_name.shape == (6, 2, 3)
    assert by_name.layout == "HWC"
    assert ndd.slice(np.zeros((2, 6, 8, 1), np.uint8), start=[1, 2], end=[3, 5]).shape == (2, 3, 2, 1)


def test_no_axes_at_all_means_all_of_them():
    image = np.zeros((6, 8, 3), np.uint8)
    assert ndd.slice(image, start=[1, 1, 0], end=[3, 3, 1], axes=[]).shape == (2, 2, 1)
    assert ndd.slice(image, start=[1, 1, 0], end=[3, 3, 1], axis_names="").shape == (2, 2, 1)


def test_new_channels_take_the_fill_values_of_their_own():
    pixel = ndd.tensor([[[1, 2, 3]]], dtype=ndd.uint8, layout="HWC")
    got = ndd.slice(pixel, start=[0], end=[4], axes=[2], out_of_bounds_policy="pad", fill_values=[6, 7, 8, 9])
    assert values(got) == [1, 2, 3, 9]


def test_conversion():
    assert values(ndd.slice(NUMBERS, start=[2], end=[3], axes=[0], dtype=types.FLOAT)) == [2.0]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "Expected named slice arguments"),
        ({"start": [1], "rel_start": [0.1]}, '"start" and "rel_start" arguments are mutually exclusive'),
        ({"end": [1], "shape": [1]}, '"end", "rel_end", "shape", and "rel_shape" arguments are mutually exclusive'),
        ({"start": [1], "axes": [5]}, r"Axis 5 out of range. Expected range is \[-1, 0\] for a 1D input"),
        ({"start": [1, 1], "axes": [0, -1]}, "occurs more than once"),
        ({"start": [1], "axes": [0], "axis_names": "H"}, '"axes" and "axis_names" are mutually exclusive'),
        ({"start": [1], "axes": None}, "Axis 'W' is not present in the input layout"),
        ({"start": [1, 2, 3]}, 'Argument "start" expected shape 1 but got 3 values'),
        ({"start": [0], "out_of_bounds_policy": "pad", "fill_values": [1, 2]}, "Multi-channel fill_values"),
        ({"start": [0], "dtype": types.INT16}, "Not supported output type: int16"),
    ],
)
def test_contradictions_are_refused_at_the_call(arguments, message):
    with ndd.EvalMode.deferred, pytest.raises(RuntimeError, match=message):
        ndd.slice(NUMBERS, **{"axes": [0], **arguments})


@pytest.mark.parametrize(
    ("anchor", "shape", "message"),
    [
        (np.uint8([1]), np.uint8([1]), "Unsupported type of anchor and shape arguments: uint8"),
        (np.int32([1]), np.float32([1]), "Anchor and shape should have the same type. Got: int32 and float"),
    ],
)
def test_positional_bounds_of_wrong_type_are_refused(anchor, shape, message):
    with pytest.raises(RuntimeError, match=message):
        ndd.slice(NUMBERS, anchor, shape, axes=[0])
    with pytest.raises(RuntimeError, match="not compatible with positional"):
        ndd.slice(NUMBERS, np.int32([1]), np.int32([1]), axes=[0], start=[1])
    with pytest.raises(RuntimeError, match="Got 2 inputs"):
        ndd.slice(NUMBERS, np.int32([1]), axes=[0])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"start": [2], "end": [1]}, "end coordinates can't be before start coordinates. Got: start=2 end=1"),
        ({"start": [2], "shape": [-1]}, "negative shapes are not allowed. Got: -1"),
        ({"start": [1], "end": [11]}, r"Slice can't be placed out of bounds .* input_shape=\{10\}, slice_anchor=\{1\}"),
    ],
)
def test_windows_that_cannot_be_are_refused(arguments, message):
    with pytest.raises(RuntimeError, match=message):
        ndd.slice(NUMBERS, axes=[0], **arguments).evaluate()


def test_wrong_types_and_ranks_are_refused():
    with pytest.raises(RuntimeError, match="Not supported input type: bool"):
        ndd.slice(np.ones(3, bool), start=[0], axes=[0])
    with pytest.raises(RuntimeError, match="Not supported number of dimensions: 0"):
        ndd.slice(3, start=[0], axes=[0])
    with pytest.raises(ValueError, match="NaN"):
        ndd.slice(NUMBERS, rel_start=[np.nan], axes=[0])


@given(st.data())
@settings(max_examples=80, deadline=None)
def test_ranges_inside_are_numpy_slices(data):
    shape = data.draw(st.lists(st.integers(1, 6), min_size=1, max_size=4))
    axes = data.draw(st.lists(st.integers(0, len(shape) - 1), min_size=1, max_size=len(shape), unique=True))
    starts = [data.draw(st.integers(0, shape[axis])) for axis in axes]
    ends = [data.draw(st.integers(start, shape[axis])) for start, axis in zip(starts, axes, strict=True)]
    array = np.arange(np.prod(shape)).reshape(shape)
    expected = array
    for axis, start, end in zip(axes, starts, ends, strict=True):
        expected = expected.take(range(start, end), axis)
    np.testing.assert_array_equal(np.asarray(ndd.slice(array, start=starts, end=ends, axes=axes)), expected)
