"""The iterations of a pipeline, a few of them made ahead.

Iterations have numbers and stay where they are until the program has got them, which is noted in one place,
`Running.place`: whatever is interrupted before has changed nothing that matters, and may be done again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeVar

from penstock._native import Samples
from penstock.engine.ahead import Ahead
from penstock.pipeline.execution import Asked, Iteration, Passed, Program
from penstock.pipeline.failures import of_operator
from penstock.pipeline.sources import Source

Result = TypeVar("Result")


class Place(NamedTuple):
    """Where the program stands."""

    iteration: int  # that it gets next
    samples: Passed  # that it has got
    scheduled: int = 0  # iterations from there on
    over: bool = False  # it has got StopIteration, behind which there is nothing until `reset`


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
        self.place = Place(iteration, samples)
        self._asked: dict[int, Asked] = {}  # for the iterations that the program has not got
        self._unreset: list[Source] | None = None  # sources, while they are reset
        self._start()

    @property
    def scheduled(self) -> int:
        """How many iterations are scheduled that the program has not got."""
        return self.place.scheduled

    @property
    def following(self) -> int:
        """The number of the iteration that is scheduled next."""
        return self.place.iteration + self.place.scheduled

    def _start(self) -> None:
        make = _Maker(self._program, self._batch_size, self.place, self._asked)
        first = self.place.iteration
        self._ahead: Ahead[Iteration] | _AtOnce
        if self._asynchronous:
            self._ahead = Ahead(make.in_background, 0, "penstock-pipeline", first)
        else:
            self._ahead = _AtOnce(make, first)

    def schedule(self) -> None:
        """Has one more iteration made."""
        place = self.place
        if not place.over:
            self._request(place.iteration + place.scheduled)
        behind = place._replace(scheduled=place.scheduled + 1)
        self.place = behind  # the note

    def _request(self, iteration: int) -> None:
        if iteration not in self._asked:
            before = self._asked.get(iteration - 1)
            over = before is not None and isinstance(before.error, StopIteration)
            self._asked[iteration] = Asked({}, StopIteration()) if over else self._program.ask(iteration)
        self._ahead.ask_for(iteration + 1)

    def look(self) -> Iteration:
        """The iteration that is taken next, made now if none is scheduled; it stays in its place."""
        while True:
            self._settle()
            if not self._ahead.alive:  # a forked child inherits no threads
                self._program.rewind()
                self._start()
            number = self.place.iteration
            self._request(number)
            made = self._ahead.look(number, 0)
            if made is not None:  # else another thread has taken it
                return made

    def take(self, convert: Callable[[list[Samples]], Result]) -> Result:
        """What `convert` makes of the outputs of the next iteration that was scheduled.

        Raises what that failed with, and the one after it goes on.
        """
        while True:
            place = self.place
            if not place.scheduled:
                raise RuntimeError("no iteration of the pipeline is scheduled; call schedule_run() before its outputs")
            made = Iteration(place.samples, StopIteration()) if place.over else self.look()
            result, error, iteration, over = None, made.error, place.iteration + 1, False
            if error is None:
                try:
                    result = convert(made.outputs)
                except Exception as raised:
                    error = raised
            elif isinstance(error, StopIteration):
                iteration, over = place.iteration, True
            else:
                error = of_operator(error)
            behind = Place(iteration, made.samples, place.scheduled - 1, over)
            if self.place is place:  # else another thread has taken it
                self.place = behind  # the note: behind it there is no call
                if error is not None:
                    raise error
                return result  # type: ignore[return-value]

    def _settle(self) -> None:
        """Lets go of all that was kept for iterations that the program has got. Comes before anything else is done."""
        number = self.place.iteration
        self._program.hand_out(number)
        self._ahead.drop(number)
        for each in [*self._asked]:
            if each < number:
                self._asked.pop(each, None)

    def settled(self) -> Place:
        """Where the program stands, as its sources know it too."""
        self._settle()
        return self.place

    def reset(self) -> None:
        """Begins a new epoch if a source is exhausted; what was fetched for it from the others stays for the next."""
        place = self.place
        if not place.over:
            return
        self._settle()
        self._ahead.stop()
        self._asked.clear()
        if self._unreset is None:
            self._unreset = self._program.own_sources
        while self._unreset:  # a call that was interrupted is taken up where it was
            self._unreset[-1].reset(place.iteration)
            del self._unreset[-1]
        self._start()
        behind = Place(place.iteration, place.samples)
        self._unreset = None
        self.place = behind  # the note


class _Maker:
    """Makes one iteration after the other, from what was asked for each."""

    def __init__(self, program: Program, batch_size: int, place: Place, asked: dict[int, Asked]) -> None:
        self._program = program
        self._batch_size = batch_size
        self._iteration = place.iteration
        self._samples = place.samples
        self._over = False
        self._asked = asked

    def __call__(self) -> Iteration:
        """The next iteration; the same again where this was interrupted."""
        if self._over:
            return Iteration(self._samples, StopIteration())
        made = self._program.run(self._iteration, self._samples, self._batch_size, self._asked[self._iteration])
        over = isinstance(made.error, StopIteration)
        self._iteration += 1
        self._samples, self._over = made.samples, over
        return made

    def in_background(self) -> Iteration:
        """As a call; whatever is raised where no interrupts come is the iteration's."""
        try:
            return self()
        except BaseException as error:
            return Iteration(self._samples, error)


class _AtOnce:
    """Makes every iteration when it is asked for, in the thread that does so."""

    alive = True

    def __init__(self, make: Callable[[], Iteration], first: int) -> None:
        self._make = make
        self._next = first
        self._ready: dict[int, Iteration] = {}

    def ask_for(self, end: int) -> None:
        while self._next < end:
            made = self._make()
            self._ready[self._next] = made
            self._next += 1

    def look(self, number: int, depth: int) -> Iteration | None:
        self.ask_for(number + 1 + depth)
        return self._ready.get(number)

    def drop(self, before: int) -> None:
        for number in [*self._ready]:
            if number < before:
                self._ready.pop(number, None)

    def stop(self) -> None:
        self._ready = {}
