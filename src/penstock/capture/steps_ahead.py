"""The steps that are made ahead of a compiled loop."""

from __future__ import annotations

import threading
from collections.abc import Callable

from penstock.capture.feeds import LoopSource, Reading, readings
from penstock.capture.loop_plan import LoopPlan, LoopPlans, Made
from penstock.capture.loop_step import LoopStep
from penstock.capture.rng_forecast import Positions, RngForecast
from penstock.dynamic.recorder import active
from penstock.engine.program.program import Program
from penstock.engine.program.run_ahead import RunAhead
from penstock.engine.program.step import Step
from penstock.engine.rng import get_default_rng
from penstock.engine.source_lease import LeaseHolder

_NOTHING_MADE: LoopPlans = LoopPlans(lambda kind: None)


class StepsAhead:
    """Makes a few steps before the loop comes to them."""

    def __init__(self, depth: int) -> None:
        self.thread: int | None = None  # that runs the loop, while one does
        self._depth = depth
        self._program: Program[Positions, Made] | None = None
        self._run: RunAhead[Positions, Made] | None = None
        self._readings: list[Reading] = []

    @property
    def alive(self) -> bool:
        return self._run is not None and self._run.alive

    @property
    def is_underway(self) -> bool:
        """Whether the loop cannot be stopped here.

        Another thread runs it, or this one is making its next step, or is in a source that is called for one.
        """
        if self._run is not None and self._run.is_making:
            return True
        in_source = bool(active.loops) and active.loops[-1] is None
        return in_source if self.thread == threading.get_ident() else self.thread is not None

    def start(self, loop: LeaseHolder, source: LoopSource, plan: LoopPlan, forecast: RngForecast) -> None:
        """Begins to make steps as planned, from where the program stands."""
        for read in plan.reads:
            read.claim(loop)
        self._readings = readings([source, *plan.reads])
        rng = get_default_rng().offspring()  # for operators of the user's own that draw
        self._program = Program(self._readings, plan.only(), _moved_by(forecast.one_step_on()), Exception, rng)
        self._run = RunAhead(self._program, "penstock-compiled", 0, forecast.positions)
        self._run.ask_for(self._depth)  # only now: what is fetched from here on can be stopped

    def replan(self, plan: LoopPlan | None) -> None:
        """From the next step on another plan is followed."""
        if plan is not None and [each.source for each in self._readings[1:]] != plan.reads:
            self.stop()
        if self._program is not None:
            self._program.plans = _NOTHING_MADE if plan is None else plan.only()

    def take(self) -> LoopStep:
        """The next step as planned."""
        assert self._run is not None
        step = self._run.take(self._depth)
        if step.error is not None and all(each.error is not step.error for each in step.fetched):
            raise step.error
        return LoopStep(step, self._readings)

    def unplanned(self, source: LoopSource, forecast: RngForecast) -> LoopStep:
        """A step of which nothing is made ahead."""
        read = readings([source])
        program: Program[Positions, Made] = Program(read, _NOTHING_MADE, _moved_by(forecast.one_step_on()), Exception)
        return LoopStep(program.make(0, forecast.positions), read)

    def stop(self) -> None:
        """No more steps. What was fetched for them and not handed out stays with its source.

        May be called again where it was interrupted.
        """
        if self._run is not None:
            self._run.stop()
        self._run = self._program = None
        self._readings = []

    def let_go(self) -> None:
        """As `stop`, for somebody else who wants to read the sources."""
        if self.is_underway and (self._run is not None or self.thread == threading.get_ident()):
            raise RuntimeError("This source is already used in a capture-mode loop, which is reading it ahead just now")
        self.stop()


def _moved_by(moved: Callable[[Positions], Positions]) -> Callable[[Step[Positions, Made]], Positions]:
    """Random calls draw as much in every step, so it does not matter what is made in it."""
    return lambda step: moved(step.position)
