"""A stage of a graph, which is run again and again."""

from __future__ import annotations

import time
from collections.abc import Sequence

from penstock._native import Pool, Samples
from penstock.engine.chains import NativeChain, native_chain, repeated
from penstock.engine.events import Pass
from penstock.engine.executor import run_stage, samples_of
from penstock.engine.invocation import Invocation, Result, ready
from penstock.engine.planner import Stage
from penstock.values.dtypes import uint8
from penstock.values.spec import Spec


class Turn:
    """The calls of one stage, those whose results nobody needs behind it, how it last ran and how long in all.

    `sized_by` is the result, of which call, that has as many samples as the stage, if that is not known before. `chain`
    is what the calls come to on an input like the last one, if they are steps that do not depend on its data.
    """

    __slots__ = ("calls", "chain", "passes", "samples", "seconds", "sized_by", "spent")

    def __init__(self, calls: Sequence[int], spent: Sequence[int], sized_by: tuple[int, int] | None) -> None:
        self.calls = tuple(calls)
        self.spent = tuple(spent)
        self.sized_by = sized_by
        self.chain: NativeChain | None = None
        self.passes: Sequence[Pass] = ()
        self.samples = 0
        self.seconds = 0.0

    def run(self, order: list[Invocation], pool: Pool) -> None:
        started = time.perf_counter()
        stage = [order[position] for position in self.calls]
        if self.sized_by is None or _is_sized(stage, Result(order[self.sized_by[0]], self.sized_by[1])):
            self._run(stage, pool)
        self.samples = samples_of(stage[0])
        self.seconds += time.perf_counter() - started
        for position in self.spent:
            order[position].outputs = None

    def _run(self, stage: Stage, pool: Pool) -> None:
        if self.chain is None or not self.chain.run(stage, pool):
            spec = repeated(stage)
            self.passes = run_stage(stage, pool)
            self.chain = None if spec is None else native_chain(stage, spec)


def _is_sized(stage: Stage, like: Result) -> bool:
    """Tells the calls of a stage how many samples they have; where there are none, they are done with that."""
    try:
        size = len(ready(like))
    except Exception as error:
        for call in stage:
            call.fail(error)
        return False
    for call in stage:
        call.batch_size = size
    if not size:
        stage[-1].finish([_nothing(spec) for spec in stage[-1].specs])
    return size > 0


def _nothing(spec: Spec) -> Samples:
    nothing = Samples.empty(uint8.code if spec.dtype is None else spec.dtype.code, 0, [0] * (spec.ndim or 0))
    nothing.layout = spec.layout or ""
    return nothing
