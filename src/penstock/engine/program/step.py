"""One step of a program: the batches of its sources, and the results made from them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Generic, TypeVar

from penstock._native import Samples, kind_of
from penstock.engine.program.source import Fetched
from penstock.values.spec import Spec

if TYPE_CHECKING:
    from penstock.engine.program.plan import Plan

# Specs and numbers of samples of the outputs of sources, None for single samples: each kind of data needs its own plan.
Kind = tuple[tuple[Spec, int | None], ...]

Position = TypeVar("Position")  # the positions of random generators
Results = TypeVar("Results")


class Step(Generic[Position, Results]):
    """The batches fetched for a step and its results, or the `error` that kept it from having any.

    `position` are the positions of random generators as the step begins, `behind` those after it.
    """

    __slots__ = ("behind", "error", "fetched", "given", "kind", "kinds", "plan", "position", "results")

    def __init__(self, position: Position, fetched: Sequence[Fetched] = (), error: BaseException | None = None) -> None:
        self.position = self.behind = position
        self.fetched = fetched
        self.error = error
        self.kinds: list[Kind] = []
        self.kind: Kind = ()
        self.given: tuple[Samples, ...] = ()
        for each in fetched:
            outputs = each.outputs
            kind = kind_of(outputs, each.single)
            self.kinds.append(kind)
            self.kind += kind
            self.given += outputs
        self.plan: Plan[Position, Results] | None = None
        self.results: Results | None = None
