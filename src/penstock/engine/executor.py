"""Runs stages: as many calls of a chain at once as go together."""

from __future__ import annotations

import time
from contextlib import suppress

from penstock._native import Pool, Samples, Step
from penstock.engine import backends, events, recovery
from penstock.engine.arguments import input_specs, result_specs, takes_frames
from penstock.engine.errors import annotate
from penstock.engine.invocation import ready
from penstock.engine.planner import Stage
from penstock.values.spec import spec_of


def run_stage(stage: Stage, pool: Pool) -> None:
    """Runs a chain and stores the result in its last call; a failure is stored there too."""
    if not events.listeners:
        _run(stage, pool)
        return
    started = time.perf_counter()
    _run(stage, pool)
    seconds = time.perf_counter() - started
    size = stage[0].batch_size
    events.announce(events.StageRun(tuple(call.op.path for call in stage), 1 if size is None else size, seconds))


def _run(stage: Stage, pool: Pool) -> None:
    last = stage[-1]
    blamed = stage[0]
    try:
        flowing: list[Samples] = [ready(operand) for operand in stage[0].inputs]
        position = 0
        while position < len(stage):
            blamed = stage[position]
            if position:
                flowing = [flowing[0], *(ready(operand) for operand in blamed.inputs[1:])]
            flowing, position = _run_or_recover(stage, position, flowing, pool)
        last.finish(flowing)
    except Exception as error:
        annotate(error, blamed)
        for call in stage:
            call.fail(error)


def _run_or_recover(stage: Stage, position: int, inputs: list[Samples], pool: Pool) -> tuple[list[Samples], int]:
    """A call that is to go on without its bad samples is the first of those that run together."""
    try:
        return _run_from(stage, position, inputs, pool)
    except Exception as error:
        if stage[position].policy is None:
            raise
        return recovery.run(stage[position], inputs, pool, error), position + 1


def _run_from(stage: Stage, position: int, inputs: list[Samples], pool: Pool) -> tuple[list[Samples], int]:
    """Runs as many calls from `position` on as go together; returns the results and the position after them."""
    call = stage[position]
    op = call.op
    n = 1 if call.batch_size is None else call.batch_size
    if op.on_storage is not None:
        return backends.run_on_samples(call, inputs, n, pool), position + 1
    stacks = op.stacked is not None and n > 0 and all(samples.uniform for samples in inputs)
    stacks_first = stacks and op.stacks_first is not None and op.stacks_first(inputs, pool.threads)
    if op.native_step is not None and not stacks_first:
        results, end = _run_natively(stage, position, inputs, n, pool)
        if end > position:
            return results, end
    if op.batchwise:
        return backends.run_batchwise(call, inputs, n), position + 1
    by_frame = (op.frames or bool(call.tensors)) and takes_frames(call, input_specs(call, inputs))
    if stacks:
        run = backends.run_stacked_frames if by_frame else backends.run_stacked
        with suppress(Exception):  # what is wrong will show again below, where it is known in which sample
            return [run(call, inputs, n, pool)], position + 1
    end = position + 1
    while not by_frame and end < len(stage) and backends.follows_plainly(stage[end]):
        end += 1
    return backends.run_plain(stage[position:end], inputs, n, pool), end


def _run_natively(stage: Stage, position: int, inputs: list[Samples], n: int, pool: Pool) -> tuple[list[Samples], int]:
    """Runs the calls from `position` on that are native steps, as one chain; nothing where the first is none."""
    call = stage[position]
    specs = input_specs(call, inputs)
    steps: list[Step] = []
    end = position
    while end < len(stage) and (end == position or stage[end].policy is None):
        step = backends.native_step(stage[end], specs, inputs if end == position else None, pool)
        if step is None:
            break
        steps.append(step)
        made = result_specs(stage[end], specs)[0]
        end += 1
        if end < len(stage):
            specs = [made, *(spec_of(ready(operand)) for operand in stage[end].inputs[1:])]
    if not steps:
        return [], position
    results = [backends.run_steps(stage[position:end], steps, inputs, n, made, pool)]
    if len(call.specs) > 1 and call.op.side_outputs is not None:
        results += call.op.side_outputs(*inputs, **call.op.grouped(call.arguments))
    return results, end
