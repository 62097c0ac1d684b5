"""One step of a compiled loop: a batch, and what was made of it before the loop came to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from penstock._native import Pool
from penstock.capture.forecast import Places
from penstock.capture.inlet import Feed, Fetch, Inlet, Kind
from penstock.capture.traced import Draws, Traced
from penstock.engine.context import EvalContext
from penstock.engine.explain import of_graph
from penstock.engine.explanation import ExplainedSource, Explanation, counted, place
from penstock.engine.graph.graph import Graph
from penstock.engine.graph.node import Node
from penstock.engine.invocation import Invocation
from penstock.engine.rng import Place
from penstock.engine.site import Site
from penstock.values.spec import Spec


class Refused(NamedTuple):
    """A call that is made when the loop comes to it, and why."""

    operator: str
    site: Site
    reason: str


class Setting(NamedTuple):
    """What a loop reads from, how many steps it makes ahead, and the calls it cannot make ahead, with the reasons."""

    source: str
    depth: int
    refused: Mapping[tuple[str, Site], Refused]


class Plan:
    """The calls to make ahead for batches of one kind, and the sources to read for them."""

    def __init__(
        self, nodes: Sequence[Traced], kind: Kind, feeds: Sequence[Feed], context: EvalContext, setting: Setting
    ) -> None:
        self._setting = setting
        self._size = kind[0][1] if kind else None
        self._sources = [ExplainedSource(setting.source, None, _specs(kind))]
        self._sources += [ExplainedSource("ExternalSource", feed.site, _specs(feed.kind)) for feed in feeds]
        self.graph = Graph(nodes, [node for node in nodes if node.wanted], context)
        self.kind = sum((feed.kind for feed in feeds), kind)
        self.reads = [feed.read for feed in feeds]
        self.draws = [(node, node.written.draws) for node in nodes if node.written.draws is not None]
        self.generators = {draws.rng for _, draws in self.draws}

    def explain(self) -> Explanation:
        """What is made ahead in every step, and how it was done the last time."""
        _, depth, refused = self._setting
        notes = [f"not made ahead  {each.operator} at {place(each.site)}: {each.reason}" for each in refused.values()]
        given = "single samples" if self._size is None else f"batches of {self._size}"
        title = f"compiled loop, {given}, {counted(depth, 'step')} made ahead"
        return of_graph(self.graph, title, self._sources, notes=notes)


def _specs(kind: Kind) -> tuple[Spec, ...]:
    return tuple(spec for spec, _ in kind)


class Step:
    """What was fetched for a step, its batch first, what is made of it, and where the generators stand as it begins."""

    def __init__(self, fetches: Sequence[Fetch], plan: Plan | None, places: Places) -> None:
        self.fetches = [*fetches]
        self.places = places
        self.handed_out = 0  # so many of the fetches
        self.astray = False  # the body reads sources otherwise than the steps before
        self.failed = fetches[-1].failed
        self.given, kind = fetches[0].outputs, fetches[0].kind
        for fetch in fetches[1:]:
            self.given += fetch.outputs
            kind += fetch.kind
        self.plan = plan if plan is not None and kind == plan.kind else None
        # The calls that are part of the step, made ahead or left until somebody asks.
        self.known: frozenset[Node] = frozenset() if self.plan is None else self.plan.graph.known
        self.made: dict[Node, Invocation] = {}
        self.surprised = False  # somebody asked for something that was not made ahead
        self._late: dict[Node, Invocation] | None = None

    def run(self, pool: Pool) -> Step:
        """Makes what is wanted."""
        if self.plan is not None:
            self.made = self.plan.graph.run(self.given, self._words(self.plan), pool)
        return self

    def release(self) -> None:
        """What was fetched and not handed out does not belong to the step any more."""
        del self.fetches[self.handed_out :]

    def place(self, draws: Draws) -> Place | None:
        """Where a generator will stand at that call, if all goes as it did before."""
        start = self.places.get(draws.rng)
        return None if start is None else start.after(draws.offset)

    def is_foreseen(self) -> bool:
        """Whether the generators stand where they were expected to as the step began."""
        if self.plan is None or not self.plan.generators:
            return True
        return all(rng.place == self.places[rng] for rng in self.plan.generators)

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


def fetched(inlet: Inlet, plan: Plan | None) -> Iterator[Fetch]:
    """What a step needs, up to the first thing that there is not."""
    fetch = Fetch(inlet, inlet.fetch())
    yield fetch
    if plan is None or not fetch.outputs:
        return
    for read in plan.reads:
        fetch = Fetch(read, read.fetch())
        yield fetch
        if fetch.failed:
            return
