"""The pipelines and compiled loops that a program runs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from penstock.engine import events
from penstock.engine.explanation import Explanation


class Watch:
    """What has run since it was started, in the order in which it first did."""

    def __init__(self) -> None:
        self._seen: dict[int, tuple[object, list[events.Explainable]]] = {}

    def note(self, owner: object, plan: events.Explainable) -> None:
        self._seen.setdefault(id(owner), (owner, []))[1].append(plan)

    def plans(self) -> list[Explanation]:
        """Of each pipeline and loop the plan that most of its time went to: its batches may be of several kinds."""
        explained = [[plan.explain() for plan in plans] for _, plans in list(self._seen.values())]
        chosen = [max(each, key=lambda plan: sum(stage.seconds for stage in plan.stages)) for each in explained]
        return [plan for plan in chosen if plan.stages]


@contextmanager
def watching() -> Iterator[Watch]:
    """Sees all pipelines and compiled loops that are planned inside the block."""
    watch = Watch()
    events.watchers.append(watch.note)
    try:
        yield watch
    finally:
        events.watchers.remove(watch.note)
