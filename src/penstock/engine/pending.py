"""Calls that wait to be run: what a call needs first, and which calls need not run at all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from penstock._native import Samples
from penstock.engine.graph.node import Port
from penstock.engine.graph.passes import equal_vertices, live_vertices, topological_order
from penstock.engine.invocation import Invocation, Operand


def pending(target: Invocation) -> list[Invocation]:
    """The call and everything it still waits for, each after what it needs."""
    waits_for = _waits_for(target)
    if not waits_for:
        return [] if target.done else [target]
    return topological_order([target], _waits_for)


def _waits_for(call: Invocation) -> list[Invocation]:
    return [operand.node for operand in call.feeds() if type(operand) is Port and not operand.node.done]


def simplified(calls: list[Invocation], target: Invocation | None) -> list[Invocation]:
    """The calls without which something would be missing that somebody holds, or `target`.

    `calls` come with every call after those it needs, and so do those that are left. Where a call makes what another
    makes, those that use its result use that of the other.
    """
    instead = equals(calls)
    kept = needed(calls, target, instead)
    for call in kept if instead else ():
        redirect(call, instead)
    return kept


def equals(calls: Sequence[Invocation]) -> dict[Invocation, Invocation]:
    """For calls that make what one before them makes, that one. A result that the program holds stays its own."""
    if len(calls) < 2 or len({call.op for call in calls}) == len(calls):
        return {}
    return equal_vertices(calls, Invocation.is_held)


def needed(
    calls: list[Invocation], target: Invocation | None, instead: Mapping[Invocation, Invocation]
) -> list[Invocation]:
    """The calls whose results somebody asks for, or another of them needs."""
    used = Counter(operand.node for call in calls for operand in call.feeds() if type(operand) is Port)
    asked_for = [
        call for call in calls if call is target or not call.op.pure or call.is_held() or call.consumers > used[call]
    ]
    return live_vertices(calls, asked_for, instead)


def redirect(call: Invocation, instead: Mapping[Invocation, Invocation]) -> None:
    """Has a call use the results of others. Nothing about the others is changed but how many consumers they have.

    An interrupt may leave too many consumers counted, never too few.
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
