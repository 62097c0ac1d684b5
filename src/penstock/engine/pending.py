"""Eager and deferred calls that have not run yet: the order they run in, common subexpressions and dead calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from penstock._native import Samples
from penstock.engine.graph.node import Port
from penstock.engine.graph.passes import equal_vertices, live_vertices, topological_order
from penstock.engine.invocation import Invocation, Operand


def pending(*targets: Invocation) -> list[Invocation]:
    """Returns those calls, and all calls that they depend on, that have not run, in topological order.

    Calls are queued in the order in which they were made, so that mostly is an order in which they can run.
    """
    order: dict[Invocation, None] = {}
    for target in targets:
        if target.outputs is None and target.error is None:
            for operand in target.feeds():
                if type(operand) is Port and operand.node not in order and not operand.node.done:
                    return topological_order([each for each in targets if not each.done], _waits_for)
            order[target] = None
    return [*order]


def _waits_for(call: Invocation) -> list[Invocation]:
    return [operand.node for operand in call.feeds() if type(operand) is Port and not operand.node.done]


def simplified(calls: list[Invocation], target: Invocation | None) -> list[Invocation]:
    """Returns the calls that must run: without dead calls, equal ones merged.

    `calls` and the result are in topological order. A call that used the result of a merged call now uses that of the
    equal one that is kept.
    """
    instead = equals(calls)
    kept = needed(calls, target, instead)
    for call in kept if instead else ():
        redirect(call, instead)
    return kept


def equals(calls: Sequence[Invocation]) -> dict[Invocation, Invocation]:
    """Maps calls that equal an earlier one to that one. A call whose result the program holds is not merged.

    The program may write into a result it holds, so that cannot be the memory of another result.
    """
    ops = [call.op for call in calls if call.op.draw is None]  # two draws are never equal
    if len(ops) < 2 or len({*ops}) == len(ops):
        return {}
    return equal_vertices(calls, Invocation.is_held)


def needed(
    calls: list[Invocation], target: Invocation | None, instead: Mapping[Invocation, Invocation]
) -> list[Invocation]:
    """Returns the calls that are not dead: `target`, those with side effects, those whose results may still be used.

    A result may be used if the program holds it or a call outside of `calls` consumes it.
    """
    used = dict.fromkeys(calls, 0)  # no Counter, which makes several calls of its own
    for call in calls:
        for operand in call.feeds():
            if type(operand) is Port and operand.node in used:
                used[operand.node] += 1
    asked_for = [
        call for call in calls if call is target or not call.op.pure or call.is_held() or call.consumers > used[call]
    ]
    return live_vertices(calls, asked_for, instead)


def redirect(call: Invocation, instead: Mapping[Invocation, Invocation]) -> None:
    """Has a call use the results of the calls in `instead`, and moves its share of their consumer counts.

    Counts go up before the operands change and down after, so an interrupt may leave them too high, never too low: a
    result that counts too many consumers is stored needlessly, one that counts too few would be missing.
    """
    before = call.feeds()
    inputs = [_redirected(operand, instead) for operand in call.inputs]
    tensors = {name: _redirected(operand, instead) for name, operand in call.tensors.items()}
    replaced = [(old, new) for old, new in zip(before, (*inputs, *tensors.values()), strict=True) if old is not new]
    for _, new in replaced:
        assert isinstance(new, Port)
        new.node.consumers += 1
    call.inputs, call.tensors = inputs, tensors
    for old, _ in replaced:
        assert isinstance(old, Port)
        old.node.consumers -= 1


def _redirected(operand: Operand, instead: Mapping[Invocation, Invocation]) -> Operand:
    if isinstance(operand, Samples) or operand.node not in instead:
        return operand
    return Port(instead[operand.node], operand.index)
