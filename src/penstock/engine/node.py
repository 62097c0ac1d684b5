"""A call without its data, as part of a graph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from penstock._native import Samples
from penstock.engine.call_memo import CallMemo as Prepared
from penstock.engine.invocation import Invocation
from penstock.engine.policy import Policy
from penstock.engine.site import Site
from penstock.schema.operator import Operator
from penstock.values.spec import Spec


class Port:
    """A result of a node, or one of the things a graph is given each time it runs. Compared by identity."""

    __slots__ = ("index", "node")

    def __init__(self, node: Node | None, index: int) -> None:
        self.node = node
        self.index = index


Feed = Samples | Port


class Node:
    """A call without its data: what is the same each time it is made."""

    __slots__ = (
        "arguments", "batch_size", "inputs", "numbers", "op", "policy", "ports", "prepared", "site", "specs",
        "tensors",
    )  # fmt: skip

    def __init__(
        self, call: Invocation, inputs: Sequence[Feed], tensors: Mapping[str, Feed], numbers: Port | None = None
    ) -> None:
        """As `call`, with other inputs and per-sample arguments.

        Where only running the graph tells which samples of the whole batch it has, `numbers` are theirs.
        """
        self.op: Operator = call.op
        self.inputs = tuple(inputs)
        self.tensors = dict(tensors)
        self.arguments: dict[str, Any] = call.arguments
        self.prepared: Prepared | None = call.prepared
        self.policy: Policy | None = call.policy
        self.batch_size: int | None = call.batch_size
        self.site: Site = call.site
        self.numbers = numbers
        self.specs: tuple[Spec, ...] = call.specs
        self.ports = tuple(Port(self, index) for index in range(len(call.specs)))

    def feeds(self) -> list[Feed]:
        feeds = [*self.inputs, *self.tensors.values()]
        return feeds if self.numbers is None else [*feeds, self.numbers]

    def sources(self) -> list[Node]:
        """The nodes that it is fed by."""
        return [feed.node for feed in self.feeds() if isinstance(feed, Port) and feed.node is not None]
