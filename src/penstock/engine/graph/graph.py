"""A graph of calls that is run again and again: a loop that was traced, or a pipeline that was declared."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from penstock._native import GraphReplay, Pool, Samples
from penstock.engine.context import EvalContext
from penstock.engine.events import Pass, inspectors, stage_listeners
from penstock.engine.graph.calls import Calls
from penstock.engine.graph.node import Feed, Node
from penstock.engine.graph.passes import equal_vertices, live_vertices, sources
from penstock.engine.graph.stage import GraphStage
from penstock.engine.invocation import Invocation
from penstock.engine.planner import plan
from penstock.values.accelerator import CPU


class Graph:
    """Nodes, some of which make what is wanted: only they are run."""

    def __init__(self, nodes: Sequence[Node], wanted: Collection[Node], context: EvalContext) -> None:
        """`nodes` come with every node after those it needs."""
        self.wanted = frozenset(wanted)
        self.nodes = tuple(nodes)
        self.known = frozenset(nodes)
        self._instead = equal_vertices(nodes, self.wanted.__contains__)
        self._live = live_vertices(nodes, self.wanted, self._instead)
        self._context = context
        self._stages: list[GraphStage] | None = None
        self.replay: GraphReplay | None = None  # runs all stages at once, where they serve every input of their specs

    def calls(self, given: Sequence[Samples], words: Mapping[Node, tuple[int, ...]]) -> dict[Node, Invocation]:
        """The calls of all nodes, not run yet, on what the graph is given this time."""
        calls = Calls(given, words, {}, self._context)
        return {node: calls.of(node) for node in self.nodes}

    def run(
        self, given: Sequence[Samples], words: Mapping[Node, tuple[int, ...]], pool: Pool
    ) -> dict[Node, Invocation]:
        """Runs the graph; the calls of the wanted nodes, each with its results or with what it failed with."""
        if self.replay is not None and not inspectors and not stage_listeners:
            made = self.replay.run(given, pool)
            if made is not None:
                return made
            self.forget_replay()
        calls = Calls(given, words, self._instead, self._context)
        if self._stages is None:
            self._stages = self._planned(calls)
        for stage in self._stages:
            stage.run(calls, pool)
        results = {node: calls.made.get(node) or calls.of(node) for node in self.wanted}
        if self.replay is None and all(map(_may_be_replayed, self._stages)):
            self.replay = self._recorded(self._stages, results)
        return results

    @property
    def stages(self) -> list[list[Node]]:
        """The nodes as they are run together; empty before the first run."""
        return [[*stage.nodes] for stage in self._stages or ()]

    @property
    def runs(self) -> list[tuple[tuple[Pass, ...], int, float]]:
        """For each stage how and on how many samples it last ran, and how many seconds it took in all runs."""
        stages = self._stages or []
        replayed = [0.0] * len(stages) if self.replay is None else self.replay.seconds()
        return [
            (tuple(stage.passes), stage.samples, stage.seconds + seconds)
            for stage, seconds in zip(stages, replayed, strict=True)
        ]

    @property
    def dropped(self) -> list[tuple[Node, Node | None]]:
        """The nodes that are not run: those that make what another one makes, with that one, and those in vain."""
        live = {*self._live}
        return [(node, self._instead.get(node)) for node in self.nodes if node not in live]

    def made_by(self, node: Node) -> Node:
        """The node that is run in the place of one."""
        return self._instead.get(node, node)

    @property
    def threads(self) -> int:
        return self._context.num_threads

    def _planned(self, calls: Calls) -> list[GraphStage]:
        node_of = {id(calls.of(node)): node for node in self._live}
        planned = plan([*map(calls.of, self._live)], lambda call: node_of[id(call)] in self.wanted)
        stages = [[node_of[id(call)] for call in stage] for stage in planned]
        last_use: dict[Node, int] = {}
        for number, stage in enumerate(stages):
            for node in stage:
                last_use.update(dict.fromkeys((self.made_by(source) for source in sources(node)), number))
        ends = {stage[-1] for stage in stages} - self.wanted
        return [
            GraphStage(stage, [node for node in ends if last_use.get(node) == number])
            for number, stage in enumerate(stages)
        ]

    def _recorded(self, stages: Sequence[GraphStage], results: Mapping[Node, Invocation]) -> GraphReplay | None:
        """Returns what runs all stages again, with the calls of this run as patterns; None where one has failed."""
        replay = GraphReplay()
        numbers: dict[Node, int] = {}  # of stages, by their last nodes
        for number, stage in enumerate(stages):
            first = stage.nodes[0]
            assert stage.chain is not None
            spent = [numbers[node] for node in stage.spent]
            replay.add_stage(stage.chain, self._source(first.inputs[0], numbers), first.batch_size, spent)
            numbers[stage.nodes[-1]] = number
        for node, call in results.items():
            if node not in numbers or call.error is not None:
                return None
            replay.add_result(node, numbers[node], call)
        return replay

    def _source(self, feed: Feed, numbers: Mapping[Node, int]) -> Samples | int:
        """What a stage reads, as `GraphReplay.add_stage` takes it."""
        if isinstance(feed, Samples):
            return feed
        return feed.index if feed.node is None else -1 - numbers[self.made_by(feed.node)]

    def forget_replay(self) -> None:
        """Drops what runs all stages at once; the time it took is theirs."""
        if self.replay is not None and self._stages is not None:
            for stage, seconds in zip(self._stages, self.replay.seconds(), strict=True):
                stage.seconds += seconds
        self.replay = None


def _may_be_replayed(stage: GraphStage) -> bool:
    """Whether the native steps of a stage are all there is to do when it is run again, on all samples of a batch."""
    if stage.chain is None or stage.nodes[0].numbers is not None or stage.nodes[-1].device != CPU:
        return False
    return all(node.op.draw is None for node in stage.nodes)
