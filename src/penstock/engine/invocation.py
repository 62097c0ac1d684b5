"""An operator call that may not have run yet: a node of the graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias
from weakref import ref

from penstock._native import Samples
from penstock.engine.graph.node import Port
from penstock.engine.policy import OnErrorPolicy
from penstock.engine.site import Site
from penstock.schema.operator import Operator
from penstock.values.accelerator import CPU
from penstock.values.spec import Spec

if TYPE_CHECKING:
    from penstock.engine.call_memo import CallMemo
    from penstock.engine.context import EvalContext


Operand: TypeAlias = "Samples | Port[Invocation]"


class Invocation:
    """An operator with its inputs and arguments, and its results once it has run.

    `handles` refer weakly to the Tensors and Batches the user holds: an intermediate nobody holds and only one call
    consumes need not be stored.
    """

    __slots__ = (
        "arguments",
        "batch_size",
        "consumers",
        "context",
        "device",
        "error",
        "handles",
        "inputs",
        "memo",
        "numbers",
        "op",
        "outputs",
        "policy",
        "site",
        "specs",
        "tensors",
        "words",
    )  # fmt: skip

    def __init__(
        self,
        op: Operator,
        inputs: list[Operand],
        batch_size: int | None,
        context: EvalContext,
        site: Site,
    ) -> None:
        self.op = op
        self.inputs = inputs
        self.arguments: dict[str, Any] = {}
        self.memo: CallMemo | None = None
        self.batch_size = batch_size
        self.numbers: Samples | None = None  # which samples of the whole batch it has, if not all
        self.context = context
        self.device = CPU  # the number of the accelerator that it runs on, if it does not run on the CPU
        self.site = site
        self.tensors: dict[str, Operand] = {}
        self.policy: OnErrorPolicy | None = None
        self.words: tuple[int, ...] | None = None
        self.specs: tuple[Spec, ...] = ()
        self.outputs: list[Samples] | None = None
        self.error: BaseException | None = None
        self.consumers = 0
        self.handles: list[ref[Any]] = []

    @property
    def done(self) -> bool:
        return self.outputs is not None or self.error is not None

    def feeds(self) -> list[Operand]:
        return [*self.inputs, *self.tensors.values()] if self.tensors else self.inputs

    def is_held(self) -> bool:
        for handle in self.handles:  # noqa: SIM110 - a generator costs more than what it asks
            if handle() is not None:
                return True
        return False

    def finish(self, outputs: list[Samples]) -> None:
        self.outputs = outputs if self.device == CPU else on_device(outputs, self.device)
        self.inputs = []
        self.tensors = {}

    def fail(self, error: BaseException) -> None:
        self.error = error
        self.inputs = []
        self.tensors = {}

    def result(self, index: int) -> Samples:
        """As `results`, but only one of them."""
        return self.results()[index]

    def results(self) -> list[Samples]:
        """Waits for the call to have run; raises what it failed with, each time anew."""
        if self.outputs is None and self.error is None:
            self.context.evaluate(self)
        if self.error is not None:
            raise self.error.with_traceback(None)
        assert self.outputs is not None
        return self.outputs


def on_device(outputs: list[Samples], device: int) -> list[Samples]:
    """Results as data of a device; what the CPU made in the place of an accelerator is still said to be on the CPU."""
    return [samples if samples.device == device else samples.on_device(device) for samples in outputs]


Stage = list[Invocation]  # a chain of calls, each of which feeds only the next


def samples_of(call: Invocation) -> int:
    """How many samples a call makes: one where it is on Tensors alone."""
    return 1 if call.batch_size is None else call.batch_size


def ready(operand: Operand) -> Samples:
    """The samples of an operand whose call has run."""
    if isinstance(operand, Samples):
        return operand
    if operand.node.error is not None:
        raise operand.node.error.with_traceback(None)
    assert operand.node.outputs is not None
    return operand.node.outputs[operand.index]
