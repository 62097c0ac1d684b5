"""full, ones, zeros and their likes: arrays of one value."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import penstock.dynamic as ndd
from ops.promises import check_operator, photos
from penstock.values.dtypes import NUMERIC


@pytest.mark.parametrize("name", ["zeros_like", "ones_like"])
@pytest.mark.parametrize("dtype", [None, ndd.float32, ndd.bool])
def test_the_likes_keep_the_promises(name, dtype):
    check_operator(name, photos([(4, 6), (1, 5), (3, 1)]), dtype=dtype)


def test_full_keeps_the_promises():
    check_operator("full", [np.int16([1, 2, 3]), np.int16([4, 5, 6])], layout=None, shape=[2, 3])
    check_operator("full", [np.float64(1), np.float64(2)], layout=None, per_sample={"shape": [[2], [3]]})


@pytest.mark.parametrize("dtype", NUMERIC, ids=str)
@pytest.mark.parametrize(("name", "value"), [("zeros", 0), ("ones", 1)])
def test_constants_of_every_type(name, value, dtype):
    made = getattr(ndd, name)(shape=[2, 3], dtype=dtype, layout="HW", batch_size=3)
    assert (made.dtype, made.layout, made.shape) == (dtype, "HW", [(2, 3)] * 3)
    assert all((np.asarray(t) == value).all() for t in made)


def test_shapes_by_eye():
    assert ndd.ones().shape == ()
    assert ndd.ones().dtype == ndd.int32
    assert ndd.zeros(shape=3).shape == (3,)
    assert ndd.zeros(shape=[2, 0]).shape == (2, 0)
    assert ndd.zeros(shape=ndd.batch([[1, 2], [3, 4]]), layout="HW").shape == [(1, 2), (3, 4)]
    assert ndd.zeros(shape=ndd.batch([1, 2])).shape == [(1,), (2,)]
    assert ndd.zeros(batch_size=0).batch_size == 0


def test_full_by_eye():
    assert np.asarray(ndd.full(7, shape=[2, 2])).tolist() == [[7, 7], [7, 7]]
    assert np.asarray(ndd.full([[1], [2]], shape=[2, 3])).tolist() == [[1, 1, 1], [2, 2, 2]]
    assert np.asarray(ndd.full([1, 2])).tolist() == [1, 2]
    assert [np.asarray(t).tolist() for t in ndd.full(ndd.batch([1, 2]), shape=[2])] == [[1, 1], [2, 2]]
    assert np.asarray(ndd.full_like(np.zeros((2, 2), np.uint8), [7.6, 300])).tolist() == [[8, 255], [8, 255]]
    assert ndd.full_like(ndd.tensor([[1]], layout="HW"), 5).layout == "HW"


def test_large_arrays_are_filled_to_the_end():
    made = np.asarray(ndd.full([1, 2, 3], shape=[1000, 1001, 3]))
    assert (made == [1, 2, 3]).all()


@pytest.mark.parametrize("shape", [(20_000_003,), (3, 2_333_333, 3)])
def test_zeros_larger_than_the_caches_reach_both_ends(shape):
    for n in (1, 2):
        ndd.full(np.uint8(7), shape=shape, batch_size=n).evaluate()  # leaves its memory to the zeros
        made = ndd.zeros(shape=shape, dtype=ndd.uint8, batch_size=n)
        assert not any(np.asarray(sample).any() for sample in made)
    ragged = ndd.batch([np.full(size, 7, np.uint8) for size in (9_000_001, 77, 10_000_030)])
    likes = ndd.zeros_like(ragged)
    assert [np.asarray(sample).size for sample in likes] == [9_000_001, 77, 10_000_030]
    assert not any(np.asarray(sample).any() for sample in likes)


def test_results_do_not_share_memory_with_the_value():
    value = ndd.tensor([1, 2])
    assert not np.shares_memory(np.asarray(value), np.asarray(ndd.full(value)))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ndd.full([1, 2], shape=[2, 3]), r"Shapes \[2, 3\] and \[2\] can't be broadcast"),
        (lambda: ndd.full([1, 2], shape=[2, 1]), "can't be broadcast"),
        (lambda: ndd.full([], shape=[2]), "can't be broadcast"),
        (lambda: ndd.full_like(1, [1, 2]), "can't be broadcast"),
        (lambda: ndd.zeros(shape=[-1]), "negative"),
        (lambda: ndd.zeros(shape=[2], layout="HW"), "Layout 'HW' has 2 dimensions"),
        (lambda: ndd.zeros(shape=ndd.tensor([2]), layout="HW"), "Layout 'HW' has 2 dimensions"),
        (lambda: ndd.zeros(shape=ndd.batch([[1], [2, 2]])), "same number of extents"),
        (lambda: ndd.ones(dtype=ndd.InterpType), "is currently not supported"),
    ],
)
def test_bad_arguments_are_refused(call, message):
    with pytest.raises(RuntimeError, match=message):
        call().evaluate()


@given(arrays.mutually_broadcastable_shapes(num_shapes=1, base_shape=(2, 3, 4), min_side=0), st.sampled_from(NUMERIC))
@settings(max_examples=60, deadline=None)
def test_values_broadcast_as_in_numpy(shapes, dtype):
    value = np.arange(np.prod(shapes.input_shapes[0])).reshape(shapes.input_shapes[0]).astype(dtype.storage)
    wanted = np.broadcast_shapes(value.shape, (2, 3, 4))
    if wanted == (2, 3, 4):
        expected = np.broadcast_to(value, wanted)
        np.testing.assert_array_equal(ndd.full(value, shape=[2, 3, 4]), expected, strict=True)
        np.testing.assert_array_equal(ndd.full_like(np.zeros(wanted, dtype.storage), value), expected, strict=True)
