"""Operators belong to the pipeline that they are defined in, or to the one whose outputs use them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from penstock import Pipeline, fn, ops, pipeline_def, types

OPTIONS: dict[str, Any] = {"batch_size": 2, "num_threads": 1, "device_id": None}


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    paths = [str(tmp_path / f"{k}.npy") for k in range(10)]
    for k, path in enumerate(paths):
        np.save(path, np.uint8([k]))
    return paths


def test_names_count_the_operators_of_one_pipeline() -> None:
    def graph() -> Any:
        number = fn.random.uniform()
        nodes = [number, fn.copy(number), *fn.readers.file(files=["a"]), fn.external_source()]
        names.append([node.name for node in nodes])
        return number

    names: list[list[str]] = []
    pipeline_def(graph, **OPTIONS)()
    pipeline_def(graph, **OPTIONS)()
    assert names[0] == names[1] == ["__Uniform_0", "__Copy_1", "__File_2[0]", "__File_2[1]", "__ExternalSource_3"]
    assert fn.random.uniform().name.startswith("__Uniform_detached_")


def test_a_source_that_was_defined_outside_is_fed_by_its_name() -> None:
    pipeline = Pipeline(**OPTIONS)
    pipeline.set_outputs(fn.external_source(name="numbers"))
    assert pipeline.input_feed_count("numbers") == 2
    pipeline.feed_input("numbers", [np.zeros(1), np.ones(1)])
    assert pipeline.run()[0].as_array().tolist() == [[0], [1]]


def test_readers_that_were_defined_outside_are_known(files: list[str]) -> None:
    pipeline = Pipeline(**OPTIONS)
    pipeline.set_outputs(fn.readers.numpy(files=files, name="reader"))
    assert pipeline.epoch_size() == {"reader": 10}
    assert pipeline.reader_meta("reader")["epoch_size"] == 10


def test_a_source_that_no_output_needs_cannot_be_fed() -> None:
    class Unused(Pipeline):
        def define_graph(self) -> Any:
            self.used, self.unused = ops.ExternalSource()(), ops.ExternalSource()()
            return self.used

    pipeline = Unused(1, 1, None)
    pipeline.build()
    with pytest.raises(KeyError, match="Could not find an input operator with name"):
        pipeline.feed_input(pipeline.unused, [np.zeros(1)])
    with pytest.raises(KeyError, match="have an input named"):
        pipeline.input_feed_count(pipeline.unused.name)


def test_only_what_has_no_source_can_be_fed(files: list[str]) -> None:
    pipeline = Pipeline(**OPTIONS)
    with pipeline:
        source = fn.external_source(lambda: np.zeros((2, 1)), name="called")
        pipeline.set_outputs(source, fn.readers.numpy(files=files, name="reader"))
    with pytest.raises(RuntimeError, match="Cannot use `feed_input` on the external source 'called'"):
        pipeline.feed_input("called", [np.zeros(1)])
    for call in (lambda: pipeline.feed_input("reader", [np.zeros(1)]), lambda: pipeline.input_feed_count("reader")):
        with pytest.raises(KeyError):
            call()
    assert pipeline.input_feed_count("called") == 2
    with pytest.raises(TypeError, match="fed by its node or its name"):
        pipeline.feed_input(3, [np.zeros(1)])  # type: ignore[arg-type]


def test_a_node_of_another_pipeline_is_refused_where_names_clash() -> None:
    first, second = Pipeline(**OPTIONS), Pipeline(**OPTIONS)
    with first:
        node = fn.random.uniform()
        constant = fn.constant(idata=1)
    with second:
        second.set_outputs(fn.random.uniform() + node)
    with pytest.raises(
        RuntimeError, match=r"operators with non-unique names:\n'__Uniform_0' at (.|\n)*one and the same"
    ):
        second.build()
    third = Pipeline(**OPTIONS)
    with third:
        third.set_outputs(fn.random.uniform(), fn.constant(idata=2) + constant)
    with pytest.raises(RuntimeError, match="'__Constant_1'"):
        third.build()
    third.set_outputs(node)
    assert third.run()[0].shape() == [(), ()]


def test_names_of_operators_that_nobody_uses_may_clash() -> None:
    with Pipeline(**OPTIONS) as pipeline:
        fn.random.uniform(name="number")
        pipeline.set_outputs(fn.random.uniform(name="number"))
    assert pipeline.run()[0].shape() == [(), ()]


def test_names_of_operators_that_were_defined_outside_must_not_clash() -> None:
    pipeline = Pipeline(**OPTIONS)
    pipeline.set_outputs(fn.random.uniform(name="number"), fn.random.uniform(name="number"))
    with pytest.raises(RuntimeError, match="non-unique names"):
        pipeline.build()


@pytest.mark.parametrize(
    "outside",
    [
        lambda: fn.external_source(lambda: np.zeros(1), batch=False),
        lambda: fn.random.uniform(),
        lambda: fn.constant(idata=1),
        lambda: types.Constant([1]),
    ],
)
def test_checkpoints_need_all_operators_in_the_pipeline(outside: Any) -> None:
    node = outside()
    pipeline = pipeline_def(lambda: node + 0, **OPTIONS, enable_checkpointing=True)()
    with pytest.raises(RuntimeError, match="does not support checkpointing because it contains operator"):
        pipeline.build()
    pipeline_def(lambda: node + 0, **OPTIONS)().build()


def test_checkpoints_need_all_operators_in_this_pipeline() -> None:
    with Pipeline(**OPTIONS):
        node = fn.random.uniform()
    with Pipeline(**OPTIONS, enable_checkpointing=True) as pipeline:
        pipeline.set_outputs(node)
    with pytest.raises(RuntimeError, match=r"defined outside the pipeline scope:\n\['__Uniform_0'\]"):
        pipeline.build()


def test_a_pipeline_that_was_read_has_all_its_operators() -> None:
    pipeline = Pipeline(**OPTIONS)
    pipeline.set_outputs(fn.random.uniform())
    read = Pipeline.deserialize(pipeline.serialize(), enable_checkpointing=True)
    assert isinstance(read.checkpoint(), bytes)


def test_checkpoints_know_sources_without_names(files: list[str]) -> None:
    @pipeline_def(**OPTIONS, enable_checkpointing=True)
    def graph() -> Any:
        return fn.readers.numpy(files=files)

    first = graph()
    for _ in range(2):
        first.run()
    fn.random.uniform()  # in a program that has defined more than the one that saved
    assert graph(checkpoint=first.checkpoint()).run()[0].as_array().tolist() == [[4], [5]]


def test_pipelines_that_are_defined_alike_are_written_alike(files: list[str]) -> None:
    @pipeline_def(**OPTIONS, enable_conditionals=True)
    def graph() -> Any:
        number = fn.random.uniform(range=[0.0, 1.0])
        if number > 0.5:
            number = number * 2
        return number, fn.readers.numpy(files=files, random_shuffle=True), fn.external_source(name="x")

    first, second = graph(), graph()
    assert first.serialize() == second.serialize()
    for pipeline in (first, second):
        pipeline.build()  # which draws seeds
    assert first.serialize() == second.serialize()


def test_seeds_that_were_given_are_written() -> None:
    pipeline = pipeline_def(lambda: fn.random.uniform(seed=5), **OPTIONS)()
    text = pipeline.serialize()
    assert Pipeline.deserialize(text).run()[0].as_array().tolist() == pipeline.run()[0].as_array().tolist()


def test_define_graph_may_return_a_list() -> None:
    class Listed(Pipeline):
        def define_graph(self) -> Any:
            return [fn.constant(idata=1), 2]

    assert [output.as_array().tolist() for output in Listed(**OPTIONS).run()] == [[[1], [1]], [2, 2]]
    pipeline = Pipeline(**OPTIONS)
    pipeline.serialize(define_graph=lambda: [fn.constant(idata=1), fn.constant(idata=2)])
    assert pipeline.num_outputs == 2


def test_a_function_or_set_outputs_may_not() -> None:
    for declare in (lambda: pipeline_def(lambda: [fn.random.uniform()], **OPTIONS)(),
                    lambda: Pipeline(**OPTIONS).set_outputs([fn.random.uniform()])):  # fmt: skip
        with pytest.raises(TypeError, match="contains a nested `DataNode`"):
            declare()


def test_a_pipeline_without_outputs_asks_for_its_graph() -> None:
    pipeline = Pipeline(**OPTIONS)
    pipeline.set_outputs()
    with pytest.raises(NotImplementedError):
        pipeline.build()


def test_what_is_called_for_its_effect_needs_a_pipeline() -> None:
    for call in (lambda: fn.copy(np.uint8([1]), preserve=True),
                 lambda: fn.python_function(np.uint8([1]), function=lambda x: x)):  # fmt: skip
        with pytest.raises(RuntimeError, match=r"^Current Pipeline not set!"):
            call()


@pytest.mark.parametrize("name", ["share_outputs", "release_outputs", "outputs", "schedule_run"])
def test_ways_to_run_are_not_mixed_unless_that_is_asked_for(name: str) -> None:
    pipeline = pipeline_def(lambda: fn.constant(idata=1), **OPTIONS)()
    pipeline.run()
    with pytest.raises(RuntimeError, match=r"^Mixing pipeline API type. Currently used: PipelineAPIType.BASIC"):
        getattr(pipeline, name)()
    unchecked = pipeline_def(lambda: fn.constant(idata=1), **OPTIONS)()
    unchecked.enable_api_check(False)
    unchecked.run()
    unchecked.schedule_run()
    getattr(unchecked, name)()


def test_the_size_of_an_epoch_counts_the_padding(files: list[str]) -> None:
    with Pipeline(**OPTIONS) as pipeline:
        padded = fn.readers.numpy(files=files, num_shards=3, pad_last_batch=True, name="padded")
        pipeline.set_outputs(padded, fn.readers.numpy(files=files, num_shards=3, name="plain"))
    assert pipeline.epoch_size() == {"padded": 12, "plain": 10}
    assert pipeline.epoch_size("padded") == 12
    assert pipeline.epoch_size("plain") == 10


def test_pipelines_that_use_one_reader_read_for_themselves(files: list[str]) -> None:
    read = fn.readers.numpy(files=files)
    first, second = Pipeline(**OPTIONS), Pipeline(**OPTIONS)
    for pipeline in (first, second):
        pipeline.set_outputs(fn.copy(read))
        pipeline.build()
    runs = [pipeline.run()[0].as_array().tolist() for pipeline in (first, second, first, second)]
    assert runs == [[[0], [1]], [[0], [1]], [[2], [3]], [[2], [3]]]


def test_pipelines_that_use_one_node_are_fed_and_draw_for_themselves() -> None:
    fed, drawn = fn.external_source(name="x"), fn.random.uniform()
    pipelines = [Pipeline(**{**OPTIONS, "seed": seed}) for seed in (1, 2)]
    for value, pipeline in enumerate(pipelines):
        with pipeline:
            pipeline.set_outputs(fed + 0, drawn)
        pipeline.feed_input("x", [np.float32([value])] * 2)
    outputs = [pipeline.run() for pipeline in pipelines]
    assert [numbers.as_array().tolist() for numbers, _ in outputs] == [[[0], [0]], [[1], [1]]]
    assert outputs[0][1].as_array().tolist() != outputs[1][1].as_array().tolist()


def test_pipelines_that_use_one_callback_take_turns() -> None:
    source = fn.external_source([np.full((2, 1), k) for k in range(9)])
    options = {**OPTIONS, "prefetch_queue_depth": 1}
    first, second = Pipeline(**options), Pipeline(**options)
    for pipeline in (first, second):
        pipeline.set_outputs(source)
    runs = [pipeline.run()[0].as_array()[0].tolist() for pipeline in (first, second, first, second)]
    assert runs == [[0], [1], [2], [3]]
