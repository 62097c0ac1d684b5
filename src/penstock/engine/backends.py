"""The ways an operator is carried out: a native step, its plain function, or a function of the whole batch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from penstock import _native
from penstock._native import Failures, Pool, SampleError, Samples, Step
from penstock.engine import channels_last, frames
from penstock.engine.arguments import (
    batch_arguments,
    frame_arguments,
    input_specs,
    of_sample,
    result_specs,
    takes_frames,
)
from penstock.engine.errors import annotate, from_failure, source_of
from penstock.engine.invocation import Invocation, ready
from penstock.values import parallel
from penstock.values.bad_samples import UnreadableError
from penstock.values.dtypes import DType
from penstock.values.samples import arrays_of, as_batch_array, from_array, from_arrays
from penstock.values.spec import Spec

Array = np.ndarray[Any, Any]


def native_step(call: Invocation, specs: list[Spec], inputs: list[Samples] | None, pool: Pool) -> Step | None:
    """The call as a step; None where it has none, or must first see data that a chain would not store."""
    op, build, n = call.op, call.op.native_step, 1 if call.batch_size is None else call.batch_size
    if build is None or (inputs is None and op.needs_data):
        return None
    of_this_call = call.tensors or op.draw or op.reads_data or op.reads_others or op.reads_batch_size
    kept = None if of_this_call else call.prepared
    if kept is not None and kept.step is not None:
        return kept.step
    by_frame, rows = takes_frames(call, specs), None
    if by_frame:
        given, rows = frame_arguments(call, n)
        still = not frames.is_per_frame(specs[0])
        specs = [*map(frames.of_one_frame, specs)]
    else:
        given = batch_arguments(call)
    arguments = op.grouped(given)
    if op.reads_others:
        others = [ready(operand) for operand in call.inputs[1:]]
        arguments["others"] = [frames.spread_input(samples, rows) for samples in others] if rows else others
    if op.reads_data:
        arguments["samples"] = inputs[0] if inputs else None
    if op.reads_threads:
        arguments["threads"] = pool.threads
    if op.reads_batch_size:
        arguments["batch_size"] = n
    step = build(*specs, **arguments)
    if by_frame and step is not None:
        step = _native.EachFrame(step, *(rows or ([], [], "")), still)
    if kept is not None:
        kept.step = step
    return step


def run_steps(
    calls: list[Invocation], steps: list[Step], inputs: list[Samples], n: int, spec: Spec, pool: Pool
) -> Samples:
    """Calls that are native steps, as one chain."""
    result = _native.run(pool, inputs[0], n, steps)
    if isinstance(result, Failures):
        first = result.list[0]
        raise annotate(from_failure(first), calls[first.step], first.sample, source_of(inputs, first.sample))
    if result is None:
        assert spec.dtype is not None
        result = Samples.empty(spec.dtype.code, 0, [0] * (spec.ndim or 0))
    result.layout = spec.layout or ""
    return _with_origin(result, inputs)


def run_plain(calls: list[Invocation], inputs: list[Samples], n: int, pool: Pool) -> list[Samples]:
    """The operators' own functions: every sample goes through all of them before the next."""
    specs = input_specs(calls[0], inputs)
    if takes_frames(calls[0], specs):
        return _run_plain_frames(calls[0], inputs, n, specs, pool)
    one = plain_maker(calls, inputs, specs)
    results = parallel.map_samples(one, n, sum(samples.nbytes for samples in inputs), pool.threads)
    return collect(calls[-1], results, specs, inputs)


def plain_maker(calls: list[Invocation], inputs: list[Samples], specs: list[Spec]) -> Callable[[int], Any]:
    """Carries one sample through the operators' own functions."""
    links = [(call, with_layout(call, specs, batch_arguments(call))) for call in calls]
    others = [[ready(operand) for operand in call.inputs[1:]] for call in calls]

    def one(i: int) -> Any:
        made: Any = inputs[0].sample(i if len(inputs[0]) > 1 else 0) if inputs else None
        for (call, arguments), beside in zip(links, others, strict=True):
            arrays = [] if made is None else [np.asarray(made)]
            arrays += [samples.sample(i if len(samples) > 1 else 0) for samples in beside]
            try:
                made = _apply(call, specs, arrays, of_sample(call, arguments, i))
                if call is not calls[-1]:
                    made = arrays_made(call, made, 1)[0]
            except Exception as error:
                annotate(error, call, i, source_of(inputs, i))
                raise
        return made

    return one


