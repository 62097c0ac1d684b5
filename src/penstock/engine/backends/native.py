"""Calls as steps of the native core: a chain of them is one pass over the batch, with the GIL released once."""

from __future__ import annotations

from penstock import _native
from penstock._native import Failures, Pool, Samples, Step
from penstock.engine import frames
from penstock.engine.arguments import frame_arguments, grouped_arguments, result_specs, takes_frames
from penstock.engine.backends.backend import Task, Words
from penstock.engine.backends.results import with_origin
from penstock.engine.backends.stacked import can_stack
from penstock.engine.errors import annotate, from_failure, source_of
from penstock.engine.invocation import Invocation, ready, samples_of
from penstock.values.spec import Spec, spec_of


class Native:
    """For operators with a native step."""

    way = "native"
    words = Words("native", "native pass", chain="one native pass")
    takes_chains = True
    names_samples = True

    def serves(self, call: Invocation) -> bool:
        return call.op.native_step is not None

    def accepts(self, task: Task) -> int | None:
        op, inputs = task.call.op, task.inputs
        if op.native_step is None or (op.on_storage is not None and not _leads_a_chain(task)):
            return 0
        if not task.complete:
            return None
        if inputs is None:
            if op.needs_data or (op.stacks_first is not None and op.stacked is not None):
                return None
        elif (
            op.stacks_first is not None and op.stacks_first(inputs, task.pool.threads) and can_stack(task.call, inputs)
        ):
            return 0
        task.steps = _steps(task)
        if not task.steps and inputs is None and op.reads_data:
            return None
        return len(task.steps)

    def run(self, task: Task, count: int) -> list[Samples]:
        call, inputs = task.call, task.inputs
        assert inputs is not None
        result = _native.run(task.pool, inputs[0], samples_of(call), task.steps, task.times)
        if isinstance(result, Failures):
            first = result.list[0]
            failed = task.stage[task.position + first.step]
            raise annotate(from_failure(first), failed, first.sample, source_of(inputs, first.sample))
        spec = task.stage[task.position + count - 1].specs[0]
        if result is None:
            assert spec.dtype is not None
            result = Samples.empty(spec.dtype.code, 0, [0] * (spec.ndim or 0))
        result.layout = spec.layout or ""
        with_origin(result, inputs)
        if len(call.specs) > 1 and call.op.side_outputs is not None:
            return [result, *call.op.side_outputs(*inputs, **call.op.grouped(call.arguments))]
        return [result]


def _leads_a_chain(task: Task) -> bool:
    """Whether the next call takes each sample over from this one's step.

    Alone, an operator that has a function of stored batches is faster by that: it may share memory with its input.
    """
    following = task.position + 1
    if following == len(task.stage):
        return False
    op = task.stage[following].op
    return op.native_step is not None and op.on_storage is None


def _steps(task: Task) -> list[Step]:
    """The steps of as many calls as have one, up to the first that does not, or that goes on without bad samples.

    A call of the latter kind starts a pass of its own: only the first of a pass is run again where a sample fails.
    """
    stage, pool, specs, inputs = task.stage, task.pool, task.specs(), task.inputs
    steps: list[Step] = []
    position = task.position
    while True:
        call = stage[position]
        step = native_step(call, specs, inputs, pool)
        if step is None:
            return steps
        made = result_specs(call, specs)[0]
        if not made.known:
            return steps
        steps.append(step)
        position += 1
        if position == len(stage) or stage[position].policy is not None:
            return steps
        specs = [made, *(spec_of(ready(operand)) for operand in stage[position].inputs[1:])]
        inputs = None


def native_step(
    call: Invocation, specs: list[Spec], inputs: list[Samples] | None, pool: Pool, by_frame: bool | None = None
) -> Step | None:
    """The call as a step; None where it has none, or must see data that a chain does not store (`inputs` is None).

    `by_frame` is whether it runs once for every frame, if that is known.
    """
    op, build = call.op, call.op.native_step
    if build is None or (inputs is None and op.needs_data):
        return None
    memo = None if call.tensors else call.memo
    if memo is not None and memo.step is not None and not op.step_varies:
        return memo.step
    rows = None
    if by_frame is None:
        by_frame = takes_frames(call, specs)
    if by_frame:
        given, rows = frame_arguments(call, samples_of(call))
        still = not frames.is_per_frame(specs[0])
        specs = [*map(frames.of_one_frame, specs)]
        arguments = op.grouped(given)
    else:
        arguments = grouped_arguments(call)
    if op.reads_others:
        others = [ready(operand) for operand in call.inputs[1:]] if inputs is None else inputs[1:]
        arguments["others"] = [frames.spread_input(samples, rows) for samples in others] if rows else others
    if op.reads_data:
        arguments["samples"] = inputs[0] if inputs else None
    if op.reads_threads:
        arguments["threads"] = pool.threads
    if op.reads_batch_size:
        arguments["batch_size"] = samples_of(call)
    step = build(*specs, **arguments)
    serves_again = not op.step_varies or (op.serves_again is not None and op.serves_again(step))
    if by_frame and step is not None:
        step = _native.EachFrame(step, *(rows or ([], [], "")), still)
    if memo is not None:
        memo.step = step if serves_again else None
    return step
