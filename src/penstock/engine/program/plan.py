"""Plans of a program: its graph for batches of one kind (types, layouts, sizes), to be run again and again.

Specs are inferred and stages planned for certain types and sizes, so a plan serves only batches of its kind.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Generic, Protocol, TypeVar

from penstock._native import Samples
from penstock.engine.context import EvalContext
from penstock.engine.explanation import Explanation
from penstock.engine.graph.graph import Graph
from penstock.engine.graph.node import Node
from penstock.engine.invocation import Invocation
from penstock.engine.program.step import Kind, Position, Results

# Few programs have more kinds of batches; the plans of those that do are made anew when there are too many.
_MOST_PLANS = 16

Anywhere = TypeVar("Anywhere", contravariant=True)


class RandomWords(Protocol[Anywhere]):
    """The source of a random call's words."""

    def words(self, position: Anywhere) -> tuple[int, ...]:
        """Returns the words of the call in a step that begins at that position."""
        ...


class Plan(ABC, Generic[Position, Results]):
    """A graph for batches of one kind, and the draws of its random calls.

    `finish` makes the results of a step of the finished calls of the graph's wanted nodes and of what the graph was
    given; it is None where these calls are the results.
    """

    finish: Callable[[dict[Node, Invocation], Sequence[Samples]], Results] | None = None

    def __init__(
        self, kind: Kind, graph: Graph, draws: Sequence[tuple[Node, RandomWords[Position]]], context: EvalContext
    ) -> None:
        self.kind = kind
        self.graph = graph
        self.context = context
        self._draws = draws

    def run(self, given: Sequence[Samples], position: Position) -> Results:
        """Runs the graph; returns the results of the step."""
        made = self.graph.run(given, self._words(position) if self._draws else {}, self.context.pool)
        return made if self.finish is None else self.finish(made, given)  # type: ignore[return-value]

    @abstractmethod
    def explain(self) -> Explanation:
        """Explains what every step runs, and how it ran the last time."""

    def calls(self, given: Sequence[Samples], position: Position) -> dict[Node, Invocation]:
        """Returns the calls of all nodes, not run."""
        return self.graph.calls(given, self._words(position))

    def _words(self, position: Position) -> dict[Node, tuple[int, ...]]:
        return {node: draw.words(position) for node, draw in self._draws}


class Plans(Generic[Position, Results]):
    """The plans of a program by kind of batch, each made when it is first needed."""

    def __init__(self, make: Callable[[Kind], Plan[Position, Results] | None]) -> None:
        self._make = make
        self._plans: dict[Kind, Plan[Position, Results] | None] = {}
        self.latest: Plan[Position, Results] | None = None  # the one that ran last

    def plan(self, kind: Kind) -> Plan[Position, Results] | None:
        """Returns the plan for batches of a kind; None where they have none."""
        if kind not in self._plans:
            if len(self._plans) >= _MOST_PLANS:
                self._plans.clear()
            self._plans[kind] = self._make(kind)
        return self._plans[kind]
