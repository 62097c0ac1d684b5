"""Calls as functions of the batch as a list of samples."""

from __future__ import annotations

from penstock._native import Samples
from penstock.engine.arguments import batch_arguments, with_layout
from penstock.engine.backends.backend import Task, Words
from penstock.engine.backends.results import collect
from penstock.engine.invocation import Invocation, samples_of
from penstock.values.samples import arrays_of


class Batchwise:
    """For operators whose samples depend on each other, in NumPy."""

    way = "batchwise"
    words = Words("Python on the whole batch", "Python, whole batch")
    takes_chains = False
    names_samples = True

    def serves(self, call: Invocation) -> bool:
        return call.op.batchwise

    def accepts(self, task: Task) -> int:
        return 1 if task.call.op.batchwise else 0

    def run(self, task: Task, count: int) -> list[Samples]:
        call, inputs, specs = task.call, task.inputs, task.specs()
        assert inputs is not None
        n = samples_of(call)
        columns = [arrays_of(samples) * (n if len(samples) == 1 else 1) for samples in inputs]
        made = call.op.function(*columns, **call.op.grouped(with_layout(call, specs, batch_arguments(call))))
        rows = list(zip(*made, strict=True)) if len(call.specs) > 1 else list(made)
        if len(rows) != n:
            raise RuntimeError(f"{call.op.name}() returned {len(rows)} samples for a batch of {n}")
        return collect(call, rows, specs, inputs)
