"""Boxes in layers, each below all that lead to it, with few crossings and short ways between them."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple

GAP_X, GAP_Y = 34.0, 58.0
_SWEEPS = 12
_ROOM_OF_A_LINE = 10.0


class Size(NamedTuple):
    """Of a box."""

    width: float
    height: float


class Edge(NamedTuple):
    """From one box to another."""

    start: Hashable
    end: Hashable


class Layout(NamedTuple):
    """Upper left corners of the boxes, the points between them that each edge goes through, and the whole size."""

    corners: dict[Hashable, tuple[float, float]]
    ways: dict[Edge, list[tuple[float, float, float]]]
    size: Size


class _Bend(NamedTuple):
    """A place in a layer that an edge goes through."""

    edge: Edge
    layer: int


def laid_out(sizes: Mapping[Hashable, Size], edges: Sequence[Edge], last: Sequence[Hashable] = ()) -> Layout:
    """Places boxes. `sizes` come with every box after those that lead to it; those in `last` share the last layer."""
    edges = list(dict.fromkeys(edges))
    depth = _depths(list(sizes), edges, last)
    layers: list[list[Hashable]] = [[] for _ in range(max(depth.values(), default=0) + 1)]
    for box, layer in depth.items():
        layers[layer].append(box)
    above: dict[Hashable, list[Hashable]] = {}
    below: dict[Hashable, list[Hashable]] = {}
    for edge in edges:
        before = edge.start
        for layer in range(depth[edge.start] + 1, depth[edge.end]):
            bend = _Bend(edge, layer)
            layers[layer].append(bend)
            above.setdefault(bend, []).append(before)
            below.setdefault(before, []).append(bend)
            before = bend
        above.setdefault(edge.end, []).append(before)
        below.setdefault(before, []).append(edge.end)
    width = {each: sizes[each].width if each in sizes else _ROOM_OF_A_LINE for layer in layers for each in layer}
    middle = _middles(layers, width, above, below)
    return _placed(layers, sizes, edges, width, middle)


def _depths(boxes: Sequence[Hashable], edges: Sequence[Edge], last: Sequence[Hashable]) -> dict[Hashable, int]:
    depth = dict.fromkeys(boxes, 0)
    for box in boxes:
        for edge in edges:
            if edge.end == box:
                depth[box] = max(depth[box], depth[edge.start] + 1)
    deepest = max(depth.values(), default=0)
    depth.update(dict.fromkeys(last, deepest))
    for box in reversed(boxes):  # what needs nothing stands just above the first that needs it
        ends = [depth[edge.end] for edge in edges if edge.start == box]
        if ends and not any(edge.end == box for edge in edges):
            depth[box] = min(ends) - 1
    return depth


_Near = Mapping[Hashable, Sequence[Hashable]]


def _middles(
    layers: list[list[Hashable]], width: Mapping[Hashable, float], above: _Near, below: _Near
) -> dict[Hashable, float]:
    """Where the middle of each box is: near the mean of its neighbours', layer by layer, down and up again."""
    middle: dict[Hashable, float] = {}
    for layer in layers:
        _spread(layer, dict.fromkeys(layer, 0.0), width, middle)
    for sweep in range(_SWEEPS):
        near, order = (above, layers) if sweep % 2 == 0 else (below, layers[::-1])
        for layer in order:
            wish = {
                each: sum(middle[other] for other in near[each]) / len(near[each]) if near.get(each) else middle[each]
                for each in layer
            }
            layer.sort(key=lambda each: wish[each])
            _spread(layer, wish, width, middle)
    return middle


def _spread(
    layer: Sequence[Hashable],
    wish: Mapping[Hashable, float],
    width: Mapping[Hashable, float],
    middle: dict[Hashable, float],
) -> None:
    """As near to where they wish to be as their order and width allow: those that collide share the way."""
    groups: list[tuple[list[Hashable], float]] = []  # boxes side by side, and where the first one's left side is
    for each in layer:
        group, left = [each], wish[each] - width[each] / 2
        while groups and groups[-1][1] + _extent(groups[-1][0], width) + GAP_X > left:
            before, _ = groups.pop()
            group = before + group
            left = sum(wish[box] - width[box] / 2 - at for box, at in _offsets(group, width)) / len(group)
        groups.append((group, left))
    for group, left in groups:
        for box, at in _offsets(group, width):
            middle[box] = left + at + width[box] / 2


def _extent(group: Sequence[Hashable], width: Mapping[Hashable, float]) -> float:
    return sum(width[box] for box in group) + GAP_X * (len(group) - 1)


def _offsets(group: Sequence[Hashable], width: Mapping[Hashable, float]) -> list[tuple[Hashable, float]]:
    at, offsets = 0.0, []
    for box in group:
        offsets.append((box, at))
        at += width[box] + GAP_X
    return offsets


def _placed(
    layers: Sequence[Sequence[Hashable]],
    sizes: Mapping[Hashable, Size],
    edges: Sequence[Edge],
    width: Mapping[Hashable, float],
    middle: Mapping[Hashable, float],
) -> Layout:
    left = min((middle[each] - width[each] / 2 for each in middle), default=0.0)
    right = max((middle[each] + width[each] / 2 for each in middle), default=0.0)
    corners: dict[Hashable, tuple[float, float]] = {}
    ways: dict[Edge, list[tuple[float, float, float]]] = {edge: [] for edge in edges}
    top = 0.0
    for layer in layers:
        height = max((sizes[each].height for each in layer if each in sizes), default=0.0)
        for each in layer:
            if isinstance(each, _Bend):
                ways[each.edge].append((middle[each] - left, top, top + height))
            else:
                corners[each] = middle[each] - width[each] / 2 - left, top
        top += height + GAP_Y
    return Layout(corners, ways, Size(right - left, max(top - GAP_Y, 0.0)))
