"""One run of a graph: the calls of its nodes on what it was given this time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from penstock._native import Samples
from penstock.engine.context import EvalContext
from penstock.engine.graph.node import Feed, Node, Port
from penstock.engine.invocation import Invocation, Operand, on_device
from penstock.values.accelerator import CPU


class Calls:
    """The calls of nodes, made when they are first asked for; `instead` tells which node serves for another."""

    __slots__ = ("_context", "_instead", "_words", "given", "made")

    def __init__(
        self,
        given: Sequence[Samples],
        words: Mapping[Node, tuple[int, ...]],
        instead: Mapping[Node, Node],
        context: EvalContext,
    ) -> None:
        self.given = given
        self._words = words
        self._instead = instead
        self._context = context
        self.made: dict[Node, Invocation] = {}  # those that have been asked for

    def of(self, node: Node) -> Invocation:
        """The call of a node, whose inputs become those of other calls."""
        call = self.made.get(node)
        if call is None:
            call = self.add(node, [*map(self.operand, node.inputs)])
            if node.tensors:
                call.tensors = {name: self.operand(feed) for name, feed in node.tensors.items()}
        return call

    def operand(self, feed: Feed) -> Operand:
        """What a node is fed with, for one more call."""
        if isinstance(feed, Samples):
            return feed
        if feed.node is None:
            return self.given[feed.index]
        source = self.of(self._instead.get(feed.node, feed.node))
        source.consumers += 1
        return Port(source, feed.index)

    def samples(self, feed: Feed) -> Samples | None:
        """What a node is fed with; None where it is not there yet, or could not be made."""
        if isinstance(feed, Samples):
            return feed
        if feed.node is None:
            return self.given[feed.index]
        outputs = self.of(self._instead.get(feed.node, feed.node)).outputs
        return None if outputs is None else outputs[feed.index]

    def add(self, node: Node, inputs: list[Operand], outputs: list[Samples] | None = None) -> Invocation:
        """Makes the call of a node; with `outputs` it has run, with these results."""
        call = Invocation(node.op, inputs, node.batch_size, self._context, node.site)
        call.device = node.device
        call.arguments = node.arguments
        call.memo = node.memo
        call.policy = node.policy
        call.specs = node.specs
        call.words = self._words.get(node)
        if outputs is not None:
            call.outputs = outputs if node.device == CPU else on_device(outputs, node.device)
        self.made[node] = call
        return call
