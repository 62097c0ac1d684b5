"""The parameters of a pipeline: read as they were given, kept by serialize(), and never set."""

from __future__ import annotations

from typing import Any

import pytest

from penstock import OperatorConcurrency, Pipeline, StreamPolicy, fn

GIVEN = {
    "batch_size": 3,
    "num_threads": 2,
    "device_id": None,
    "seed": 7,
    "exec_pipelined": False,
    "prefetch_queue_depth": {"cpu_size": 3, "gpu_size": 2},
    "exec_async": False,
    "set_affinity": True,
    "default_cuda_stream_priority": 1,
    "enable_memory_stats": True,
    "py_num_workers": 4,
    "py_start_method": "spawn",
    "stream_policy": StreamPolicy.SINGLE,
    "concurrency": OperatorConcurrency.FULL,
}


def options_of(pipeline: Pipeline) -> dict[str, Any]:
    return {name: getattr(pipeline, name) for name in GIVEN}


def test_options_are_read_as_they_were_given() -> None:
    pipeline = Pipeline(**GIVEN)
    assert options_of(pipeline) == GIVEN
    assert (pipeline.max_batch_size, pipeline.cpu_queue_size, pipeline.gpu_queue_size) == (3, 3, 2)
    assert pipeline.exec_separated
    assert pipeline.exec_dynamic


def test_options_that_were_not_given() -> None:
    pipeline = Pipeline()
    assert (pipeline.num_threads, pipeline.device_id, pipeline.seed) == (None, None, None)
    assert (pipeline.cpu_queue_size, pipeline.gpu_queue_size, pipeline.exec_separated) == (2, 2, False)
    assert (pipeline.max_streams, pipeline.default_cuda_stream_priority) == (-1, 0)
    with pytest.raises(ValueError, match=r"^The batch size must be set\.$"):
        _ = pipeline.max_batch_size


@pytest.mark.parametrize("name", [*GIVEN, "max_batch_size", "cpu_queue_size", "exec_dynamic", "max_streams"])
def test_options_cannot_be_set(name: str) -> None:
    with pytest.raises(AttributeError):
        setattr(Pipeline(**GIVEN), name, 1)


def test_a_serialized_pipeline_keeps_its_options() -> None:
    pipeline = Pipeline(**GIVEN, output_ndim=[1])
    with pipeline:
        pipeline.set_outputs(fn.zeros(shape=[2]))
    read = Pipeline.deserialize(pipeline.serialize())
    assert options_of(read) == GIVEN
    assert read.output_ndim() == [1]
    assert options_of(Pipeline.deserialize(pipeline.serialize(), seed=8, exec_async=True)) == {
        **GIVEN, "seed": 8, "exec_async": True,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("depth", "error"),
    [({"cpu_size": 1}, TypeError), ("two", TypeError), ({"cpu_size": 1.5, "gpu_size": 1}, TypeError), (0, ValueError)],
)
def test_a_queue_is_as_deep_as_a_positive_number(depth: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match="prefetch_queue_depth"):
        Pipeline(prefetch_queue_depth=depth)
