"""What programs find as `nvidia.dali.fn._conditional`: the operators that `if` statements in pipelines become."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

from penstock.ops.declaration import declaration
from penstock.pipeline.conditionals.branches import explicit_branch
from penstock.pipeline.conditionals.conditional import conditional_on
from penstock.pipeline.definition.call_definition import define
from penstock.pipeline.definition.data_node import DataNode

__all__ = ["merge", "not_", "split", "validate_logical"]


def split(input: Any, /, *, predicate: DataNode) -> list[DataNode]:
    """The samples for which `predicate` holds, and the others, as two nodes with batches of their own sizes.

    What is made of them has as many samples; `merge` makes one batch of both again.
    """
    with explicit_branch((input, _node(predicate))) or nullcontext():
        conditional = conditional_on(predicate, explicit=True)
        made = []
        for branch in (conditional.yes, conditional.no):
            with branch:
                made.append(define(declaration("copy"), (input,), {}))
        return made


def merge(yes: Any, no: Any, /, *, predicate: DataNode) -> DataNode:
    """The batches of `split` as one: the next sample of `yes` where `predicate` holds, else the next of `no`."""
    with explicit_branch((_node(predicate),)) or nullcontext():
        return conditional_on(predicate).merged(yes, no)


def _node(predicate: Any) -> DataNode:
    if not isinstance(predicate, DataNode):
        raise RuntimeError("The 'predicate' argument is required to be a node")
    return predicate


def not_(operand: Any, /, **keywords: Any) -> Any:
    """Whether each sample is false."""
    return define(declaration("_conditional.not_"), (operand,), keywords)


def validate_logical(operand: Any, /, *, expression_name: str, expression_side: str, **keywords: Any) -> Any:
    """A sample as it is, if it is a truth value that may stand on that side of `and` or `or`."""
    arguments = {"expression_name": expression_name, "side": expression_side, **keywords}
    return define(declaration("_conditional.validate_logical"), (operand,), arguments)
