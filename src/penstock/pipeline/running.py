"""The iterations of a pipeline, a few of them made ahead."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from penstock.engine.ahead import Ahead
from penstock.pipeline.execution import Asked, Iteration, Passed, Program
from penstock.pipeline.failures import of_operator


class Running:
    """Runs a program ahead of whoever takes its iterations. Dropping this object ends its thread.

    Sources that are code of the program's own are asked when an iteration is scheduled, in the thread that does so. The
    rest is done by a thread that runs ahead or, where the pipeline is not asynchronous, at once.
    """

    def __init__(
        self, program: Program, batch_size: int, iteration: int, samples: Passed, asynchronous: bool = True
    ) -> None:
        self._program = program
        self._batch_size = batch_size
        self._asynchronous = asynchronous
        self.iteration = iteration  # that is taken next
        self.samples = samples  # that have been taken
        self.scheduled = 0
        self._asked: deque[Asked] = deque()  # for the iterations that were not taken
        self._first: Iteration | None = None  # was looked at and not taken
        self._unasked = False  # it was made though nobody had scheduled it
        self._over = False  # StopIteration was handed out
        self._start()

    def _start(self) -> None:
        self._maker = _Maker(self._program, self._batch_size, self.iteration, self.samples, self._asked)
        makes = self._maker.make
        self._ahead = Ahead(makes, 0, "penstock-pipeline") if self._asynchronous else _AtOnce(makes)

    def schedule(self) -> None:
        """Has one more iteration made."""
        if self._unasked:
            self._unasked = False
        else:
            self._request()
        self.scheduled += 1

    def _request(self) -> None:
        over = bool(self._asked) and isinstance(self._asked[-1].error, StopIteration)
        iteration = self.iteration + len(self._asked)
        asked = Asked({}, StopIteration()) if over or self._over else self._program.ask(iteration)
        self._asked.append(asked)
        self._maker.to_do.append(asked)
        self._ahead.request()

    def look(self) -> Iteration:
        """The iteration that is taken next, made now if none is scheduled; it stays in its place."""
        if self._first is None:
            self._revive()
            if not self.scheduled:
                self._request()
                self._unasked = True
            self._first = self._ahead.take_last()
        return self._first

    def take(self) -> Iteration:
        """The next iteration that was scheduled; raises what it failed with, and the one after that goes on.

        Behind StopIteration there is nothing until `reset`.
        """
        if not self.scheduled:
            raise RuntimeError("no iteration of the pipeline is scheduled; call schedule_run() before its outputs")
        self._revive()
        made, self._first = self._first or self._ahead.take_last(), None
        self.scheduled -= 1
        self._asked.popleft()
        if isinstance(made.error, StopIteration):
            self._over = True
            self._program.take_back(made.fetched)
            raise made.error
        self._program.hand_out(made.fetched)
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
            for _ in self._asked:
                self._ahead.request()

    def reset(self) -> None:
        """Begins a new epoch if a source is exhausted; what was fetched for the other sources goes back to them."""
        if not self._over:
            return
        self._stop()
        self._program.reset(self.iteration)
        self.scheduled, self._over = 0, False
        self._start()

    def _stop(self) -> None:
        """Ends the thread."""
        left = ([] if self._first is None else [self._first]) + self._ahead.stop()
        self._first, self._unasked = None, False
        self._asked.clear()
        for made in reversed(left):
            self._program.take_back(made.fetched)


class _Maker:
    """What the thread knows: where the next iteration stands that it makes, and what was asked for it before."""

    def __init__(self, program: Program, batch_size: int, iteration: int, samples: Passed, to_do: deque[Asked]) -> None:
        self.to_do = deque(to_do)
        self._program = program
        self._batch_size = batch_size
        self._iteration = iteration
        self._samples = samples
        self._over = False

    def make(self) -> Iteration:
        asked = self.to_do.popleft()
        if self._over:  # an exception that was raised would keep the pipeline alive, and this thread with it
            return Iteration(asked.fetched, self._samples, StopIteration())
        made = self._program.run(self._iteration, self._samples, self._batch_size, asked)
        self._over = isinstance(made.error, StopIteration)
        self._iteration += 1
        self._samples = made.samples
        return made


class _AtOnce:
    """Makes every iteration when it is requested, in the thread that does so."""

    alive = True

    def __init__(self, make: Callable[[], Iteration]) -> None:
        self._make = make
        self._ready: deque[Iteration] = deque()

    def request(self) -> None:
        self._ready.append(self._make())

    def take_last(self) -> Iteration:
        return self._ready.popleft()

    def stop(self) -> list[Iteration]:
        left = [*self._ready]
        self._ready.clear()
        return left
