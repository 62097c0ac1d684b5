"""The plan of a pipeline for batches of one kind: definitions become nodes of a graph."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat
from typing import Any, NamedTuple

from penstock._native import Samples
from penstock.engine.call_memo import prepare
from penstock.engine.context import EvalContext
from penstock.engine.errors import annotate
from penstock.engine.explain import of_graph
from penstock.engine.explanation import ExplainedSource, Explanation, counted
from penstock.engine.graph.graph import Graph
from penstock.engine.graph.node import Feed, Node, NodePort, Port
from penstock.engine.invocation import Invocation
from penstock.engine.program.plan import Plan
from penstock.engine.program.step import Kind
from penstock.ops.declaration import declaration
from penstock.pipeline.conditionals.branches import Branch
from penstock.pipeline.definition.call_definition import Definition, Fixed, Input
from penstock.pipeline.definition.data_node import DataNode
from penstock.schema.operator import Operator
from penstock.values.accelerator import CPU
from penstock.values.dtypes import Kind as DTypeKind
from penstock.values.new_tuple import new_tuple
from penstock.values.spec import Spec, spec_of

_MASK = 0xFFFFFFFF
_ENUM = DTypeKind.enum  # which takes longer to find than the rest of an output

# The numbers of samples that have passed through a pipeline and through each of its branches with random operators.
Passed = tuple[int, ...]


class Outputs(NamedTuple):
    """The outputs of an iteration, and the sizes of its batch and of its branches with random operators."""

    samples: list[Samples]
    sizes: list[int]


class SeededDraw(NamedTuple):
    """The words of a random operator: its seed, and the number of samples that came before.

    `counter` is the index of that number in `Passed`: all samples of the pipeline, or those of a branch.
    """

    seed: int
    counter: int

    def words(self, position: Passed) -> tuple[int, ...]:
        seed, samples = self.seed, position[self.counter]
        return seed & _MASK, seed >> 32 & _MASK, 0, 0, samples & _MASK, samples >> 32, 0


class PipelinePlan(Plan[Passed, Outputs]):
    """Nodes made from the definitions of a pipeline, with arguments checked against the specs of the sources.

    Args:
        sources: The definitions of the sources.
        calls: The definitions of the calls, in topological order.
        outputs: The outputs of the pipeline.
        kept: Calls that are run even if no output depends on them.
        branches: The branches with random operators.
        kind: The kind of the sources' batches.
        size: The number of samples in a batch.
        context: The context whose threads run the calls.
        gpu: The number of the GPU of calls that run on one.
        ahead: How many iterations are made ahead, for explanations.
    """

    def __init__(
        self,
        sources: Sequence[Definition],
        calls: Sequence[Definition],
        outputs: Sequence[Input],
        kept: Sequence[Definition],
        branches: Sequence[Branch],
        kind: Kind,
        size: int,
        context: EvalContext,
        gpu: int,
        ahead: int,
    ) -> None:
        self._size = size
        self._ahead = ahead
        specs = iter([spec for spec, _ in kind])
        self._sources = [
            ExplainedSource(each.path, each.site, tuple(next(specs) for _ in each.outputs)) for each in sources
        ]
        lowered = _Lowered(sources, kind, size, context, gpu)
        nodes = {each: lowered.node(each) for each in calls}
        self._outputs = [lowered.feed(output)[0] for output in outputs]
        self._kept = [nodes[each] for each in kept]
        self._branch_sizes = [lowered.feed(branch.numbers)[0] for branch in branches]
        ends = [*self._outputs, *self._branch_sizes]
        wanted = [feed.node for feed in ends if isinstance(feed, Port) and feed.node is not None]
        counters = {branch: k for k, branch in enumerate([None, *branches])}
        seeded = [(node, each.seed, each.branch) for each, node in nodes.items() if each.seed is not None]
        draws = [(node, SeededDraw(seed, counters[branch])) for node, seed, branch in seeded]
        super().__init__(kind, Graph(lowered.nodes, [*wanted, *self._kept], context), draws, context)

    def finish(self, made: dict[Node, Invocation], given: Sequence[Samples]) -> Outputs:
        """Returns the outputs of an iteration; raises the error of an output or of a kept call."""
        for node in self._kept:
            made[node].results()
        outputs = [*map(self._output, self._outputs, repeat(given), repeat(made))]
        branches = [len(self._output(feed, given, made)) for feed in self._branch_sizes] if self._branch_sizes else []
        return new_tuple(Outputs, (outputs, [self._size, *branches]))

    def explain(self) -> Explanation:
        ports = [feed if isinstance(feed, Port) else None for feed in self._outputs]
        title = f"pipeline, batches of {self._size}, {counted(self._ahead, 'iteration')} made ahead"
        return of_graph(self.graph, title, self._sources, ports)

    def _output(self, feed: Feed, given: Sequence[Samples], made: dict[Node, Invocation]) -> Samples:
        if isinstance(feed, Samples):
            return feed.select([0] * self._size)
        if feed.node is None:
            return given[feed.index]
        dtype = feed.node.specs[feed.index].dtype
        call = made[feed.node]
        result = (call.outputs or call.results())[feed.index]
        return result.coded(dtype.code) if dtype is not None and dtype.kind is _ENUM else result


class _Lowered:
    """Turns definitions into nodes; knows the port and the spec of each result of a definition."""

    def __init__(self, sources: Sequence[Definition], kind: Kind, size: int, context: EvalContext, gpu: int) -> None:
        self.nodes: list[Node] = []  # in topological order
        self._size = size
        self._context = context
        self._gpu = gpu
        self._feeds: dict[tuple[Definition, int], tuple[NodePort, Spec]] = {}
        self._moved: dict[tuple[Feed, int], tuple[Feed, Spec]] = {}
        results = [(each, k) for each in sources for k in range(len(each.outputs))]
        for index, (result, (spec, _)) in enumerate(zip(results, kind, strict=True)):
            self._feeds[result] = Port(None, index), spec

    def feed(self, value: Input) -> tuple[Feed, Spec]:
        if isinstance(value, Samples):
            return value, spec_of(value)
        assert value.source is not None
        device = CPU if value.device == "cpu" else self._gpu
        if isinstance(value.source.what, Fixed):
            return self.feed(value.source.what.samples.on_device(device))
        feed, spec = self._feeds[value.source, value.index]
        there = CPU if feed.node is None else feed.node.device
        return (feed, spec) if there == device else self._transferred(feed, spec, device, value.source)

    def _transferred(self, feed: Feed, spec: Spec, device: int, source: Definition) -> tuple[Feed, Spec]:
        """Returns the same data on another device, as `.gpu()` and `.cpu()` do; one transfer serves all uses."""
        found = self._moved.get((feed, device))
        if found is None:
            call = Invocation(declaration("_transfer"), [], self._size, self._context, source.site)
            call.device = device
            prepare(call, {}, [spec])
            numbers = None if source.branch is None else self.feed(source.branch.numbers)[0]
            assert not isinstance(numbers, Samples)
            node = Node(call, [feed], {}, numbers)
            self.nodes.append(node)
            found = self._moved[feed, device] = node.ports[0], node.specs[0]
        return found

    def node(self, definition: Definition) -> Node:
        assert isinstance(definition.what, Operator)
        call = Invocation(definition.what, [], self._size, self._context, definition.site)
        call.device = CPU if definition.device == "cpu" else self._gpu
        inputs = [self.feed(value) for value in definition.inputs]
        tensors = {name: self.feed(value) for name, value in definition.keywords.items() if isinstance(value, DataNode)}
        keywords: dict[str, Any] = {**definition.keywords, **{name: spec for name, (_, spec) in tensors.items()}}
        call.tensors = dict.fromkeys(tensors, Samples.empty(0, 0, []))  # prepare() reads only the names
        try:
            prepare(call, keywords, [spec for _, spec in inputs])
        except Exception as error:
            raise annotate(error, call) from None
        numbers = None if definition.branch is None else self.feed(definition.branch.numbers)[0]
        assert not isinstance(numbers, Samples)
        node = Node(call, [feed for feed, _ in inputs], {name: feed for name, (feed, _) in tensors.items()}, numbers)
        self.nodes.append(node)
        for port, spec in zip(node.ports, node.specs, strict=True):
            self._feeds[definition, port.index] = port, spec
        return node
