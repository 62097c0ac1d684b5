"""Calls on an accelerator, as operators' torch functions."""

from __future__ import annotations

from collections.abc import Callable

from penstock._native import Samples
from penstock.engine.backends.backend import Backend, Task, Words
from penstock.engine.invocation import Invocation
from penstock.schema.operator import Operator
from penstock.values.accelerator import CPU, accelerator

Choose = Callable[[Task], "tuple[Backend, int] | None"]


def has_kernel(op: Operator) -> bool:
    """Whether an accelerator runs an operator, or takes what the CPU makes for it: decoded images, drawn numbers."""
    if op.gpu_function is not None or op.stored_anywhere or op.by_cpu or op.runs_on == "mixed":
        return True
    return _is_drawn(op) or op.inputs_from == "anywhere"


# Those that move data, whichever way.
_MOVES = ("_transfer", "copy")


def _is_drawn(op: Operator) -> bool:
    """Whether it draws numbers without reading data: the CPU draws them, so that they are the same everywhere."""
    return op.draw is not None and (op.inputs_from == "anywhere" or not op.inputs)


class Gpu:
    """For calls on an accelerator of torch's, or on torch's CPU device in its place."""

    way = "gpu"
    words = Words("torch on the accelerator", "torch, accelerator")
    takes_chains = False
    names_samples = True

    def __init__(self, choose_on_cpu: Choose) -> None:
        """`choose_on_cpu` chooses among the other backends."""
        self._choose_on_cpu = choose_on_cpu

    def serves(self, call: Invocation) -> bool:
        return call.device != CPU and not accelerator().runs_on_host

    def accepts(self, task: Task) -> int:
        call = task.call
        if call.device == CPU:
            if call.op.inputs_from != "anywhere" or not task.inputs:
                return 0
            return int(any(samples.elsewhere for samples in task.inputs))
        return int(self.serves(call))

    def run(self, task: Task, count: int) -> list[Samples]:
        from penstock.engine.backends import gpu_calls

        call, inputs = task.call, task.inputs
        assert inputs is not None
        if call.op.path in _MOVES:
            return [gpu_calls.moved(call, inputs[0])]
        if call.op.gpu_function is not None:
            return gpu_calls.computed(task)
        if call.op.device_function is not None:
            there = gpu_calls.made_on_device(task)
            if there is not None:
                return there
        if call.op.stored_anywhere:
            inputs = gpu_calls.where_read(call, inputs)
        elif call.op.by_cpu:
            inputs = [samples.host() for samples in inputs]
        made = self._on_cpu(task, inputs)
        if call.device == CPU or _is_drawn(call.op):
            return made
        return gpu_calls.uploaded(made, call.device, private=call.op.runs_on == "mixed")

    def _on_cpu(self, task: Task, inputs: list[Samples]) -> list[Samples]:
        """What the other backends make of the call, on data that is theirs or of which they read no element."""
        inner = Task([task.call], 0, inputs, task.pool)
        chosen = self._choose_on_cpu(inner)
        assert chosen is not None
        return chosen[0].run(inner, 1)
