"""What is known of the steps of a loop, and how those to come are made from it."""

from __future__ import annotations

import os
import warnings
from weakref import WeakSet

from penstock.capture.forecast import Forecast
from penstock.capture.inlet import Feeds, Inlet, Kind
from penstock.capture.lead import Lead
from penstock.capture.report import SOURCE, latest
from penstock.capture.step import Plan, Refused, Setting, Step, fetched
from penstock.capture.trace import Trace
from penstock.engine import events
from penstock.engine.context import EvalContext
from penstock.engine.graph.node import NodePort, Port

# Once so many steps in a row have drawn otherwise than foreseen, random calls are no longer made ahead.
_MOST_WRONG = 3


class NotCapturedError(RuntimeError):
    """A call of a strict loop that could not be made ahead."""


class Planned:
    """The steps of a loop: each is looked back on when it is over, and the next ones are made as it went."""

    _inlet: Inlet  # of the epoch that is running

    def __init__(self, source: str, batch_size: int, depth: int) -> None:
        self.batch_size = batch_size
        self._source = source
        self._depth = max(depth, 2)
        self._lead = Lead(self._depth)
        self._context = EvalContext.current()
        self._strict = False
        self._kind: Kind = ()
        self._forecast = Forecast()
        self._trace = Trace(self._forecast)
        self._ports: list[NodePort] = []
        self._feeds = Feeds(0)
        self._plan: Plan | None = None
        self._step: Step | None = None
        self._wrong = 0
        self._interrupted = False  # the last run was neither ended nor left in order
        _loops.add(self)

    def _begin(self, step: Step) -> None:
        self._step = step
        batch = step.fetches[0]
        if batch.kind != self._kind:
            self._kind, self._plan = batch.kind, None
            self._trace = Trace(self._forecast, self._trace)
            self._ports = [Port(None, index) for index in range(len(batch.outputs))]
            self._feeds = Feeds(len(self._ports))
            latest.traced = self._trace, self._feeds

    def _end_step(self) -> None:
        """Looks back on the step that is over, and plans those to come."""
        step, self._step = self._step, None
        if step is None:
            return
        unread = self._feeds[step.handed_out - 1 :]
        if unread or step.astray:
            self._lead.stop(step)
            self._kind, self._plan = (), None  # the next step is traced like a first one
            for feed in unread:
                self._refuse(self._trace.refuse(SOURCE, feed.site, "An ExternalSource was not consumed this step"))
            return
        if self._trace.settle(step):
            self._replan()
        if self._trace.steps == 1 and not self._trace.planned:
            warnings.warn(
                "capture=True was specified but no operators were captured during tracing. Falling back to dynamic "
                "mode. ndd.capture.report() says why.",
                stacklevel=5,
            )

    def _replan(self) -> None:
        planned = self._trace.planned
        setting = Setting(self._source, self._depth, self._trace.refused)
        self._plan = Plan(planned, self._kind, self._feeds, self._context, setting) if planned else None
        self._lead.replan(self._plan)
        if self._plan is not None:
            events.tell(self, self._plan)

    def _next_step(self) -> Step:
        while self._plan is not None:
            if not self._lead.alive:
                self._lead.stop()
                self._lead.start(self, self._inlet, self._plan, self._forecast.steps(), self._context.pool)
            step = self._lead.take()
            if step.is_foreseen():
                self._wrong = 0
                return step
            self._lead.stop(step)
            self._wrong += 1
            if self._wrong == _MOST_WRONG:
                self._give_up(step)
        self._lead.stop()
        self._lead.inlets.add(self._inlet)
        return Step([*fetched(self._inlet, None)], None, next(self._forecast.steps()))

    def _give_up(self, step: Step) -> None:
        assert step.plan is not None
        self._forecast.given_up |= step.plan.generators
        self._trace.unsettle()
        self._trace.settle(step)
        self._replan()

    def let_go(self) -> None:
        self._lead.let_go(self._step)

    def _refuse(self, refused: Refused) -> None:
        if self._strict:
            raise NotCapturedError(f"{refused.operator} was not captured: {refused.reason}")


_loops: WeakSet[Planned] = WeakSet()


def _let_all_go() -> None:
    """A forked child has neither the threads nor what they are busy with: items would be lost to it."""
    for loop in [*_loops]:
        if not loop._lead.is_underway:
            loop.let_go()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_let_all_go)
