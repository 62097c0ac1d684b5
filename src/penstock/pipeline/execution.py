"""A pipeline's definition at work: sources are asked, the graph is run, outputs are kept for the program."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any, NamedTuple

from penstock._native import Samples
from penstock.engine import events
from penstock.engine.call_memo import prepare
from penstock.engine.context import EvalContext
from penstock.engine.errors import annotate
from penstock.engine.explain import of_graph
from penstock.engine.explanation import ExplainedSource, Explanation, counted, place
from penstock.engine.graph.graph import Graph
from penstock.engine.graph.node import Feed, Node, Port
from penstock.engine.invocation import Invocation
from penstock.pipeline.call_definition import Definition, Fixed, Input, serving
from penstock.pipeline.conditionals.branches import Branch
from penstock.pipeline.data_node import DataNode
from penstock.pipeline.failures import of_source
from penstock.pipeline.seeds import Seeds
from penstock.pipeline.sources import Fetch, ReaderSource, Source
from penstock.schema.operator import Operator
from penstock.values.dtypes import Kind as DTypeKind
from penstock.values.spec import Spec, spec_of

Kind = tuple[tuple[Spec, int], ...]

# Batches of other specs or sizes need another plan; few pipelines see more kinds.
_MOST_PLANS = 16
_MASK = 0xFFFFFFFF


# How many samples have gone through a pipeline, and through each of its branches that has random operators.
Passed = tuple[int, ...]


# What sources gave, by their places in the program.
Fetched = dict[int, Fetch]


class Asked(NamedTuple):
    """What the program's own sources gave for an iteration, and what the first of them raised that raised something."""

    fetched: Fetched
    error: Exception | None = None


class Iteration:
    """What one iteration has made, or why there is nothing. `samples` have gone through the pipeline behind it."""

    def __init__(self, samples: Passed, error: BaseException | None = None) -> None:
        self.samples = samples
        self.error = error
        self.outputs: list[Samples] = []