def follows_plainly(call: Invocation) -> bool:
    """Whether a call's plain function can take over a sample from another without its spec being known."""
    op = call.op
    if any(ready(operand).layout.startswith("F") for operand in call.tensors.values()):
        return False  # made frame by frame, if what it takes over turns out to be a sequence
    of_batch = op.native_step or op.stacked or op.batchwise or op.on_storage
    return not (of_batch or op.layouts or op.layout_name or call.policy)


def _apply(call: Invocation, specs: list[Spec], arrays: list[Array], arguments: dict[str, Any]) -> Any:
    if call.op.channels_last:
        return channels_last.apply(call.op.function, specs[0].layout or "", arrays, arguments)
    return call.op.function(*arrays, **arguments)


def _run_plain_frames(call: Invocation, inputs: list[Samples], n: int, specs: list[Spec], pool: Pool) -> list[Samples]:
    """The operator's own function, on every frame of every sequence."""
    arguments, rows = frame_arguments(call, n)
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

    results = parallel.map_samples(one, n, sum(samples.nbytes for samples in inputs), pool.threads)
    return collect(call, results, specs, inputs)


def with_layout(call: Invocation, specs: list[Spec], arguments: dict[str, Any]) -> dict[str, Any]:
    if call.op.layout_name is not None:
        arguments[call.op.layout_name] = specs[0].layout
    return arguments


def collect(call: Invocation, results: list[Any], specs: list[Spec], inputs: list[Samples]) -> list[Samples]:
    outputs = []
    declared = result_specs(call, specs)
    rows: list[list[Array]] = []
    for i, result in enumerate(results):
        try:
            rows.append(arrays_made(call, result, len(declared), rows[0] if rows else None))
        except Exception as error:
            annotate(error, call, i, source_of(inputs, i))
            raise
    for k, spec in enumerate(declared):
        made = from_arrays([row[k] for row in rows], spec.dtype, spec.ndim)
        made.layout = spec.layout or ""
        outputs.append(_with_origin(made, inputs))
    return outputs


def arrays_made(call: Invocation, made: Any, count: int, first: list[Array] | None = None) -> list[Array]:
    """What an operator's function returned, as arrays; `first` is what it returned for the first sample."""
    name = call.op.name
    if count > 1 and not (isinstance(made, (tuple, list)) and len(made) == count):
        got = f"{len(made)}" if isinstance(made, (tuple, list)) else f"a {type(made).__name__}"
        raise TypeError(f"{name}() has {count} results, but its function returned {got}")
    arrays: list[Array] = []
    for place, value in enumerate(made if count > 1 else (made,)):
        try:
            array = np.asarray(value)
        except ValueError:
            raise TypeError(f"{name}() returned a list that is no array: its parts differ in shape") from None
        if array.dtype not in DType.by_numpy:
            kind = array.dtype if isinstance(value, np.ndarray) else type(value).__name__
            raise TypeError(f"{name}() returned {kind}, {value!r:.60}; an operator returns numbers, or arrays of them")
        if first is not None and (array.dtype, array.ndim) != (first[place].dtype, first[place].ndim):
            raise TypeError(
                f"{name}() returned {array.dtype} with {array.ndim} axes, but {first[place].dtype} with "
                f"{first[place].ndim} for the first sample; the samples of a batch are alike in both"
            )
        arrays.append(array)
    return arrays


