"""ndd.math."""

from __future__ import annotations

from collections.abc import Callable
from inspect import Parameter, Signature
from typing import TYPE_CHECKING, Any

from penstock.dynamic.calls.functions import function
from penstock.dynamic.calls.namespace import attributes
from penstock.dynamic.values.construct import operand, operands_on_gpu
from penstock.ops.declaration import OPERATORS

_find, __dir__ = attributes("math")


def _function(name: str) -> Callable[..., Any]:
    """The function of that name. As in arithmetic, operands may be numbers, lists and arrays, also by keyword."""
    if f"math.{name}" not in OPERATORS:
        return _find(name)  # type: ignore[no-any-return]  # raises, naming the nearest one
    call: Any = function(f"math.{name}")
    inputs: list[str] = call.operator.inputs
    signature = Signature([Parameter(each, Parameter.POSITIONAL_OR_KEYWORD) for each in inputs])

    def compute(*operands: Any, **named: Any) -> Any:
        if named or len(operands) != len(inputs):
            try:
                operands = signature.bind(*operands, **named).args
            except TypeError as error:
                raise TypeError(f"{name}(): {error}") from None
        return call(*map(operand, operands)) if len(operands) == 1 else call(*operands_on_gpu(operands))

    compute.__name__ = compute.__qualname__ = name
    compute.__module__ = __name__
    compute.__doc__ = call.__doc__
    compute.__signature__ = signature  # type: ignore[attr-defined]
    globals()[name] = compute  # the next time is free
    return compute


if TYPE_CHECKING:
    from penstock.dynamic._signatures.math import *
else:
    __getattr__ = _function