class Program:
    """The definitions that serve some outputs, in an order in which they can be run."""

    def __init__(self, outputs: Sequence[Input], kept: Sequence[Definition], context: EvalContext) -> None:
        """Those in `kept` are run whether they serve an output or not."""
        self.outputs = outputs
        self.definitions = serving(outputs, kept)
        self.sources = [each for each in self.definitions if not isinstance(each.what, (Operator, Fixed))]
        self.calls = [each for each in self.definitions if isinstance(each.what, Operator)]
        self.kept = [each for each in kept if isinstance(each.what, Operator)]
        self.context = context
        branches = [each.branch for each in self.calls if each.takes_seed]
        self.branches = [*dict.fromkeys(branch for branch in branches if branch is not None)]
        self._plans: dict[Kind, _Plan] = {}
        self.latest: _Plan | None = None
        self.ahead = 0  # iterations that are made before they are asked for

    def give_seeds(self, seeds: Seeds) -> None:
        """Random operators and readers without a seed of their own get one each, in the order of the graph."""
        for definition in self.definitions:
            if definition.takes_seed and definition.seed is None:
                definition.seed = seeds.next()
                if isinstance(definition.what, ReaderSource):
                    definition.what.take_seed(definition.seed)

    def warn_of_unused(self) -> None:
        """Tells of outputs that a callback makes for nobody."""
        used = {id(node) for each in self.definitions for node in each.needs()} | {*map(id, self.outputs)}
        for each in self.sources:
            unused = [node.index for node in each.outputs if id(node) not in used]
            if each.path == "external_source" and unused:
                warnings.warn(
                    f"The external source node {each.name!r} produces {len(each.outputs)} outputs, but the output at "
                    f"the index {unused[0]} is not used. For best performance, adjust your callback so that it "
                    "computes only the needed outputs.",
                    stacklevel=4,
                )

    @property
    def nothing_passed(self) -> Passed:
        return (0,) * (1 + len(self.branches))

    def ask(self, iteration: int) -> Asked:
        """Asks the sources that are code of the program's own, in its own thread."""
        fetched: Fetched = {}
        return Asked(fetched, self._asked(iteration, fetched, background=False))

    def run(self, iteration: int, samples: Passed, batch_size: int, asked: Asked) -> Iteration:
        """Makes one iteration, `samples` having gone through before it."""
        made, fetched = Iteration(samples), {**asked.fetched}
        try:
            raised = asked.error
            if not isinstance(raised, StopIteration):
                later = self._asked(iteration, fetched, background=True)
                raised = later if raised is None or isinstance(later, StopIteration) else raised
            if raised is not None:
                raise raised
            given = [samples for k in range(len(self.sources)) for samples in fetched[k].outputs]
            size = self._batch_size(fetched, batch_size)
            made.samples = samples[0] + size, *samples[1:]
            plan = self._plan(given, size)
            try:
                made.outputs, sizes = plan.run(given, samples)
            finally:
                self.latest = plan
            made.samples = tuple([before + size for before, size in zip(samples, sizes, strict=True)])
        except Exception as error:
            made.error = error
        return made

    def hand_out(self, before: int) -> None:
        """The program has got the iterations with lower numbers."""
        for each in self.sources:
            source_of(each).hand_out(before)

    def rewind(self) -> None:
        """This is a forked child, and the threads of its sources are gone."""
        for each in self.sources:
            source_of(each).rewind()

    @property
    def own_sources(self) -> list[Source]:
        return [*map(source_of, self.sources)]

    def _asked(self, iteration: int, fetched: Fetched, background: bool) -> Exception | None:
        """Asks every source, so that they stay in step when one fails, unless one is exhausted; the first error."""
        first: Exception | None = None
        for k, each in enumerate(self.sources):
            source = source_of(each)
            if source.background is not background:
                continue
            try:
                fetch = fetched[k] = source.fetch(iteration)
                error = fetch.error
            except StopIteration as stop:
                return stop
            except Exception as raised:
                error = raised
            if error is not None and first is None:
                first = error
                of_source(error, each)
        return first

    def explain(self) -> Explanation:
        """The plan for batches of the last kind; before there was any, what is known without."""
        if self.latest is not None:
            return self.latest.explain()
        sources = tuple(ExplainedSource(each.path, each.site, ()) for each in self.sources)
        notes = tuple(f"call     {each.path} at {place(each.site)}" for each in self.calls)
        title = "pipeline whose stages are not known before there is a batch to see the kind of"
        return Explanation(title, self.context.num_threads, (), sources, notes=notes)

    def _batch_size(self, fetched: Fetched, most: int) -> int:
        sizes = {each.name: len(fetched[k].outputs[0]) for k, each in enumerate(self.sources)}
        if len(set(sizes.values())) > 1:
            named = ", ".join(f"{size} from {name}" for name, size in sizes.items())
            raise RuntimeError(f"all sources of a pipeline must give batches of one size, got {named}")
        for name, size in sizes.items():
            if size > most:
                raise RuntimeError(f"{name} gave a batch of {size} samples, the pipeline's batch size is {most}")
        return next(iter(sizes.values()), most)

    def _plan(self, given: Sequence[Samples], size: int) -> _Plan:
        kind = tuple([(spec_of(samples), len(samples)) for samples in given])
        plan = self._plans.get(kind)
        if plan is None:
            if len(self._plans) >= _MOST_PLANS:
                self._plans.clear()
            plan = self._plans[kind] = _Plan(self, kind, size)
            events.tell(self, plan)
        return plan


