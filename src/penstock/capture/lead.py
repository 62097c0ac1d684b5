"""The steps that are made ahead of a loop, and what was fetched for them in vain."""

from __future__ import annotations

import threading
from collections.abc import Iterator

from penstock._native import Pool
from penstock.capture.forecast import Places
from penstock.capture.inlet import Inlet
from penstock.capture.step import Plan, Step, fetched
from penstock.engine.ahead import Ahead
from penstock.engine.claims import Holder
from penstock.engine.rng import get_default_rng, replace_default_rng


class Maker:
    """Makes one step after the other. It knows nothing of the loop: dropping that one ends the thread this runs in."""

    def __init__(self, inlet: Inlet, plan: Plan, places: Iterator[Places], pool: Pool) -> None:
        self.plan: Plan | None = plan
        self._inlet = inlet
        self._places = places
        self._pool = pool
        self._rng = get_default_rng().offspring()  # for operators of the user's own that draw
        self._failed = False

    def __call__(self) -> Step | None:
        """The next step; None behind one for which something could not be fetched."""
        if self._failed:
            return None
        plan = self.plan
        drawn_from = replace_default_rng(self._rng)
        try:
            step = Step([*fetched(self._inlet, plan)], plan, next(self._places)).run(self._pool)
        finally:
            replace_default_rng(drawn_from)
        self._failed = step.failed
        return step


class Lead:
    """Makes a few steps before the loop comes to them. What they are made from is the loop's until it is let go."""

    def __init__(self, depth: int) -> None:
        self.inlets: set[Inlet] = set()  # something may have been fetched from them that was not handed out
        self.thread: int | None = None  # that runs the loop, while one does
        self._depth = depth
        self._steps: Ahead[Step | None] | None = None
        self._maker: Maker | None = None

    @property
    def alive(self) -> bool:
        return self._steps is not None and self._steps.alive

    @property
    def is_underway(self) -> bool:
        """Whether the loop cannot be stopped here: another thread runs it, or this one is making its next step."""
        makes = self._steps is not None and self._steps.is_making
        return makes or self.thread not in (None, threading.get_ident())

    def start(self, loop: Holder, inlet: Inlet, plan: Plan, places: Iterator[Places], pool: Pool) -> None:
        """Begins to make steps that go as planned."""
        self.inlets |= {inlet, *plan.reads}
        for read in plan.reads:
            read.claim(loop)
        self._maker = Maker(inlet, plan, places, pool)
        self._steps = Ahead(self._maker, 0, "penstock-compiled")
        for _ in range(self._depth):  # only now: what is fetched from here on can be stopped and rewound
            self._steps.request()

    def replan(self, plan: Plan | None) -> None:
        """From the next step on another plan is followed."""
        if self._maker is not None:
            self._maker.plan = plan

    def take(self) -> Step:
        assert self._steps is not None
        step = self._steps.take_or_make()
        assert step is not None
        return step

    def stop(self, taken: Step | None = None) -> None:
        """No more steps. What was fetched and not handed out comes again, also that of the step that was taken last.

        May be called again where it was interrupted.
        """
        if self._steps is not None:
            self._steps.stop()
        self._steps = self._maker = None
        if taken is not None:
            taken.release()
        for inlet in self.inlets:
            inlet.rewind()
        self.inlets = set()

    def let_go(self, taken: Step | None) -> None:
        """As `stop`, for somebody else who wants to read the sources."""
        if self._steps is not None and self.is_underway:
            raise RuntimeError("This source is already used in a capture-mode loop, which is reading it ahead just now")
        self.stop(taken)
