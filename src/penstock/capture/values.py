"""Batches and Tensors of a compiled loop: they know which result of which call they are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from penstock._native import Samples
from penstock.dynamic.batch import Batch
from penstock.dynamic.tensor import Tensor
from penstock.dynamic.value import Value
from penstock.engine.context import EvalContext
from penstock.engine.explanation import Explanation
from penstock.engine.graph.node import NodePort
from penstock.engine.invocation import Invocation, Operand

if TYPE_CHECKING:
    from penstock.capture.loop_step import LoopStep
    from penstock.capture.traced_call import TracedCall


class Captured(Value):
    """A value of a loop. Where it was not made ahead, since nobody had asked for it before, it is made on demand."""

    __slots__ = ()

    _port: NodePort
    _step: LoopStep

    def _resolve(self) -> Samples:
        node: Any = self._port.node
        if node is not None and (self._samples is None or not node.wanted):
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
        """What is made ahead in every step, or what is left to run of a step that was not foreseen."""
        plan = self._step.plan
        node: Any = self._port.node
        if plan is not None and (
            node is None or (node in plan.graph.known and (self._call is None or self._call.done))
        ):
            return plan.explain()
        return super()._explain()

    def _ask(self) -> None:
        """From now on this is made ahead."""
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


_new = object.__new__


def given(
    outputs: Sequence[Samples], step: LoopStep, ports: Sequence[NodePort], single: bool = False
) -> tuple[CapturedBatch | CapturedTensor, ...]:
    """What the step was given."""
    kind: type[CapturedBatch] | type[CapturedTensor] = CapturedTensor if single else CapturedBatch
    made = tuple([kind._of_samples(samples) for samples in outputs])
    for value, port in zip(made, ports, strict=True):
        value._port, value._step = port, step
    return made


def results(node: TracedCall, step: LoopStep, call: Invocation | None) -> list[Captured]:
    """The results of a call in a step, where `call` is None not yet made."""
    return [result(node, port, step, call) for port in node.ports]


def result(node: TracedCall, port: NodePort, step: LoopStep, call: Invocation | None) -> Captured:
    """One of them."""
    value: Any
    if node.batch_size is None:
        value = _new(CapturedTensor)
    else:
        value = _new(CapturedBatch)
        value._size = node.batch_size
        value._tensors = None
    value._samples = None
    value._call = call
    value._index = port.index
    value._spec = node.specs[port.index]
    value._port = port
    value._step = step
    made: Captured = value
    return made
