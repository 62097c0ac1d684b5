"""Branches of a pipeline: the operators defined in one work on the samples for which its condition holds."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, TypeVar

from penstock.pipeline.data_node import DataNode

if TYPE_CHECKING:
    from penstock.pipeline.conditionals.conditional import Conditional

T = TypeVar("T")


class Branch:
    """One side of a condition, entered by `with` while its operators are defined."""

    def __init__(self, conditional: Conditional, side: int) -> None:
        self.conditional = conditional
        self.side = side
        self._around: list[Branch | None] = []

    @property
    def numbers(self) -> DataNode:
        """Of every sample of the branch, which one of the whole batch it is."""
        return self.part(self.conditional.numbers)

    def part(self, node: DataNode) -> DataNode:
        """This branch's samples of a node of the branch around it."""
        return self.conditional.parts(node)[self.side]

    def __enter__(self) -> None:
        self._around.append(_scope.branch)
        _scope.branch = self

    def __exit__(self, *failure: object) -> None:
        _scope.branch = self._around.pop()


class _Scope(threading.local):
    branch: Branch | None = None


_scope = _Scope()


def current_branch() -> Branch | None:
    """The branch that is being defined."""
    return _scope.branch


def in_current_branch(value: T) -> T:
    """A node's samples that are in the branch being defined; anything else as it is."""
    return _in_branch(value, _scope.branch) if isinstance(value, DataNode) else value  # type: ignore[return-value]


def explicit_branch(nodes: Iterable[Any]) -> Branch | None:
    """The innermost explicit branch, below the one that is being defined, that one of the nodes is in."""
    found: Branch | None = None
    for node in nodes:
        branch = node.source.branch if isinstance(node, DataNode) and node.source is not None else None
        if branch is not None and branch.conditional.explicit and _is_below(branch, found or _scope.branch):
            found = branch
    return found


def _is_below(branch: Branch, outer: Branch | None) -> bool:
    inner: Branch | None = branch
    while inner is not None and inner is not outer:
        inner = inner.conditional.outer
    return inner is outer and branch is not outer


def _in_branch(node: DataNode, branch: Branch | None) -> DataNode:
    home = None if node.source is None else node.source.branch
    if home is branch:
        return node
    if branch is None:
        raise ValueError(
            f"{node!r} was made in a branch of an `if` statement and has only that branch's samples; assign it to a "
            "variable in both branches to use it behind them"
        )
    return branch.part(_in_branch(node, branch.conditional.outer))