class _Plan:
    """The graph of a program for sources that give batches of one kind."""

    def __init__(self, program: Program, kind: Kind, size: int) -> None:
        self._size = size
        self._pool = program.context
        self._fed: dict[tuple[Definition, int], tuple[Feed, Spec]] = {}
        self._ahead = program.ahead
        left = iter(kind)
        self._sources = [
            ExplainedSource(each.path, each.site, tuple(next(left)[0] for _ in each.outputs))
            for each in program.sources
        ]
        ends = [(each, k) for each in program.sources for k in range(len(each.outputs))]
        for position, (end, (spec, _)) in enumerate(zip(ends, kind, strict=True)):
            self._fed[end] = Port(None, position), spec
        nodes = {each: self._node(each, program.context) for each in program.calls}
        self._outputs = [self._feed(output)[0] for output in program.outputs]
        self._kept = [nodes[each] for each in program.kept]
        self._sizes = [self._feed(branch.numbers)[0] for branch in program.branches]
        wanted = [
            feed.node for feed in (*self._outputs, *self._sizes) if isinstance(feed, Port) and feed.node is not None
        ]
        self.graph = Graph([*nodes.values()], [*wanted, *self._kept], program.context)
        places: dict[Branch | None, int] = {branch: k for k, branch in enumerate([None, *program.branches])}
        self._seeds = [(node, each.seed, places[each.branch]) for each, node in nodes.items() if each.seed is not None]

    def run(self, given: Sequence[Samples], samples: Passed) -> tuple[list[Samples], list[int]]:
        """The outputs, and the sizes of the batch and of branches; raises what an output failed with."""
        words = {node: _words(seed, samples[place]) for node, seed, place in self._seeds}
        made = self.graph.run(given, words, self._pool.pool)
        for node in self._kept:
            made[node].results()
        outputs = [self._output(feed, given, made) for feed in self._outputs]
        return outputs, [self._size, *(len(self._output(feed, given, made)) for feed in self._sizes)]

    def explain(self) -> Explanation:
        """What is run in every iteration, and how it was done the last time."""
        ports = [feed if isinstance(feed, Port) else None for feed in self._outputs]
        title = f"pipeline, batches of {self._size}, {counted(self._ahead, 'iteration')} made ahead"
        return of_graph(self.graph, title, self._sources, ports)

    def _output(self, feed: Feed, given: Sequence[Samples], made: dict[Node, Invocation]) -> Samples:
        if isinstance(feed, Samples):
            return feed.select([0] * self._size)
        if feed.node is None:
            return given[feed.index]
        dtype = feed.node.specs[feed.index].dtype
        result = made[feed.node].result(feed.index)
        return result.coded(dtype.code) if dtype is not None and dtype.kind is DTypeKind.enum else result

    def _feed(self, value: Input) -> tuple[Feed, Spec]:
        if isinstance(value, Samples):
            return value, spec_of(value)
        assert value.source is not None
        if isinstance(value.source.what, Fixed):
            return self._feed(value.source.what.samples)
        return self._fed[value.source, value.index]

    def _node(self, definition: Definition, context: EvalContext) -> Node:
        assert isinstance(definition.what, Operator)
        call = Invocation(definition.what, [], self._size, context, definition.site)
        fed = [self._feed(value) for value in definition.inputs]
        tensors = {
            name: self._feed(value) for name, value in definition.keywords.items() if isinstance(value, DataNode)
        }
        keywords: dict[str, Any] = {**definition.keywords, **{name: spec for name, (_, spec) in tensors.items()}}
        call.tensors = dict.fromkeys(tensors, Samples.empty(0, 0, []))  # prepare() looks at the names alone
        try:
            prepare(call, keywords, [spec for _, spec in fed])
        except Exception as error:
            raise annotate(error, call) from None
        numbers = None if definition.branch is None else self._feed(definition.branch.numbers)[0]
        assert not isinstance(numbers, Samples)
        node = Node(call, [feed for feed, _ in fed], {name: feed for name, (feed, _) in tensors.items()}, numbers)
        for port, spec in zip(node.ports, node.specs, strict=True):
            self._fed[definition, port.index] = port, spec
        return node


def source_of(definition: Definition) -> Source:
    assert not isinstance(definition.what, (Operator, Fixed))
    return definition.what


def _words(seed: int, samples: int) -> tuple[int, ...]:
    """A random operator counts the samples it has seen; its seed is the key of its numbers."""
    return seed & _MASK, seed >> 32 & _MASK, 0, 0, samples & _MASK, samples >> 32, 0
