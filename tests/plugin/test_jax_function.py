"""Functions of JAX arrays in pipelines."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from penstock import fn, pipeline_def

jax = pytest.importorskip("jax")

from penstock.plugin import jax as dax  # noqa: E402

jax_function = dax.fn.jax_function


def batches(i: int) -> Any:
    return np.arange(12, dtype=np.float32).reshape(3, 2, 2) + i


def run(function: Any, source: Any = batches, layout: str | None = "HW") -> Any:
    @pipeline_def(batch_size=3, num_threads=1, device_id=None)
    def define() -> Any:
        made = function(fn.external_source(source, layout=layout))
        return tuple(made) if isinstance(made, list) else made

    return define().run()


def test_a_function_gets_the_whole_batch() -> None:
    @jax_function
    @jax.jit
    @jax.vmap
    def mirrored(image: Any) -> Any:
        return image[:, ::-1]

    [made] = run(mirrored)
    assert mirrored.__name__ == "mirrored"
    np.testing.assert_array_equal(made.as_array(), batches(0)[:, :, ::-1])
    assert made.layout() == "HW"


def test_layouts_come_from_the_inputs_where_they_fit() -> None:
    same, summed = run(jax_function(lambda x: (x, x.sum(axis=(1, 2))), num_outputs=2))
    assert (same.layout(), summed.layout()) == ("HW", "")
    assert summed.as_array().tolist() == [6, 22, 38]
    both = run(jax_function(num_outputs=2, output_layouts="AB")(lambda x: (x, x + 1)))
    assert [each.layout() for each in both] == ["AB", "AB"]
    each = run(jax_function(lambda x: (x, x[:, 0]), num_outputs=2, output_layouts=["", "W"]))
    assert [made.layout() for made in each] == ["", "W"]
    with pytest.raises(RuntimeError, match="has 2 outputs, `output_layouts` tells of 1"):
        jax_function(lambda x: (x, x), num_outputs=2, output_layouts=["AB"])


def test_a_function_may_be_called_for_what_it_does() -> None:
    seen: list[Any] = []
    run(lambda x: (jax_function(lambda y: seen.append(y.shape), num_outputs=0)(x), x)[1])
    assert (3, 2, 2) in seen
    unused: list[Any] = []
    run(lambda x: (jax_function(lambda y: unused.append(y.shape) or y, preserve=False)(x), x)[1])
    assert unused == []


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda x: x[:2], r"result 0 has the shape \(2, 2, 2\); its first axis should be that of 3 samples"),
        (np.asarray, "the function returns arrays of JAX, got ndarray"),
        (lambda x: (x, x), "should return 1 arrays, it returned 2"),
        (lambda x: x["no"], r"(?s)jax_function.*test_jax_function.py:\d+"),
        (lambda x: x.astype(jax.numpy.complex64), "there are no batches of complex64"),
    ],
)
def test_what_a_function_may_not_return(function: Any, message: str) -> None:
    with pytest.raises(RuntimeError, match=message):
        run(jax_function(function))


def test_samples_have_one_shape() -> None:
    with pytest.raises(RuntimeError, match=r"those of input 0 differ: \(1,\), \(2,\); pad or resize them"):
        run(jax_function(lambda x: x), lambda: [np.zeros(1), np.zeros(2)], None)


def test_arrays_are_shards_where_a_sharding_is_given() -> None:
    mesh = jax.sharding.Mesh(np.array(jax.devices()[:1]), ("x",))
    sharding = jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec("x"))
    seen: list[Any] = []
    [made] = run(jax_function(lambda x: seen.append(x.sharding) or x * 2, sharding=sharding))
    assert seen[0] == sharding
    np.testing.assert_array_equal(made.as_array(), batches(0) * 2)


def test_a_sharding_has_one_local_device() -> None:  # DALI says the same
    several = SimpleNamespace(addressable_devices={"cpu:0", "cpu:1"})
    with pytest.raises(NotImplementedError, match="takes a sharding with one local device, got one with 2"):
        jax_function(lambda x: x, sharding=several)
