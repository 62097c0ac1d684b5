"""The calls that Tensors and Batches make themselves, by + and []."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from penstock.dynamic.values.value import Value


class OperatorCalls:
    """A call makes Tensors and Batches, so what makes calls imports them and not the other way round.

    It enters itself here, as `penstock.dynamic` is imported.
    """

    function: Callable[[str], Callable[..., Any]]  # an operator's by its public name, from functions.py
    operand: Callable[[Any], Value]  # a number, list or array beside a Tensor in arithmetic, from construct.py
    operands_on_gpu: Callable[[Sequence[Any]], list[Value]]  # the same for all of them, where one may be on a GPU


calls = OperatorCalls()
