"""A step of a compiled loop as the program goes through it."""

from __future__ import annotations

from collections.abc import Sequence

from penstock.capture.feeds import Fetch, Reading
from penstock.capture.loop_plan import LoopPlan, Made
from penstock.capture.rng_forecast import Positions
from penstock.capture.traced_call import RandomDraw, TracedCall
from penstock.dynamic.items import Read
from penstock.engine.graph.node import Node
from penstock.engine.invocation import Invocation
from penstock.engine.program.step import Step, kind_of
from penstock.engine.rng import StreamPosition


class LoopStep:
    """What was fetched and made ahead for a step, and how far the loop's body has come in it."""

    def __init__(self, step: Step[Positions, Made], readings: Sequence[Reading]) -> None:
        pairs = zip(readings, step.fetched, step.kinds)  # noqa: B905 - there is nothing behind a source that failed
        self.fetches = [Fetch(reading[0], fetched, kind) for reading, fetched, kind in pairs]
        self.handed_out = 0  # so many of the fetches
        self.astray = False  # the body reads sources otherwise than the steps before
        self.failed = step.error is not None
        self.surprised = False  # somebody asked for something that was not made ahead
        self.plan: LoopPlan | None = step.plan  # type: ignore[assignment]
        # The calls that are part of the step, made ahead or left until somebody asks.
        self.known: frozenset[Node] = frozenset() if step.plan is None else step.plan.graph.known
        self.made: Made = step.results or {}
        self._given = step.given
        self._positions = step.position
        self._late: Made | None = None

    def fetch_late(self, read: Read) -> None:
        """Fetches what the body reads next, in place of what it was expected to read."""
        fetched = read.fetch(read.following)
        del self.fetches[self.handed_out :]
        self.fetches.append(Fetch(read, fetched, kind_of(fetched)))

    def position(self, draw: RandomDraw) -> StreamPosition | None:
        """Where a generator will stand at that call, if all goes as it did before."""
        start = self._positions.get(draw.rng)
        return None if start is None else start.after(draw.offset)

    def is_foreseen(self) -> bool:
        """Whether the generators stand where they were expected to as the step began."""
        if self.plan is None or not self.plan.generators:
            return True
        return all(rng.position == self._positions[rng] for rng in self.plan.generators)

    def call_of(self, node: TracedCall) -> Invocation:
        """The call of a node that was not wanted so far. What was made ahead serves it."""
        self.surprised = True
        if self._late is None:
            assert self.plan is not None
            self._late = self.plan.calls(self._given, self._positions)
            for finished, call in self.made.items():
                if call.outputs is not None:
                    self._late[finished].finish(call.outputs)
        return self._late[node]
