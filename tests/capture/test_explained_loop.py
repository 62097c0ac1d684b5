"""ndd.explain of the values of a compiled loop."""

from __future__ import annotations

from typing import Any

import penstock.dynamic as ndd
from capture.loops import Pictures
from penstock.engine import events


def test_a_compiled_loop_tells_what_it_makes_ahead() -> None:
    heard: list[events.StageRun] = []
    plans = []
    with events.listening(heard.append):
        before: Any = None
        for pictures, _numbers in Pictures(size=12).next_epoch(batch_size=3, compile=True):
            images = ndd.resize(ndd.flip(pictures), size=[4, 4])
            images.evaluate()
            if before is not None:
                (images + before).evaluate()
            before = images
            plans.append(ndd.explain(images))
    assert str(plans[0]).startswith("in memory: ")
    last = plans[-1]
    assert [[call.operator for call in stage.calls] for stage in last.stages] == [["flip", "resize"]]
    assert last.stages[0].passes in {event.passes for event in heard if event.operators == ("flip", "resize")}
    assert last.title == "compiled loop, batches of 3, 2 steps made ahead"
    assert last.sources[0].name == "Pictures"
    assert any("add" in note and "comes from another step" in note for note in last.notes)
    assert "one native pass" in str(last)


def test_what_the_loop_is_given_is_explained_too() -> None:
    plans: list[Any] = []
    for pictures, _ in Pictures(size=6).next_epoch(batch_size=3, compile=True):
        ndd.flip(pictures).evaluate()
        plans.append(ndd.explain(pictures))
    assert [len(plan.stages) for plan in plans] == [0, 1]
