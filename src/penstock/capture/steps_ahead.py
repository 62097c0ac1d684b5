"""Runs a few steps of a compiled loop ahead of its body."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from penstock.capture.feeds import LoopSource, numbering
from penstock.capture.loop_plan import LoopPlan, LoopPlans, Made, plans_by_kind
from penstock.capture.loop_step import LoopStep
from penstock.capture.rng_forecast import Positions, RngForecast
from penstock.dynamic.calls.recorder import active
from penstock.engine.program.program import Program
from penstock.engine.program.run_ahead import RunAhead
from penstock.engine.rng import RNG, get_default_rng
from penstock.engine.source_lease import LeaseHolder

_NOTHING_MADE: LoopPlans = LoopPlans(lambda kind: None)


class StepsAhead:
    """The program of a loop's plan and the thread that runs it ahead, both replaced whenever they start anew."""

    def __init__(self, depth: int) -> None:
        self.thread: int | None = None  # the one that runs the loop's body, while it does
        self._depth = depth
        self._program: Program[Positions, Made] | None = None
        self._run: RunAhead[Positions, Made] | None = None
        self._sources: list[LoopSource] = []

    @property
    def is_underway(self) -> bool:
        """Whether the calling thread cannot stop the steps made ahead.

        It cannot while another thread runs the loop, while it is making the next step itself, and while it is inside of
        a source that is called for a step.
        """
        if self._run is not None and self._run.is_making:
            return True
        in_source = bool(active.loops) and active.loops[-1] is None
        return in_source if self.thread == threading.get_ident() else self.thread is not None

    def start(
        self, loop: LeaseHolder, source: LoopSource, plan: LoopPlan, plans: Sequence[LoopPlan], forecast: RngForecast
    ) -> None:
        """Starts to run a plan ahead, beginning with the batches that the program gets next.

        Batches of other kinds have their own among `plans`, as far as they read the same sources.
        """
        for read in plan.reads:
            read.claim(loop)
        self._sources = [source, *plan.reads]
        rng = get_default_rng().offspring()  # for operators of the user's own that draw
        self._program = _program(self._sources, plans_by_kind(plan.reads, plans), forecast, rng)
        self._run = RunAhead(self._program, "penstock-compiled", 0, forecast.positions)
        self._run.ask_for(self._depth)  # not before `_run` is set: sources are called here, and `stop` must see it

    def replan(self, plan: LoopPlan | None, plans: Sequence[LoopPlan]) -> None:
        """Has steps that are not begun yet follow other plans. Stops if `plan`, the next one, reads other sources."""
        if plan is not None and self._sources[1:] != plan.reads:
            self.stop()
        if self._program is not None:
            self._program.plans = _NOTHING_MADE if plan is None else plans_by_kind(plan.reads, plans)

    def take(self) -> LoopStep | None:
        """Returns the next step made ahead; None where there is no thread that makes any.

        Raises an error of running it; an error of a source is part of the step.
        """
        run = self._run
        if run is None or not run.thread.running:
            return None
        step: LoopStep = run.take(self._depth)  # type: ignore[assignment]
        if step.error is not None and all(each.error is not step.error for each in step.fetched):
            raise step.error
        step.sources = self._sources
        return step

    def unplanned(self, source: LoopSource, forecast: RngForecast) -> LoopStep:
        """Returns the next step with its batch fetched and no call made."""
        step: LoopStep = _program([source], _NOTHING_MADE, forecast).make(0, forecast.positions)  # type: ignore[assignment]
        step.sources = [source]
        return step

    def stop(self) -> None:
        """Stops the thread and discards its steps. Batches that were not handed out stay with their sources.

        A call that was interrupted may be made again.
        """
        if self._run is not None:
            self._run.stop()
        self._run = self._program = None
        self._sources = []

    def let_go(self) -> None:
        """Stops because somebody else wants to read the sources; RuntimeError where that is not possible now."""
        if self.is_underway and (self._run is not None or self.thread == threading.get_ident()):
            raise RuntimeError("This source is already used in a capture-mode loop, which is reading it ahead just now")
        self.stop()


def _program(
    sources: Sequence[LoopSource], plans: LoopPlans, forecast: RngForecast, rng: RNG | None = None
) -> Program[Positions, Made]:
    moved = forecast.one_step_on()
    advance = None if moved is None else lambda step: moved(step.position)
    return Program(sources, plans, advance, Exception, rng, numbering(sources), LoopStep)
