"""The iterations of a pipeline, a few of them made ahead.

Iterations have numbers and are kept until the user's program has got them. The only record of that is the cursor
`Iterations.place`, which is replaced last and in one assignment. An interrupt before it leaves the cursor as it was,
and the call may be repeated.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from penstock._native import Samples
from penstock.engine import events
from penstock.engine.program.run_ahead import RunAhead
from penstock.pipeline.failures import of_operator, of_source
from penstock.pipeline.lowering import Iteration, LoweredPipeline, source_of
from penstock.pipeline.plan import Outputs, Passed
from penstock.pipeline.sources.source import PipelineSource
from penstock.values.new_tuple import new_tuple

Result = TypeVar("Result")


class PipelinePlace(NamedTuple):
    """The cursor of a pipeline: how far the user's program has got."""

    iteration: int  # the number of the one that it gets next
    samples: Passed  # the sample counts of those that it has got
    scheduled: int = 0  # how many iterations are scheduled, beginning with `iteration`
    over: bool = False  # it has got StopIteration, and gets nothing else before `reset`


class Iterations:
    """Runs a pipeline ahead of the consumer of its iterations. Its thread ends with this object.

    Sources that run the user's code are called when an iteration is scheduled, in the thread that does so. The rest is
    done by the run-ahead thread, or by the consumer who comes before it, see `RunAhead`; where the pipeline is not
    asynchronous, at once.
    """

    def __init__(self, pipeline: LoweredPipeline, iteration: int, samples: Passed, asynchronous: bool = True) -> None:
        self._pipeline = pipeline
        self._program = pipeline.program()
        self._sources: list[PipelineSource] = [*map(source_of, pipeline.sources)]
        self._asynchronous = asynchronous
        self.place = PipelinePlace(iteration, samples)
        self._settled = iteration  # sources have handed out, and this object dropped, iterations with lower numbers
        self._unreset: list[PipelineSource] | None = None  # during `reset`: the sources that are still to be reset
        self._start()

    @property
    def scheduled(self) -> int:
        """The number of iterations that are scheduled and that the program has not got yet."""
        return self.place.scheduled

    @property
    def following(self) -> int:
        """The number of the iteration that will be scheduled next."""
        return self.place.iteration + self.place.scheduled

    @property
    def latest_plan(self) -> Any:
        """The plan that ran last; None before the first iteration."""
        return self._program.plans.latest

    def _start(self) -> None:
        self._ahead: RunAhead[Passed, Outputs] = RunAhead(
            self._program,
            "penstock-pipeline",
            self.place.iteration,
            self.place.samples,
            self._asynchronous,
            self._pipeline.is_thread_bound,
        )

    def schedule(self) -> None:
        """Schedules one more iteration."""
        place = self.place
        if not place.over:
            self._ahead.ask_for(place.iteration + place.scheduled + 1)
        behind = new_tuple(PipelinePlace, (place.iteration, place.samples, place.scheduled + 1, place.over))
        self.place = behind  # moves the cursor

    def look(self) -> Iteration:
        """Returns the next iteration without taking it; makes it now if none is scheduled."""
        while True:
            self._settle()
            if not self._ahead.thread.running:  # a forked child inherits no threads
                for source in self._sources:
                    source.rewind()
                self._start()
            made = self._ahead.look(self.place.iteration)
            if made is not None:  # else another thread has taken it
                return made

    def _awaited(self) -> Iteration:
        """As `look`; announces how long that takes."""
        with events.Waiting("next iteration") as waiting:
            made = self.look()
            waiting.outputs = [] if made.results is None else made.results.samples
        return made

    def take(self, convert: Callable[[list[Samples]], Result]) -> Result:
        """Takes the next scheduled iteration; returns the result of `convert` on its outputs.

        Raises the error of an iteration that failed, which is taken then, too: the next call gets the one after it.
        """
        while True:
            place = self.place
            if not place.scheduled:
                raise RuntimeError("no iteration of the pipeline is scheduled; call schedule_run() before its outputs")
            if place.over:
                made = Iteration(place.samples, error=StopIteration())
            else:
                made = self._awaited() if events.wait_listeners else self.look()
            result, error, iteration, over = None, made.error, place.iteration + 1, False
            if error is None:
                assert made.results is not None
                if events.hand_out_listeners:
                    events.hand_out("pipeline", made.results.samples)
                try:
                    result = convert(made.results.samples)
                except Exception as raised:
                    error = raised
            elif isinstance(error, StopIteration):
                iteration, over = place.iteration, True
            else:
                error = self._described(error, made)
            behind = new_tuple(PipelinePlace, (iteration, made.behind, place.scheduled - 1, over))
            if self.place is place:  # else another thread has taken it
                self.place = behind  # moves the cursor; no call may follow, since an interrupt would come with it
                if error is not None:
                    raise error
                return result  # type: ignore[return-value]

    def _described(self, error: BaseException, made: Iteration) -> BaseException:
        """Adds to the error of an iteration which source or operator it comes from."""
        for definition, fetched in zip(self._pipeline.sources, made.fetched, strict=False):
            if fetched.error is error:
                return of_source(error, definition)
        return of_operator(error)

    def _settle(self) -> None:
        """Has sources hand out the iterations that the program has got, and drops them.

        `take` cannot do this after it has moved the cursor, so the next operation does it first. It may be repeated.
        """
        number = self.place.iteration
        if self._settled < number:
            for source in self._sources:
                source.hand_out(number)
            self._ahead.drop(number)
            self._settled = number

    def settled(self) -> PipelinePlace:
        """Returns the cursor after the sources have been told of it, so that their states agree with it."""
        self._settle()
        return self.place

    def reset(self) -> None:
        """Begins a new epoch if a source is exhausted.

        Batches that the other sources fetched for the iteration that ended are used in the next one, unless these
        sources start over.
        """
        place = self.place
        if not place.over:
            return
        self._settle()
        self._ahead.stop()
        if self._unreset is None:
            self._unreset = [*self._sources]
        while self._unreset:  # after an interrupt the next call goes on with those that are left
            self._unreset[-1].reset(place.iteration)
            del self._unreset[-1]
        self._start()
        behind = PipelinePlace(place.iteration, place.samples)
        self._unreset = None
        self.place = behind  # moves the cursor
