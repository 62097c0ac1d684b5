"""Runs stages that feed one another in one native pass, in which the results between them are stored as well.

A result that the program holds ends its stage, since it must be stored: `power = ndd.spectrogram(audio)` in a loop body
does. The next stage would read a whole batch that has left the caches by then. Here a worker stores its part of what is
held on the way, and goes on with the sample while it is warm.
"""

from __future__ import annotations

from collections.abc import Sequence

from penstock import _native
from penstock._native import Pool, Samples
from penstock.engine.backends.backend import Task
from penstock.engine.backends.native import Native
from penstock.engine.backends.native_chain import samples_made
from penstock.engine.backends.results import with_origin
from penstock.engine.events import Pass, inspectors, stage_listeners, stage_weight
from penstock.engine.executor import run_stage
from penstock.engine.graph.node import Port
from penstock.engine.invocation import Invocation, Operand, Stage, ready, samples_of
from penstock.engine.stage_timer import StageTimer
from penstock.values.accelerator import CPU

_NATIVE = Native()
# Smaller batches stay in the caches anyway, and what is planned here would take longer than it saves.
_JOINED_FROM_BYTES = 1 << 20


def run_stages(stages: Sequence[Stage], pool: Pool) -> None:
    """Runs stages in their order, as `run_stage` does."""
    position = 0
    while position < len(stages):
        end = position + 1
        while end < len(stages) and _is_large(stages[position]) and _feeds(stages[end - 1], stages[end]):
            end += 1
        group = stages[position:end]
        for stage in group if end == position + 1 else _left_after_joined(group, pool):
            run_stage(stage, pool)
        position = end


def _is_large(stage: Stage) -> bool:
    """Whether a stage reads so much, or waits for what it reads, that joining it to the next may be worth it."""
    samples = samples_made(stage[0].inputs[0]) if stage[0].inputs else None
    return samples is None or samples.nbytes >= _JOINED_FROM_BYTES


def _feeds(stage: Stage, following: Stage) -> bool:
    """Whether a native pass could carry samples from one stage into the next."""
    last, first = stage[-1], following[0]
    fed = first.inputs[0] if first.inputs else None
    return (
        isinstance(fed, Port)
        and fed.node is last
        and last.batch_size == first.batch_size
        and _is_native(last)
        and _is_native(first)
    )


def _is_native(call: Invocation) -> bool:
    op = call.op
    return (
        op.native_step is not None
        and op.on_storage is None
        and op.sources_of is None
        and op.inputs_from != "anywhere"
        and len(call.specs) == 1
        and call.policy is None
        and call.device == CPU
    )


def _left_after_joined(stages: Sequence[Stage], pool: Pool) -> Sequence[Stage]:
    """Runs the calls of stages that one native pass takes; what is left to run: all of them where it would not do.

    A pass that fails has done nothing: run one by one, the stages tell which call is to blame, and the results of those
    before it are there.
    """
    calls = [call for stage in stages for call in stage]
    task = _task(calls, pool)
    count = _accepted(task) if task is not None else 0
    if task is None or count <= len(stages[0]):
        return stages
    ends: list[int] = []
    for stage in stages:
        ends.append((ends[-1] if ends else -1) + len(stage))
    made_at = [*(end for end in ends if end < count - 1), count - 1]
    if not _run(task, made_at):
        return stages
    left = [calls[max(count, end + 1 - len(stage)) : end + 1] for stage, end in zip(stages, ends, strict=True)]
    return [stage for stage in left if stage]


def _task(calls: Stage, pool: Pool) -> Task | None:
    first = calls[0]
    if inspectors or not all(map(_is_done, first.feeds())):
        return None
    inputs = [ready(operand) for operand in first.inputs]
    if inputs[0].nbytes < _JOINED_FROM_BYTES or any(samples.elsewhere for samples in inputs):
        return None
    return Task(calls, 0, inputs, pool)


def _is_done(operand: Operand) -> bool:
    return isinstance(operand, Samples) or (operand.node.outputs is not None and operand.node.error is None)


def _accepted(task: Task) -> int:
    """How many calls one native pass takes; 0 too where the calls are wrong, which shows when they are run."""
    able = 1
    for call in task.stage[1:]:
        if not _is_native(call) or not all(map(_is_done, call.feeds()[1:])):
            break
        able += 1
    task.stage = task.stage[:able]
    try:
        return _NATIVE.accepts(task) or 0
    except Exception:
        return 0


def _run(task: Task, made_at: Sequence[int]) -> bool:
    """Runs the pass, and gives the calls at these positions their results; False with nothing done if it failed."""
    inputs, count = task.inputs, made_at[-1] + 1
    assert inputs is not None
    calls = task.stage[:count]
    weight = stage_weight(calls[-1].op.path) if stage_listeners else 0
    timer = StageTimer(calls[-1].op.path, weight) if weight else None
    if timer is not None:
        timer.begin_pass(inputs)
    times = None if timer is None else timer.times
    samples = samples_of(calls[0])
    made = _native.run_keeping(task.pool, inputs[0], samples, task.steps, made_at[:-1], times)
    if made is None:
        return False
    for position, result in zip(made_at, made, strict=True):
        call = calls[position]
        result.layout = call.specs[0].layout or ""
        call.finish([with_origin(result, inputs)])
    if timer is not None:
        timer.end_pass(0, count)
        operators, sites = tuple([call.op.path for call in calls]), tuple([call.site for call in calls])
        timer.announce(operators, sites, samples, [Pass(Native.way, count)])
    return True
