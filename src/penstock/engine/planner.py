"""Turns calls into stages: chains of sample-wise calls that one worker carries a sample through."""

from __future__ import annotations

from collections.abc import Callable

from penstock._native import Samples
from penstock.engine.invocation import Invocation

Stage = list[Invocation]


def plan(calls: list[Invocation], is_kept: Callable[[Invocation], bool] = Invocation.is_held) -> list[Stage]:
    """Stages in the order they run. A stage of several calls is a chain: each feeds only the next, unseen by anyone.

    `calls` come with every call after those it needs; `is_kept` tells whose results somebody may ask for.
    """
    if len(calls) < 2:
        return [calls] if calls else []
    stages: dict[int, Stage] = {}
    stage_ending_in: dict[int, int] = {}
    for position, call in enumerate(calls):
        feeder = _only_feeder(call, is_kept)
        joined = stage_ending_in.pop(id(feeder), None) if feeder is not None else None
        stage = stages.pop(joined) if joined is not None else []
        stage.append(call)
        stages[position] = stage
        stage_ending_in[id(call)] = position
    return [stages[position] for position in sorted(stages)]


def _only_feeder(call: Invocation, is_kept: Callable[[Invocation], bool]) -> Invocation | None:
    """The call whose result this one may take over without it ever being stored."""
    if not _is_samplewise(call) or not call.inputs:
        return None
    first = call.inputs[0]
    if isinstance(first, Samples):
        return None
    feeder = first.node
    if feeder.done or feeder.consumers != 1 or is_kept(feeder):
        return None
    return feeder if _is_samplewise(feeder) and feeder.batch_size == call.batch_size else None


def _is_samplewise(call: Invocation) -> bool:
    """Whether the call can be a link of a chain: one result, made sample by sample."""
    op = call.op
    return len(call.specs) == 1 and (op.native_step is not None or not (op.stacked or op.batchwise or op.on_storage))
