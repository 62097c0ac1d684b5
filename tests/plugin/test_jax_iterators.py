"""Pipelines in JAX's training loops."""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from penstock import fn
from plugin.pipelines import counted, of_files, of_source

jax = pytest.importorskip("jax")

from penstock.plugin.jax import DALIGenericIterator, LastBatchPolicy, data_iterator  # noqa: E402
from penstock.plugin.jax.clu import DALIGenericPeekableIterator, peekable_data_iterator  # noqa: E402

ONE_THREAD = {"num_threads": 1, "device_id": None}


def digits(batches: Any) -> list[str]:
    return ["".join(str(int(number)) for number in np.ravel(batch["number"])) for batch in batches]


def points(iteration: int) -> tuple[Any, Any]:
    """Points on a plane, and how high it is there."""
    generator = np.random.default_rng(iteration)
    places = generator.normal(0, 1, (32, 3)).astype(np.float32)
    return places, places @ np.array([1.0, -2.0, 0.5], np.float32) + 3


def test_a_model_learns_from_a_pipeline():
    @data_iterator(output_map=["x", "y"], size=320, auto_reset=True)
    def training() -> Any:
        places, heights = fn.external_source(points, num_outputs=2)
        return places, heights + fn.random.uniform(range=[-0.01, 0.01])

    def loss(weights: Any, x: Any, y: Any) -> Any:
        return ((x @ weights[:3] + weights[3] - y) ** 2).mean()

    step = jax.jit(jax.value_and_grad(loss))
    weights, losses = jax.numpy.zeros(4), []
    batches = training(batch_size=32, seed=1)
    for _ in range(2):
        for batch in batches:
            value, gradient = step(weights, batch["x"], batch["y"])
            weights = weights - 0.2 * gradient
            losses.append(float(value))
    assert len(losses) == 20
    assert losses[-1] < 0.01 * losses[0]
    np.testing.assert_allclose(weights, [1, -2, 0.5, 3], atol=0.1)


def test_arrays_lie_over_the_outputs():
    pipeline = of_source(lambda i: np.full((3, 1000), i, np.float32))
    outputs: list[Any] = []
    taken = pipeline._taken
    pipeline._taken = lambda: outputs.append(taken()) or outputs[-1]  # type: ignore[method-assign]
    batches = DALIGenericIterator(pipeline, ["number"], size=30)
    kept = [next(batches)["number"] for _ in range(4)]
    assert isinstance(kept[0], jax.Array)
    assert kept[0].unsafe_buffer_pointer() == np.asarray(outputs[0][0].as_tensor()).ctypes.data
    outputs.clear()
    assert [array[0, 0].item() for array in kept] == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("policy", "epochs"),
    [
        (LastBatchPolicy.FILL, [["012", "345", "601"], ["234", "560"], ["123", "456"]]),
        (LastBatchPolicy.DROP, [["012", "345"], ["234", "560"], ["456", "012"]]),
    ],
)
def test_epochs(tmp_path, policy, epochs):
    batches = DALIGenericIterator(of_files(tmp_path), ["number"], reader_name="files", last_batch_policy=policy)
    assert [digits(batches) for _ in range(3)] == epochs
    ended = DALIGenericIterator(of_source(counted(2), cycle="raise"), ["number"])
    assert [digits(ended), digits(ended)] == [["000", "111"]] * 2


def test_several_pipelines_are_stacked():
    batches = DALIGenericIterator([of_source(counted(3)), of_source(counted(3))], ["number"], size=18)
    assert next(batches)["number"].shape == (2, 3, 1)
    one = DALIGenericIterator(of_source(counted(3)), ["number"], size=9, pmap_compatible=True)
    assert next(one)["number"].shape == (1, 3, 1)
    several = [of_source(counted(3)), of_source(counted(3))]
    asked_not_to = DALIGenericIterator(several, ["number"], size=18, pmap_compatible=False)
    assert next(asked_not_to)["number"].shape == (2, 3, 1)


@pytest.mark.parametrize("decorator", [data_iterator, peekable_data_iterator])
def test_one_device_has_a_leading_axis_too(decorator):
    def define(num_shards: int, shard_id: int) -> Any:
        return fn.external_source(lambda: np.zeros((4, 1), np.float32))

    def shape(**options: Any) -> Any:
        made = decorator(define, output_map=["x"], size=8, devices=jax.devices()[:1], **options)(batch_size=4)
        return next(made)["x"].shape

    assert shape() == shape(pmap_compatible=True) == (1, 4, 1)
    assert shape(pmap_compatible=False) == (4, 1)


def test_a_checkpoint_resumes_at_the_next_batch(tmp_path):
    of_files(tmp_path)

    @data_iterator(output_map=["number"], reader_name="files", last_batch_policy=LastBatchPolicy.DROP)
    def numbered() -> Any:
        files = [str(tmp_path / f"{number}.bin") for number in range(7)]
        return fn.readers.file(files=files, name="files")[0]

    batches = numbered(batch_size=3, enable_checkpointing=True, **ONE_THREAD)
    next(batches)
    resumed = numbered(batch_size=3, enable_checkpointing=True, checkpoints=batches.checkpoints(), **ONE_THREAD)
    assert [digits(resumed), digits(resumed)] == [digits(batches), digits(batches)] == [["345"], ["234", "560"]]


