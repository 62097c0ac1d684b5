"""A condition on nodes: splits batches into two branches, and merges their results."""

from __future__ import annotations

from typing import Any

from penstock.engine.site import here
from penstock.ops.declaration import declaration
from penstock.pipeline.conditionals.branches import Branch, current_branch, in_current_branch
from penstock.pipeline.definition.call_definition import Definition, call_of, register
from penstock.pipeline.definition.data_node import DataNode
from penstock.pipeline.definition.scope import current_scope


class Conditional:
    """A condition that is decided for each sample, and its two branches."""

    def __init__(self, predicate: DataNode, outer: Branch | None, explicit: bool = False) -> None:
        """`predicate` is a node of the branch `outer`, or of none.

        An `explicit` condition belongs to no `if` statement but to a call of the split operator: a call is in its
        branch because it uses a node of that.
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
        """The samples of a node for which the condition holds, and the others; one call for all who ask for them."""
        key = node.source, node.index, node.device
        if key not in self._parts:
            self._parts[key] = self._defined("split", node, self.predicate)
        return self._parts[key]

    @property
    def numbers(self) -> DataNode:
        """The index in the whole batch of every sample that the condition is decided for."""
        if self.outer is not None:
            return self.outer.numbers
        if self._numbers is None:
            self._numbers = self._defined("numbers")[0]
        return self._numbers

    def makes(self, definition: Definition) -> bool:
        """Whether a call is one that splits a node by this condition."""
        return any(node.source is definition for parts in self._parts.values() for node in parts)

    def adopt(self, split: Definition) -> None:
        """Uses a call that was read from a file as the one that splits its input."""
        node = split.inputs[0]
        if isinstance(node, DataNode):
            self._parts[node.source, node.index, node.device] = split.outputs
            if node.source is not None and node.source.path == "_conditional.numbers":
                self._numbers = node

    def merged(self, yes: Any, no: Any) -> DataNode:
        """The results of both branches as one batch."""
        return self._defined("merge", yes, no, self.predicate)[0]

    def _defined(self, name: str, *inputs: Any) -> list[DataNode]:
        made, _ = call_of(declaration(f"_conditional.{name}"), inputs, {})
        made.site, made.branch = self.site, self.outer
        made.move_to(self._scope)  # nodes are split also while the pipeline is built
        register(made, None)
        return made.outputs


def conditional_on(predicate: DataNode, explicit: bool = False) -> Conditional:
    """A condition in the branch that is being defined."""
    return Conditional(in_current_branch(predicate), current_branch(), explicit)
