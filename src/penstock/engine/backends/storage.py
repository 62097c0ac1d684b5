"""Calls as functions of the whole batch as it is stored."""

from __future__ import annotations

from penstock._native import SampleError, Samples
from penstock.engine.arguments import grouped_arguments, result_specs
from penstock.engine.backends.backend import Task, Words
from penstock.engine.backends.results import with_origin
from penstock.engine.errors import annotate, source_of
from penstock.engine.invocation import Invocation, samples_of
from penstock.values.bad_samples import UnreadableError


class WholeStorage:
    """For operators that make samples out of nothing, see the same memory in another way, or have several results."""

    way = "storage"
    words = Words("on the storage of the whole batch", "whole storage")
    takes_chains = False
    names_samples = True

    def serves(self, call: Invocation) -> bool:
        return call.op.on_storage is not None

    def accepts(self, task: Task) -> int:
        return 0 if task.call.op.on_storage is None else 1

    def run(self, task: Task, count: int) -> list[Samples]:
        call, inputs = task.call, task.inputs
        assert inputs is not None
        assert call.op.on_storage is not None
        try:
            made = call.op.on_storage(task.pool, samples_of(call), *inputs, **grouped_arguments(call))
        except SampleError as failure:
            sample, message = failure.args
            raise annotate(RuntimeError(message), call, sample, source_of(inputs, sample)) from failure.__cause__
        except UnreadableError as failure:
            if call.policy is not None:
                raise
            sample = next(iter(failure.failures))
            raise annotate(failure.first, call, sample, source_of(inputs, sample)) from None
        results = [made] if isinstance(made, Samples) else [*made]
        for result, spec in zip(results, result_specs(call, task.specs()), strict=True):
            if spec.layout is not None:
                result.layout = spec.layout
            with_origin(result, inputs)
        return results
