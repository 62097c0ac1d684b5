"""The passes over calls, on vertices that are letters."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from penstock.engine.graph.node import Port
from penstock.engine.graph.passes import equal_vertices, live_vertices, sources, topological_order

OP = SimpleNamespace(pure=True, draw=None)
DRAWS = SimpleNamespace(pure=True, draw=object())
MEMO = object()


class Vertex:
    """A call of `op` on the first results of others."""

    def __init__(self, name: str, *inputs: Any, op: Any = OP) -> None:
        self.name, self.op, self.memo, self.batch_size, self.device, self.tensors = name, op, MEMO, 2, -1, {}
        self._feeds = [Port(each, 0) if isinstance(each, Vertex) else each for each in inputs]

    def feeds(self) -> list[Any]:
        return self._feeds

    def __repr__(self) -> str:
        return self.name


GIVEN = Port(None, 0)
A = Vertex("a", GIVEN)
B = Vertex("b", GIVEN)
C = Vertex("c", A)
D = Vertex("d", B)
E = Vertex("e", C, D)


def test_each_comes_after_what_it_needs():
    assert topological_order([E, A], sources) == [A, C, B, D, E]


def test_a_vertex_that_needs_itself_is_refused():
    needs = {"a": ["b"], "b": ["c"], "c": ["a"]}

    def refuse(name: str) -> None:
        raise ValueError(f"{name} needs itself")

    with pytest.raises(ValueError, match="c needs itself"):
        topological_order(["a"], needs.__getitem__, refuse)


def test_equal_calls_on_equal_inputs_are_one():
    nobody = set[Vertex]()
    assert equal_vertices([A, B, C, D, E], nobody.__contains__) == {B: A, D: C}


def test_what_is_kept_stays_its_own_and_serves_others():
    assert equal_vertices([A, B, C, D, E], {B}.__contains__) == {}
    assert equal_vertices([A, B, C, D, E], {A}.__contains__) == {B: A, D: C}


def test_random_and_impure_calls_are_never_equal():
    drawn = [Vertex("x", GIVEN, op=DRAWS), Vertex("y", GIVEN, op=DRAWS)]
    assert equal_vertices(drawn, set[Vertex]().__contains__) == {}


def test_dead_calls_are_dropped():
    assert live_vertices([A, B, C, D, E], [C], {}) == [A, C]
    assert live_vertices([A, B, C, D, E], [E], {B: A, D: C}) == [A, C, E]
