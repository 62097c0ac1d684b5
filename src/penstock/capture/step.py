"""One step of a compiled loop: a batch, and what was made of it before the loop came to it."""

from __future__ import annotations

from collections.abc import Sequence

from penstock._native import Pool, Samples
from penstock.capture.forecast import Places
from penstock.capture.traced import Draws, Traced
from penstock.engine.context import EvalContext
from penstock.engine.graph import Graph, Node
from penstock.engine.invocation import Invocation
from penstock.engine.rng import Place
from penstock.readers.prefetch import Fetched
from penstock.values.spec import Spec, spec_of

# The specs and numbers of samples of what a step is given: other data is another loop.
Kind = tuple[tuple[Spec, int], ...]


class Plan:
    """The calls to make ahead for batches of one kind."""

    def __init__(self, nodes: Sequence[Traced], kind: Kind, context: EvalContext) -> None:
        self.graph = Graph(nodes, [node for node in nodes if node.wanted], context)
        self.kind = kind
        self.draws = [(node, node.written.draws) for node in nodes if node.written.draws is not None]
        self.generators = {draws.rng for _, draws in self.draws}


class Step:
    """A batch that was fetched, what is made of it, and where the generators stand as the step begins."""

    def __init__(self, fetched: Fetched, plan: Plan | None, places: Places) -> None:
        self.fetched = fetched
        self.places = places
        self.given: tuple[Samples, ...] = () if isinstance(fetched.batch, Exception) else fetched.batch.outputs
        self.plan = plan if plan is not None and self.kind == plan.kind else None
        self.made: dict[Node, Invocation] = {}
        self.surprised = False  # somebody asked for something that was not made ahead
        self._late: dict[Node, Invocation] | None = None

    def run(self, pool: Pool) -> Step:
        """Makes what is wanted."""
        if self.plan is not None:
            self.made = self.plan.graph.run(self.given, self._words(self.plan), pool)
        return self

    @property
    def kind(self) -> Kind:
        return tuple([(spec_of(samples), len(samples)) for samples in self.given])

    def has(self, node: Traced) -> bool:
        """Whether that call is part of the step, made ahead or left until somebody asks."""
        return self.plan is not None and node in self.plan.graph

    def place(self, draws: Draws) -> Place | None:
        """Where a generator will stand at that call, if all goes as it did before."""
        start = self.places.get(draws.rng)
        return None if start is None else start.after(draws.offset)

    def is_foreseen(self) -> bool:
        """Whether the generators stand where they were expected to as the step began."""
        return self.plan is None or all(rng.place == self.places[rng] for rng in self.plan.generators)

    def call_of(self, node: Traced) -> Invocation:
        """The call of a node that was not wanted so far. What was made ahead serves it."""
        self.surprised = True
        if self._late is None:
            assert self.plan is not None
            self._late = self.plan.graph.calls(self.given, self._words(self.plan))
            for finished, call in self.made.items():
                if call.outputs is not None:
                    self._late[finished].finish(call.outputs)
        return self._late[node]

    def _words(self, plan: Plan) -> dict[Node, tuple[int, ...]]:
        return {node: self.places[draws.rng].after(draws.offset).words() for node, draws in plan.draws}
