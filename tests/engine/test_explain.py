"""ndd.explain: it foretells what runs, and runs nothing."""

from __future__ import annotations

import re
from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

import penstock.dynamic as ndd
from penstock.engine import events
from penstock.engine.explanation import Explanation


@ndd.operator
def inverted(image):
    return 255 - image


CALLS: dict[str, Any] = {
    "flip": lambda value, other: ndd.flip(value),
    "resize": lambda value, other: ndd.resize(value, size=[3, 5]),
    "add": lambda value, other: value + other,
    "cast": lambda value, other: ndd.cast(value, dtype=ndd.uint8),
    "mean": lambda value, other: ndd.reductions.mean(value, keep_dims=True),
    "own": lambda value, other: inverted(value),
    "rotate": lambda value, other: ndd.rotate(value, angle=ndd.random.uniform(range=[0, 9], batch_size=2)),
    "permute": lambda value, other: ndd.permute_batch(value, indices=[1, 0]),
}


def photos(*, alike: bool = True) -> ndd.Batch:
    shapes = [(4, 6, 3), (4, 6, 3) if alike else (5, 2, 3)]
    return ndd.batch([np.arange(np.prod(shape), dtype=np.uint8).reshape(shape) for shape in shapes], layout="HWC")


def foretold(plan: Explanation) -> list[Any]:
    return [(tuple(call.operator for call in stage.calls), stage.samples, stage.passes) for stage in plan.stages]


def check(plan: Explanation, heard: list[events.StageRun]) -> None:
    """Stages are the same; passes are, up to the one that is left open."""
    assert [event[:2] for event in foretold(plan)] == [(event.operators, event.samples) for event in heard]
    for (_, _, passes), event in zip(foretold(plan), heard, strict=True):
        known = [each for each in passes if each.way != "open"]
        assert list(event.passes[: len(known)]) == known
        assert passes[len(known) :] or len(known) == len(event.passes)


@settings(max_examples=60, deadline=None)
@given(
    steps=st.lists(st.tuples(st.sampled_from(sorted(CALLS)), st.integers(0, 9), st.booleans()), min_size=1, max_size=8),
    alike=st.booleans(),
)
def test_what_is_foretold_is_what_runs(steps: list[tuple[str, int, bool]], alike: bool) -> None:
    with ndd.EvalMode.deferred:
        made: list[Any] = [photos(alike=alike)]
        held = []
        for name, source, holds in steps:
            value = made[max(0, len(made) - 1 - source)]
            made.append(CALLS[name](value, value))
            held += [made[-1]] if holds else []
        target = made[-1]
        del made, value
        plan = ndd.explain(target)
        assert ndd.explain(target) == plan
        heard: list[events.StageRun] = []
        with events.listening(heard.append):
            try:
                target.evaluate()
            except RuntimeError:
                return  # a stage that fails tells only what ran before
        check(plan, heard)


def test_text_of_what_waits() -> None:
    with ndd.EvalContext(num_threads=2), ndd.EvalMode.deferred:
        images = photos()
        flipped = ndd.flip(images)
        result = inverted(ndd.flip(ndd.resize(flipped, size=[2, 2])))
        text = str(ndd.explain(result))
        assert flipped._samples is None
    assert re.sub(r"\S+test_explain.py:\d+", "test.py", text).splitlines() == [
        "waiting to be run",
        "source   in memory: u8 HWC",
        "stage 1  2 samples on 2 threads",
        "  native",
        "    flip      test.py  u8 HWC",
        "stage 2  2 samples on 2 threads",
        "  one native pass",
        "    resize    test.py  u8 HWC",
        "    flip      test.py  u8 HWC",
        "  Python, sample by sample",
        "    inverted  test.py",
    ]


def test_what_is_merged_and_what_is_dropped_is_told() -> None:
    with ndd.EvalMode.deferred:
        images = photos()
        result = ndd.flip(images) + ndd.flip(images)
        plan = ndd.explain(result)
    [(call, reason)] = plan.dropped
    assert call.operator == "flip"
    assert "flip at " in reason
    assert "makes the same" in str(plan)


def test_what_nobody_asks_for_is_told() -> None:
    """An eager call whose result is dropped before anything runs."""
    with ndd.EvalContext() as context, ndd.EvalMode.eager:
        images = photos()
        with context._lock:  # the background thread waits meanwhile
            ndd.flip(images)
            result = ndd.resize(images, size=[2, 2])
            plan = ndd.explain(result)
    assert [(call.operator, reason) for call, reason in plan.dropped] == [("flip", "nobody asks for its result")]
    assert foretold(plan)[0][0] == ("resize",)


def test_values_that_exist_or_failed() -> None:
    assert str(ndd.explain(photos())) == "in memory: u8 HWC"
    assert str(ndd.explain(ndd.tensor([1.0, 2.0]))) == "in memory: f32 1-d"
    with ndd.EvalMode.deferred:
        bad = ndd.decoders.image(ndd.batch([np.zeros(3, np.uint8)]))
        with pytest.raises(RuntimeError):
            bad.evaluate()
    assert str(ndd.explain(bad)).startswith("failed: ")


@pytest.mark.parametrize("value", [3, None, "images", np.zeros(3)])
def test_other_things_are_refused(value: Any) -> None:
    with pytest.raises(TypeError, match=f"takes a Tensor or a Batch, got {type(value).__name__}"):
        ndd.explain(value)
