"""Batch: picking samples, slicing inside samples, becoming one tensor."""

import copy
import pickle

import numpy as np
import pytest
import torch

import penstock.dynamic as ndd


def values(batch):
    return [np.asarray(t).tolist() for t in batch]


@pytest.fixture
def b():
    return ndd.batch([[1, 2], [3, 4], [5, 6]], layout="W")


@pytest.fixture
def ragged():
    return ndd.batch([[1, 2, 3], [4]])


def test_one_sample_is_a_tensor(b):
    assert np.asarray(b.tensors[1]).tolist() == [3, 4]
    assert np.asarray(b.select(-1)).tolist() == [5, 6]
    assert b.tensors[0] is b.tensors[0]
    assert b.select(0).layout == "W"
    for beyond in (3, -4):
        with pytest.raises(IndexError, match="out of range"):
            b.tensors[beyond]


@pytest.mark.parametrize(
    ("choice", "wanted"),
    [
        ([2, 0], [[5, 6], [1, 2]]),
        ([-1], [[5, 6]]),
        ([1, 1], [[3, 4], [3, 4]]),
        ([], []),
        (slice(1, None), [[3, 4], [5, 6]]),
        (slice(None, None, -1), [[5, 6], [3, 4], [1, 2]]),
        ((0, 2), [[1, 2], [5, 6]]),
        (np.array([1]), [[3, 4]]),
    ],
    ids=str,
)
def test_chosen_samples_are_a_batch_in_the_chosen_order(b, choice, wanted):
    selected = b.select(choice)
    assert (values(selected), selected.layout) == (wanted, "W")
    assert values(b.tensors[choice]) == wanted
    assert values(b.tensors[choice].as_batch()) == wanted
    assert [np.asarray(t).tolist() for t in b.tensors[choice].tolist()] == wanted
    assert len(b.tensors[choice]) == len(wanted)


def test_a_choice_of_a_choice_counts_from_the_first_choice(b):
    chosen = b.tensors[1:]
    assert np.asarray(chosen[0]).tolist() == [3, 4]
    with pytest.raises(IndexError):
        chosen[2]


def test_all_samples_are_the_batch(b):
    assert b.select(...) is b
    assert values(b.tensors[...]) == values(b)


@pytest.mark.parametrize("choice", ["a", 1.5, None, [None], [[1, 0]], [1.5], {"a": 1}])
def test_what_chooses_nothing_is_refused(b, choice):
    with pytest.raises(TypeError, match="samples are chosen by"):
        b.select(choice)


def test_selected_samples_share_memory_unless_copied(b):
    shared, copied = b.tensors[[1]].as_batch(), b.tensors[[1]].as_batch(copy=True)
    np.asarray(b.tensors[1])[0] = 9
    assert (values(shared), values(copied)) == ([[9, 4]], [[3, 4]])


def test_indexing_says_which_two_things_it_could_mean(b):
    with pytest.raises(TypeError, match=r"batch.tensors\[0\] is a sample, batch.slice\[0\] is that part"):
        b[0]


@pytest.mark.parametrize("use", [hash, copy.deepcopy, pickle.dumps])
def test_what_a_batch_is_not(b, use):
    with pytest.raises(TypeError):
        use(b)


def test_a_batch_has_a_length_which_is_known_at_once(b):
    with ndd.EvalMode.deferred:
        later = b + 1
        assert len(later) == 3
        assert later._samples is None


def test_a_batch_of_one_shape_is_an_array(b):
    assert np.asarray(b).tolist() == b.numpy().tolist() == [[1, 2], [3, 4], [5, 6]]
    assert np.shares_memory(np.asarray(b), b.numpy())
    assert np.asarray(b, np.float64).dtype == np.float64
    assert not np.shares_memory(np.array(b), b.numpy())
    assert np.from_dlpack(b).tolist() == [[1, 2], [3, 4], [5, 6]]
    assert torch.from_dlpack(b).data_ptr() == b.torch().data_ptr()
    assert b.__dlpack_device__() == (1, 0)


