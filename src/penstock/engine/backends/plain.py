"""Calls as the operators' own functions of one sample: what every other backend is held to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from penstock._native import Samples
from penstock.engine import channels_last, frames
from penstock.engine.arguments import batch_arguments, frame_arguments, of_sample, takes_frames, with_layout
from penstock.engine.backends.backend import Backend, Task, Words
from penstock.engine.backends.results import arrays_made, collect
from penstock.engine.errors import annotate, source_of
from penstock.engine.invocation import Invocation, ready, samples_of
from penstock.values import parallel
from penstock.values.samples import array_getter
from penstock.values.spec import Spec

Array = np.ndarray[Any, Any]


class Plain:
    """For all operators; every sample goes through the functions of all calls before the next one does."""

    way = "plain"
    words = Words("Python, sample by sample", "Python, by sample")
    takes_chains = True
    names_samples = True

    def __init__(self, preferred: Sequence[Backend]) -> None:
        """`preferred` are the backends that are asked before this one."""
        self._preferred = tuple(preferred)

    def serves(self, call: Invocation) -> bool:
        return True

    def accepts(self, task: Task) -> int | None:
        if not task.complete:
            return None
        stage, end = task.stage, task.position + 1
        if _by_frame(task):
            return 1
        while end < len(stage) and self._follows(stage[end]):
            end += 1
        return end - task.position

    def _follows(self, call: Invocation) -> bool:
        """Whether a call takes each sample over from the one before, without the spec of that being known."""
        op = call.op
        if op.layouts or op.layout_name or call.policy:
            return False
        if op.infers and not call.specs[0].known:
            return False  # its result's layout is inferred from what it takes over
        if call.tensors and any(ready(operand).layout.startswith("F") for operand in call.tensors.values()):
            return False  # made frame by frame, if what it takes over turns out to be a sequence
        for backend in self._preferred:  # noqa: SIM110 - a generator costs more than what it asks
            if backend.serves(call):
                return False
        return True

    def run(self, task: Task, count: int) -> list[Samples]:
        inputs, specs = task.inputs, task.specs()
        assert inputs is not None
        calls = task.stage[task.position : task.position + count]
        one = _frames_maker(task.call, inputs, specs) if _by_frame(task) else plain_maker(calls, inputs, specs)
        size = sum(samples.nbytes for samples in inputs)
        results = parallel.map_samples(one, samples_of(task.call), size, task.pool.threads)
        return collect(calls[-1], results, specs, inputs)


def _by_frame(task: Task) -> bool:
    call = task.call
    return (call.op.frames or bool(call.tensors)) and takes_frames(call, task.specs())


def plain_maker(calls: list[Invocation], inputs: list[Samples], specs: list[Spec]) -> Callable[[int], Any]:
    """A function that carries the sample of a given number through the operators' own functions."""
    links = [(call, with_layout(call, specs, batch_arguments(call))) for call in calls]
    read_only = any(call.op.read_only for call in calls)  # of the first input, all are: a call may return a view of it
    first = [array_getter(samples, read_only) for samples in inputs[:1]]
    others = [[array_getter(ready(operand), call.op.read_only) for operand in call.inputs[1:]] for call in calls]

    def one(i: int) -> Any:
        made: Any = first[0](i) if first else None
        for (call, arguments), beside in zip(links, others, strict=True):
            arrays = [] if made is None else [np.asarray(made)]
            if beside:
                arrays += [get(i) for get in beside]
            try:
                made = _apply(call, specs, arrays, of_sample(call, arguments, i))
                if call is not calls[-1]:
                    made = arrays_made(call, made, 1)[0]
            except Exception as error:
                annotate(error, call, i, source_of(inputs, i))
                raise
        return made

    return one


def _frames_maker(call: Invocation, inputs: list[Samples], specs: list[Spec]) -> Callable[[int], Any]:
    """A function that applies the operator's own to every frame of the sequence of a given number."""
    arguments, rows = frame_arguments(call, samples_of(call))
    one_frame = [*map(frames.of_one_frame, specs)]
    arguments = with_layout(call, one_frame, arguments)

    def one(i: int) -> Any:
        arrays = [samples.sample(i if len(samples) > 1 else 0) for samples in inputs]
        try:
            own = frames.rows_of(i, arrays, specs, rows)
            made = []
            for frame, row in enumerate(own):
                parts = [
                    array[min(frame, len(array) - 1)] if frames.is_per_frame(spec) else array
                    for array, spec in zip(arrays, specs, strict=True)
                ]
                made.append(_apply(call, one_frame, parts, of_sample(call, arguments, row)))
            return frames.stacked(made, len(call.specs))
        except Exception as error:
            annotate(error, call, i, source_of(inputs, i))
            raise

    return one


def _apply(call: Invocation, specs: list[Spec], arrays: list[Array], arguments: dict[str, Any]) -> Any:
    if call.op.channels_last:
        return channels_last.apply(call.op.function, specs[0].layout or "", arrays, arguments)
    return call.op.function(*arrays, **arguments)
