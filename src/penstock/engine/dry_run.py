"""Predicts which backends will run the calls of a stage, as far as that can be known before there is any data."""

from __future__ import annotations

from penstock._native import Pool, Samples
from penstock.engine.arguments import result_specs
from penstock.engine.backends.backend import Task
from penstock.engine.backends.choice import choose
from penstock.engine.events import Pass
from penstock.engine.invocation import Invocation, Operand, Stage, ready
from penstock.values.spec import Spec, spec_of


def expected_passes(stage: Stage, pool: Pool) -> tuple[Pass, ...]:
    """Returns the passes in which the executor will run a stage; the last one is "open" where the data decide.

    Native steps are built, since only that tells how many calls go together, but nothing is run.
    """
    passes: list[Pass] = []
    specs = [*map(_spec, stage[0].inputs)]
    inputs = [ready(operand) for operand in stage[0].inputs] if all(map(_exists, stage[0].inputs)) else None
    position = 0
    while position < len(stage):
        complete = all(spec.known for spec in specs) and _arguments_exist(stage[position:])
        try:
            chosen = choose(Task(stage, position, inputs, pool, specs if inputs is None else None, complete))
        except Exception:  # a bad argument: running the stage will raise this, not explaining it
            chosen = None
        if chosen is None:
            passes.append(Pass("open", len(stage) - position))
            break
        backend, count = chosen
        passes.append(Pass(backend.way, count))
        position += count
        if position < len(stage):
            specs = [result_specs(stage[position - 1], specs)[0], *map(_spec, stage[position].inputs[1:])]
            inputs = None
    return tuple(passes)


def _arguments_exist(stage: Stage) -> bool:
    """Whether all operands of the calls exist, except the first inputs, which the chain passes on."""
    return all(_exists(operand) for call in stage for operand in (*call.inputs[1:], *call.tensors.values()))


def _exists(operand: Operand) -> bool:
    return isinstance(operand, Samples) or operand.node.outputs is not None


def _spec(operand: Operand) -> Spec:
    if isinstance(operand, Samples):
        return spec_of(operand)
    made: Invocation = operand.node
    return made.specs[operand.index] if made.outputs is None else spec_of(made.outputs[operand.index])
