"""Runs stages: in each pass, one backend carries out as many calls of the chain as it can take together.

Native steps of a chain are a single call into the C++ core for the whole batch. The GIL is released and the workers are
woken once instead of once per call, and a worker carries a sample through all steps while it is in the cache.
"""

from __future__ import annotations

from penstock._native import Pool, Samples
from penstock.engine import recovery
from penstock.engine.backends.backend import Task
from penstock.engine.backends.choice import PLAIN, choose
from penstock.engine.backends.kept_choice import DrawnNumbers, StageKind
from penstock.engine.backends.native_chain import samples_made
from penstock.engine.backends.results import tell_sources
from penstock.engine.call_memo import CallMemo
from penstock.engine.errors import annotate
from penstock.engine.events import CallRun, Pass, inspectors, stage_listeners, stage_weight
from penstock.engine.invocation import Invocation, Stage, ready, samples_of
from penstock.engine.stage_timer import StageTimer
from penstock.values.accelerator import CPU

# Calls that end stages of more kinds than this are rare; those of such a call are then looked at anew.
_MOST_CHOICES = 16
# Numbers that are drawn in less time than a call takes to be queued, planned and run.
_MOST_DRAWN = 1024


def run_stage(stage: Stage, pool: Pool) -> list[Pass]:
    """Runs a chain, stores its results in its last call, and returns the passes in which it was done.

    An exception is stored in all calls of the chain, and raised to whoever asks for a result. Interrupts, which are no
    `Exception`, pass through and leave the calls as they were, so that they run again when asked for.
    """
    if inspectors:
        return _run_inspected(stage, pool)
    weight = stage_weight(stage[-1].op.path) if stage_listeners else 0
    if not weight:
        return _run_alike(stage, pool)
    timer = StageTimer(stage[-1].op.path, weight)
    passes = _run_alike(stage, pool, timer)
    operators, sites = tuple([call.op.path for call in stage]), tuple([call.site for call in stage])
    timer.announce(operators, sites, samples_of(stage[0]), passes)
    return passes


def _run_alike(stage: Stage, pool: Pool, timer: StageTimer | None = None) -> list[Pass]:
    """Runs a stage; in the way that was chosen for one like it, if there was one."""
    memos: list[CallMemo] = []
    for call in stage:
        if call.memo is None or call.policy is not None or call.device != CPU:
            return _run(stage, pool, timer)
        memos.append(call.memo)
    key, choices = (*memos,), memos[-1].choices
    kept = choices.get(key)
    if kept is None:
        return _run(stage, pool, timer) if key in choices else _run_first(stage, pool, timer, key)
    if timer is not None:
        timer.begin_pass([samples for each in stage[0].inputs if (samples := samples_made(each)) is not None])
    try:
        made = kept.run(stage, pool, None if timer is None else timer.times)
    except Exception:  # which is raised again below, with what is known of the call
        made = None
    if made is None:
        return _run(stage, pool, timer)
    if timer is not None:
        timer.end_pass(0, len(stage))
    stage[-1].finish([made])
    return kept.passes


def _run_first(stage: Stage, pool: Pool, timer: StageTimer | None, key: tuple[CallMemo, ...]) -> list[Pass]:
    """Runs a stage that none has been like so far, and keeps what was chosen for the next ones."""
    kind = StageKind(stage)
    passes = _run(stage, pool, timer)
    if stage[-1].error is None:
        choice, choices = kind.choice(stage, passes), key[-1].choices
        if choice is not None or not kind.may_differ(stage):
            if len(choices) >= _MOST_CHOICES:
                choices.clear()
            choices[key] = choice
    return passes


def draw_now(call: Invocation) -> bool:
    """Runs a call that draws a number for each of a few samples, if calls like it have run; returns whether it did.

    Somebody who listens to stages is told of it when it is run as one.
    """
    memo = call.memo
    choice = None if memo is None else memo.choices.get((memo,))
    if not isinstance(choice, DrawnNumbers) or choice.source is None or inspectors or stage_listeners:
        return False
    if samples_of(call) > _MOST_DRAWN or call.device != CPU or call.words is None:
        return False
    call.outputs = [choice.source.draw(call.words, samples_of(call))]
    return True


def _run_inspected(stage: Stage, pool: Pool) -> list[Pass]:
    """Runs the calls of a chain one by one, each of which is shown to the inspectors."""
    passes: list[Pass] = []
    for position, call in enumerate(stage):
        inputs, tensors = call.inputs, call.tensors  # which a call lets go when it is done
        passes += _run([call], pool)
        if call.error is not None:
            for later in stage[position + 1 :]:
                later.fail(call.error)
            break
        given = tuple([ready(operand) for operand in inputs])
        by_sample = {name: ready(operand) for name, operand in tensors.items()}
        run = CallRun(call.op, call.site, call.arguments, given, by_sample, tuple(call.results()), call.numbers)
        for inspector in tuple(inspectors):
            inspector(run)
    return passes


def _run(stage: Stage, pool: Pool, timer: StageTimer | None = None) -> list[Pass]:
    last = stage[-1]
    blamed = stage[0]
    passes: list[Pass] = []
    try:
        flowing: list[Samples] = [ready(operand) for operand in blamed.inputs]
        position = 0
        while position < len(stage):
            blamed = stage[position]
            if position:
                flowing = [flowing[0], *(ready(operand) for operand in blamed.inputs[1:])]
            inputs = flowing
            flowing, count, way = _run_from(stage, position, inputs, pool, timer)
            if blamed.op.sources_of is not None:
                tell_sources(blamed, inputs, flowing)
            passes.append(Pass(way, count))
            position += count
        last.finish(flowing)
    except Exception as error:
        annotate(error, blamed)
        for call in stage:
            call.fail(error)
    return passes


def _run_from(
    stage: Stage, position: int, inputs: list[Samples], pool: Pool, timer: StageTimer | None
) -> tuple[list[Samples], int, str]:
    """As `_run_pass`; a pass that does not fail is timed."""
    task = Task(stage, position, inputs, pool)
    if timer is None:
        return _run_pass(task)
    timer.begin_pass(inputs)
    task.times = timer.times
    made = _run_pass(task)
    timer.end_pass(position, made[1])
    return made


def _run_pass(task: Task) -> tuple[list[Samples], int, str]:
    """Runs one pass of a task; returns the results, the number of calls, and the name of the way they ran.

    Backends end a pass before a call with `on_error`, so such a call is always the first of its pass: when a pass with
    it fails, that call alone is run again with replacements for its bad samples.
    """
    try:
        chosen = choose(task)
        assert chosen is not None
        backend, count = chosen
        try:
            return backend.run(task, count), count, backend.way
        except Exception:
            if backend.names_samples:
                raise
        # A backend that runs the batch as a whole cannot tell which sample is wrong: the plain function, sample by
        # sample, raises the error again with the number of the sample.
        count = PLAIN.accepts(task) or 1
        return PLAIN.run(task, count), count, PLAIN.way
    except Exception as error:
        if task.call.policy is None:
            raise
        assert task.inputs is not None
        return recovery.run(task.call, task.inputs, task.pool, error), 1, "recovered"