def test_a_batch_is_peeked_at_before_it_is_taken(tmp_path):
    batches = DALIGenericPeekableIterator(
        of_files(tmp_path, enable_checkpointing=True), ["number"], reader_name="files", auto_reset=True
    )
    spec = batches.element_spec["number"]
    assert (spec.dtype, spec.shape) == (np.uint8, (3, 1))
    seen = [batches.peek(), batches.peek(), next(batches), batches.peek_async().result(), next(batches)]
    assert digits(seen) == ["012", "012", "012", "345", "345"]
    batches.peek()
    resumed = of_files(tmp_path, enable_checkpointing=True, checkpoint=batches.checkpoints()[0])
    assert digits(DALIGenericIterator(resumed, ["number"], reader_name="files")) == digits(batches) == ["601"]
    assert digits(batches) == ["234", "560"]
    made = peekable_data_iterator(lambda: fn.random.uniform(), output_map=["x"])(batch_size=2, **ONE_THREAD)
    assert isinstance(made, DALIGenericPeekableIterator)


def test_what_is_peeked_at_keeps_its_shape():
    growing = of_source(lambda i: np.zeros((3, 1 + i), np.float32))
    batches = DALIGenericPeekableIterator(growing, ["x"], size=9)
    next(batches)
    with pytest.raises(ValueError, match="The shape or type of the output changed between iterations"):
        next(batches)
    ended = DALIGenericPeekableIterator(of_source(counted(1)), ["x"])
    next(ended)
    with pytest.raises(StopIteration):
        ended.peek()
    with pytest.raises(StopIteration):
        ended.peek_async().result()


def test_what_an_iterator_may_not_be_told(tmp_path):
    def made(**options: Any) -> Any:
        return DALIGenericIterator(**{"pipelines": of_files(tmp_path), "output_map": ["n"], "size": 7, **options})

    with pytest.raises(AssertionError, match="does not support partial last batch policy"):
        made(last_batch_policy=LastBatchPolicy.PARTIAL)
    with pytest.raises(AssertionError, match="should be distinct"):
        made(output_map=["n", "n"])
    with pytest.raises(IndexError, match="2 outputs, output_map names"):
        made(output_map=["a", "b", "c"])
    with pytest.raises(RuntimeError, match='output "n" make no tensor'):
        made(pipelines=of_source(lambda i: [np.zeros(k) for k in (1, 2, 3)]))
    with pytest.raises(AssertionError, match="Shards shapes have to be the same"):
        made(pipelines=[of_source(lambda: np.zeros((3, 1))), of_source(lambda: np.zeros((3, 2)))])
    with pytest.raises(ValueError, match="Only one of `sharding` and `devices`"):
        data_iterator(lambda: 1, sharding=jax.sharding.SingleDeviceSharding(jax.devices()[0]), devices=jax.devices())
    with pytest.raises(TypeError, match="must take num_shards and shard_id"):
        data_iterator(fn.random.uniform, output_map=["n"], devices=jax.devices())(batch_size=2)


ON_TWO_DEVICES = """
import sys, jax, numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec
from penstock import fn
from penstock.plugin.jax import data_iterator

def define(num_shards, shard_id):
    return fn.readers.file(files=sys.argv[1:], name="files", num_shards=num_shards, shard_id=shard_id)[0]

sharding = NamedSharding(Mesh(np.array(jax.devices()[::-1]), ("batch",)), PartitionSpec("batch"))
for options in ({"sharding": sharding}, {"devices": jax.devices()}):
    for batch in data_iterator(define, output_map=["n"], reader_name="files", **options)(batch_size=4):
        shards = [(shard.device.id, shard.data.ravel().tolist()) for shard in batch["n"].addressable_shards]
        print(batch["n"].shape, shards)
"""


def test_shards_go_to_their_devices(tmp_path: Path, monkeypatch):
    of_files(tmp_path, count=6)
    monkeypatch.setenv("XLA_FLAGS", "--xla_force_host_platform_device_count=2")
    files = [str(tmp_path / f"{number}.bin") for number in range(6)]
    done = subprocess.run([sys.executable, "-c", ON_TWO_DEVICES, *files], capture_output=True, text=True)
    assert done.stdout.splitlines() == [
        "(4, 1) [(1, [0, 1]), (0, [3, 4])]",
        "(4, 1) [(1, [2, 3]), (0, [5, 0])]",
        "(2, 2, 1) [(0, [0, 1]), (1, [3, 4])]",
        "(2, 2, 1) [(0, [2, 3]), (1, [5, 0])]",
    ], done.stderr


def test_without_jax_the_extra_is_named(monkeypatch):
    for name in [name for name in sys.modules if name.startswith("penstock.plugin.jax")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "jax", None)
    with pytest.raises(ImportError, match=r"pip install penstock\[jax\]"):
        importlib.import_module("penstock.plugin.jax")
