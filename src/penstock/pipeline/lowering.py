"""Lowers the definitions of a pipeline to a program, whose steps are the iterations."""

from __future__ import annotations

import itertools
import operator
import warnings
from collections.abc import Sequence

from penstock.engine import events
from penstock.engine.context import EvalContext
from penstock.engine.explanation import ExplainedSource, Explanation, place
from penstock.engine.program.plan import Plans
from penstock.engine.program.program import Program
from penstock.engine.program.step import Kind, Step
from penstock.pipeline.definition.call_definition import Definition, Fixed, Input, serving
from penstock.pipeline.definition.data_node import DataNode
from penstock.pipeline.definition.seeds import Seeds
from penstock.pipeline.plan import Outputs, Passed, PipelinePlan
from penstock.pipeline.sources.callback_source import CallbackSource
from penstock.pipeline.sources.source import PipelineSource, ReaderSource
from penstock.schema.operator import Operator
from penstock.values.accelerator import CPU

Iteration = Step[Passed, Outputs]


class LoweredPipeline:
    """The definitions that some outputs depend on, in topological order.

    Args:
        outputs: The outputs of the pipeline.
        kept: Calls that are run even if no output depends on them.
        context: The context whose threads run the calls.
        batch_size: The largest number of samples in a batch.
        device_id: The GPU of calls that run on one.
    """

    def __init__(
        self,
        outputs: Sequence[Input],
        kept: Sequence[Definition],
        context: EvalContext,
        batch_size: int,
        device_id: int | None = None,
    ) -> None:
        self.outputs = outputs
        self.definitions = serving(outputs, kept)
        # Sources that are called in the user's thread come first: when one of them has ended, no other is asked.
        asked = [each for each in self.definitions if not isinstance(each.what, (Operator, Fixed))]
        self.sources = sorted(asked, key=lambda each: source_of(each).background)
        self.calls = [each for each in self.definitions if isinstance(each.what, Operator)]
        self.kept = [each for each in kept if isinstance(each.what, Operator)]
        self.context = context
        branches = [each.branch for each in self.calls if each.takes_seed]
        self.branches = [*dict.fromkeys(branch for branch in branches if branch is not None)]
        self.batch_size = batch_size
        self._gpu = CPU if device_id is None else device_id
        self.ahead = 0  # how many iterations are made ahead
        self._seeded: list[Definition] = []  # those that got their seeds here

    def program(self) -> Program[Passed, Outputs]:
        """Returns the program that makes the iterations."""
        return Program([*map(source_of, self.sources)], Plans(self._plan), self._passed, StopIteration)

    def give_seeds(self, seeds: Seeds) -> None:
        """Gives seeds to random operators and readers without one, in the order of the graph."""
        for definition in self.definitions:
            if definition.takes_seed and definition.seed is None:
                definition.seed = seeds.next()
                self._seeded.append(definition)
                if isinstance(definition.what, ReaderSource):
                    definition.what.take_seed(definition.seed)

    def start_over(self) -> None:
        """Takes back the seeds and begins with new sources, for a pipeline that is built again."""
        for definition in self._seeded:
            definition.seed = None
        for definition in self.sources:
            definition.what = source_of(definition).afresh()

    def warn_of_unused(self) -> None:
        """Warns of outputs of a callback that nothing uses."""
        needed = [node for each in self.definitions for node in each.needs()]
        needed += [node for node in self.outputs if isinstance(node, DataNode)]
        used = {(id(node.source), node.index) for node in needed}  # also as what `.gpu()` makes of it
        for each in self.sources:
            unused = [node.index for node in each.outputs if (id(each), node.index) not in used]
            if each.path == "external_source" and unused:
                warnings.warn(
                    f"The external source node {each.name!r} produces {len(each.outputs)} outputs, but the output at "
                    f"the index {unused[0]} is not used. For best performance, adjust your callback so that it "
                    "computes only the needed outputs.",
                    stacklevel=4,
                )

    @property
    def is_thread_bound(self) -> bool:
        """Whether one thread must make all iterations: they call the user's own code, which may keep state by thread.

        Requests to worker processes are among that: an interrupt of the consumer could cut them.
        """
        called = [source for source in map(source_of, self.sources) if isinstance(source, CallbackSource)]
        return any(source.background for source in called) or not all(
            each.what.pure for each in self.calls if isinstance(each.what, Operator)
        )

    @property
    def nothing_passed(self) -> Passed:
        return (0,) * (1 + len(self.branches))

    def explain(self) -> Explanation:
        """Explains what is known before the first batch: plans need the kind of a batch."""
        sources = tuple(ExplainedSource(each.path, each.site, ()) for each in self.sources)
        notes = tuple(f"call     {each.path} at {place(each.site)}" for each in self.calls)
        title = "pipeline whose stages are not known before there is a batch to see the kind of"
        return Explanation(title, self.context.num_threads, (), sources, notes=notes)

    def _plan(self, kind: Kind) -> PipelinePlan:
        sizes = self._sizes(kind)
        if len(set(sizes.values())) > 1:
            named = ", ".join(f"{size} from {name}" for name, size in sizes.items())
            raise RuntimeError(f"all sources of a pipeline must give batches of one size, got {named}")
        for name, size in sizes.items():
            if size > self.batch_size:
                raise RuntimeError(
                    f"{name} gave a batch of {size} samples, the pipeline's batch size is {self.batch_size}"
                )
        plan = PipelinePlan(
            self.sources, self.calls, self.outputs, self.kept, self.branches, kind,
            next(iter(sizes.values()), self.batch_size), self.context, self._gpu, self.ahead,
        )  # fmt: skip
        events.tell(self, plan)
        return plan

    def _sizes(self, kind: Kind) -> dict[str, int]:
        """Returns the batch sizes of the sources by their names; all outputs of a source have the same size."""
        firsts = itertools.accumulate([len(each.outputs) for each in self.sources], initial=0)
        return {each.name: kind[first][1] or 0 for each, first in zip(self.sources, firsts, strict=False)}

    def _passed(self, step: Iteration) -> Passed:
        """Returns the sample counts after an iteration. One that failed counts too, unless a source is the cause.

        Random operators draw by these counts, and a batch is used up even if an operator failed on it.
        """
        if step.results is not None:
            return tuple(map(operator.add, step.position, step.results.sizes))
        if any(each.error is not None for each in step.fetched):
            return step.position
        sizes = {*self._sizes(step.kind).values()} or {self.batch_size}
        if len(sizes) > 1 or max(sizes) > self.batch_size:
            return step.position
        return step.position[0] + sizes.pop(), *step.position[1:]


def source_of(definition: Definition) -> PipelineSource:
    assert not isinstance(definition.what, (Operator, Fixed))
    return definition.what
