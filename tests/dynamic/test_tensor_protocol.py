"""What Python and NumPy may do with a Tensor."""

import copy
import operator
import pickle

import numpy as np
import pytest

import penstock.dynamic as ndd


@pytest.fixture
def x():
    return ndd.tensor(np.arange(24).reshape(2, 3, 4), layout="HWC")


def test_it_tells_its_size(x):
    assert (x.shape, x.ndim, x.size, x.itemsize, x.nbytes, str(x.dtype)) == ((2, 3, 4), 3, 24, 8, 192, "i64")


def test_item_is_the_only_element(x):
    assert ndd.tensor([[5]]).item() == 5
    assert ndd.tensor(True).item() is True
    with pytest.raises(ValueError, match="Tensor has 24 elements, expected 1"):
        x.item()


@pytest.mark.parametrize(
    "use", [int, float, hash, operator.index, lambda t: t @ t, lambda t: divmod(t, 2), copy.deepcopy, pickle.dumps]
)
def test_what_it_is_not(x, use):
    with pytest.raises(TypeError):
        use(x)


@pytest.mark.parametrize(("value", "truth"), [(0, False), ([0.0], False), ([[-2]], True), (True, True), (0.5, True)])
def test_one_element_is_true_unless_it_is_0(value, truth):
    assert bool(ndd.tensor(value)) is truth
    for mode in (ndd.EvalMode.deferred, ndd.EvalMode.eager):
        with mode:
            assert (not ndd.tensor(value) * 1.0) is not truth


@pytest.mark.parametrize("value", [[0, 1], [[0.0]] * 2, []])
def test_several_elements_and_none_are_neither_true_nor_false(value):
    with pytest.raises(ValueError, match="is ambiguous"):
        bool(ndd.tensor(value, dtype=ndd.int32))


def test_a_coin_decides():
    rng = ndd.random.RNG(3)
    heads = sum(1 if ndd.random.coin_flip(rng=rng) else 0 for _ in range(100))
    assert 30 < heads < 70


def test_one_element_is_a_number():
    assert (int(ndd.tensor([2.9])), float(ndd.tensor(7)), operator.index(ndd.tensor([[3]]))) == (2, 7.0, 3)
    assert isinstance(int(ndd.tensor(1)), int)
    assert list(range(ndd.tensor(3))) == [0, 1, 2]
    assert "abc"[ndd.tensor(1)] == "b"
    for number in (1.0, True):
        with pytest.raises(TypeError, match="only integer tensors of one element can be an index"):
            operator.index(ndd.tensor(number))


def test_several_elements_are_no_number(x):
    for use in (int, float, operator.index):
        with pytest.raises(TypeError, match="only tensors of one element can be converted to Python scalars"):
            use(x)


def test_its_length_is_that_of_the_first_axis(x):
    assert len(x) == 2
    with pytest.raises(TypeError, match="0-D"):
        len(ndd.tensor(1))


def test_in_looks_at_all_elements_and_sorted_at_values(x):
    assert 17 in x
    assert ndd.tensor(17) in x
    assert 24 not in x
    assert [t.item() for t in sorted([ndd.tensor(3), ndd.tensor(1), ndd.tensor(2)])] == [1, 2, 3]


def test_numpy_is_a_view(x):
    assert np.shares_memory(x.numpy(), np.asarray(x))


def test_it_cannot_be_assigned_to(x):
    with pytest.raises(TypeError, match="does not support item assignment"):
        x[0] = 5


def test_iteration_gives_the_rows_and_ends(x):
    rows = list(x)
    assert [row.layout for row in rows] == ["WC", "WC"]
    assert [np.asarray(row)[0, 0].item() for row in rows] == [0, 12]
    with pytest.raises(TypeError, match="0-D"):
        iter(ndd.tensor(5))


def test_nothing_equals_none(x):
    assert (x == None) is False  # noqa: E711
    assert (x != None) is True  # noqa: E711
    assert operator.eq(None, x) is False


def test_a_shallow_copy_shares_memory(x):
    other = copy.copy(x)
    assert other is not x
    assert np.shares_memory(np.asarray(other), np.asarray(x))


def test_numpy_sees_the_memory(x):
    view = np.asarray(x)
    view[0, 0, 0] = 7
    assert x[0, 0, 0].item() == 7
    assert not np.shares_memory(np.array(x), view)
    assert np.asarray(x, dtype=np.float32).dtype == np.float32
    with pytest.raises(ValueError, match="Unable to avoid copy"):
        np.asarray(x, dtype=np.float32, copy=False)


def test_it_is_no_cuda_array(x):
    assert not hasattr(x, "__cuda_array_interface__")


def test_evaluate_returns_the_tensor(x):
    y = x + 1
    assert y.evaluate() is y


def test_it_is_made_of_data():
    with pytest.raises(ValueError, match="made from data"):
        ndd.Tensor()


def test_it_prints_data_and_properties():
    assert str(ndd.tensor([[1, 2], [3, 4]], layout="HW")) == (
        'Tensor(\n    [[1 2]\n     [3 4]],\n    dtype=i32,\n    layout="HW",\n    device="cpu",\n    shape=(2, 2))'
    )
    assert str(ndd.tensor(1.5)) == 'Tensor(\n    1.5,\n    dtype=f32,\n    device="cpu",\n    shape=())'


def test_a_large_tensor_prints_its_corners():
    text = str(ndd.tensor(np.arange(3000).reshape(100, 30)))
    assert "..." in text
    assert len(text) < 400
