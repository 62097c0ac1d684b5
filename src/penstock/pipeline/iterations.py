"""The iterations of a pipeline, a few of them made ahead.

Iterations have numbers and stay where they are until the program has got them, which is noted in one place,
`Iterations.place`: whatever is interrupted before has changed nothing that matters, and may be done again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from penstock._native import Samples
from penstock.engine.program.run_ahead import RunAhead
from penstock.pipeline.failures import of_operator, of_source
from penstock.pipeline.lowering import Iteration, LoweredPipeline, source_of
from penstock.pipeline.plan import Outputs, Passed
from penstock.pipeline.sources import PipelineSource

Result = TypeVar("Result")


class PipelinePlace(NamedTuple):
    """Where the program stands."""

    iteration: int  # that it gets next
    samples: Passed  # that it has got
    scheduled: int = 0  # iterations from there on
    over: bool = False  # it has got StopIteration, behind which there is nothing until `reset`


class Iterations:
    """Runs a pipeline ahead of whoever takes its iterations. Dropping this object ends its thread.

    Sources that are code of the program's own are asked when an iteration is scheduled, in the thread that does so. The
    rest is done by a thread that runs ahead or, where the pipeline is not asynchronous, at once.
    """

    def __init__(self, pipeline: LoweredPipeline, iteration: int, samples: Passed, asynchronous: bool = True) -> None:
        self._pipeline = pipeline
        self._program = pipeline.program()
        self._asynchronous = asynchronous
        self.place = PipelinePlace(iteration, samples)
        self._settled = iteration  # what was kept for those below is let go
        self._unreset: list[PipelineSource] | None = None  # sources, while they are reset
        self._start()

    @property
    def scheduled(self) -> int:
        """How many iterations are scheduled that the program has not got."""
        return self.place.scheduled

    @property
    def following(self) -> int:
        """The number of the iteration that is scheduled next."""
        return self.place.iteration + self.place.scheduled

    @property
    def latest_plan(self) -> Any:
        """The plan that was run last; None before the first iteration."""
        return self._program.plans.latest

    def _start(self) -> None:
        self._ahead: RunAhead[Passed, Outputs] = RunAhead(
            self._program, "penstock-pipeline", self.place.iteration, self.place.samples, self._asynchronous
        )

    def schedule(self) -> None:
        """Has one more iteration made."""
        place = self.place
        if not place.over:
            self._ahead.ask_for(place.iteration + place.scheduled + 1)
        behind = place._replace(scheduled=place.scheduled + 1)
        self.place = behind  # the note

    def look(self) -> Iteration:
        """The iteration that is taken next, made now if none is scheduled; it stays in its place."""
        while True:
            self._settle()
            if not self._ahead.alive:  # a forked child inherits no threads
                for source in self._sources():
                    source.rewind()
                self._start()
            made = self._ahead.look(self.place.iteration)
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
            made = Iteration(place.samples, error=StopIteration()) if place.over else self.look()
            result, error, iteration, over = None, made.error, place.iteration + 1, False
            if error is None:
                assert made.results is not None
                try:
                    result = convert(made.results.samples)
                except Exception as raised:
                    error = raised
            elif isinstance(error, StopIteration):
                iteration, over = place.iteration, True
            else:
                error = self._described(error, made)
            behind = PipelinePlace(iteration, made.behind, place.scheduled - 1, over)
            if self.place is place:  # else another thread has taken it
                self.place = behind  # the note: behind it there is no call
                if error is not None:
                    raise error
                return result  # type: ignore[return-value]

    def _described(self, error: BaseException, made: Iteration) -> BaseException:
        """The error of an iteration, telling which source or operator it is of."""
        for definition, fetched in zip(self._pipeline.sources, made.fetched, strict=False):
            if fetched.error is error:
                return of_source(error, definition)
        return of_operator(error)

    def _settle(self) -> None:
        """Lets go of all that was kept for iterations that the program has got. Comes before anything else is done."""
        number = self.place.iteration
        if self._settled < number:
            for source in self._sources():
                source.hand_out(number)
            self._ahead.drop(number)
            self._settled = number

    def settled(self) -> PipelinePlace:
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
        if self._unreset is None:
            self._unreset = self._sources()
        while self._unreset:  # a call that was interrupted is taken up where it was
            self._unreset[-1].reset(place.iteration)
            del self._unreset[-1]
        self._start()
        behind = PipelinePlace(place.iteration, place.samples)
        self._unreset = None
        self.place = behind  # the note

    def _sources(self) -> list[PipelineSource]:
        return [*map(source_of, self._pipeline.sources)]
