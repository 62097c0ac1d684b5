"""The iterations of a pipeline, a few of them made ahead."""

from __future__ import annotations

from penstock.engine.ahead import Ahead
from penstock.pipeline.execution import Iteration, Passed, Program, source_of
from penstock.pipeline.failures import of_operator


class Running:
    """Runs a program ahead of whoever takes its iterations. Dropping this object ends its thread."""

    def __init__(self, program: Program, batch_size: int, iteration: int, samples: Passed) -> None:
        self._program = program
        self._batch_size = batch_size
        self.iteration = iteration  # that is taken next
        self.samples = samples  # that have been taken
        self.scheduled = 0
        self._first: Iteration | None = None  # was looked at and not taken
        self._unasked = False  # it was made though nobody had scheduled it
        self._start()

    def _start(self) -> None:
        maker = _Maker(self._program, self._batch_size, self.iteration, self.samples)
        self._ahead = Ahead(maker.make, 0, "penstock-pipeline")

    def schedule(self) -> None:
        """Has one more iteration made."""
        self.scheduled += 1
        if self._unasked:
            self._unasked = False
        else:
            self._ahead.request()

    def look(self) -> Iteration:
        """The iteration that is taken next, made now if none is scheduled; it stays in its place."""
        if self._first is None:
            if not self.scheduled:
                self._unasked = True
                self._ahead.request()
            self._revive()
            self._first = self._ahead.take_last()
        return self._first

    def take(self) -> Iteration:
        """The next iteration that was scheduled; raises what it failed with, and the one after that goes on.

        Behind StopIteration there is nothing until `reset`.
        """
        if not self.scheduled:
            raise RuntimeError("no iteration of the pipeline is scheduled; call schedule_run() before its outputs")
        self._revive()
        self.scheduled -= 1
        made, self._first = self._first or self._ahead.take_last(), None
        if isinstance(made.error, StopIteration):
            raise made.error
        for definition, fetch in zip(self._program.sources, made.fetched, strict=False):
            source_of(definition).hand_out(fetch.receipt)
        self.iteration += 1
        self.samples = made.samples
        if made.error is not None:
            raise of_operator(made.error)
        return made

    def _revive(self) -> None:
        """A forked child inherits no threads."""
        if not self._ahead.alive:
            self._first = None
            self._start()
            for _ in range(self.scheduled + self._unasked):
                self._ahead.request()

    def reset(self) -> None:
        """Lets sources that are exhausted start over; what was made ahead goes back to the others."""
        self.stop()
        for definition in self._program.sources:
            source_of(definition).reset(self.iteration)
        self.scheduled = 0
        self._start()

    def stop(self) -> None:
        """Ends the thread."""
        left = ([] if self._first is None else [self._first]) + self._ahead.stop()
        self._first, self._unasked = None, False
        for made in reversed(left):
            for definition, fetch in zip(self._program.sources, made.fetched, strict=False):
                source_of(definition).take_back(fetch.receipt)


class _Maker:
    """What the thread knows: where the next iteration stands that it makes."""

    def __init__(self, program: Program, batch_size: int, iteration: int, samples: Passed) -> None:
        self._program = program
        self._batch_size = batch_size
        self._iteration = iteration
        self._samples = samples
        self._over = False

    def make(self) -> Iteration:
        if self._over:  # an exception that was raised would keep the pipeline alive, and this thread with it
            return Iteration([], self._samples, StopIteration())
        made = self._program.run(self._iteration, self._samples, self._batch_size)
        self._over = isinstance(made.error, StopIteration)
        self._iteration += 1
        self._samples = made.samples
        return made
