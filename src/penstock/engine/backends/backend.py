"""What the backends have in common: what each of them can be asked, and the task it is asked about."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from penstock._native import ChainTimes, Pool, Samples, Step
from penstock.engine.arguments import input_specs, labelled
from penstock.engine.invocation import Invocation, Stage
from penstock.values.spec import Spec


class Task:
    """The calls of a stage from `position` on, and what is known of the inputs of the first of them.

    Before anything has run, `inputs` is None and `specs` is what the calls before have inferred; `complete` is False
    where one of those specs, or a per-sample argument, is still missing.
    """

    __slots__ = ("_specs", "call", "complete", "inputs", "pool", "position", "stage", "steps", "times")

    steps: list[Step]  # set by the native backend, which must build them to know how many calls it takes

    def __init__(
        self,
        stage: Stage,
        position: int,
        inputs: list[Samples] | None,
        pool: Pool,
        specs: list[Spec] | None = None,
        complete: bool = True,
    ) -> None:
        self.stage = stage
        self.position = position
        self.call: Invocation = stage[position]
        self.inputs = inputs
        self.pool = pool
        self.complete = complete
        self._specs = specs
        self.times: ChainTimes | None = None  # of native steps, where somebody wants to know

    def specs(self) -> list[Spec]:
        """The specs of the first call's inputs, an unlabelled one with the layout the operator takes it to have."""
        if self.inputs is None:
            assert self._specs is not None
            return [*(labelled(self.call, spec) for spec in self._specs[:1]), *self._specs[1:]]
        if self._specs is None:
            self._specs = input_specs(self.call, self.inputs)
        return self._specs


class Words(NamedTuple):
    """How a way to carry out calls is told to the user: of one call, in the legend of a drawing, of several calls."""

    call: str
    legend: str
    chain: str | None = None  # as of one call

    def of(self, count: int) -> str:
        return self.chain if self.chain and count > 1 else self.call


class Backend(Protocol):
    """One way to carry out calls."""

    @property
    def way(self) -> str:
        """Its name in events and explanations."""
        ...

    @property
    def words(self) -> Words:
        """What explanations and drawings call it."""
        ...

    @property
    def takes_chains(self) -> bool:
        """Whether it carries a sample through several calls, so that what is between them is never stored."""
        ...

    @property
    def names_samples(self) -> bool:
        """Whether its errors tell which sample is wrong; where not, the executor runs the call again as plain."""
        ...

    def serves(self, call: Invocation) -> bool:
        """Whether it can carry out such a call at all, on some data."""
        ...

    def accepts(self, task: Task) -> int | None:
        """How many calls of the task it carries out together, 0 for none; None where only the data can tell."""
        ...

    def run(self, task: Task, count: int) -> list[Samples]:
        """The results of the last of `count` calls, as many as were accepted."""
        ...
