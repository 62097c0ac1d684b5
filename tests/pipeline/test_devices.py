"""Operators for a GPU can be defined anywhere; a pipeline refuses to be built where one of them is needed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from penstock import Pipeline, fn, math, ops, pipeline_def, types
from penstock.pipeline import experimental

OPTIONS = {"batch_size": 2, "num_threads": 1, "device_id": None}


def one() -> Any:
    return fn.constant(idata=1)


ON_GPU: dict[str, Callable[[], Any]] = {
    "mixed decoder": lambda: fn.decoders.image(fn.external_source(name="x"), device="mixed"),
    "moved": lambda: one().gpu(),
    "follows its input": lambda: fn.copy(one().gpu()),
    "argument": lambda: fn.copy(one(), device="gpu"),
    "brought back": lambda: fn.copy(one(), device="gpu").cpu(),
    "fn.constant": lambda: fn.constant(idata=1, device="gpu"),
    "types.Constant": lambda: types.Constant([1.0], device="gpu"),
    "random": lambda: fn.random.uniform(device="gpu"),
    "shape": lambda: one().shape(device="gpu"),
    "shape of moved": lambda: one().gpu().shape(),
    "moved back": lambda: fn.copy(one().gpu(), device="cpu"),
    "property": lambda: one().property("layout", device="gpu"),
    "source_info": lambda: one().source_info(device="gpu"),
    "external source": lambda: fn.external_source(lambda: np.zeros((2, 1)), device="gpu"),
    "reader": lambda: fn.readers.numpy(files=["none.npy"], device="gpu"),
    "arithmetic": lambda: one().gpu() + 1,
    "math": lambda: math.sqrt(one().gpu()),
    "subscript": lambda: one().gpu()[0],
    "ops": lambda: ops.Copy(device="gpu")(one()),
    "fed video": lambda: fn.experimental.inputs.video(sequence_length=2, device="mixed"),
    "kept": lambda: (fn.copy(one(), device="gpu", preserve=True), one())[1],
    "no CPU kernel": lambda: fn.optical_flow(one()),
}


@pytest.mark.parametrize("name", ON_GPU)
def test_what_needs_a_gpu_is_refused_when_the_pipeline_is_built(name: str) -> None:
    pipeline = pipeline_def(ON_GPU[name], **OPTIONS)()
    with pytest.raises(RuntimeError, match=r"^The pipeline requires a CUDA-capable GPU"):
        pipeline.build()


def test_the_error_names_the_operator_and_the_line() -> None:
    pipeline = pipeline_def(lambda: fn.copy(one(), device="gpu"), **OPTIONS)()
    with pytest.raises(RuntimeError, match=r'copy is to run on device="gpu"; defined at .*test_devices.py:\d+'):
        pipeline.build()


@pytest.mark.parametrize("name", [name for name in ON_GPU if name != "kept"])
def test_what_nobody_uses_is_not_looked_at(name: str) -> None:
    def graph() -> Any:
        ON_GPU[name]()
        return one()

    assert pipeline_def(graph, **OPTIONS)().run()[0].as_array().tolist() == [[1], [1]]


def test_a_node_that_comes_back_before_it_is_used_stays_where_it_is() -> None:
    pipeline = pipeline_def(lambda: fn.copy(one().gpu().cpu()), **OPTIONS)()
    assert pipeline.run()[0].as_array().tolist() == [[1], [1]]


def test_nodes_know_their_device() -> None:
    node = one()
    assert (node.device, node.gpu().device, node.gpu().cpu().device) == ("cpu", "gpu", "cpu")
    assert fn.decoders.image(node, device="mixed").device == "gpu"
    assert (node.gpu() + node).device == "gpu"


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: fn.copy(one(), device="tpu"), ValueError, 'Unsupported device type: "tpu"'),
        (
            lambda: fn.flip(one().gpu(), device="cpu"),
            RuntimeError,
            "The input 0 for cpu operator `nvidia.dali.fn.flip`",
        ),
        (lambda: fn.decoders.image(one().gpu(), device="mixed"), RuntimeError, "The input 0 for mixed operator"),
        (lambda: fn.crop(one(), crop_h=one().gpu()), ValueError, "Invalid device \"gpu\" for argument 'crop_h'"),
        (lambda: fn.readers.file(files=["a"], device="tpu"), ValueError, "Unsupported device type"),
        (lambda: fn.external_source(device="tpu"), ValueError, "Unsupported device type"),
    ],
)
def test_devices_that_cannot_be_are_refused_at_the_definition(call: Any, error: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        call()


def test_devices_are_written_down(tmp_path: Path) -> None:
    for node in (fn.copy(one(), device="gpu"), fn.copy(one()).gpu()):
        pipeline = Pipeline(**OPTIONS)  # type: ignore[arg-type]
        pipeline.set_outputs(node)
        read = Pipeline.deserialize(pipeline.serialize())
        with pytest.raises(RuntimeError, match="requires a CUDA-capable GPU"):
            read.build()


@pytest.mark.parametrize("graph", [lambda: fn.copy(one(), device="gpu"), lambda: fn.copy(one()).gpu()])
def test_debug_mode_refuses_them_too(graph: Any) -> None:
    with pytest.raises(RuntimeError, match="requires a CUDA-capable GPU"):
        experimental.pipeline_def(debug=True, **OPTIONS)(graph)().run()  # type: ignore[arg-type]
