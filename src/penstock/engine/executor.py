"""Runs stages: in each pass, one backend carries out as many calls of the chain as it can take together.

Native steps of a chain are a single call into the C++ core for the whole batch. The GIL is released and the workers are
woken once instead of once per call, and a worker carries a sample through all steps while it is in the cache.
"""

from __future__ import annotations

import time

from penstock._native import Pool, Samples
from penstock.engine import events, recovery
from penstock.engine.backends.backend import Task
from penstock.engine.backends.choice import PLAIN, choose
from penstock.engine.backends.results import tell_sources
from penstock.engine.errors import annotate
from penstock.engine.events import Pass
from penstock.engine.invocation import Stage, ready, samples_of


def run_stage(stage: Stage, pool: Pool) -> list[Pass]:
    """Runs a chain, stores its results in its last call, and returns the passes in which it was done.

    An exception is stored in all calls of the chain, and raised to whoever asks for a result. Interrupts, which are no
    `Exception`, pass through and leave the calls as they were, so that they run again when asked for.
    """
    if not events.listeners:
        return _run(stage, pool)
    started = time.perf_counter()
    passes = _run(stage, pool)
    seconds = time.perf_counter() - started
    operators = tuple(call.op.path for call in stage)
    events.announce(events.StageRun(operators, samples_of(stage[0]), seconds, tuple(passes)))
    return passes


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
            flowing, count, way = _run_from(stage, position, inputs, pool)
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


def _run_from(stage: Stage, position: int, inputs: list[Samples], pool: Pool) -> tuple[list[Samples], int, str]:
    """Runs one pass from `position` on; returns the results, the number of calls, and the name of the way they ran.

    Backends end a pass before a call with `on_error`, so such a call is always the first of its pass: when a pass with
    it fails, that call alone is run again with replacements for its bad samples.
    """
    task = Task(stage, position, inputs, pool)
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
        return recovery.run(task.call, inputs, pool, error), 1, "recovered"
