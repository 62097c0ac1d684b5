"""Stages of native steps that serve all data of a spec: built for one batch, they are run again on the next."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from penstock._native import NativeChain, Samples
from penstock.engine.backends.native import Native
from penstock.engine.events import Pass
from penstock.engine.graph.node import Node
from penstock.engine.invocation import Invocation, Operand, Stage
from penstock.values.spec import Spec, spec_of


def is_repeatable(stage: Iterable[Invocation | Node], checks_stacking: bool = False) -> bool:
    """Whether `choose()` depends on nothing but the spec of a stage's input, nor the steps built.

    Steps may depend on the data where they tell whether they serve others, or fail for them. With `checks_stacking` the
    caller asks the operators' `stacks_first`, which depends on sizes, for every batch.
    """
    for call in stage:
        op = call.op
        varies = op.step_varies and op.serves_again is None
        may_stack = op.stacks_first is not None and not checks_stacking
        if call.tensors or varies or may_stack or call.policy or len(call.specs) != 1:
            return False
    return True


def repeatable_spec(stage: Stage, checks_stacking: bool = False) -> Spec | None:
    """The spec of a stage's input, where it `is_repeatable`; None elsewhere.

    To be asked before the stage is run, as calls drop their inputs then.
    """
    if not is_repeatable(stage, checks_stacking):
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
