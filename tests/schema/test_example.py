"""Examples: what they ask for, and how a reader puts its own inputs in."""

from __future__ import annotations

import pytest

from penstock.dynamic.calls.functions import declaration
from penstock.ops._index import OPERATORS
from penstock.schema.example import Example, examples, renamed


def test_a_call_on_its_own_is_compared() -> None:
    made = examples("ndd.flip(image)", Example("ndd.flip(grey)", drawn=True), within=1)
    assert made == (
        Example("ndd.flip(image)", compared=True, within=1),
        Example("ndd.flip(grey)", drawn=True, within=1),
    )


@pytest.mark.parametrize(
    ("call", "names"),
    [
        ("ndd.flip(image)", ["image"]),
        ("ndd.multi_paste(image, other, shapes=[[1, 2]])", ["image", "other"]),
        ("ndd.bb_flip(boxes, ltrb=types.ltrb)", ["boxes"]),
        ("ndd.lookup_table(image, values=[key // 2 for key in range(256)])", ["image"]),
        ("ndd.random.uniform(range=[0, 1], shape=[3])", []),
    ],
)
def test_the_inputs_of_a_call_are_its_variables(call: str, names: list[str]) -> None:
    assert Example(call).names == names


def test_only_variables_are_renamed() -> None:
    call = """ndd.image(image, image=image, kind="image", more=ndd.image)"""
    assert renamed(call, {"image": "photos"}) == """ndd.image(photos, image=photos, kind="image", more=ndd.image)"""


@pytest.mark.parametrize("path", [path for path in OPERATORS if declaration(path).examples])
def test_an_example_is_a_call_of_its_operator(path: str) -> None:
    op = declaration(path)
    for example in op.examples:
        assert example.call.startswith(f"ndd.{op.path}(")
