"""One step of a compiled loop, from the time it is made until its body has run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from penstock._native import kind_of
from penstock.capture.feeds import LoopSource
from penstock.capture.loop_plan import LoopPlan, Made
from penstock.capture.rng_forecast import Positions
from penstock.capture.traced_call import RandomDraw, TracedCall
from penstock.dynamic.sources.items import Read
from penstock.engine.graph.node import Node
from penstock.engine.invocation import Invocation
from penstock.engine.program.source import Fetched
from penstock.engine.program.step import Step
from penstock.engine.rng import StreamPosition


class LoopStep(Step[Positions, Made]):
    """The batches fetched and the calls made ahead for a step, and which of them the loop's body has used so far.

    `sources` are those of the batches. The program has got the first `handed_out` of these. The body goes `astray` when
    it reads other sources, or in another order, than the steps before. It is `surprised` when it uses a result or a
    source that the plan does not make ahead.
    """

    __slots__ = ("_late", "astray", "handed_out", "sources", "surprised")

    if TYPE_CHECKING:
        plan: LoopPlan | None

    def __init__(
        self, position: Positions, fetched: Sequence[Fetched] = (), error: BaseException | None = None
    ) -> None:
        super().__init__(position, fetched, error)
        self.sources: Sequence[LoopSource] = ()  # set when the step is taken
        self.handed_out = 0
        self.astray = False
        self.surprised = False
        self._late: Made | None = None

    def knows(self, node: Node) -> bool:
        """Whether a call is part of the plan: made ahead, or not asked for by anybody yet."""
        return self.plan is not None and node in self.plan.known

    def fetch_late(self, read: Read) -> None:
        """Fetches the item that the body reads now; drops the fetches of the plan that were not handed out."""
        fetched, count = read.fetch(read.following), self.handed_out
        self.sources = [*self.sources[:count], read]
        self.fetched = [*self.fetched[:count], fetched]
        self.kinds = [*self.kinds[:count], kind_of(fetched.outputs, fetched.single)]

    def position_at(self, draw: RandomDraw) -> StreamPosition | None:
        """Returns the forecast position of a draw's generator at its call; None for a generator without forecast."""
        start = self.position.get(draw.rng)
        return None if start is None else start.after(draw.offset)

    def is_foreseen(self) -> bool:
        """Whether the plan's generators are, as the step begins, at the positions it was made with."""
        return self.plan is None or all(rng.is_at(self.position[rng]) for rng in self.plan.generators)

    def call_of(self, node: TracedCall) -> Invocation:
        """Returns the call of a node whose result was not wanted so far, to be run on demand.

        It is part of a graph of all calls of the step, in which those that were made ahead are finished already.
        """
        self.surprised = True
        if self._late is None:
            assert self.plan is not None
            self._late = self.plan.calls(self.given, self.position)
            for finished, call in (self.results or {}).items():
                if call.outputs is not None:
                    self._late[finished].finish(call.outputs)
        return self._late[node]
