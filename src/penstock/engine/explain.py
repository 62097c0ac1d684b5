"""Explains what the engine will run: for pending calls, and for graphs that are run again and again."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy

from penstock._native import Samples
from penstock.engine.dry_run import expected_passes
from penstock.engine.explanation import (
    Dropped,
    ExplainedCall,
    ExplainedSource,
    ExplainedStage,
    Explanation,
    Link,
    place,
    shown,
)
from penstock.engine.graph.graph import Graph
from penstock.engine.graph.node import Node, NodePort, Port
from penstock.engine.invocation import Invocation, Operand, samples_of
from penstock.engine.pending import equals, needed, redirect
from penstock.engine.planner import plan
from penstock.values.spec import spec_of

_UNUSED = "nobody asks for its result"


def of_waiting(target: Invocation) -> Explanation:
    """Explains what would run if the results of a pending call were needed. Runs nothing, changes no call."""
    calls = _copies(target.context.awaited(target))
    pool = target.context.pool
    if not calls:
        return Explanation("nothing is left to run", pool.threads, ())
    numbers = {id(call): number for number, call in enumerate(calls)}
    before = [_links(call.feeds(), numbers, []) for call in calls]
    instead = equals(calls)
    kept = needed(calls, calls[-1], instead)
    for call in kept:
        redirect(call, instead)
    given: list[Samples] = []

    def told(call: Invocation) -> ExplainedCall:
        return _call(call, numbers[id(call)], _links(call.feeds(), numbers, given))

    stages = [
        ExplainedStage(tuple(map(told, stage)), expected_passes(stage, pool), samples_of(stage[0]))
        for stage in plan(kept)
    ]
    dropped = [
        Dropped(_call(call, number, before[number]), _reason(instead.get(call)))
        for number, call in enumerate(calls)
        if call not in kept
    ]
    sources = tuple(ExplainedSource("in memory", None, (spec_of(samples),)) for samples in given)
    outputs = tuple(Link(True, len(calls) - 1, index) for index in range(len(target.specs)))
    return Explanation("waiting to be run", pool.threads, tuple(stages), sources, outputs, tuple(dropped))


def of_graph(
    graph: Graph,
    title: str,
    sources: Sequence[ExplainedSource],
    outputs: Sequence[NodePort | None] = (),
    notes: Sequence[str] = (),
) -> Explanation:
    """Explains what a graph runs in each step, and how its stages ran the last time."""
    numbers = {node: number for number, node in enumerate(graph.nodes)}
    ends = [(number, index) for number, source in enumerate(sources) for index in range(len(source.specs))]

    def link(port: NodePort) -> Link:
        if port.node is None:
            return Link(False, *ends[port.index])
        return Link(True, numbers[graph.made_by(port.node)], port.index)

    def told(node: Node) -> ExplainedCall:
        links = [link(feed) for feed in node.feeds() if isinstance(feed, Port)]
        return _call(node, numbers[node], tuple(links))

    stages = [
        ExplainedStage(tuple(map(told, nodes)), *runs) for nodes, runs in zip(graph.stages, graph.runs, strict=True)
    ]
    dropped = [Dropped(told(node), _reason(other)) for node, other in graph.dropped]
    ports = outputs or [port for node in graph.nodes if node in graph.wanted for port in node.ports]
    ends_in = tuple(None if port is None else link(port) for port in ports)
    return Explanation(title, graph.threads, tuple(stages), tuple(sources), ends_in, tuple(dropped), tuple(notes))


def _reason(other: Invocation | Node | None) -> str:
    return _UNUSED if other is None else f"{shown(other.op.path)} at {place(other.site)} makes the same"


def _call(call: Invocation | Node, number: int, links: tuple[Link, ...]) -> ExplainedCall:
    return ExplainedCall(number, call.op.path, call.site, links, call.specs)


def _copies(calls: Sequence[Invocation]) -> list[Invocation]:
    """Copies calls and the links between them, so that merging and planning do not change the calls themselves."""
    copies = {id(call): copy(call) for call in calls}

    def fed(operand: Operand) -> Operand:
        if isinstance(operand, Port) and id(operand.node) in copies:
            return Port(copies[id(operand.node)], operand.index)
        return operand

    for each in copies.values():
        each.inputs = [*map(fed, each.inputs)]
        each.tensors = {name: fed(operand) for name, operand in each.tensors.items()}
    return [*copies.values()]


def _links(operands: Sequence[Operand], numbers: dict[int, int], given: list[Samples]) -> tuple[Link, ...]:
    """Returns the links of operands; samples that exist already are added to `given`, each once."""
    links = []
    for operand in operands:
        if isinstance(operand, Port) and operand.node.outputs is None:
            links.append(Link(True, numbers[id(operand.node)], operand.index))
            continue
        samples = operand if isinstance(operand, Samples) else operand.node.outputs[operand.index]  # type: ignore[index]
        at = next((k for k, known in enumerate(given) if known is samples), len(given))
        if at == len(given):
            given.append(samples)
        links.append(Link(False, at, 0))
    return tuple(links)
