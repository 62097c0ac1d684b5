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
def _operator(name: str) -> Callable[..., Any]:
    """The operator's function, its operands being what construct.operand makes of them."""
    call, operand = calls.function(f"_arithmetic.{name}"), calls.operand
    return lambda *operands: call(*map(operand, operands))


@cache
def _operator_on_gpu(name: str) -> Callable[..., Any]:
    """As `_operator`, beside a value on a GPU."""
    call, operands_on_gpu = calls.function(f"_arithmetic.{name}"), calls.operands_on_gpu
    return lambda *operands: call(*operands_on_gpu(operands))


class Arithmetic(PythonOperators, Value):
    """Values that can be computed with."""

    __slots__ = ()

    def _operate(self, name: str, *operands: Any) -> Any:
        if self._device == CPU:
            return _operator(name)(*operands)
        return _operator_on_gpu(name)(*operands)
