"""One step of a program: what its sources gave for it, and what was made of that."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Generic, TypeVar

from penstock._native import Samples
from penstock.engine.program.source import Fetched
from penstock.values.spec import Spec, spec_of

if TYPE_CHECKING:
    from penstock.engine.program.plan import Plan

# The specs of what sources give and the numbers of samples, None for a single one: other data needs another plan.
Kind = tuple[tuple[Spec, int | None], ...]

Position = TypeVar("Position")  # where random generators stand
Results = TypeVar("Results")


class Step(Generic[Position, Results]):
    """What was fetched for a step, and its results; `error` tells why there are none.

    `position` is where random generators stand as the step begins, `behind` where they stand after it.
    """

    __slots__ = ("behind", "error", "fetched", "given", "kind", "kinds", "plan", "position", "results")

    def __init__(self, position: Position, fetched: Sequence[Fetched] = (), error: BaseException | None = None) -> None:
        self.position = self.behind = position
        self.fetched = fetched
        self.error = error
        self.kinds = [*map(kind_of, fetched)]
        self.kind: Kind = ()
        self.given: tuple[Samples, ...] = ()
        for each, kind in zip(fetched, self.kinds):  # noqa: B905 - as many, made from them
            self.kind += kind
            self.given += each.outputs
        self.plan: Plan[Position, Results] | None = None
        self.results: Results | None = None


def kind_of(fetched: Fetched) -> Kind:
    """What kind of batch a source has given; empty where it has failed."""
    single = fetched.single
    return tuple([(spec_of(samples), None if single else len(samples)) for samples in fetched.outputs])
