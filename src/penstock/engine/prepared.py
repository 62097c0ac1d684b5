"""Arguments that were read and checked once: a loop makes the same calls again and again."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from penstock._native import Step
from penstock.schema.operator import Operator
from penstock.values.dtypes import DType
from penstock.values.spec import Spec

_MOST_PER_OPERATOR = 128
_SIMPLE = frozenset({int, float, bool, str, type(None), DType})


class Prepared:
    """What a call with these arguments and inputs of these specs comes to. Never changed once made."""

    __slots__ = ("arguments", "specs", "step")

    def __init__(self, arguments: dict[str, Any], specs: tuple[Spec, ...]) -> None:
        self.arguments = arguments
        self.specs = specs
        self.step: Step | None = None  # for calls whose step depends on nothing else


def memo_key(keywords: dict[str, Any], inputs: list[Spec]) -> Any:
    """A key that is equal for calls that come to the same, or None for arguments that may change behind our back."""
    parts: list[Any] = [*inputs]
    for name, value in keywords.items():
        kind = type(value)
        if kind is list or kind is tuple:
            if not _SIMPLE.issuperset(map(type, value)):
                return None
            value = (*value,)
        elif kind not in _SIMPLE and not isinstance(value, (IntEnum, Spec)):
            return None
        parts.append(name)
        parts.append(value)
    return tuple(parts)


def remember(op: Operator, key: Any, prepared: Prepared) -> None:
    if len(op.memo) >= _MOST_PER_OPERATOR:
        op.memo.clear()
    op.memo[key] = prepared
