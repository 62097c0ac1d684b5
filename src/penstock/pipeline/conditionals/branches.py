"""Branches of a pipeline: calls defined in one get only the samples for which its condition holds, or does not."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, TypeVar

from penstock.pipeline.definition.data_node import DataNode

if TYPE_CHECKING:
    from penstock.pipeline.conditionals.conditional import Conditional

T = TypeVar("T")


class Branch:
    """One side of a condition, entered by `with` while its calls are defined."""

    def __init__(self, conditional: Conditional, side: int) -> None:
        self.conditional = conditional
        self.side = side
        self._around: list[Branch | None] = []

    @property
    def numbers(self) -> DataNode:
        """The index in the whole batch of every sample of the branch."""
        return self.part(self.conditional.numbers)

    def part(self, node: DataNode) -> DataNode:
        """The samples of a node of the outer branch that are in this one."""
        return self.conditional.parts(node)[self.side]

    def __enter__(self) -> None:
        self._around.append(_current.branch)
        _current.branch = self

    def __exit__(self, *failure: object) -> None:
        _current.branch = self._around.pop()


class _Current(threading.local):
    branch: Branch | None = None


_current = _Current()


def current_branch() -> Branch | None:
    """The branch that is being defined."""
    return _current.branch


def in_current_branch(value: T) -> T:
    """The samples of a node that are in the branch being defined, split off where it is an outer branch's."""
    return _in_branch(value, _current.branch) if isinstance(value, DataNode) else value  # type: ignore[return-value]


def explicit_branch(nodes: Iterable[Any]) -> Branch | None:
    """The innermost explicit branch, below the one that is being defined, that one of the nodes is in."""
    found: Branch | None = None
    for node in nodes:
        branch = node.source.branch if isinstance(node, DataNode) and node.source is not None else None
        if branch is not None and branch.conditional.explicit and _is_below(branch, found or _current.branch):
            found = branch
    return found


def _is_below(branch: Branch, outer: Branch | None) -> bool:
    inner: Branch | None = branch
    while inner is not None and inner is not outer:
        inner = inner.conditional.outer
    return inner is outer and branch is not outer


def _in_branch(node: DataNode, branch: Branch | None) -> DataNode:
    """The samples of a node that are in a branch. A node of an inner or another branch lacks some, and is refused."""
    home = None if node.source is None else node.source.branch
    if home is branch:
        return node
    if branch is None:
        raise ValueError(
            f"{node!r} was made in a branch of an `if` statement and has only that branch's samples; assign it to a "
            "variable in both branches to use it behind them"
        )
    return branch.part(_in_branch(node, branch.conditional.outer))
