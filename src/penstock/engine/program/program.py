"""A program: sources, and the graph that every step runs on what they give."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic

from penstock.engine.program.plan import Plans
from penstock.engine.program.source import Fetched, Source
from penstock.engine.program.step import Position, Results, Step
from penstock.engine.rng import RNG, get_default_rng, replace_default_rng


class Program(Generic[Position, Results]):
    """Makes steps out of what sources give. It refers to nobody who takes them, so it does not keep them alive.

    Args:
        sources: Asked for their batches in this order.
        plans: What is run.
        advance: Where random generators stand behind a step.
        ended_by: The errors of sources behind which there are no more steps. Behind another one the next step follows.
        rng: What operators draw from that take no words of their own; the default generator if None.
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
        self._own_sources = [source for source in sources if not source.background]

    def prepare(self, number: int) -> bool:
        """Gets ready for a step what only the program's own thread may fetch; False where there is no such step."""
        return all(not self.is_last(source.prepare(number)) for source in self._own_sources)

    def is_last(self, error: BaseException | None) -> bool:
        """Whether no step follows one with that error."""
        return isinstance(error, self._ended_by)

    def make(self, number: int, position: Position) -> Step[Position, Results]:
        """Makes the step with that number. May be interrupted, and called again."""
        if self._rng is None:
            return self._make(number, position)
        drawn_from = get_default_rng()
        try:
            replace_default_rng(self._rng)
            return self._make(number, position)
        finally:
            replace_default_rng(drawn_from)

    def _make(self, number: int, position: Position) -> Step[Position, Results]:
        step: Step[Position, Results] = Step(position, *self._fetched(number))
        if step.error is None:
            try:
                self._run(step)
            except Exception as error:
                step.error = error
        step.behind = self._advance(step)
        return step

    def _run(self, step: Step[Position, Results]) -> None:
        plan = step.plan = self.plans.plan(step.kind)
        if plan is not None:
            try:
                step.results = plan.run(step.given, step.position)
            finally:
                self.plans.latest = plan

    def _fetched(self, number: int) -> tuple[list[Fetched], BaseException | None]:
        """What the sources give for a step, and the first error.

        All of them are asked, so that they stay in step where one has failed, but for those after one that has ended.
        """
        fetched: list[Fetched] = []
        first: BaseException | None = None
        for source in self.sources:
            each = source.fetch(number)
            fetched.append(each)
            if each.error is not None:
                if self.is_last(each.error):
                    return fetched, each.error
                first = first or each.error
        return fetched, first
