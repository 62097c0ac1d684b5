"""The functions of fn that add a call of an operator."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from penstock.ops.declaration import declaration
from penstock.pipeline.definition.call_definition import define
from penstock.schema.operator import Operator
from penstock.values.deprecation import warn_deprecated

_functions: dict[str, Callable[..., Any]] = {}


def function(path: str) -> Callable[..., Any]:
    """The function of an operator, by its public name such as "decoders.image"."""
    found = _functions.get(path)
    if found is None:
        found = _functions[path] = _from_operator(declaration(path), path)
    return found


def renamed_function(path: str, current: str) -> str:
    """The warning about a deprecated name of a function."""
    return f"WARNING: `nvidia.dali.fn.{path}` is now deprecated. Use `{current}` instead."


def _from_operator(op: Operator, path: str) -> Callable[..., Any]:
    def call(*inputs: Any, **keywords: Any) -> Any:
        if path != op.path:
            warn_deprecated(renamed_function(path, f"nvidia.dali.fn.{op.path}"))
        return define(op, inputs, keywords)

    call.__name__ = call.__qualname__ = path.rsplit(".", 1)[-1]
    call.__module__ = "penstock.fn" + "".join(f".{part}" for part in path.split(".")[:-1])
    call.__doc__ = op.doc
    call.__signature__ = op.signature()  # type: ignore[attr-defined]
    call.operator = op  # type: ignore[attr-defined]
    return call
