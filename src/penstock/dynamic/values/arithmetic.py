"""Python's operators on Tensors and Batches. Each is an operator call like any other."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from penstock.dynamic.values.operator_calls import calls
from penstock.dynamic.values.value import Value
from penstock.schema.python_operators import PythonOperators
from penstock.values.accelerator import CPU


@cache
def _function(name: str) -> Callable[..., Any]:
    return calls.function(f"_arithmetic.{name}")


class Arithmetic(PythonOperators, Value):
    """Values that can be computed with."""

    __slots__ = ()

    def _operate(self, name: str, *operands: Any) -> Any:
        if self._device == CPU:
            return _function(name)(*map(calls.operand, operands))
        return _function(name)(*calls.operands_on_gpu(operands))
