"""What was chosen for a stage, kept for stages that are alike: no backend is asked again whose answer is known.

Stages are alike where their calls have the same memos, that is equal constant arguments, and inputs and per-sample
arguments of equal specs. What data decide is not kept.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, NamedTuple, Protocol

from penstock import _native
from penstock._native import ChainTimes, NativeChain, NumberSource, Pool, Samples
from penstock.engine.arguments import batch_arguments, grouped_arguments, input_specs, takes_frames
from penstock.engine.backends.native import Native, native_step
from penstock.engine.backends.native_chain import native_chain, repeatable_spec, samples_made
from penstock.engine.backends.storage import WholeStorage
from penstock.engine.events import Pass
from penstock.engine.invocation import Invocation, Stage, samples_of
from penstock.values.spec import Spec, spec_of


class KeptChoice(Protocol):
    """How a stage is run in one pass, without asking the backends.

    `chain` are its steps, where they serve all data and sizes that the stage can have; native code runs them by itself.
    """

    chain: NativeChain | None

    @property
    def passes(self) -> list[Pass]:
        """The pass that the stage is run in."""
        ...

    def run(self, stage: Stage, pool: Pool, times: ChainTimes | None) -> Samples | None:
        """The result of the stage; None where the executor must run it: for data of another kind, or after an error."""
        ...


class SameSteps:
    """A stage whose native steps serve all data of a spec."""

    def __init__(
        self, chain: NativeChain, calls: int, stacks_first: Callable[[list[Samples], int], bool] | None
    ) -> None:
        """`stacks_first` is that of the only call, if it has one: it decides by the sizes of every batch."""
        self._chain = chain
        self._stacks_first = stacks_first
        self.chain = chain if stacks_first is None else None
        self.passes = [Pass(Native.way, calls)]

    def run(self, stage: Stage, pool: Pool, times: ChainTimes | None) -> Samples | None:
        first = stage[0]
        samples = samples_made(first.inputs[0])
        if samples is None or samples.elsewhere:
            return None
        if self._stacks_first is not None and self._stacks_first([samples], pool.threads):
            return None
        return self._chain.run(samples, first.batch_size, pool, times)


class StepInput(NamedTuple):
    """The specs of a call's inputs, with layouts, and whether its step takes them frame by frame."""

    specs: list[Spec]
    by_frame: bool


class NewSteps:
    """A stage whose native steps are built from the per-sample arguments and random words of every batch.

    The first step may be built from the samples, too, as those of decoders are.
    """

    chain: NativeChain | None = None

    def __init__(self, given: Spec, inputs: list[StepInput]) -> None:
        """`given` is the spec of the stage's input as it comes, `inputs` are those of its calls."""
        self._given = given
        self._inputs = inputs
        self.passes = [Pass(Native.way, len(inputs))]

    def run(self, stage: Stage, pool: Pool, times: ChainTimes | None) -> Samples | None:
        first, last = stage[0], stage[-1]
        samples = samples_made(first.inputs[0])
        if samples is None or samples.elsewhere or samples.spec != self._given:
            return None
        steps = []
        for call, taken in zip(stage, self._inputs, strict=True):
            step = native_step(call, taken.specs, [samples] if call is first else None, pool, taken.by_frame)
            if step is None:
                return None
            steps.append(step)
        made = _native.run(pool, samples, samples_of(first), steps, times)
        if not isinstance(made, Samples):
            return None
        made.layout = last.specs[0].layout or ""
        return made


class DrawnNumbers:
    """A call that draws numbers from constants."""

    chain: NativeChain | None = None
    passes: ClassVar[list[Pass]] = [Pass(WholeStorage.way, 1)]

    def __init__(self, call: Invocation) -> None:
        self.source: NumberSource | None = None
        if call.op.number_source is not None and call.specs[0].ndim == 0:
            arguments = batch_arguments(call)
            del arguments[call.op.draw or ""]
            self.source = call.op.number_source(**call.op.grouped(arguments))

    def run(self, stage: Stage, pool: Pool, times: ChainTimes | None) -> Samples | None:
        call = stage[0]
        if self.source is not None:
            assert call.words is not None
            return self.source.draw(call.words, samples_of(call))
        op = call.op
        assert op.on_storage is not None
        made = op.on_storage(pool, samples_of(call), **grouped_arguments(call))
        assert isinstance(made, Samples)
        made.layout = call.specs[0].layout or ""
        return made


class StageKind:
    """What decides how a stage is run; to be asked before it is, as calls drop their inputs then."""

    __slots__ = ("_given", "_inputs", "_is_drawn", "_repeatable")

    def __init__(self, stage: Stage) -> None:
        self._repeatable = repeatable_spec(stage, checks_stacking=len(stage) == 1)
        self._given: Spec | None = None
        self._inputs: list[StepInput] = []
        self._is_drawn = len(stage) == 1 and _draws_from_constants(stage[0])
        if self._repeatable is None and all(_has_own_step(call, call is stage[0]) for call in stage):
            samples = samples_made(stage[0].inputs[0])
            if samples is not None and not samples.elsewhere:
                self._given = spec_of(samples)
                specs = [input_specs(stage[0], [samples]), *([*before.specs] for before in stage[:-1])]
                self._inputs = [
                    StepInput(taken, takes_frames(call, taken)) for call, taken in zip(stage, specs, strict=True)
                ]

    def choice(self, stage: Stage, passes: Sequence[Pass]) -> KeptChoice | None:
        """What is kept of a stage that has run in these passes; None where stages like it are run by `choose()`."""
        if self._repeatable is not None:
            chain = native_chain(stage, self._repeatable, passes)
            return None if chain is None else SameSteps(chain, len(stage), stage[0].op.stacks_first)
        if self._given is not None and [*passes] == [(Native.way, len(stage))]:
            return NewSteps(self._given, self._inputs)
        return DrawnNumbers(stage[0]) if self._is_drawn and [*passes] == DrawnNumbers.passes else None

    def may_differ(self, stage: Stage) -> bool:
        """Whether the next stage like this may be run in another way, where nothing was kept of this one."""
        return self._repeatable is not None and any(call.op.step_varies or call.op.stacks_first for call in stage)


def _has_own_step(call: Invocation, is_first: bool) -> bool:
    """Whether a call has a native step whatever its only input holds; the first of a stage may be built from that."""
    op = call.op
    return (
        op.native_step is not None
        and (is_first or not op.reads_data)
        and op.stacks_first is None
        and op.sources_of is None
        and op.inputs_from != "anywhere"
        and len(call.inputs) == 1
        and len(call.specs) == 1
    )


def _draws_from_constants(call: Invocation) -> bool:
    return (
        call.op.draw is not None
        and call.op.on_storage is not None
        and not call.inputs
        and not call.tensors
        and len(call.specs) == 1
    )
