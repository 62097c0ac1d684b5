"""A program: sources, and the plans that every step runs on their batches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic

from penstock.engine.program.plan import Plans
from penstock.engine.program.source import Fetched, Source
from penstock.engine.program.step import Position, Results, Step
from penstock.engine.rng import RNG, thread_rng


class Program(Generic[Position, Results]):
    """Makes the steps: fetches a batch from every source and runs the plan for batches of that kind.

    It does not refer to the consumer of the steps, so the run-ahead thread does not keep the consumer alive.

    Args:
        sources: Asked for their batches in this order.
        plans: The plans by kind of batch.
        advance: Returns the positions of random generators after a step.
        ended_by: The errors of sources after which there are no more steps. After other errors the next step follows.
        rng: The default generator while a step is made, for operators that draw by themselves; unchanged if None.
    """

    def __init__(
        self,
        sources: Sequence[Source],
        plans: Plans[Position, Results],
        advance: Callable[[Step[Position, Results]], Position],
        ended_by: type[BaseException],
        rng: RNG | None = None,
    ) -> None:
        self.sources = sources
        self.plans = plans
        self._advance = advance
        self._ended_by = ended_by
        self._rng = rng
        self.own_sources = [source for source in sources if not source.background]  # called in the consumer's thread

    def is_last(self, error: BaseException) -> bool:
        """Whether no step follows a step with that error."""
        return isinstance(error, self._ended_by)

    def make(self, number: int, position: Position) -> Step[Position, Results]:
        """Makes the step with that number. An interrupted call may be repeated: sources keep the batches by number.

        After the error of a source the others are asked all the same, so that all of them go on with the next step; but
        not after one that ends the program. The first error is that of the step.
        """
        drawn_from = thread_rng.rng
        try:
            if self._rng is not None:
                thread_rng.rng = self._rng
            fetched: list[Fetched] = []
            first: BaseException | None = None
            for source in self.sources:
                each = source.fetch(number)
                fetched.append(each)
                if each.error is not None:
                    if isinstance(each.error, self._ended_by):
                        first = each.error
                        break
                    first = first or each.error
            step: Step[Position, Results] = Step(position, fetched, first)
            if first is None:
                try:
                    plans = self.plans
                    last, plan = plans.last
                    if step.kind != last:  # comparing a kind with the last one is much faster than hashing it
                        plan = plans.plan(step.kind)
                    step.plan = plan
                    if plan is not None:
                        try:
                            step.results = plan.run(step.given, position)
                        finally:
                            plans.latest = plan
                except Exception as error:
                    step.error = error
            step.behind = self._advance(step)
            return step
        finally:
            thread_rng.rng = drawn_from
