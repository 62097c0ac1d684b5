"""A graph of calls that is run again and again: a loop that was traced, or a pipeline that was declared."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from penstock._native import Pool, Samples
from penstock.engine.calls import Calls
from penstock.engine.context import EvalContext
from penstock.engine.events import Pass
from penstock.engine.graph_stage import GraphStage as Turn
from penstock.engine.invocation import Invocation
from penstock.engine.node import Node, Port
from penstock.engine.planner import plan


class Graph:
    """Nodes, some of which make what is wanted: only they are run."""

    def __init__(self, nodes: Sequence[Node], wanted: Collection[Node], context: EvalContext) -> None:
        """`nodes` come with every node after those it needs."""
        self.wanted = frozenset(wanted)
        self.nodes = tuple(nodes)
        self.known = frozenset(nodes)
        self._instead = _merged(nodes, self.wanted)
        self._serving = _serving(nodes, self.wanted, self._instead)
        self._context = context
        self._turns: list[Turn] | None = None

    def calls(self, given: Sequence[Samples], words: Mapping[Node, tuple[int, ...]]) -> dict[Node, Invocation]:
        """The calls of all nodes, not run yet, on what the graph is given this time."""
        calls = Calls(given, words, {}, self._context)
        return {node: calls.of(node) for node in self.nodes}

    def run(
        self, given: Sequence[Samples], words: Mapping[Node, tuple[int, ...]], pool: Pool
    ) -> dict[Node, Invocation]:
        """Runs the graph; the calls of the wanted nodes, each with its results or with what it failed with."""
        calls = Calls(given, words, self._instead, self._context)
        if self._turns is None:
            self._turns = self._planned(calls)
        for turn in self._turns:
            turn.run(calls, pool)
        return {node: calls.of(node) for node in self.wanted}

    @property
    def stages(self) -> list[list[Node]]:
        """The nodes as they are run together; empty before the first run."""
        return [[*turn.nodes] for turn in self._turns or ()]

    @property
    def runs(self) -> list[tuple[tuple[Pass, ...], int, float]]:
        """For each stage how and on how many samples it last ran, and how many seconds it took in all runs."""
        return [(tuple(turn.passes), turn.samples, turn.seconds) for turn in self._turns or ()]

    @property
    def dropped(self) -> list[tuple[Node, Node | None]]:
        """The nodes that are not run: those that make what another one makes, with that one, and those in vain."""
        serving = {*self._serving}
        return [(node, self._instead.get(node)) for node in self.nodes if node not in serving]

    def made_by(self, node: Node) -> Node:
        """The node that is run in the place of one."""
        return self._instead.get(node, node)

    @property
    def threads(self) -> int:
        return self._context.num_threads

    def _planned(self, calls: Calls) -> list[Turn]:
        node_of = {id(calls.of(node)): node for node in self._serving}
        planned = plan([*map(calls.of, self._serving)], lambda call: node_of[id(call)] in self.wanted)
        stages = [[node_of[id(call)] for call in stage] for stage in planned]
        last_use: dict[Node, int] = {}
        for turn, stage in enumerate(stages):
            for node in stage:
                last_use.update(dict.fromkeys((self.made_by(source) for source in node.sources()), turn))
        ends = {stage[-1] for stage in stages} - self.wanted
        return [Turn(stage, [node for node in ends if last_use.get(node) == turn]) for turn, stage in enumerate(stages)]


def _serving(nodes: Sequence[Node], wanted: Collection[Node], instead: Mapping[Node, Node]) -> list[Node]:
    """Those nodes without which what is wanted cannot be made, in their order."""
    needed = set(wanted)
    for node in reversed(nodes):
        if node in needed:
            needed.update(instead.get(source, source) for source in node.sources())
    return [node for node in nodes if node in needed]


def _merged(nodes: Sequence[Node], wanted: Collection[Node]) -> dict[Node, Node]:
    """For nodes that make what one before them makes, that one. What is wanted stays apart: it may be written to."""
    instead: dict[Node, Node] = {}
    first: dict[Any, Node] = {}
    for node in nodes:
        if not node.op.pure or node.op.draw is not None or node.prepared is None:
            continue
        other = first.setdefault(_same(node, instead), node)
        if other is not node and node not in wanted:
            instead[node] = other
    return instead


def _same(node: Node, instead: Mapping[Node, Node]) -> Any:
    """Equal for nodes that make the same."""
    feeds = [
        (id(instead.get(feed.node, feed.node)), feed.index) if isinstance(feed, Port) and feed.node else id(feed)
        for feed in node.feeds()
    ]
    return id(node.op), id(node.prepared), node.batch_size, (*node.tensors,), *feeds
