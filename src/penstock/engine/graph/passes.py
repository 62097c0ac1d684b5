"""Passes over calls, whether they wait to be run once or are nodes of a graph: order, equal ones, dead ones.

A vertex is an `Invocation` or a `Node`. An edge is a `Port`: a result of one vertex that is an input of another.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from penstock.engine.graph.node import Port

AnyVertex = TypeVar("AnyVertex")


class Vertex(Protocol):
    """What the passes look at."""

    op: Any
    memo: Any
    batch_size: int | None
    device: int
    tensors: Any

    def feeds(self) -> Sequence[Any]:
        """Ports of other vertices, ports of what the graph is given, and constants."""
        ...


V = TypeVar("V", bound=Vertex)


def sources(vertex: V) -> list[V]:
    """The vertices that feed a vertex."""
    return [feed.node for feed in vertex.feeds() if type(feed) is Port and feed.node is not None]


def topological_order(
    roots: Iterable[AnyVertex],
    needs: Callable[[AnyVertex], Sequence[AnyVertex]],
    refuse_cycle: Callable[[AnyVertex], None] | None = None,
) -> list[AnyVertex]:
    """The roots and everything they need, each after what it needs itself: root by root, need by need.

    `refuse_cycle` is called with a vertex that needs itself, and raises; without it there must be no cycles.
    """
    order: dict[AnyVertex, None] = {}
    entered: set[AnyVertex] = set()
    stack = [*roots]
    stack.reverse()
    while stack:
        vertex = stack[-1]
        if vertex in entered:
            order.setdefault(vertex)
            stack.pop()
            continue
        entered.add(vertex)
        needed = needs(vertex)
        if refuse_cycle is not None and any(each in entered and each not in order for each in needed):
            refuse_cycle(vertex)
        stack += [each for each in reversed(needed) if each not in entered]
    return [*order]


def equal_vertices(vertices: Sequence[V], is_kept: Callable[[V], bool]) -> dict[V, V]:
    """For vertices that make what one before them makes, that one: common subexpressions are made once.

    What `is_kept` names stays apart, since its result may be written to. `vertices` come in topological order.
    """
    instead: dict[V, V] = {}
    first: dict[Any, V] = {}
    for vertex in vertices:
        if not vertex.op.pure or vertex.op.draw is not None or vertex.memo is None:
            continue
        other = first.setdefault(_value_number(vertex, instead), vertex)
        if other is not vertex and not is_kept(vertex):
            instead[vertex] = other
    return instead


def _value_number(vertex: V, instead: Mapping[V, V]) -> Any:
    """Equal for vertices of one operator with the same inputs and arguments."""
    feeds = [
        (id(instead.get(feed.node, feed.node)), feed.index)
        if type(feed) is Port and feed.node is not None
        else id(feed)
        for feed in vertex.feeds()
    ]
    return id(vertex.op), id(vertex.memo), vertex.batch_size, vertex.device, (*vertex.tensors,), *feeds


def live_vertices(vertices: Sequence[V], wanted: Collection[V], instead: Mapping[V, V]) -> list[V]:
    """Those without which what is wanted cannot be made, in their order; `instead` is what `equal_vertices` found."""
    live = {*wanted}
    for vertex in reversed(vertices):
        if vertex in live:
            for feed in vertex.feeds():
                if type(feed) is Port and feed.node is not None:
                    live.add(instead.get(feed.node, feed.node))
    return [vertex for vertex in vertices if vertex in live]
