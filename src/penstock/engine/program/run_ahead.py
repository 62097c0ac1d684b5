"""Runs a program ahead of its consumer."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic

from penstock._native import StepMaker
from penstock.engine.background import BackgroundThread
from penstock.engine.events import inspectors, queue_listeners, stage_listeners
from penstock.engine.lookahead import Lookahead
from penstock.engine.program.program import Program
from penstock.engine.program.step import Position, Results, Step


class RunAhead(Generic[Position, Results]):
    """The steps of a program from a number and a position on, made ahead. Its thread ends with this object.

    Sources that run the user's code are called in the thread that asks for steps, so that the code does not run in
    parallel with the rest of the user's program. A run-ahead thread does all else, except for a step that it has not
    begun when the consumer comes for it: the consumer makes that one itself, since handing it over takes longer than
    many steps do. Of a `thread_bound` program the run-ahead thread makes all steps. Without `background` the thread
    that asks makes all steps, when it asks.
    """

    def __init__(
        self,
        program: Program[Position, Results],
        name: str,
        first: int,
        position: Position,
        background: bool = True,
        thread_bound: bool = False,
    ) -> None:
        self._taken = first  # steps with lower numbers are taken
        # Whether no source is to be called in this thread: there is none, or one has ended.
        self._ended = all(fetch.background for fetch in program.fetches)
        anew = _MakerAnew(program)
        make = StepMaker(program, anew.make, anew.failed, (inspectors, stage_listeners), first, position)
        self._prepare = make.prepare
        self._steps: Lookahead[Step[Position, Results]] | _AtOnce[Position, Results]
        self._steps = Lookahead(make, 0, name, first) if background else _AtOnce(make, first)
        self.thread = self._steps.thread  # `running` tells whether steps are made; see `BackgroundThread`
        self._look = self._steps.look if thread_bound else self._steps.look_or_make
        if isinstance(self._steps, Lookahead):
            self._take_unheard = self._steps.take_unheard
        self.drop: Callable[[int], None] = self._steps.drop  # drops the steps with lower numbers
        if self._ended:  # no source is to be prepared: saves every step a call or two
            self.ask_for = self._steps.ask_for  # type: ignore[assignment, method-assign]
            self.look = self._look  # type: ignore[method-assign]

    @property
    def is_making(self) -> bool:
        """Whether the calling thread is making a step, so that it cannot stop this object."""
        return self._steps.is_making

    def ask_for(self, end: int) -> None:
        """Has all steps with numbers below `end` made."""
        if not self._ended:
            self._ended = not self._prepare(end)
        self._steps.ask_for(end)

    def look(self, number: int) -> Step[Position, Results] | None:
        """Returns the step with that number, which stays until `drop`; None where another thread has dropped it."""
        if not self._ended:
            self._ended = not self._prepare(number + 1)
        return self._look(number)

    def take(self, depth: int) -> Step[Position, Results]:
        """Takes the next step, and has the `depth` steps after it made. Not to be mixed with `look` and `drop`.

        An interrupt may lose the step: the consumer starts over then, with another object of this class.
        """
        if not self._ended:
            self._ended = not self._prepare(self._taken + 1 + depth)
            self._taken += 1
        return self._steps.take_or_make(depth) if queue_listeners else self._take_unheard(depth)  # type: ignore[union-attr]

    def stop(self) -> None:
        """Ends the thread and drops the steps it has made."""
        self._steps.stop()


class _MakerAnew(Generic[Position, Results]):
    """Makes the steps that are not like the one before; after one that ends the program, steps with the same error."""

    def __init__(self, program: Program[Position, Results]) -> None:
        self._program = program
        self._end: BaseException | None = None

    def make(self, number: int, position: Position) -> Step[Position, Results]:
        if self._end is not None:
            return self._program.step(position, error=self._end)
        return self._ending(self._program.make(number, position))

    def failed(self, position: Position, error: BaseException) -> Step[Position, Results] | None:
        """Returns the step that has an error in place of results.

        None in the thread of the consumer, where it may be an interrupt: it is raised there, and the step made again.
        """
        if not isinstance(threading.current_thread(), BackgroundThread):
            return None
        return self._ending(self._program.step(position, error=error))

    def _ending(self, step: Step[Position, Results]) -> Step[Position, Results]:
        if step.error is not None and self._program.is_last(step.error):
            self._end = step.error
        return step


class _AtOnce(Generic[Position, Results]):
    """Stands in for `Lookahead` without a thread: makes every step when it is asked for."""

    running = True
    is_making = False

    def __init__(self, make: Callable[[], Step[Position, Results]], first: int) -> None:
        self.thread = self
        self._make = make
        self._next = first
        self._ready: dict[int, Step[Position, Results]] = {}

    def ask_for(self, end: int) -> None:
        while self._next < end:
            made = self._make()
            self._ready[self._next] = made
            self._next += 1

    def look(self, number: int) -> Step[Position, Results] | None:
        self.ask_for(number + 1)
        return self._ready.get(number)

    look_or_make = look

    def drop(self, before: int) -> None:
        for number in [*self._ready]:
            if number < before:
                self._ready.pop(number, None)

    def stop(self) -> None:
        self._ready = {}
