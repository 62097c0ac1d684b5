"""The plan of a compiled loop: the calls that are made ahead in each of its steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from penstock.capture.feeds import Feed
from penstock.capture.rng_forecast import Positions
from penstock.capture.traced_call import TracedCall
from penstock.dynamic.sources.items import Read
from penstock.engine.context import EvalContext
from penstock.engine.explain import of_graph
from penstock.engine.explanation import ExplainedSource, Explanation, counted, place
from penstock.engine.graph.graph import Graph
from penstock.engine.graph.node import Node
from penstock.engine.invocation import Invocation
from penstock.engine.program.plan import Plan, Plans
from penstock.engine.program.step import Kind
from penstock.engine.site import Site
from penstock.values.spec import Spec

Made = dict[Node, Invocation]  # the calls that were run ahead for a step
LoopPlans = Plans[Positions, Made]


class UncapturedCall(NamedTuple):
    """A call that cannot be made ahead, and the reason."""

    operator: str
    site: Site
    reason: str


class Setting(NamedTuple):
    """What an explanation says of a loop: the name of its source, its depth and the calls it cannot make ahead."""

    source: str
    depth: int
    refused: Mapping[tuple[str, Site], UncapturedCall]


class LoopPlan(Plan[Positions, Made]):
    """The calls to make ahead for batches of one kind, and the sources to read for them."""

    def __init__(
        self, calls: Sequence[TracedCall], kind: Kind, feeds: Sequence[Feed], context: EvalContext, setting: Setting
    ) -> None:
        self._setting = setting
        self._size = kind[0][1] if kind else None
        self._sources = [ExplainedSource(setting.source, None, _specs(kind))]
        self._sources += [ExplainedSource("ExternalSource", feed.site, _specs(feed.kind)) for feed in feeds]
        draws = [(call, call.draw) for call in calls if call.draw is not None]
        graph = Graph(calls, [call for call in calls if call.wanted], context)
        super().__init__(sum((feed.kind for feed in feeds), kind), graph, draws, context)
        self.known = graph.known  # all calls of the plan: those made ahead, and those nobody has asked for yet
        self.reads = [feed.read for feed in feeds]
        self.generators = {draw.rng for _, draw in draws}

    def explain(self) -> Explanation:
        _, depth, refused = self._setting
        notes = [f"not made ahead  {each.operator} at {place(each.site)}: {each.reason}" for each in refused.values()]
        given = "single samples" if self._size is None else f"batches of {self._size}"
        title = f"compiled loop, {given}, {counted(depth, 'step')} made ahead"
        return of_graph(self.graph, title, self._sources, notes=notes)


def _specs(kind: Kind) -> tuple[Spec, ...]:
    return tuple(spec for spec, _ in kind)


def plans_by_kind(reads: Sequence[Read], plans: Sequence[LoopPlan]) -> LoopPlans:
    """Returns the plans that read these sources, each for its kind of batches; the loop is traced when others come."""
    of_kind = {plan.kind: plan for plan in plans if plan.reads == reads}
    return Plans(of_kind.get)
