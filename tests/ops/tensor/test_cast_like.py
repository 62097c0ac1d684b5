"""cast_like: the element type of something else."""

import numpy as np
import pytest

import penstock.dynamic as ndd
from ops.promises import on_torch_cpu
from penstock.values.dtypes import NUMERIC


@pytest.mark.parametrize("dtype", NUMERIC, ids=str)
def test_elements_become_what_cast_makes_of_them(dtype):
    values = ndd.batch([np.float32([-3.5, 0.4, 300.7]), np.float32([2.5])], layout="W")
    got = ndd.cast_like(values, ndd.tensor(0, dtype=dtype))
    assert (got.dtype, got.layout) == (dtype, "W")
    for mine, wanted in zip(got, ndd.cast(values, dtype=dtype), strict=True):
        np.testing.assert_array_equal(mine, wanted, strict=True)


@pytest.mark.parametrize("place", ["cpu", "gpu"])
def test_on_a_gpu_the_other_is_not_read(place, monkeypatch):
    with on_torch_cpu():
        like = ndd.batch([np.uint8([1, 2]), np.uint8([3])], device=place).evaluate()
        values = ndd.batch([np.float32([-3.5, 300.7]), np.float32([2.5])], device="gpu").evaluate()
        monkeypatch.setattr(type(like._resolve()), "host", None)
        got = ndd.cast_like(values, like).evaluate()
        monkeypatch.undo()
        assert [each.tolist() for each in map(np.asarray, got.cpu())] == [[0, 255], [3]]


def test_a_batch_beside_a_tensor_makes_a_batch():
    got = ndd.cast_like(ndd.tensor([1.5, 300.0]), ndd.batch([1, 2], dtype=ndd.uint8))
    assert [np.asarray(t).tolist() for t in got] == [[2, 255], [2, 255]]


def test_the_values_and_shape_of_the_other_do_not_matter():
    assert ndd.cast_like([1.7], np.zeros((0, 3), np.int16)).dtype == ndd.int16
    assert ndd.cast_like(ndd.batch(np.zeros((0, 2), np.float32)), 1).batch_size == 0


def test_bad_calls():
    with pytest.raises(TypeError, match="missing 1 required input"):
        ndd.cast_like([1.7])
    with pytest.raises(ValueError, match="Inconsistent batch size"):
        ndd.cast_like(ndd.batch([1, 2]), ndd.batch([1, 2, 3]))
