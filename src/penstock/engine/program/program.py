"""A program: sources, and the plans that every step runs on their batches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic, NamedTuple

from penstock._native import Samples
from penstock.engine.program.plan import Plan, Plans
from penstock.engine.program.source import Fetched, Source
from penstock.engine.program.step import Position, Results, Step
from penstock.engine.rng import RNG, thread_rng


class Numbering(NamedTuple):
    """The numbers of the batches that a source gives to the steps: every `stride`-th from number `first` on."""

    first: int = 0
    stride: int = 1


class Fetch(NamedTuple):
    """The function that fetches the batches of a source, and the numbers of those that it gives to the steps.

    Unless it is called in the `background`, only the thread that asks for steps is the first to fetch a batch.
    """

    fetch: Callable[[int], Fetched]
    first: int
    stride: int
    background: bool


class Program(Generic[Position, Results]):
    """Makes the steps: fetches a batch from every source and runs the plan for batches of that kind.

    It does not refer to the consumer of the steps, so the run-ahead thread does not keep the consumer alive.

    Args:
        sources: Asked for their batches in this order.
        plans: The plans by kind of batch. May be replaced at any time.
        advance: Returns the positions of random generators after a step; None where steps do not change them.
        ended_by: The errors of sources after which there are no more steps. After other errors the next step follows.
        rng: The default generator while a plan is run, for operators that draw by themselves; unchanged if None.
        numbering: The numbers of each source's batches; those of the steps if left out.
        step: The class of the steps.
    """

    def __init__(
        self,
        sources: Sequence[Source],
        plans: Plans[Position, Results],
        advance: Callable[[Any], Position] | None,
        ended_by: type[BaseException],
        rng: RNG | None = None,
        numbering: Sequence[Numbering] | None = None,
        step: type[Step[Position, Results]] = Step,
    ) -> None:
        self.plans = plans
        self.advance = advance
        self.step = step
        self._ended_by = ended_by
        self._rng = rng
        numbers = numbering or [Numbering()] * len(sources)
        self.fetches = [
            Fetch(source.fetch, *each, source.background) for source, each in zip(sources, numbers, strict=True)
        ]

    def is_last(self, error: BaseException) -> bool:
        """Whether no step follows a step with that error."""
        return isinstance(error, self._ended_by)

    def make(self, number: int, position: Position) -> Step[Position, Results]:
        """Makes the step with that number. An interrupted call may be repeated: sources keep the batches by number.

        After the error of a source the others are asked all the same, so that all of them go on with the next step; but
        not after one that ends the program. The first error is that of the step.

        `native/bind/runtime/step_maker.cc` makes steps like the one before: with the same kind of batches and plan.
        """
        fetched: list[Fetched] = []
        first: BaseException | None = None
        for fetch, from_number, stride, _ in self.fetches:
            each = fetch(from_number + number * stride)
            fetched.append(each)
            if each.error is not None:
                if self.is_last(each.error):
                    first = each.error
                    break
                first = first or each.error
        step = self.step(position, fetched, first)
        if first is None:
            try:
                plans = self.plans
                plan = step.plan = plans.plan(step.kind)
                if plan is not None:
                    try:
                        step.results = self.run(plan, step.given, position)
                    finally:
                        plans.latest = plan
            except Exception as error:
                step.error = error
        if self.advance is not None:
            step.behind = self.advance(step)
        return step

    def run(self, plan: Plan[Position, Results], given: Sequence[Samples], position: Position) -> Results:
        """Runs a plan, with the program's generator as the default one."""
        if self._rng is None:
            return plan.run(given, position)
        drawn_from = thread_rng.rng
        try:
            thread_rng.rng = self._rng
            return plan.run(given, position)
        finally:
            thread_rng.rng = drawn_from
