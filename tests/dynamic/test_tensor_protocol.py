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
    "use", [len, int, float, hash, operator.index, lambda t: t @ t, lambda t: divmod(t, 2), copy.deepcopy, pickle.dumps]
)
def test_what_it_is_not(x, use):
    with pytest.raises(TypeError):
        use(x)


def test_it_is_always_true():
    assert bool(ndd.tensor(0))


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
