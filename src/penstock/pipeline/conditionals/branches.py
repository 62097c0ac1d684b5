"""Branches of a pipeline: the operators defined in one work on the samples for which its condition holds."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, TypeVar

from penstock.engine.site import here
from penstock.ops.declaration import declaration
from penstock.pipeline.data_node import DataNode
from penstock.pipeline.scope import current_scope

if TYPE_CHECKING:
    from penstock.pipeline.call_definition import Definition

T = TypeVar("T")


class Conditional:
    """A condition on single samples, and the two branches it leads to."""

    def __init__(self, predicate: DataNode, outer: Branch | None, explicit: bool = False) -> None:
        """`predicate` is in the branch `outer`, or in none.

        The branches of an `explicit` one are those of no `if` statement: whatever uses a node of one is in it.
        """
        self.explicit = explicit
        self.site = here()
        self._scope = current_scope()
        self.outer = outer
        self.predicate = predicate
        self.yes, self.no = Branch(self, 0), Branch(self, 1)
        self._parts: dict[tuple[Definition | None, int, str], list[DataNode]] = {}
        self._numbers: DataNode | None = None

    def parts(self, node: DataNode) -> list[DataNode]:
        """The samples of a node for which the condition holds, and the others."""
        key = node.source, node.index, node.device
        if key not in self._parts:
            self._parts[key] = self._defined("split", node, self.predicate)
        return self._parts[key]

    @property
    def numbers(self) -> DataNode:
        """Of every sample of the condition, which one of the whole batch it is."""
        if self.outer is not None:
            return self.outer.numbers
        if self._numbers is None:
            self._numbers = self._defined("numbers")[0]
        return self._numbers

    def makes(self, definition: Definition) -> bool:
        """Whether a definition takes the parts of some node for this condition."""
        return any(node.source is definition for parts in self._parts.values() for node in parts)

    def adopt(self, split: Definition) -> None:
        """Takes a definition as the one that makes the parts of its input."""
        node = split.inputs[0]
        if isinstance(node, DataNode):
            self._parts[node.source, node.index, node.device] = split.outputs
            if node.source is not None and node.source.path == "_conditional.numbers":
                self._numbers = node

    def merged(self, yes: Any, no: Any) -> DataNode:
        """The results of both branches as one batch."""
        return self._defined("merge", yes, no, self.predicate)[0]

    def _defined(self, name: str, *inputs: Any) -> list[DataNode]:
        from penstock.pipeline.call_definition import call_of, register

        made, _ = call_of(declaration(f"_conditional.{name}"), inputs, {})
        made.site, made.branch = self.site, self.outer
        made.move_to(self._scope)  # parts are also asked for when the pipeline is built
        register(made, None)
        return made.outputs


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


def conditional_on(predicate: DataNode, explicit: bool = False) -> Conditional:
    """A condition in the branch that is being defined."""
    return Conditional(in_current_branch(predicate), current_branch(), explicit)


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
