"""Pipelines written down and read again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import penstock.types as types
from penstock import Pipeline, fn, pipeline_def

OPTIONS: dict[str, Any] = {"batch_size": 4, "num_threads": 2, "device_id": None, "seed": 3}


@pipeline_def(enable_conditionals=True, output_dtype=[types.FLOAT, None, None, None], **OPTIONS)
def decisive() -> Any:
    x = fn.external_source(name="x", dtype=types.INT32, ndim=1)
    first = x[0]
    noise = fn.random.uniform(range=(0.0, 1.0))
    if first > 1:
        noise = noise + 1
        if first > 2:
            noise = fn.random.uniform(first, range=(5.0, 6.0))
    constant = fn.cast(np.array([[1.5, 2.5]], np.float32), dtype=types.INT16)
    return noise, fn.flip(fn.reshape(x, shape=[1, 2, 1], layout="HWC"), horizontal=first % 2), constant, 7


def batch(k: int) -> list[Any]:
    return [np.array([k + i, -i], np.int32) for i in range(4)]


def run(pipeline: Any, count: int = 3) -> list[Any]:
    made = []
    for k in range(count):
        pipeline.feed_input("x", batch(k))
        made.append([np.asarray(output.as_array()).tolist() for output in pipeline.run()])
    return made


def test_a_pipeline_comes_back_as_it_was():
    text = decisive().serialize()
    again = Pipeline.deserialize(text)
    assert (again.max_batch_size, again.num_threads, again.seed, again.num_outputs) == (4, 2, 3, 4)
    assert again.serialize() == text
    assert run(again) == run(decisive())
    assert Pipeline.deserialize(text, batch_size=9, num_threads=1).max_batch_size == 9


def test_files(tmp_path):
    file = tmp_path / "pipeline"
    assert decisive().serialize(filename=str(file)) == file.read_bytes()
    own = Pipeline(batch_size=5, num_threads=1, device_id=None, seed=3)
    own.deserialize_and_build(file.read_bytes())
    assert own.max_batch_size == 5
    assert run(own) == run(Pipeline.deserialize(filename=str(file)))


def test_readers(tmp_path):
    for k in range(5):
        (tmp_path / "class").mkdir(exist_ok=True)
        (tmp_path / f"class/{k}.bin").write_bytes(bytes([k]))

    @pipeline_def(**OPTIONS)
    def files() -> Any:
        return tuple(fn.readers.file(file_root=str(tmp_path), file_filters="*.bin", random_shuffle=True, name="reader"))

    made = [[[np.asarray(each).tolist() for each in output] for output in pipe.run()]
            for pipe in (files(), Pipeline.deserialize(files().serialize()))]  # fmt: skip
    assert made[0] == made[1]


def test_the_subclass_style_and_a_function_given_to_serialize():
    def graph() -> Any:
        return fn.external_source(name="x") + 1

    pipeline = Pipeline(batch_size=4, num_threads=1, device_id=None)
    again = Pipeline.deserialize(pipeline.serialize(define_graph=graph))
    assert run(again, 1) == [[[[1, 1], [2, 0], [3, -1], [4, -2]]]]


def test_callbacks_of_sources_stay_behind():
    made = pipeline_def(**OPTIONS)(lambda: fn.external_source(lambda: batch(0), name="x"))()
    assert run(Pipeline.deserialize(made.serialize()), 1) == [[[[0, 0], [1, -1], [2, -2], [3, -3]]]]


def test_functions_cannot_be_saved():
    made = pipeline_def(**OPTIONS)(lambda: fn.python_function(fn.external_source(name="x"), function=abs))()
    with pytest.raises(RuntimeError, match=r"Could not serialize the operator `python_function`.*test_serialization"):
        made.serialize()


@pytest.mark.parametrize(
    "change",
    [
        lambda saved: {},
        lambda saved: [],
        lambda saved: {**saved, "version": 99},
        lambda saved: {**saved, "definitions": saved["definitions"][1:]},
        lambda saved: {**saved, "outputs": [{"node": [1000, 0]}]},
        lambda saved: {**saved, "outputs": [{"pickle": "gASVAAAA"}]},
        lambda saved: {**saved, "definitions": [{**saved["definitions"][0], "operator": "os.system"}]},
    ],
)  # fmt: skip
def test_texts_that_are_none(change):
    saved = json.loads(decisive().serialize())
    with pytest.raises(RuntimeError, match="Error parsing serialized pipeline"):
        Pipeline.deserialize(json.dumps(change(saved)).encode())


def test_what_is_no_text():
    with pytest.raises(RuntimeError, match="Error parsing serialized pipeline"):
        Pipeline.deserialize(b"\x80\x04abc")
    with pytest.raises(ValueError, match="mutually exclusive"):
        Pipeline.deserialize()
    with pytest.raises(ValueError, match="mutually exclusive"):
        Pipeline.deserialize(b"", filename="x")


def test_a_drawing(tmp_path: Path):
    file = tmp_path / "graph.dot"
    decisive().save_graph_to_dot_file(str(file))
    text = file.read_text()
    assert text.startswith("digraph")
    assert '"x" -> ' in text
    assert '-> "output 3"' not in text
    decisive().save_graph_to_dot_file(str(file), show_tensors=True, use_colors=True)
    assert '"x result 0"[shape=box];' in file.read_text()
    with pytest.warns(DeprecationWarning, match="show_ids"):
        decisive().save_graph_to_dot_file(str(file), show_ids=True)
