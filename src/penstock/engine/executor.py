"""Runs stages: as many calls of a chain at once as go together."""

from __future__ import annotations

import time
from contextlib import suppress

from penstock._native import Pool, Samples, Step
from penstock.engine import backends, events, recovery
from penstock.engine.arguments import input_specs, result_specs, takes_frames
from penstock.engine.errors import annotate
from penstock.engine.events import Pass, Way
from penstock.engine.invocation import Invocation, ready
from penstock.engine.planner import Stage
from penstock.values.spec import UNKNOWN, Spec, spec_of


def run_stage(stage: Stage, pool: Pool) -> list[Pass]:
    """Runs a chain and stores the result in its last call; a failure is stored there too. Tells how it was done."""
    if not events.listeners:
        return _run(stage, pool)
    started = time.perf_counter()
    passes = _run(stage, pool)
    seconds = time.perf_counter() - started
    operators = tuple(call.op.path for call in stage)
    events.announce(events.StageRun(operators, samples_of(stage[0]), seconds, tuple(passes)))
    return passes


def samples_of(call: Invocation) -> int:
    return 1 if call.batch_size is None else call.batch_size


def _run(stage: Stage, pool: Pool) -> list[Pass]:
    last = stage[-1]
    blamed = stage[0]
    passes: list[Pass] = []
    try:
        flowing: list[Samples] = [ready(operand) for operand in stage[0].inputs]
        position = 0
        while position < len(stage):
            blamed = stage[position]
            if position:
                flowing = [flowing[0], *(ready(operand) for operand in blamed.inputs[1:])]
            inputs = flowing
            flowing, end, way = _run_or_recover(stage, position, inputs, pool)
            if blamed.op.sources_of is not None:
                backends.tell_sources(blamed, inputs, flowing)
            passes.append(Pass(way, end - position))
            position = end
        last.finish(flowing)
    except Exception as error:
        annotate(error, blamed)
        for call in stage:
            call.fail(error)
    return passes


_Ran = tuple[list[Samples], int, Way]


def _run_or_recover(stage: Stage, position: int, inputs: list[Samples], pool: Pool) -> _Ran:
    """A call that is to go on without its bad samples is the first of those that run together."""
    try:
        return _run_from(stage, position, inputs, pool)
    except Exception as error:
        if stage[position].policy is None:
            raise
        return recovery.run(stage[position], inputs, pool, error), position + 1, "recovered"


def _run_from(stage: Stage, position: int, inputs: list[Samples], pool: Pool) -> _Ran:
    """Runs as many calls from `position` on as go together; the results, the position after them, and the way."""
    call = stage[position]
    op = call.op
    n = samples_of(call)
    if op.on_storage is not None and not goes_on_natively(stage, position):
        return backends.run_on_samples(call, inputs, n, pool), position + 1, "storage"
    stacks = can_stack(call, inputs)
    if op.native_step is not None and not (stacks and stacks_first(call, inputs, pool)):
        results, end = _run_natively(stage, position, inputs, n, pool)
        if end > position:
            return results, end, "native"
    if op.on_storage is not None:
        return backends.run_on_samples(call, inputs, n, pool), position + 1, "storage"
    if op.batchwise:
        return backends.run_batchwise(call, inputs, n), position + 1, "batchwise"
    by_frame = (op.frames or bool(call.tensors)) and takes_frames(call, input_specs(call, inputs))
    if stacks:
        run = backends.run_stacked_frames if by_frame else backends.run_stacked
        with suppress(Exception):  # what is wrong will show again below, where it is known in which sample
            return [run(call, inputs, n, pool)], position + 1, "stacked"
    end = plain_end(stage, position, by_frame)
    return backends.run_plain(stage[position:end], inputs, n, pool), end, "plain"


def goes_on_natively(stage: Stage, position: int) -> bool:
    """Whether a call that sees the storage of its input otherwise does so for steps that run sample by sample."""
    following = stage[position + 1].op if position + 1 < len(stage) else None
    if stage[position].op.native_step is None or following is None:
        return False
    return following.native_step is not None and following.on_storage is None


def can_stack(call: Invocation, inputs: list[Samples]) -> bool:
    """Whether the call is one of arrays with a leading batch axis."""
    return call.op.stacked is not None and samples_of(call) > 0 and all(samples.uniform for samples in inputs)


def stacks_first(call: Invocation, inputs: list[Samples], pool: Pool) -> bool:
    """Whether that is faster than its native step."""
    return call.op.stacks_first is not None and call.op.stacks_first(inputs, pool.threads)


def plain_end(stage: Stage, position: int, by_frame: bool) -> int:
    """Where those calls end whose plain functions a sample goes through before the next."""
    end = position + 1
    while not by_frame and end < len(stage) and backends.follows_plainly(stage[end]):
        end += 1
    return end


def _run_natively(stage: Stage, position: int, inputs: list[Samples], n: int, pool: Pool) -> tuple[list[Samples], int]:
    """Runs the calls from `position` on that are native steps, as one chain; nothing where the first is none."""
    call = stage[position]
    steps, made = native_steps(stage, position, input_specs(call, inputs), inputs, pool)
    if not steps:
        return [], position
    end = position + len(steps)
    results = [backends.run_steps(stage[position:end], steps, inputs, n, made, pool)]
    if len(call.specs) > 1 and call.op.side_outputs is not None:
        results += call.op.side_outputs(*inputs, **call.op.grouped(call.arguments))
    return results, end


def native_steps(
    stage: Stage, position: int, specs: list[Spec], inputs: list[Samples] | None, pool: Pool
) -> tuple[list[Step], Spec]:
    """The calls from `position` on that are native steps, and the spec of what the last of them makes."""
    steps: list[Step] = []
    made = UNKNOWN
    end = position
    while end < len(stage) and (end == position or stage[end].policy is None):
        step = backends.native_step(stage[end], specs, inputs if end == position else None, pool)
        result = UNKNOWN if step is None else result_specs(stage[end], specs)[0]
        if step is None or not result.known:
            break
        steps.append(step)
        made = result
        end += 1
        if end < len(stage):
            specs = [made, *(spec_of(ready(operand)) for operand in stage[end].inputs[1:])]
    return steps, made
