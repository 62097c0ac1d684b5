"""Stages of native steps that serve all data of a spec: built for one batch, they are run again on the next."""

from __future__ import annotations

from collections.abc import Sequence

from penstock._native import NativeChain, Samples
from penstock.engine.backends.native import Native
from penstock.engine.events import Pass
from penstock.engine.invocation import Operand, Stage
from penstock.values.spec import Spec, spec_of


def repeatable_spec(stage: Stage) -> Spec | None:
    """The spec of a stage's input, where `choose()` depends on nothing but that, nor the steps built; None elsewhere.

    Steps may depend on the data where they tell whether they serve others, or fail for them.
    To be asked before the stage is run, as calls drop their inputs then.
    """
    for call in stage:
        op = call.op
        varies = op.step_varies and op.serves_again is None
        if call.tensors or varies or op.stacks_first or call.policy or len(call.specs) != 1:
            return None
    samples = samples_made(stage[0].inputs[0]) if stage[0].inputs else None
    return None if samples is None else spec_of(samples)


def native_chain(stage: Stage, spec: Spec, passes: Sequence[Pass]) -> NativeChain | None:
    """The steps of a stage that has run on an input of that spec; None where it failed, or was not one native pass.

    The memo of a call may have a step that was built for another chain, where `choose()` took another backend here.
    """
    steps = [call.memo.step for call in stage if call.memo is not None and call.memo.step is not None]
    if stage[-1].outputs is None or len(steps) != len(stage) or [*passes] != [(Native.way, len(stage))]:
        return None
    assert spec.dtype is not None
    assert spec.ndim is not None
    return NativeChain(spec.dtype.code, spec.ndim, spec.layout or "", steps, stage[-1].specs[0].layout or "")


def samples_made(operand: Operand) -> Samples | None:
    """The samples of an operand; None where the call that makes them has not run, or failed."""
    if isinstance(operand, Samples):
        return operand
    outputs = operand.node.outputs
    return None if outputs is None else outputs[operand.index]
