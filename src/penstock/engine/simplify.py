"""Calls that need not be made: nobody asks for their results, or another call has the same ones."""

from __future__ import annotations

from collections import Counter
from typing import Any

from penstock.engine.invocation import Invocation, Operand, Result


def simplified(calls: list[Invocation], target: Invocation | None) -> list[Invocation]:
    """The calls without which something would be missing that somebody holds, or `target`.

    `calls` come with every call after those it needs, and so do those that are left.
    """
    if len(calls) > 1 and len({call.op for call in calls}) < len(calls):
        merge(calls)
    return needed_of(calls, target)


def needed_of(calls: list[Invocation], target: Invocation | None) -> list[Invocation]:
    """The calls whose results somebody asks for, or another of them needs."""
    used: Counter[int] = Counter()  # by calls of the list, whether they are needed or not
    needed: set[int] = set()
    kept = []
    for call in reversed(calls):
        key = id(call)
        asked_for = call is target or not call.op.pure or call.is_held() or call.consumers > used[key]
        if asked_for or key in needed:
            kept.append(call)
        for operand in call.operands():
            if isinstance(operand, Result):
                used[id(operand.call)] += 1
                if kept and kept[-1] is call:
                    needed.add(id(operand.call))
    kept.reverse()
    return kept


def merge(calls: list[Invocation]) -> dict[int, Invocation]:
    """Lets those that use the result of a call use that of an equal one before it, which is returned by the call's id.

    A result that the program holds stays its own: it may be written to.
    """
    first: dict[Any, Invocation] = {}
    instead: dict[int, Invocation] = {}
    for call in calls:
        if instead:
            _redirect(call, instead)
        if not call.op.pure or call.op.draw is not None or call.prepared is None:
            continue
        other = first.setdefault(_key(call), call)
        if other is not call and not call.is_held():
            instead[id(call)] = other
    return instead


def _key(call: Invocation) -> Any:
    """Equal for calls of one operator with the same inputs and arguments."""
    operands = [(id(each.call), each.index) if isinstance(each, Result) else id(each) for each in call.operands()]
    return id(call.op), id(call.prepared), call.batch_size, (*call.tensors,), *operands


def _redirect(call: Invocation, instead: dict[int, Invocation]) -> None:
    """Counts too many consumers rather than too few at any time: an interrupt may leave it at that."""
    before = call.operands()
    inputs = [_redirected(operand, instead) for operand in call.inputs]
    tensors = {name: _redirected(operand, instead) for name, operand in call.tensors.items()}
    replaced = [(old, new) for old, new in zip(before, (*inputs, *tensors.values()), strict=True) if old is not new]
    for _, new in replaced:
        if isinstance(new, Result):
            new.call.consumers += 1
    call.inputs, call.tensors = inputs, tensors
    for old, _ in replaced:
        if isinstance(old, Result):
            old.call.consumers -= 1


def _redirected(operand: Operand, instead: dict[int, Invocation]) -> Operand:
    if not isinstance(operand, Result) or id(operand.call) not in instead:
        return operand
    return Result(instead[id(operand.call)], operand.index)
