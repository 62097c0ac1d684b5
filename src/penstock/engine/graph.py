"""A graph of calls that is run again and again: a loop that was traced, or a pipeline that was declared."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from penstock._native import Pool, Samples
from penstock.engine.context import EvalContext
from penstock.engine.events import Pass
from penstock.engine.invocation import Invocation, Operand, Result
from penstock.engine.node import Feed, Node, Port
from penstock.engine.planner import plan
from penstock.engine.turn import Turn


class Graph:
    """Nodes, some of which make what is wanted: only they are run."""

    def __init__(self, nodes: Sequence[Node], wanted: Collection[Node], context: EvalContext) -> None:
        """`nodes` come with every node after those it needs."""
        self.wanted = frozenset(wanted)
        self.nodes = tuple(nodes)
        self._known = frozenset(nodes)
        self._instead = _merged(nodes, self.wanted)
        self._serving = _serving(nodes, self.wanted, self._instead)
        self._context = context
        self._turns: list[Turn] | None = None

    def __contains__(self, node: Node) -> bool:
        return node in self._known

    def calls(
        self,
        given: Sequence[Samples],
        words: Mapping[Node, tuple[int, ...]],
        nodes: Sequence[Node] | None = None,
    ) -> dict[Node, Invocation]:
        """The calls of all nodes, or of some, not run yet, on what the graph is given this time."""
        calls: dict[Node, Invocation] = {}

        def operand(feed: Feed) -> Operand:
            if isinstance(feed, Samples):
                return feed
            if feed.node is None:
                return given[feed.index]
            source = calls[feed.node if nodes is None else self._instead.get(feed.node, feed.node)]
            source.consumers += 1
            return Result(source, feed.index)

        for node in nodes or self.nodes:
            call = Invocation(
                node.op, [operand(feed) for feed in node.inputs], node.batch_size, self._context, node.site
            )
            call.arguments = node.arguments
            call.prepared = node.prepared
            call.policy = node.policy
            call.specs = node.specs
            call.words = words.get(node)
            if node.tensors:
                call.tensors = {name: operand(feed) for name, feed in node.tensors.items()}
            calls[node] = call
        return calls

    def run(
        self, given: Sequence[Samples], words: Mapping[Node, tuple[int, ...]], pool: Pool
    ) -> dict[Node, Invocation]:
        """Runs the graph; the calls of the wanted nodes, each with its results or with what it failed with."""
        if not self.wanted:
            return {}
        calls = self.calls(given, words, self._serving)
        order = list(calls.values())
        if self._turns is None:
            self._turns = self._planned(order)
        for turn in self._turns:
            turn.run(order, pool)
        return {node: calls[node] for node in self.wanted}

    @property
    def stages(self) -> list[list[Node]]:
        """The nodes as they are run together; empty before the first run."""
        return [[self._serving[position] for position in turn.calls] for turn in self._turns or ()]

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

    def _planned(self, calls: list[Invocation]) -> list[Turn]:
        position = {id(call): k for k, call in enumerate(calls)}
        kept = {id(call) for call, node in zip(calls, self._serving, strict=True) if node in self.wanted}
        stages = [[position[id(call)] for call in stage] for stage in plan(calls, lambda call: id(call) in kept)]
        sizes = [self._size_of(self._serving[stage[0]]) for stage in stages]
        last_use: dict[int, int] = {}
        for turn, (stage, size) in enumerate(zip(stages, sizes, strict=True)):
            operands = [operand for k in stage for operand in calls[k].operands()]
            used = [position[id(operand.call)] for operand in operands if isinstance(operand, Result)]
            last_use.update(dict.fromkeys(used if size is None else [*used, size[0]], turn))
        spent = {k: turn for k, turn in last_use.items() if id(calls[k]) not in kept}
        return [
            Turn(stage, [k for k, used in spent.items() if used == turn], size)
            for turn, (stage, size) in enumerate(zip(stages, sizes, strict=True))
        ]

    def _size_of(self, node: Node) -> tuple[int, int] | None:
        if node.sized_by is None or node.sized_by.node is None:
            return None
        source = node.sized_by.node
        return self._serving.index(self._instead.get(source, source)), node.sized_by.index


def _serving(nodes: Sequence[Node], wanted: Collection[Node], instead: Mapping[Node, Node]) -> list[Node]:
    """Those nodes without which what is wanted cannot be made, in their order."""
    needed = set(wanted)
    for node in reversed(nodes):
        if node in needed:
            sources = (feed.node for feed in node.feeds() if isinstance(feed, Port) and feed.node is not None)
            needed.update(instead.get(source, source) for source in sources)
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
