"""Batches and Tensors of a compiled loop, which refer to the step and the graph port that they are the result of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from penstock._native import Samples
from penstock.dynamic.values.batch import Batch
from penstock.dynamic.values.tensor import Tensor
from penstock.dynamic.values.value import Value
from penstock.engine.context import EvalContext
from penstock.engine.explanation import Explanation
from penstock.engine.graph.node import NodePort
from penstock.engine.invocation import Operand

if TYPE_CHECKING:
    from penstock.capture.loop_step import LoopStep


class Captured(Value):
    """A value of a step: a batch of a source, or a result of a traced call.

    Results that no step before asked for are not made ahead. Such a value has neither samples nor a call until the
    program asks for it; then it is made on demand, and from the next steps on ahead.
    """

    __slots__ = ()

    _port: NodePort
    _samples: Samples | None
    _step: LoopStep

    def _resolve(self) -> Samples:
        node: Any = self._port.node
        if node is not None and (not node.wanted or (self._samples is None and self._call is None)):
            self._ask()
        return self._made()

    @property
    def _device(self) -> int:
        if self._samples is None and self._call is None:
            assert self._port.node is not None
            return self._port.node.device
        return super()._device

    def _operand(self, context: EvalContext) -> Operand:
        if self._samples is None and self._call is None:
            self._ask()
        return super()._operand(context)

    def _explain(self) -> Explanation:
        """Explains the plan of the loop where the value is part of it, otherwise the call that makes the value."""
        plan = self._step.plan
        node: Any = self._port.node
        if plan is not None and (
            node is None or (node in plan.graph.known and (self._call is None or self._call.done))
        ):
            return plan.explain()
        return super()._explain()

    def _ask(self) -> None:
        """Marks the result as wanted, so that the next steps make it ahead; gives it a call in this step if needed."""
        node: Any = self._port.node
        if not node.wanted:
            node.wanted = self._step.surprised = True
        if self._call is None and self._samples is None:
            self._call = self._step.call_of(node)


class CapturedBatch(Captured, Batch):
    """A Batch of a compiled loop."""

    __slots__ = ("_port", "_step")


class CapturedTensor(Captured, Tensor):
    """A Tensor of a compiled loop."""

    __slots__ = ("_port", "_step")
