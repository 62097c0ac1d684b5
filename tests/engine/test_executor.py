"""The executor: a stage is run in passes, each by the backend that carries out the most calls at once."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import penstock.dynamic as ndd
from engine.operators import inverted
from messages import told
from penstock.engine import events
from penstock.engine.context import EvalContext
from penstock.engine.executor import run_stage
from penstock.engine.pending import pending
from penstock.engine.planner import plan


@pytest.fixture
def images():
    return ndd.batch(np.arange(2 * 2 * 3, dtype=np.uint8).reshape(2, 2, 3, 1), layout="HWC")


def stage_of(value: Any) -> Any:
    (stage,) = plan(pending(value._call))
    return stage


def passes_of(stage: Any) -> list[tuple[str, int]]:
    return [(each.way, each.calls) for each in run_stage(stage, EvalContext.current().pool)]


def chain(images: Any, *calls: Any) -> Any:
    with ndd.EvalMode.deferred:
        for call in calls:
            images = call(images)
    return images


def test_a_chain_of_native_steps_is_one_pass(images):
    result = chain(images, ndd.flip, ndd.flip, ndd.flip)
    assert passes_of(stage_of(result)) == [("native", 3)]
    assert np.array_equal(np.asarray(result.tensors[1]), np.asarray(images.tensors[1])[:, ::-1])


def test_a_chain_goes_from_one_backend_to_the_next(images):
    result = chain(images, ndd.flip, inverted, inverted, ndd.flip)
    stage = stage_of(result)
    assert [call.op.name for call in stage] == ["flip", "inverted", "inverted", "flip"]
    assert passes_of(stage) == [("native", 1), ("plain", 2), ("native", 1)]
    assert np.array_equal(np.asarray(result.tensors[0]), np.asarray(images.tensors[0]))


def test_only_the_last_call_of_a_stage_has_its_result(images):
    stage = stage_of(chain(images, ndd.flip, ndd.flip))
    run_stage(stage, EvalContext.current().pool)
    assert stage[0].outputs is None
    assert stage[1].outputs is not None


def test_all_calls_of_a_stage_fail_with_the_call_and_the_sample_to_blame(images):
    @ndd.operator
    def refuse(image: Any) -> Any:
        if image.max() > 6:
            raise ValueError("too bright")
        return image

    stage = stage_of(chain(images, ndd.flip, refuse, inverted))
    run_stage(stage, EvalContext.current().pool)
    for call in stage:
        with pytest.raises(ValueError, match="too bright") as raised:
            call.results()
        assert "in refuse, sample 1" in told(raised.value)


def test_a_batch_at_once_that_fails_is_run_again_to_name_the_sample():
    @ndd.operator(elementwise=True)
    def checked(image: Any) -> Any:
        if (image == 7).any():
            raise ValueError("a seven")
        return image

    fine = stage_of(chain(ndd.batch(np.zeros((3, 3), np.int32)), checked))
    assert passes_of(fine) == [("stacked", 1)]
    failing = stage_of(chain(ndd.batch(np.arange(9, dtype=np.int32).reshape(3, 3)), checked))
    run_stage(failing, EvalContext.current().pool)
    with pytest.raises(ValueError, match="a seven") as raised:
        failing[0].results()
    assert "sample 2" in told(raised.value)


def test_listeners_are_told_how_a_stage_ran(images):
    heard: list[events.StageRun] = []
    with events.listening(heard.append):
        run_stage(stage_of(chain(images, ndd.flip, inverted)), EvalContext.current().pool)
    (run,) = heard
    assert (run.operators, run.samples) == (("flip", "inverted"), 2)
    assert [each.way for each in run.passes] == ["native", "plain"]
    assert run.seconds > 0