def run_batchwise(call: Invocation, inputs: list[Samples], n: int) -> list[Samples]:
    """A function that sees the batch as lists of samples."""
    specs = input_specs(call, inputs)
    columns = [arrays_of(samples) * (n if len(samples) == 1 else 1) for samples in inputs]
    made = call.op.function(*columns, **call.op.grouped(with_layout(call, specs, batch_arguments(call))))
    rows = list(zip(*made, strict=True)) if len(call.specs) > 1 else list(made)
    if len(rows) != n:
        raise RuntimeError(f"{call.op.name}() returned {len(rows)} samples for a batch of {n}")
    return collect(call, rows, specs, inputs)


def run_on_samples(call: Invocation, inputs: list[Samples], n: int, pool: Pool) -> list[Samples]:
    """A function of the storage of the batch."""
    assert call.op.on_storage is not None
    try:
        made = call.op.on_storage(pool, n, *inputs, **call.op.grouped(batch_arguments(call)))
    except SampleError as failure:
        sample, message = failure.args
        raise annotate(RuntimeError(message), call, sample, source_of(inputs, sample)) from failure.__cause__
    except UnreadableError as failure:
        if call.policy is not None:
            raise
        sample = next(iter(failure.failures))
        raise annotate(failure.first, call, sample, source_of(inputs, sample)) from None
    results = [made] if isinstance(made, Samples) else [*made]
    for result, spec in zip(results, result_specs(call, input_specs(call, inputs)), strict=True):
        if spec.layout is not None:
            result.layout = spec.layout
        _with_origin(result, inputs)
    return results


def run_stacked(call: Invocation, inputs: list[Samples], n: int, pool: Pool) -> Samples:
    """A function of arrays with a leading batch axis."""
    made = _stacked(call, [as_batch_array(samples) for samples in inputs], batch_arguments(call), pool)
    if len(made) != n:
        made = np.broadcast_to(made, (n, *made.shape[1:]))
    return _labelled(call, from_array(made), inputs)


def run_stacked_frames(call: Invocation, inputs: list[Samples], n: int, pool: Pool) -> Samples:
    """A function of arrays with a leading batch axis, all frames of all samples being its batch."""
    specs = input_specs(call, inputs)
    arguments, rows = frame_arguments(call, n)
    first = [samples.sample(0) for samples in inputs[:1]]
    own = [frames.rows_of(i, first, specs, rows) for i in range(n)]
    counts = [len(each) for each in own]
    for name, _ in call.op.per_sample:
        if arguments[name] is not None and len(arguments[name]) > 1:
            arguments[name] = np.asarray(arguments[name])[np.concatenate(own)]
    arrays = [frames.laid_out(as_batch_array(each), spec, counts) for each, spec in zip(inputs, specs, strict=True)]
    made = _stacked(call, arrays, arguments, pool)
    made = np.broadcast_to(made, (sum(counts), *made.shape[1:]))
    return _labelled(call, from_arrays(np.split(made, np.cumsum(counts)[:-1])), inputs)


def _stacked(call: Invocation, arrays: list[Array], arguments: dict[str, Any], pool: Pool) -> Array:
    assert call.op.stacked is not None
    threads = {"threads": pool.threads} if call.op.stack_reads_threads else {}
    return np.asarray(call.op.stacked(*_aligned(arrays), **call.op.grouped(arguments), **threads))


def _labelled(call: Invocation, result: Samples, inputs: list[Samples]) -> Samples:
    specs = call.specs if call.prepared else result_specs(call, input_specs(call, inputs))
    result.layout = specs[0].layout or ""
    return _with_origin(result, inputs)


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


def tell_sources(call: Invocation, inputs: list[Samples], results: list[Samples]) -> None:
    """Tells results that are made of several samples each which files those came from."""
    assert call.op.sources_of is not None
    if all(samples.sources is None for samples in inputs):
        return
    n = 1 if call.batch_size is None else call.batch_size
    sources = call.op.sources_of(n, *inputs, **call.op.grouped(batch_arguments(call)))
    for result in results:
        result.sources = sources


def _with_origin(result: Samples, inputs: list[Samples]) -> Samples:
    """A result of as many samples as an input knows where they came from: as the first that knows."""
    for samples in inputs:
        if len(samples) == len(result):
            result.take_origin(samples)
    return result