def test_samples_that_lie_apart_are_copied_into_an_array(b):
    turned = b.select([2, 0])
    assert np.asarray(turned).tolist() == np.from_dlpack(turned).tolist() == [[5, 6], [1, 2]]
    with pytest.raises(ValueError, match="the samples lie apart"):
        turned.__array__(copy=False)
    with pytest.raises(BufferError, match="the samples lie apart"):
        turned.__dlpack__(copy=False)


def test_a_ragged_batch_is_an_array_when_it_is_padded(ragged):
    assert ragged.numpy(pad=True).tolist() == [[1, 2, 3], [4, 0, 0]]
    for use in (np.asarray, np.from_dlpack, ndd.Batch.numpy):
        with pytest.raises(ValueError, match=r"batch.numpy\(pad=True\) and batch.torch\(pad=True\)"):
            use(ragged)


def test_a_batch_in_if_points_to_where(b):
    with pytest.raises(ValueError, match=r"ndd.where\(mask, a, b\) chooses for each sample"):
        bool(b > 3)


def test_in_asks_every_sample(b):
    assert 3 in b.slice[0]
    assert 7 not in b.slice[0]
    with pytest.raises(ValueError, match="more than one element is ambiguous"):
        assert 3 in b


def test_slice_looks_into_every_sample(b, ragged):
    assert values(b.slice[0]) == [1, 3, 5]
    assert values(b.slice[1:]) == [[2], [4], [6]]
    assert values(ragged.slice[-1]) == [3, 4]
    assert values(ragged.slice[::-1]) == [[3, 2, 1], [4]]
    assert values(ragged.slice[1:]) == [[2, 3], []]
    assert b.slice[:] is b
    images = ndd.batch(np.zeros((2, 4, 5, 3)), layout="HWC")
    assert images.slice[:, 0].layout == "HC"


def test_slices_may_differ_from_sample_to_sample(b):
    assert values(b.slice[ndd.batch([0, 1, 0])]) == [1, 4, 5]
    assert values(b.slice[ndd.batch([0, 1, 0]) : ndd.batch([1, 2, 2])]) == [[1], [4], [5, 6]]
    assert values(b.slice[ndd.tensor(1)]) == [2, 4, 6]
    with pytest.raises(ValueError, match="Inconsistent batch size: 2 != 3"):
        b.slice[ndd.batch([0, 1])]


def test_a_slice_out_of_range_names_the_axis(b, ragged):
    with pytest.raises(RuntimeError, match="Index 5 is out of range for axis 0 of length 2"):
        b.slice[5].evaluate()
    with pytest.raises(RuntimeError, match="Index 1 is out of range for axis 0 of length 1"):
        ragged.slice[1].evaluate()
    with pytest.raises(RuntimeError, match=r"Too many indices \(2\) for a 1D tensor"):
        b.slice[0, 0]


def test_a_batch_becomes_one_tensor(b):
    t = ndd.as_tensor(b)
    assert (np.asarray(t).tolist(), t.layout) == ([[1, 2], [3, 4], [5, 6]], "NW")
    assert ndd.tensor(ndd.batch([1, 2])).layout == "N"
    assert ndd.as_tensor(b, dtype=ndd.float32, layout="AB").layout == "AB"


def test_a_ragged_batch_becomes_one_only_with_padding(ragged):
    with pytest.raises(ValueError, match="The batch has a non-uniform shape"):
        ndd.as_tensor(ragged)
    assert np.asarray(ndd.as_tensor(ragged, pad=True)).tolist() == [[1, 2, 3], [4, 0, 0]]
    doubles = ndd.batch([np.ones((1, 2)), np.ones((2, 1))], layout="HW")
    assert ndd.as_tensor(doubles, pad=True).layout == "NHW"


def test_an_empty_batch_becomes_none():
    with pytest.raises(RuntimeError, match="To convert empty batch to a Tensor"):
        ndd.as_tensor(ndd.batch([], dtype=ndd.float32))


def test_as_tensor_shares_the_block_and_tensor_copies_it():
    b = ndd.batch(np.zeros((2, 2)))
    np.asarray(ndd.as_tensor(b))[0, 0] = 5
    np.asarray(ndd.tensor(b))[0, 1] = 7
    assert values(b) == [[5, 0], [0, 0]]
