"""The functions of the imperative face, drawn from the operators."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from penstock.dynamic.calls.call import caller
from penstock.dynamic.values.operator_calls import calls
from penstock.ops.declaration import declaration
from penstock.schema.operator import Operator
from penstock.values.deprecation import warn_deprecated

_functions: dict[str, Callable[..., Any]] = {}


def function(path: str) -> Callable[..., Any]:
    """The function of an operator, by its public name such as "decoders.image"."""
    found = _functions.get(path)
    if found is None:
        op = declaration(path)
        found = _functions[path] = from_operator(op) if path == op.path else _by_older_name(op, path)
    return found


def from_operator(op: Operator) -> Callable[..., Any]:
    """A function that makes a call of the operator."""
    return _presented(caller(op), op, op.path)


def _by_older_name(op: Operator, path: str) -> Callable[..., Any]:
    call = caller(op)

    def call_by_older_name(*inputs: Any, **keywords: Any) -> Any:
        warn_deprecated(f"ndd.{path} is now called ndd.{op.path}")
        return call(*inputs, **keywords)

    return _presented(call_by_older_name, op, path)


def _presented(call: Callable[..., Any], op: Operator, path: str) -> Callable[..., Any]:
    """The function with the name, signature and documentation users see."""
    call.__name__ = call.__qualname__ = path.rsplit(".", 1)[-1]
    call.__module__ = "penstock.dynamic" + "".join(f".{part}" for part in path.split(".")[:-1])
    call.__doc__ = op.doc
    call.__signature__ = op.signature()  # type: ignore[attr-defined]
    call.operator = call._op_class = op  # type: ignore[attr-defined]
    return call


calls.function = function
