"""A call's arguments, read and checked once for all calls that are alike: a loop makes the same ones again."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from penstock.engine.arguments import infer_specs, labelled
from penstock.engine.invocation import Invocation
from penstock.engine.prepared import Prepared
from penstock.schema.operator import Operator
from penstock.values.dtypes import DType
from penstock.values.spec import UNKNOWN, Spec

_MOST_PER_OPERATOR = 128
_SIMPLE = frozenset({int, float, bool, str, type(None), DType})


def prepare(call: Invocation, keywords: dict[str, Any], specs: list[Spec]) -> None:
    """Reads and checks the arguments, unless a call like this one has been made before."""
    op = call.op
    key = _memo_key(keywords, specs)
    prepared: Prepared | None = op.memo.get(key) if key is not None else None
    if prepared is None:
        call.arguments = read_arguments(op, keywords)
        if specs:
            specs[0] = labelled(call, specs[0])
        if not all(spec.known for spec in specs):
            call.specs = (UNKNOWN,) * op.count_results(len(specs), call.arguments)
            return
        call.specs = infer_specs(call, specs)
        if key is None or not all(keyword in op.params for keyword in keywords):
            return
        prepared = Prepared(call.arguments, call.specs)
        _remember(op, key, prepared)
    call.arguments = prepared.arguments
    call.specs = prepared.specs
    call.prepared = prepared


def read_arguments(op: Operator, keywords: dict[str, Any]) -> dict[str, Any]:
    """All arguments of the operator, converted; per-sample ones that were given are there as specs."""
    arguments = op.defaults.copy()
    for keyword, value in keywords.items():
        name = keyword if keyword in op.params else op.old_name(keyword, keywords)
        if name is not None and value is not None:
            arguments[name] = value if isinstance(value, Spec) else op.params[name].convert(_plain(value))
    op.check_required([name for name in op.required if arguments[name] is None])
    if op.check is not None:
        op.check(**op.grouped(arguments))
    return arguments


def _plain(value: Any) -> Any:
    """A torch, JAX or other array given as a constant, as NumPy."""
    return value.__array__() if hasattr(value, "__array__") and hasattr(value, "__dlpack__") else value


def _memo_key(keywords: dict[str, Any], inputs: list[Spec]) -> Any:
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


def _remember(op: Operator, key: Any, prepared: Prepared) -> None:
    if len(op.memo) >= _MOST_PER_OPERATOR:
        op.memo.clear()
    op.memo[key] = prepared
