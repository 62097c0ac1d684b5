"""Calls as functions of arrays with a leading batch axis."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock._native import Pool, Samples
from penstock.engine import frames
from penstock.engine.arguments import batch_arguments, frame_arguments, result_specs, takes_frames
from penstock.engine.backends.backend import Task, Words
from penstock.engine.backends.results import with_origin
from penstock.engine.invocation import Invocation, samples_of
from penstock.values.samples import as_batch_array, from_array, from_arrays
from penstock.values.spec import Spec

Array = np.ndarray[Any, Any]


def can_stack(call: Invocation, inputs: list[Samples]) -> bool:
    """Whether the operator has a function of stacked samples, and the inputs are of one shape each."""
    if call.op.stacked is None or call.batch_size == 0:
        return False
    for samples in inputs:  # noqa: SIM110 - a generator costs more than the rest of the choice
        if not samples.uniform:
            return False
    return True


class Stacked:
    """For operators in NumPy that take a whole uniform batch as well as one sample."""

    way = "stacked"
    words = Words("NumPy on the whole batch", "NumPy, whole batch")
    takes_chains = False
    names_samples = False  # NumPy's error is about the whole array

    def serves(self, call: Invocation) -> bool:
        return call.op.stacked is not None

    def accepts(self, task: Task) -> int | None:
        if task.call.op.stacked is None:
            return 0
        if task.inputs is None:
            return None
        return 1 if can_stack(task.call, task.inputs) else 0

    def run(self, task: Task, count: int) -> list[Samples]:
        call, inputs = task.call, task.inputs
        assert inputs is not None
        if (call.op.frames or call.tensors) and takes_frames(call, task.specs()):
            made = _frames(call, inputs, task.specs(), task.pool)
        else:
            n = samples_of(call)
            array = _apply(call, [as_batch_array(samples) for samples in inputs], batch_arguments(call), task.pool)
            if len(array) != n:
                array = np.broadcast_to(array, (n, *array.shape[1:]))
            made = from_array(array)
        specs = call.specs if call.memo else result_specs(call, task.specs())
        made.layout = specs[0].layout or ""
        return [with_origin(made, inputs)]


def _frames(call: Invocation, inputs: list[Samples], specs: list[Spec], pool: Pool) -> Samples:
    """The function's result with all frames of all samples as its batch."""
    n = samples_of(call)
    arguments, rows = frame_arguments(call, n)
    first = [samples.sample(0) for samples in inputs[:1]]
    own = [frames.rows_of(i, first, specs, rows) for i in range(n)]
    counts = [len(each) for each in own]
    for name, _ in call.op.per_sample:
        if arguments[name] is not None and len(arguments[name]) > 1:
            arguments[name] = np.asarray(arguments[name])[np.concatenate(own)]
    arrays = [frames.laid_out(as_batch_array(each), spec, counts) for each, spec in zip(inputs, specs, strict=True)]
    made = _apply(call, arrays, arguments, pool)
    made = np.broadcast_to(made, (sum(counts), *made.shape[1:]))
    return from_arrays(np.split(made, np.cumsum(counts)[:-1]))


def _apply(call: Invocation, arrays: list[Array], arguments: dict[str, Any], pool: Pool) -> Array:
    assert call.op.stacked is not None
    threads = {"threads": pool.threads} if call.op.stack_reads_threads else {}
    return np.asarray(call.op.stacked(*_aligned(arrays), **call.op.grouped(arguments), **threads))


def _aligned(arrays: list[Array]) -> list[Array]:
    """Samples of different rank broadcast from their last axis on, the batch axis staying first."""
    ranks = {array.ndim for array in arrays}
    if len(ranks) < 2:
        return arrays
    rank = max(ranks)
    return [
        array if array.ndim == rank else array.reshape(array.shape[:1] + (1,) * (rank - array.ndim) + array.shape[1:])
        for array in arrays
    ]
