"""Tensors and Batches to torch and back, over the same memory."""

import sys

import numpy as np
import pytest
import torch

import penstock.dynamic as ndd

DTYPES = [
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "float16",
    "float32",
    "float64",
    "bool",
]


@pytest.mark.parametrize("name", DTYPES)
def test_every_dtype_has_a_namesake(name):
    here, there = getattr(ndd, name), getattr(torch, name)
    assert ndd.tensor([1], dtype=here).torch().dtype == there
    assert ndd.as_tensor(torch.ones(1, dtype=there)).dtype == here


def test_a_tensor_and_its_torch_share_memory():
    t = ndd.tensor([1, 2])
    t.torch()[0] = 9
    assert np.asarray(t).tolist() == [9, 2]
    t.torch(copy=True)[1] = 9
    assert np.asarray(t).tolist() == [9, 2]


def test_a_torch_tensor_and_its_tensor_share_memory():
    source = torch.zeros(3)
    shared, copied = ndd.as_tensor(source), ndd.tensor(source)
    source[0] = 5
    assert (np.asarray(shared)[0], np.asarray(copied)[0]) == (5, 0)


def test_memory_outlives_the_tensor():
    data = (ndd.tensor(np.arange(100_000)) + 0).torch()
    other = (ndd.tensor(np.zeros(100_000, int)) + 0).evaluate()
    assert data[-1] == 99_999
    assert other.shape == (100_000,)


def test_a_dense_batch_is_one_torch_tensor_over_the_same_memory():
    b = ndd.batch(np.zeros((2, 3), np.float32))
    b.torch()[1, 2] = 5
    assert np.asarray(b.tensors[1]).tolist() == [0, 0, 5]
    b.torch(copy=True)[0, 0] = 7
    assert np.asarray(b.tensors[0]).tolist() == [0, 0, 0]
    assert (b + 1).torch(copy=False).shape == (2, 3)


def test_scattered_samples_are_one_tensor_only_with_a_copy():
    scattered = ndd.as_batch([np.zeros(2), np.ones(2)])
    assert scattered.torch().tolist() == [[0, 0], [1, 1]]
    with pytest.raises(ValueError, match="cannot be converted to a tensor without a copy"):
        scattered.torch(copy=False)


def test_a_ragged_batch_needs_padding():
    ragged = ndd.batch([[1, 2, 3], [4]])
    assert ragged.torch(pad=True).tolist() == [[1, 2, 3], [4, 0, 0]]
    with pytest.raises(ValueError, match="non-uniform shape"):
        ragged.torch()
    with pytest.raises(RuntimeError, match="empty batch"):
        ndd.batch([], dtype=ndd.int32).torch()


@pytest.mark.parametrize(
    "source",
    [
        torch.zeros(2, requires_grad=True),
        torch.zeros(3, 4).T,
        torch.zeros(2, dtype=torch.bfloat16),
        torch.zeros(2, dtype=torch.complex64),
        torch.zeros(2, device="meta"),
    ],
    ids=["requires grad", "strided", "bfloat16", "complex", "elsewhere"],
)
def test_what_cannot_be_shared_is_refused(source):
    with pytest.raises(RuntimeError):
        ndd.as_tensor(source)


def test_torch_reads_a_tensor_by_its_protocols():
    t = ndd.tensor([1, 2])
    for read in (torch.from_dlpack, torch.as_tensor, torch.tensor):
        assert read(t).tolist() == [1, 2]
    torch.from_dlpack(t)[0] = 9
    assert np.asarray(t).tolist() == [9, 2]


def test_arithmetic_with_torch_gives_a_tensor():
    t, b, other = ndd.tensor([1, 2]), ndd.batch([[1, 2], [3, 4]]), torch.tensor([10, 20])
    for total in (t + other, other + t):
        assert isinstance(total, ndd.Tensor)
        assert np.asarray(total).tolist() == [11, 22]
    assert isinstance(other + b, ndd.Batch)


def test_without_torch_the_message_says_so(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(RuntimeError, match=r"Tensor.torch\(\) requires PyTorch to be installed"):
        ndd.tensor([1]).torch()
    with pytest.raises(RuntimeError, match=r"Batch.torch\(\) requires PyTorch to be installed"):
        ndd.batch([1]).torch()
