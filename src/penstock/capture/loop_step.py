"""The state of one step of a compiled loop while its body runs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from penstock._native import kind_of
from penstock.capture.feeds import Fetch, LoopSource
from penstock.capture.loop_plan import LoopPlan, Made
from penstock.capture.rng_forecast import Positions
from penstock.capture.traced_call import RandomDraw, TracedCall
from penstock.dynamic.sources.items import Read
from penstock.engine.graph.node import Node
from penstock.engine.invocation import Invocation
from penstock.engine.program.step import Step
from penstock.engine.rng import StreamPosition

_fetch = partial(tuple.__new__, Fetch)  # what its own `__new__` calls in the end; every step makes some


class LoopStep:
    """The batches fetched and the calls made ahead for a step, and which of them the loop's body has used so far."""

    handed_out = 0  # how many of the fetches the program has got
    astray = False  # the body reads other sources, or in another order, than the steps before
    surprised = False  # the body used a result or a source that the plan does not make ahead
    plan: LoopPlan | None = None
    known: frozenset[Node] = frozenset()  # all calls of the plan: those made ahead, and those nobody has asked for yet
    draws = False  # the plan has random calls
    _late: Made | None = None

    def __init__(self, step: Step[Positions, Made], sources: Sequence[LoopSource]) -> None:
        fetches = zip(sources, step.fetched, step.kinds)  # noqa: B905 - sources behind one that failed gave nothing
        self.fetches: list[Fetch] = [*map(_fetch, fetches)]
        self.failed = step.error is not None
        plan: LoopPlan | None = step.plan  # type: ignore[assignment]
        if plan is not None:
            self.plan = plan
            self.known = plan.graph.known
            if plan.generators:
                self.draws = True
        self.made: Made = step.results or {}
        self._step = step

    def fetch_late(self, read: Read) -> None:
        """Fetches the item that the body reads now; drops the fetches of the plan that were not handed out."""
        fetched = read.fetch(read.following)
        del self.fetches[self.handed_out :]
        self.fetches.append(Fetch(read, fetched, kind_of(fetched.outputs, fetched.single)))

    def position(self, draw: RandomDraw) -> StreamPosition | None:
        """Returns the forecast position of a draw's generator at its call; None for a generator without forecast."""
        start = self._step.position.get(draw.rng)
        return None if start is None else start.after(draw.offset)

    def is_foreseen(self) -> bool:
        """Whether the plan's generators are, as the step begins, at the positions it was made with."""
        return self.plan is None or all(rng.position == self._step.position[rng] for rng in self.plan.generators)

    def call_of(self, node: TracedCall) -> Invocation:
        """Returns the call of a node whose result was not wanted so far, to be run on demand.

        It is part of a graph of all calls of the step, in which those that were made ahead are finished already.
        """
        self.surprised = True
        if self._late is None:
            assert self.plan is not None
            self._late = self.plan.calls(self._step.given, self._step.position)
            for finished, call in self.made.items():
                if call.outputs is not None:
                    self._late[finished].finish(call.outputs)
        return self._late[node]
