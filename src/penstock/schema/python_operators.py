"""Python's operators, drawn as operator calls by whatever stands for data: Tensors, Batches and nodes of a pipeline."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def _binary(name: str) -> tuple[Callable[[Any, Any], Any], Callable[[Any, Any], Any]]:
    def forward(self: Any, other: Any) -> Any:
        return self._operate(name, self, other)

    def reflected(self: Any, other: Any) -> Any:
        return self._operate(name, other, self)

    return forward, reflected


class PythonOperators:
    """+ - * / // % ** & | ^ << >>, comparisons, negation and abs, with DALI's type promotion."""

    __slots__ = ()

    _operate: Callable[..., Any]  # (name, *operands): calls the operator `_arithmetic.<name>`

    __add__, __radd__ = _binary("add")
    __sub__, __rsub__ = _binary("sub")
    __mul__, __rmul__ = _binary("mul")
    __truediv__, __rtruediv__ = _binary("truediv")
    __floordiv__, __rfloordiv__ = _binary("floordiv")
    __mod__, __rmod__ = _binary("mod")
    __pow__, __rpow__ = _binary("pow")
    __and__, __rand__ = _binary("bitand")
    __or__, __ror__ = _binary("bitor")
    __xor__, __rxor__ = _binary("bitxor")
    __lshift__, __rlshift__ = _binary("lshift")
    __rshift__, __rrshift__ = _binary("rshift")
    __lt__, _ = _binary("lt")
    __le__, _ = _binary("le")
    __gt__, _ = _binary("gt")
    __ge__, _ = _binary("ge")
    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> Any:
        """Element by element; nothing equals None."""
        return NotImplemented if other is None else self._operate("eq", self, other)

    def __ne__(self, other: object) -> Any:
        return NotImplemented if other is None else self._operate("ne", self, other)

    def __neg__(self) -> Any:
        return self._operate("neg", self)

    def __pos__(self) -> Any:
        return self

    def __abs__(self) -> Any:
        return self._operate("abs", self)

    def __invert__(self) -> Any:
        return self._operate("invert", self)
