"""The steps that are made ahead of a loop, and what was fetched for them in vain."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable, Iterator
from functools import partial

from penstock.capture.inlet import Inlet, put_back
from penstock.capture.step import Step
from penstock.dynamic.items import Items, Read
from penstock.dynamic.recorder import Recorder, active
from penstock.engine.ahead import Ahead


class Lead:
    """Makes a few steps before the loop comes to them. What they are made from is the loop's until it is let go."""

    def __init__(self, depth: int) -> None:
        self._depth = depth
        self._steps: Ahead[Step | None] | None = None
        self._sources: set[Items] = set()
        self._thread = 0

    @property
    def alive(self) -> bool:
        return self._steps is not None and self._steps.alive

    def start(self, loop: Recorder, inlets: Iterable[Inlet], steps: Iterator[Step]) -> None:
        """Begins to make `steps`; they may end behind one for which something could not be fetched."""
        self._thread = threading.get_ident()
        self._sources = {inlet.items for inlet in inlets if isinstance(inlet, Read)}
        for source in self._sources:
            source.claim(loop)
            source.reader_ahead = loop
        self._steps = Ahead(partial(next, steps, None), self._depth, "penstock-compiled")

    def take(self) -> Step:
        assert self._steps is not None
        step = self._steps.take()
        assert step is not None
        return step

    def stop(self, taken: Step | None = None) -> None:
        """No more steps. What was fetched and not handed out goes back, also that of the step that was taken last."""
        steps = [taken, *(self._steps.stop() if self._steps is not None else ())]
        self._steps = None
        put_back(fetch for step in steps if step is not None for fetch in step.release())

    def let_go(self, taken: Step | None) -> None:
        """For somebody else who wants to read the sources: as `stop`, and they are nobody's then."""
        if self._sources and threading.get_ident() != self._thread:
            raise RuntimeError("This ExternalSource is already used in a capture-mode loop, that of another thread")
        self.stop(taken)
        for source in self._sources:
            source.reader_ahead = None
        self._sources = set()


def _let_all_go() -> None:
    """A forked child has neither the threads nor what they are busy with: items would be lost to it."""
    for loop in active.loops:
        if loop is not None:
            loop.let_go()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_let_all_go)
