"""Boxes in layers."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import hypothesis.strategies as st
from hypothesis import given, settings

from penstock.viz.layout import Edge, Size, laid_out


@st.composite
def graphs(draw: Any) -> tuple[dict[Hashable, Size], list[Edge]]:
    count = draw(st.integers(1, 30))
    sizes: dict[Hashable, Size] = {
        k: Size(draw(st.integers(20, 200)), draw(st.integers(20, 300))) for k in range(count)
    }
    pairs = draw(st.lists(st.tuples(st.integers(0, count - 1), st.integers(0, count - 1)), max_size=40))
    return sizes, [Edge(min(pair), max(pair)) for pair in pairs if pair[0] != pair[1]]


def overlap(first: tuple[float, float, Size], second: tuple[float, float, Size]) -> bool:
    (x, y, size), (other_x, other_y, other) = first, second
    across = x < other_x + other.width - 0.01 and other_x < x + size.width - 0.01
    return across and y < other_y + other.height and other_y < y + size.height


@settings(max_examples=80, deadline=None)
@given(graphs())
def test_boxes_stand_apart_and_edges_go_down_between_them(graph: tuple[dict[Hashable, Size], list[Edge]]) -> None:
    sizes, edges = graph
    layout = laid_out(sizes, edges)
    boxes = [(*layout.corners[box], size) for box, size in sizes.items()]
    for k, box in enumerate(boxes):
        assert box[0] >= -0.01
        assert box[0] + box[2].width <= layout.size.width + 0.01
        assert box[1] + box[2].height <= layout.size.height + 0.01
        assert not any(overlap(box, other) for other in boxes[:k])
    for edge in edges:
        (_, top), (_, end) = layout.corners[edge.start], layout.corners[edge.end]
        assert top + sizes[edge.start].height < end
        for x, upper, lower in layout.ways[edge]:
            assert top < upper < end
            assert not any(overlap((x, upper, Size(0, lower - upper + 1)), box) for box in boxes)


def test_a_chain_is_a_column() -> None:
    size = Size(80, 30)
    layout = laid_out({"a": size, "b": size, "c": size}, [Edge("a", "b"), Edge("b", "c")])
    assert {x for x, _ in layout.corners.values()} == {0}


def test_nothing_is_no_picture() -> None:
    assert laid_out({}, []).corners == {}
