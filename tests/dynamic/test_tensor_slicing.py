"""Indexing of Tensors, against NumPy's."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, basic_indices

import penstock.dynamic as ndd


@pytest.fixture
def x():
    return ndd.tensor(np.arange(24).reshape(2, 3, 4), layout="HWC")


@given(st.data())
def test_integers_ranges_ellipsis_and_new_axes_mean_what_they_mean_in_numpy(data):
    shape = data.draw(array_shapes(min_dims=1, max_dims=4, min_side=0, max_side=4))
    index = data.draw(basic_indices(shape, allow_newaxis=True))
    array = np.arange(np.prod(shape)).reshape(shape)
    part = ndd.tensor(array)[index]
    wanted = array[index]
    assert (part.ndim, part.shape) == (wanted.ndim, wanted.shape)
    assert np.array_equal(np.asarray(part), wanted)


@pytest.mark.parametrize(
    ("index", "layout"),
    [(0, "WC"), ((-1, 0), "C"), ((..., 0), "HW"), ((slice(None), 0), "HC"), (slice(1, None), "HWC")],
)
def test_the_layout_is_that_of_the_axes_left_and_known_at_once(x, index, layout):
    with ndd.EvalMode.deferred:
        assert x[index].layout == layout
    assert x[index].evaluate().layout == layout


def test_everything_is_the_tensor_itself(x):
    assert x[:] is x
    assert x[...] is x
    assert x[0:, ::1] is x


def test_none_is_a_new_axis_which_has_no_name(x):
    assert x[:, None].shape == (2, 1, 3, 4)
    assert x[None, 0].shape == (1, 3, 4)
    assert x[:, None].layout is None
    with ndd.EvalMode.deferred:
        assert (x[..., None].ndim, x[..., None].layout) == (4, None)
    assert x[None, ndd.tensor(1), 0].shape == (1, 4)


def test_a_batch_gets_new_axes_in_every_sample(x):
    ragged = ndd.batch([np.zeros((2, 3)), np.zeros((4, 5))])
    assert ragged.slice[None].shape == [(1, 2, 3), (1, 4, 5)]
    assert ragged.slice[ndd.batch([1, 2]), None].shape == [(1, 3), (1, 5)]


def test_an_index_out_of_range_behind_a_new_axis_names_its_own_axis(x):
    with pytest.raises(IndexError, match="Index 7 is out of range for axis 1 of length 3"):
        x[None, 0, None, 7].evaluate()


@pytest.mark.parametrize("index", [1.9, 1.0, slice(0.5, None), np.float32(1), np.array(1.0), ndd.tensor(1.5)])
def test_fractions_are_no_indices(x, index):
    with pytest.raises(TypeError, match="an index is a whole number, got"):
        x[index]
    with pytest.raises(TypeError, match="an index is a whole number, got"):
        ndd.as_batch([x, x]).slice[index]


def test_indices_may_be_tensors_and_numpy_numbers(x):
    last = np.arange(12, 24).reshape(3, 4)
    for index in (ndd.tensor(1), np.int64(1), np.array(1), True):
        assert np.array_equal(np.asarray(x[index]), last)
    assert x[ndd.tensor(1) :].shape == (1, 3, 4)
    assert x[:, ndd.tensor(0) : ndd.tensor(2)].shape == (2, 2, 4)


def test_a_batch_of_indices_makes_a_batch(x):
    picked = x[ndd.batch([1, 0])]
    assert [t[0, 0].item() for t in picked] == [12, 0]


def test_slices_of_slices_compose(x):
    assert np.asarray(x[1:][0, 0]).tolist() == [12, 13, 14, 15]
    assert np.asarray(x[:, :][:, 1:3][0, 0]).tolist() == [4, 5, 6, 7]


def test_an_index_out_of_range_fails_when_it_is_needed(x):
    beyond = x[5]
    assert beyond.ndim == 2
    with pytest.raises(IndexError, match="Index 5 is out of bounds for dimension 0 with size 2"):
        beyond.shape  # noqa: B018
    with pytest.raises(RuntimeError, match="Index 5 is out of range for axis 0 of length 2"):
        beyond.evaluate()


@pytest.mark.parametrize(
    ("index", "error", "message"),
    [
        (
            (0, 0, 0, 0),
            ValueError,
            r"Number of ranges \(4\) is greater than the number of dimensions of the tensor \(3\)",
        ),
        ((0, ..., ...), ValueError, "Only one Ellipsis is allowed."),
        ([0, 1], RuntimeError, r"Array indices must be scalar \(0D\)"),
        (np.array([0]), RuntimeError, r"Array indices must be scalar \(0D\)"),
        (ndd.tensor([1]), RuntimeError, r"Array indices must be scalar \(0D\)"),
        ((0, None, 0, 0, 0), ValueError, r"Number of ranges \(4\) is greater"),
        (range(2), RuntimeError, r"Array indices must be scalar \(0D\)"),
        ("a", ValueError, "an index is a whole number, got 'a'"),
        (1j, TypeError, "an index is a whole number, got 1j"),
        (2**40, OverflowError, "out of bounds for int32"),
        (2**40, IndexError, "out of bounds for int32"),
    ],
    ids=repr,
)
def test_what_is_no_index_is_refused_at_once(x, index, error, message):
    with pytest.raises(error, match=message):
        x[index]


def test_a_step_of_zero_goes_nowhere(x):
    with pytest.raises(RuntimeError, match="Step cannot be zero"):
        x[::0].evaluate()


def test_a_part_does_not_share_memory_with_the_whole(x):
    part = x[1:].evaluate()
    np.asarray(x)[1, 0, 0] = 99
    assert part[0, 0, 0].item() == 12


def test_a_row_of_every_sample_by_a_batch_of_numbers():
    samples = np.arange(24, dtype=np.int32).reshape(4, 3, 2)
    rows = ndd.batch(samples).slice[ndd.batch([2, 0, -1, 1])]
    assert np.asarray(ndd.as_tensor(rows)).tolist() == [[4, 5], [6, 7], [16, 17], [20, 21]]
    table = ndd.tensor(samples[0])
    assert np.asarray(ndd.as_tensor(table[ndd.batch([1, 1, 0])])).tolist() == [[2, 3], [2, 3], [0, 1]]
    with pytest.raises(IndexError, match="Index 3 is out of range for axis 0 of length 3"):
        table[ndd.batch([1, 3])].evaluate()
