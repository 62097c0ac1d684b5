"""What programs find as `nvidia.dali._conditionals`."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from types import FrameType
from typing import Any

from penstock.ops.declaration import declaration
from penstock.pipeline.conditionals.branches import current_branch
from penstock.pipeline.conditionals.function_conversion import is_rewritten
from penstock.pipeline.definition.call_definition import define
from penstock.pipeline.definition.data_node import DataNode

__all__ = [
    "apply_conditional_split",
    "apply_conditional_split_to_args",
    "apply_conditional_split_to_branch_outputs",
    "conditionals_enabled",
    "register_data_nodes",
    "this_condition_stack",
]


class ConditionStack:
    """How many `if` statements the line that is being run is in."""

    def stack_depth(self) -> int:
        """One more than there are."""
        depth, branch = 1, current_branch()
        while branch is not None:
            depth, branch = depth + 1, branch.conditional.outer
        return depth


def conditionals_enabled() -> bool:
    """Whether a pipeline with `enable_conditionals=True` is being defined by a caller of this function."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if is_rewritten(frame.f_code):
            return True
        frame = frame.f_back
    return False


def this_condition_stack() -> ConditionStack:
    """That of the pipeline that is being defined."""
    return ConditionStack()


def apply_conditional_split(input: Any) -> Any:
    """A node with the samples that are in the branch being defined, as operators take them by themselves."""
    if not isinstance(input, DataNode) or input.source is None or input.source.branch is current_branch():
        return input
    return define(declaration("copy"), (input,), {})


def apply_conditional_split_to_args(inputs: Iterable[Any], kwargs: Mapping[str, Any]) -> tuple[Any, dict[str, Any]]:
    """Of the nodes among inputs and arguments, the samples that are in the branch being defined."""
    return _brought(inputs), {name: _brought(value) for name, value in kwargs.items()}


def apply_conditional_split_to_branch_outputs(branch_outputs: Iterable[Any], promote_constants: bool = True) -> Any:
    """Of the nodes that a branch leaves, its samples. Constants stay as they are: those who use them take both."""
    return _brought(branch_outputs)


def register_data_nodes(data_node: Any, inputs: Any = (), args: Any = None) -> None:
    """Tells nothing new: a node knows the branch that it was defined in."""


def _brought(value: Any) -> Any:
    """Nodes in lists and tuples are brought too."""
    return type(value)(map(_brought, value)) if type(value) in (list, tuple) else apply_conditional_split(value)
