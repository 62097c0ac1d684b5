"""Plans calls into stages: chains of sample-wise calls through which a worker carries one sample after the other.

A chain saves memory traffic: results between its calls are never stored as a batch. So a call joins the stage of its
first input only if nothing else needs that input.
"""

from __future__ import annotations

from collections.abc import Callable

from penstock.engine.backends.choice import is_chainable
from penstock.engine.graph.node import Port
from penstock.engine.invocation import Invocation, Stage


def plan(calls: list[Invocation], is_kept: Callable[[Invocation], bool] = Invocation.is_held) -> list[Stage]:
    """Returns the stages in the order they run. A stage of several calls is a chain: each feeds only the next.

    `calls` are in topological order; `is_kept` tells whether the result of a call may be asked for and must be stored.
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
    """Returns the call whose stage this one may join: that of its first input, if nothing else needs its result.

    Both must be sample-wise calls on batches of the same size.
    """
    first = call.inputs[0] if call.inputs else None
    if not isinstance(first, Port):
        return None
    feeder = first.node
    if feeder.done or feeder.consumers != 1 or feeder.batch_size != call.batch_size or is_kept(feeder):
        return None
    return feeder if is_chainable(call) and is_chainable(feeder) else None
