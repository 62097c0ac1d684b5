"""Plans as pictures."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

import numpy as np

from penstock import fn, pipeline_def
from penstock.engine.explanation import Explanation
from penstock.viz.graph import drawing, page
from penstock.viz.watch import watching

SVG = "{http://www.w3.org/2000/svg}"


@pipeline_def(batch_size=2, num_threads=1, device_id=None)
def images() -> Any:
    image = fn.external_source(lambda: np.zeros((2, 8, 8, 3), np.uint8), layout="HWC")
    turned = fn.rotate(fn.resize(image, size=[4, 4]), angle=fn.random.uniform(range=[0.0, 9.0]))
    return turned, 7, fn.flip(image), fn.flip(fn.flip(image))


def a_plan() -> Explanation:
    pipeline = images()
    pipeline.run()
    return pipeline.explain()


def words(text: str) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(text).iter(f"{SVG}text")]


def boxes(text: str, kind: str) -> int:
    return sum(element.get("class") == kind for element in ElementTree.fromstring(text).iter(f"{SVG}rect"))


def test_every_stage_and_call_is_a_box() -> None:
    plan = a_plan()
    drawn = drawing([plan, plan])
    assert boxes(drawn, "stage") == 2 * len(plan.stages)
    assert boxes(drawn, "call") == 2 * len(plan.calls())
    said = words(drawn)
    assert [said.count(name) for name in ("resize", "rotate", "external_source")] == [2, 2, 2]
    assert "output 0" in said
    assert "output 1" not in said  # a constant
    assert any(text.startswith("dropped: flip") for text in said)
    assert "u8 HWC" in said


def test_text_is_escaped() -> None:
    nasty = "</svg><script>alert('\"&\x0c')</script>"
    source = a_plan().sources[0]._replace(name=nasty)
    plan = Explanation(nasty, 1, (), (source,), notes=(nasty,))
    drawn = drawing([plan])
    assert "<script" not in drawn
    assert "<script" not in page([plan], nasty)
    assert words(drawn).count(nasty.replace("\x0c", " ")) == 3


def test_only_what_runs_inside_is_seen() -> None:
    images().run()
    with watching() as watch:
        pipeline = images()
        pipeline.run()
        images().build()  # does not run
    images().run()
    assert [len(plan.stages) for plan in watch.plans()] == [len(pipeline.explain().stages)]
