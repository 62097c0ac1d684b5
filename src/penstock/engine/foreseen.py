"""How the calls of a stage will be carried out, as far as it is known before there is any data."""

from __future__ import annotations

from penstock._native import Pool, Samples
from penstock.engine.arguments import labelled, result_specs, takes_frames
from penstock.engine.events import Pass, Way
from penstock.engine.executor import can_stack, goes_on_natively, native_steps, plain_end, stacks_first
from penstock.engine.invocation import Invocation, Operand, ready
from penstock.engine.planner import Stage
from penstock.values.spec import Spec, spec_of


def foreseen(stage: Stage, pool: Pool) -> tuple[Pass, ...]:
    """The passes that the executor will make; the last one is open where their data decide.

    Steps are built, which costs as little as it does when they are run; nothing else is.
    """
    passes: list[Pass] = []
    specs = [*map(_spec, stage[0].inputs)]
    inputs = [ready(operand) for operand in stage[0].inputs] if all(map(_exists, stage[0].inputs)) else None
    position = 0
    while position < len(stage):
        try:
            way, end, made = _next(stage, position, specs, inputs, pool)
        except Exception:  # what is wrong shows when it runs
            way, end, made = "open", len(stage), None
        passes.append(Pass(way, end - position))
        if end == len(stage):
            break
        specs = [made or result_specs(stage[end - 1], specs)[0], *map(_spec, stage[end].inputs[1:])]
        inputs, position = None, end
    return tuple(passes)


def _next(
    stage: Stage, position: int, specs: list[Spec], inputs: list[Samples] | None, pool: Pool
) -> tuple[Way, int, Spec | None]:
    """As the executor: how the call at `position` is made, where those end that are made with it, and their spec."""
    call = stage[position]
    op = call.op
    if op.on_storage is not None and not goes_on_natively(stage, position):
        return "storage", position + 1, None
    if not all(spec.known for spec in specs) or not _arguments_exist(stage[position:]):
        return "open", len(stage), None
    if specs:
        specs = [labelled(call, specs[0]), *specs[1:]]
    stacks = op.stacked is not None and (None if inputs is None else can_stack(call, inputs))
    if op.native_step is not None:
        if inputs is None and (op.needs_data or (stacks is not False and op.stacks_first is not None)):
            return "open", len(stage), None
        if not (stacks and stacks_first(call, inputs or [], pool)):
            steps, made = native_steps(stage, position, specs, inputs, pool)
            if steps:
                return "native", position + len(steps), made
    if op.on_storage is not None:
        return "storage", position + 1, None
    if op.batchwise:
        return "batchwise", position + 1, None
    if stacks is None:
        return "open", len(stage), None
    if stacks:
        return "stacked", position + 1, None
    return "plain", plain_end(stage, position, takes_frames(call, specs)), None


def _arguments_exist(stage: Stage) -> bool:
    """Whether everything is there but what the chain itself hands on."""
    return all(_exists(operand) for call in stage for operand in (*call.inputs[1:], *call.tensors.values()))


def _exists(operand: Operand) -> bool:
    return isinstance(operand, Samples) or operand.node.outputs is not None


def _spec(operand: Operand) -> Spec:
    if isinstance(operand, Samples):
        return spec_of(operand)
    made: Invocation = operand.node
    return made.specs[operand.index] if made.outputs is None else spec_of(made.outputs[operand.index])
