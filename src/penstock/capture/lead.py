"""The steps that are made ahead of a loop, and what was fetched for them in vain."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator

from penstock._native import Pool
from penstock.capture.forecast import Places
from penstock.capture.inlet import Inlet
from penstock.capture.step import Plan, Step, fetched
from penstock.dynamic.items import Read
from penstock.dynamic.recorder import active
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
        drawn_from = get_default_rng()
        try:
            replace_default_rng(self._rng)
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
        self._inlet: Inlet | None = None
        self._reads: Counter[Read] = Counter()  # how often each source is read in a step

    @property
    def alive(self) -> bool:
        return self._steps is not None and self._steps.alive

    @property
    def is_underway(self) -> bool:
        """Whether the loop cannot be stopped here.

        Another thread runs it, or this one is making its next step, or is in a source that is called for one.
        """
        if self._steps is not None and self._steps.is_making:
            return True
        in_source = bool(active.loops) and active.loops[-1] is None
        return in_source if self.thread == threading.get_ident() else self.thread is not None

    def start(self, loop: Holder, inlet: Inlet, plan: Plan, places: Iterator[Places], pool: Pool) -> None:
        """Begins to make steps that go as planned."""
        self.inlets |= {inlet, *plan.reads}
        for read in plan.reads:
            read.claim(loop)
        self._inlet, self._reads = inlet, Counter(plan.reads)
        self._prepare(self._depth)
        self._maker = Maker(inlet, plan, places, pool)
        self._steps = Ahead(self._maker, 0, "penstock-compiled")
        self._steps.ask_for(self._depth)  # only now: what is fetched from here on can be stopped and rewound

    def replan(self, plan: Plan | None) -> None:
        """From the next step on another plan is followed."""
        if self._maker is not None:
            self._maker.plan = plan

    def _prepare(self, steps: int) -> None:
        """Has sources of the program's own called in its own thread, for so many steps that are made in another."""
        assert self._inlet is not None
        self._inlet.prepare(steps)
        for read, times in self._reads.items():
            read.prepare(steps * times)

    def take(self) -> Step:
        assert self._steps is not None
        self._prepare(self._depth + 1)
        step = self._steps.take_or_make(self._depth)
        assert step is not None
        return step

    def stop(self, taken: Step | None = None) -> None:
        """No more steps. What was fetched and not handed out comes again, also that of the step that was taken last.

        May be called again where it was interrupted.
        """
        if self._steps is not None:
            self._steps.stop()
        self._steps = self._maker = self._inlet = None
        self._reads = Counter()
        if taken is not None:
            taken.release()
        for inlet in self.inlets:
            inlet.rewind()
        self.inlets = set()

    def let_go(self, taken: Step | None) -> None:
        """As `stop`, for somebody else who wants to read the sources."""
        if self.is_underway and (self._steps is not None or self.thread == threading.get_ident()):
            raise RuntimeError("This source is already used in a capture-mode loop, which is reading it ahead just now")
        self.stop(taken)
