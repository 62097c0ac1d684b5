"""Checks of the operands of arithmetic in a pipeline: nodes, numbers and arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from penstock.pipeline.definition.data_node import DataNode
from penstock.schema.operator import Operator

_SIGNS = {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**", "bitand": "&",
    "bitor": "|", "bitxor": "^", "lshift": "<<", "rshift": ">>", "lt": "<", "le": "<=", "gt": ">", "ge": ">=",
    "eq": "==", "ne": "!=", "neg": "-", "invert": "~",
}  # fmt: skip


def is_arithmetic(op: Operator) -> bool:
    """Whether an operator is one of Python's, or a function of `math`."""
    return op.path.startswith(("_arithmetic.", "math."))


def check_operands(op: Operator, operands: Sequence[Any]) -> None:
    """Refuses lists that hold nodes, which are mostly results that were not unpacked, and what is no number."""
    name = op.path.rpartition(".")[2]
    for place, value in enumerate(operands):
        if holds_nodes(value):
            raise TypeError(
                f"The input {place} of operator `{_SIGNS.get(name, name)}` must be a `DataNode` or a compatible "
                f"constant. Got a `{type(value).__name__}` with nested `DataNode`(s).\nDid you pass a return value of "
                "an operator producing multiple outputs?"
            )
        if value is None or isinstance(value, (str, bytes, dict)):
            raise TypeError(f"Expected scalar value of type 'bool', 'int' or 'float', got {type(value)}.")


def holds_nodes(value: Any) -> bool:
    """Whether there are nodes in a list, or in lists within it."""
    return isinstance(value, (list, tuple)) and any(isinstance(each, DataNode) or holds_nodes(each) for each in value)
