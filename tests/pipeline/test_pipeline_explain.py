"""Pipeline.explain: the stages of a pipeline, nothing lost by asking."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from penstock import fn, pipeline_def
from penstock.engine import events


@pipeline_def(batch_size=2, num_threads=1, device_id=None)
def images(stop: int = 99) -> Any:
    def given(i: int) -> Any:
        if i >= stop:
            raise StopIteration
        return np.full((2, 4, 6, 3), i, np.uint8)

    image = fn.external_source(given, layout="HWC")
    small, same = fn.resize(image, size=[2, 2]), fn.resize(image, size=[2, 2])
    return fn.flip(small) + fn.flip(same), fn.reductions.mean(image)


def number(outputs: Any) -> int:
    return int(np.asarray(outputs[1][0]))


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_a_pipeline_that_was_explained_hands_out_every_iteration(depth: int) -> None:
    pipeline = images(prefetch_queue_depth=depth)
    assert pipeline.explain().stages
    assert pipeline.empty()
    assert [number(pipeline.run()) for _ in range(3)] == [0, 1, 2]
    assert pipeline.explain().stages
    assert number(pipeline.run()) == 3


def test_scheduled_runs_are_as_many_as_were_scheduled() -> None:
    pipeline = images()
    pipeline.explain()
    pipeline.schedule_run()
    pipeline.schedule_run()
    assert [number(pipeline.share_outputs()) for _ in range(2)] == [0, 1]
    with pytest.raises(StopIteration):
        pipeline.share_outputs()


def test_an_end_that_was_looked_at_comes_in_its_time() -> None:
    pipeline = images(stop=0)
    assert pipeline.explain().stages == ()
    with pytest.raises(StopIteration):
        pipeline.run()


def test_the_stages_are_those_that_run() -> None:
    heard: list[events.StageRun] = []
    pipeline = images(prefetch_queue_depth=1)
    pipeline.run()
    with events.listening(heard.append):
        pipeline.run()
    plan = pipeline.explain()
    mine = [(event.operators, event.samples, event.passes) for event in heard]
    told = [(tuple(call.operator for call in stage.calls), stage.samples, stage.passes) for stage in plan.stages]
    assert [each for each in mine if each in told] == told
    assert sorted(call.operator for call, _ in plan.dropped) == ["flip", "resize"]
    assert plan.title == "pipeline, batches of 2, 0 iterations made ahead"
    assert plan.sources[0].name == "external_source"
    assert len(plan.outputs) == 2


def test_one_that_must_be_fed_tells_its_definition() -> None:
    @pipeline_def(batch_size=2, num_threads=1, device_id=None)
    def fed() -> Any:
        return fn.flip(fn.external_source(name="image", layout="HWC"))

    pipeline = fed()
    text = str(pipeline.explain())
    assert "not known before" in text
    assert "flip at " in text
    pipeline.feed_input("image", np.zeros((2, 2, 2, 1), np.uint8))
    assert len(pipeline.explain().stages) == 1
    assert len(pipeline.run()[0]) == 2
