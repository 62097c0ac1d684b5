"""A stage of a graph that is run again and again: how it ran last, and the steps it may run again."""

from __future__ import annotations

import time
from collections.abc import Sequence

from penstock._native import NativeChain, Pool, Samples
from penstock.engine.backends.native_chain import is_repeatable, native_chain, repeatable_spec
from penstock.engine.events import Pass, inspectors, stage_listeners, stage_weight
from penstock.engine.executor import run_stage
from penstock.engine.graph.calls import Calls
from penstock.engine.graph.node import Node, Port
from penstock.engine.invocation import Operand, Stage, ready, samples_of
from penstock.engine.stage_timer import StageTimer
from penstock.values.dtypes import uint8
from penstock.values.spec import Spec


class GraphStage:
    """The nodes of one stage, the passes and sample count of its last run, and the seconds of all its runs.

    `spent` are the nodes whose results no later stage reads: they are freed when this one has run. `chain` has the
    native steps of the last run, where they serve every input of the same spec.
    """

    __slots__ = ("_is_repeatable", "chain", "nodes", "passes", "samples", "seconds", "spent")

    def __init__(self, nodes: Sequence[Node], spent: Sequence[Node]) -> None:
        self.nodes = tuple(nodes)
        self.spent = tuple(spent)
        self._is_repeatable = is_repeatable(self.nodes)
        self.chain: NativeChain | None = None
        self.passes: Sequence[Pass] = ()
        self.samples = 0
        self.seconds = 0.0

    def run(self, calls: Calls, pool: Pool) -> None:
        started = time.perf_counter()
        if self.chain is None or inspectors or not self._run_again(self.chain, calls, pool):
            self._run(calls, pool)
        self.seconds += time.perf_counter() - started
        for node in self.spent:
            calls.of(node).outputs = None

    def _run_again(self, chain: NativeChain, calls: Calls, pool: Pool) -> bool:
        """Runs the steps of the last run, without making calls; False where they do not serve, with nothing done."""
        first = self.nodes[0]
        feed = first.inputs[0]
        samples = calls.given[feed.index] if type(feed) is Port and feed.node is None else calls.samples(feed)
        numbers = samples if first.numbers is None else calls.samples(first.numbers)
        if samples is None or numbers is None:
            return False
        size = first.batch_size if first.numbers is None else len(numbers)
        timer = None
        if stage_listeners and (weight := stage_weight(self.nodes[-1].op.path)):
            timer = StageTimer(self.nodes[-1].op.path, weight)
            timer.begin_pass([samples])
        made = chain.run(samples, size, pool, None if timer is None else timer.times)
        if made is None:
            return False
        calls.add(self.nodes[-1], [], [made])
        self.samples = 1 if size is None else size
        if timer is not None:
            timer.end_pass(0, len(self.nodes))
            operators = tuple([node.op.path for node in self.nodes])
            timer.announce(operators, tuple([node.site for node in self.nodes]), self.samples, self.passes)
        return True

    def _run(self, calls: Calls, pool: Pool) -> None:
        stage = [calls.of(node) for node in self.nodes]
        numbers = self.nodes[0].numbers
        if numbers is None or _have_samples(stage, calls.operand(numbers)):
            spec = repeatable_spec(stage) if self._is_repeatable else None
            self.passes = run_stage(stage, pool)
            self.chain = None if spec is None else native_chain(stage, spec, self.passes)
        self.samples = samples_of(stage[0])


def _have_samples(stage: Stage, indices: Operand) -> bool:
    """Sets which samples of the whole batch the calls have; False where there are none, or where finding them failed.

    Calls without samples are finished with empty results.
    """
    try:
        numbers = ready(indices)
    except Exception as error:
        for call in stage:
            call.fail(error)
        return False
    for call in stage:
        call.batch_size, call.numbers = len(numbers), numbers
    if not len(numbers):
        stage[-1].finish([_nothing(spec) for spec in stage[-1].specs])
    return len(numbers) > 0


def _nothing(spec: Spec) -> Samples:
    nothing = Samples.empty(uint8.code if spec.dtype is None else spec.dtype.code, 0, [0] * (spec.ndim or 0))
    nothing.layout = spec.layout or ""
    return nothing
