"""A call without its data, as part of a graph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from penstock._native import Samples
from penstock.engine.policy import OnErrorPolicy
from penstock.engine.site import Site
from penstock.schema.operator import Operator
from penstock.values.spec import Spec

if TYPE_CHECKING:
    from penstock.engine.call_memo import CallMemo
    from penstock.engine.invocation import Invocation


V = TypeVar("V")


class Port(Generic[V]):
    """A result of a call, as input of another: of an `Invocation`, or of a `Node` of a graph.

    Without a node it is one of the things that a graph is given each time it runs. Compared by identity.
    """

    __slots__ = ("index", "node")

    def __init__(self, node: V, index: int) -> None:
        self.node = node
        self.index = index


NodePort = Port["Node | None"]
Feed = Samples | NodePort


class Node:
    """A call without its data: what is the same each time it is made."""

    __slots__ = (
        "arguments",
        "batch_size",
        "device",
        "inputs",
        "memo",
        "numbers",
        "op",
        "policy",
        "ports",
        "site",
        "specs",
        "tensors",
    )  # fmt: skip

    def __init__(
        self, call: Invocation, inputs: Sequence[Feed], tensors: Mapping[str, Feed], numbers: NodePort | None = None
    ) -> None:
        """As `call`, with other inputs and per-sample arguments.

        Where only running the graph tells which samples of the whole batch it has, `numbers` are theirs.
        """
        self.op: Operator = call.op
        self.inputs = tuple(inputs)
        self.tensors = dict(tensors)
        self.arguments: dict[str, Any] = call.arguments
        self.memo: CallMemo | None = call.memo
        self.policy: OnErrorPolicy | None = call.policy
        self.batch_size: int | None = call.batch_size
        self.device: int = call.device
        self.site: Site = call.site
        self.numbers = numbers
        self.specs: tuple[Spec, ...] = call.specs
        self.ports: tuple[NodePort, ...] = tuple(Port(self, index) for index in range(len(call.specs)))

    def feeds(self) -> list[Feed]:
        feeds = [*self.inputs, *self.tensors.values()]
        return feeds if self.numbers is None else [*feeds, self.numbers]
