"""Tensors to JAX and back, over the same memory where JAX can take it."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import penstock.dynamic as ndd


def address(array):
    return array.__array_interface__["data"][0]


@pytest.mark.parametrize("name", ["int8", "int16", "int32", "uint8", "uint16", "uint32", "float16", "float32", "bool"])
def test_values_survive_the_round_trip(name):
    t = ndd.tensor([0, 1, 1], dtype=getattr(ndd, name))
    there = jnp.from_dlpack(t)
    assert there.dtype == name
    back = ndd.as_tensor(there)
    assert (back.dtype, np.asarray(back).tolist()) == (t.dtype, np.asarray(t).tolist())


def test_jax_sees_the_memory_of_a_tensor():
    for t in (ndd.tensor(np.zeros(5, np.float32)), ndd.tensor(np.zeros((200, 200), np.float32)) + 1):
        assert jnp.from_dlpack(t).unsafe_buffer_pointer() == address(np.asarray(t))


def test_a_tensor_over_a_jax_array_cannot_be_written():
    source = jnp.arange(5)
    t = ndd.as_tensor(source)
    assert address(np.asarray(t)) == source.unsafe_buffer_pointer()
    with pytest.raises(ValueError, match="read-only"):
        np.asarray(t)[0] = 7
    assert (t + 1).torch().tolist() == [1, 2, 3, 4, 5]
    assert t.torch().tolist() == [0, 1, 2, 3, 4]


def test_a_copy_of_a_jax_array_can_be_written():
    t = ndd.tensor(jnp.arange(3))
    np.asarray(t)[0] = 7
    assert np.asarray(t).tolist() == [7, 1, 2]


def test_jax_functions_take_tensors():
    assert jnp.asarray(ndd.tensor([1, 2])).tolist() == [1, 2]
    assert jax.jit(lambda x: x * 2)(jnp.from_dlpack(ndd.tensor([1, 2]))).tolist() == [2, 4]


def test_batches_are_made_of_jax_arrays():
    rows = ndd.as_batch(jnp.arange(6).reshape(2, 3))
    listed = ndd.batch([jnp.arange(2), jnp.arange(3)])
    assert [np.asarray(t).tolist() for t in rows] == [[0, 1, 2], [3, 4, 5]]
    assert listed.shape == [(2,), (3,)]


def test_bfloat16_is_refused():
    with pytest.raises(RuntimeError, match="bfloat16 is not supported"):
        ndd.as_tensor(jnp.zeros(2, jnp.bfloat16))
