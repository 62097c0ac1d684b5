"""Runs stages: native chains in one call, plain functions sample by sample, whole-batch functions at once."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock import _native
from penstock._native import Failures, Pool, Samples, Step
from penstock.engine import parallel, turned
from penstock.engine.errors import annotate, from_failure, source_of
from penstock.engine.invocation import Invocation, ready
from penstock.engine.planner import Stage
from penstock.schema.params import Draw
from penstock.values.samples import as_batch_array, from_array, from_arrays
from penstock.values.spec import Spec, spec_of


def run_stage(stage: Stage, pool: Pool) -> None:
    """Runs a chain and stores the result in its last call; a failure is stored there too."""
    last = stage[-1]
    blamed = stage[0]
    try:
        flowing: list[Samples] = [ready(operand) for operand in stage[0].inputs]
        position = 0
        while position < len(stage):
            blamed = stage[position]
            if position:
                flowing = [flowing[0], *(ready(operand) for operand in blamed.inputs[1:])]
            flowing, position = _run_from(stage, position, flowing, pool)
        last.finish(flowing)
    except Exception as error:
        annotate(error, blamed)
        for call in stage:
            call.fail(error)


def _run_from(stage: Stage, position: int, inputs: list[Samples], pool: Pool) -> tuple[list[Samples], int]:
    """Runs as many calls from `position` on as go together; returns the results and the position after them."""
    call = stage[position]
    n = 1 if call.batch_size is None else call.batch_size
    if call.op.batchwise:
        return _run_batchwise(call, inputs, n), position + 1
    specs = _input_specs(call, inputs)
    steps: list[Step] = []
    end = position
    result_spec = specs[0] if specs else None
    while end < len(stage):
        step = _native_step(stage[end], n, specs)
        if step is None:
            break
        steps.append(step)
        result_spec = _result_specs(stage[end], specs)[0]
        end += 1
        if end < len(stage):
            specs = [result_spec, *(spec_of(ready(operand)) for operand in stage[end].inputs[1:])]
    if steps:
        assert result_spec is not None
        results = [_run_native(stage[position:end], steps, inputs, n, result_spec, pool)]
        if len(call.specs) > 1 and call.op.side_outputs is not None:
            results += call.op.side_outputs(*inputs, **call.op.grouped(call.arguments))
        return results, end
    if call.op.stacked is not None and n and all(samples.uniform for samples in inputs):
        return [_run_stacked(call, inputs, n)], position + 1
    return _run_plain(call, inputs, n, pool), position + 1


def _input_specs(call: Invocation, inputs: list[Samples]) -> list[Spec]:
    specs = [spec_of(samples) for samples in inputs]
    if specs:
        specs[0] = labelled(call, specs[0])
    return specs


def labelled(call: Invocation, spec: Spec) -> Spec:
    """The first input's spec with the layout the operator takes it to have."""
    layouts = call.op.layouts
    if not layouts or spec.ndim is None or spec.layout is None:
        return spec
    if spec.layout:
        if spec.layout not in layouts:
            raise ValueError(
                f'The layout "{spec.layout}" does not match any of the allowed layouts for input 0. Valid layouts are: '
                + ", ".join(layouts)
            )
        return spec
    for layout in layouts:
        if len(layout) == spec.ndim:
            return spec._replace(layout=layout)
    raise ValueError(
        f"The number of dimensions {spec.ndim} does not match any of the allowed layouts for input 0. "
        f"Valid layouts are: {', '.join(layouts)}"
    )


def infer_specs(call: Invocation, specs: list[Spec]) -> tuple[Spec, ...]:
    """What the operator says its results will be; bad arguments are refused here."""
    inferred = call.op.infer(*specs, **call.op.grouped(call.arguments))
    return (inferred,) if isinstance(inferred, Spec) else inferred


def _result_specs(call: Invocation, specs: list[Spec]) -> tuple[Spec, ...]:
    """The foretold specs; where a call was made before its input was known, they are found now."""
    if not all(spec.known for spec in call.specs):
        call.specs = infer_specs(call, specs)
    return call.specs


def _native_step(call: Invocation, n: int, specs: list[Spec]) -> Step | None:
    build = call.op.native_step
    if build is None:
        return None
    return build(*specs, **call.op.grouped(_batch_arguments(call, n)))


def _batch_arguments(call: Invocation, n: int) -> dict[str, Any]:
    """Arguments for the whole batch: per-sample ones as arrays of one row, or of a row per sample."""
    arguments = dict(call.arguments)
    params = call.op.params
    for name, operand in call.tensors.items():
        arguments[name] = _rows(name, ready(operand), params[name].storage, params[name].is_list)
    for name, param in params.items():
        if param.per_sample and name not in call.tensors and arguments[name] is not None:
            arguments[name] = param.as_array(arguments[name])
    if call.op.draw is not None:
        assert call.words is not None
        arguments[call.op.draw] = Draw(call.words)
    return arguments


def _rows(name: str, samples: Samples, storage: np.dtype[Any], is_list: bool) -> Any:
    if not samples.uniform:
        return [_cast_argument(samples.sample(i), storage) for i in range(len(samples))]
    rows = _cast_argument(as_batch_array(samples), storage)
    if np.issubdtype(rows.dtype, np.floating) and np.isnan(rows).any():
        raise ValueError(f"{name} must be a number, got NaN")
    if not is_list:
        if rows.ndim > 1 and rows[0].size != 1:
            raise RuntimeError(f"{name} takes one number per sample, got an array of shape {rows.shape[1:]}")
        return rows.reshape(len(rows))
    return rows if rows.ndim > 1 else rows[:, None]


def _cast_argument(array: np.ndarray[Any, Any], storage: np.dtype[Any]) -> np.ndarray[Any, Any]:
    """Per-sample arguments are rounded to whole numbers where the argument is one."""
    if array.dtype == storage:
        return np.ascontiguousarray(array)
    if storage.kind == "i" and array.dtype.kind == "f":
        if not np.isfinite(array).all():
            raise ValueError("an argument that must be a whole number is NaN or infinite")
        array = np.rint(array)
    return np.ascontiguousarray(array.astype(storage))


def _run_native(
    calls: list[Invocation], steps: list[Step], inputs: list[Samples], n: int, spec: Spec, pool: Pool
) -> Samples:
    result = _native.run(pool, inputs[0], n, steps)
    if isinstance(result, Failures):
        first = result.list[0]
        call = calls[first.step]
        raise annotate(from_failure(first), call, first.sample, source_of(inputs, first.sample))
    if result is None:
        assert spec.dtype is not None and spec.ndim is not None
        result = Samples.empty(spec.dtype.code, 0, [0] * spec.ndim)
    result.layout = spec.layout or ""
    return result


def _run_plain(call: Invocation, inputs: list[Samples], n: int, pool: Pool) -> list[Samples]:
    """The operator's own function, sample by sample."""
    arguments = _batch_arguments(call, n)
    specs = _input_specs(call, inputs)
    per_sample = [name for name, param in call.op.params.items() if param.per_sample and arguments[name] is not None]
    draw = call.op.draw

    def one(i: int) -> Any:
        mine = dict(arguments)
        for name in per_sample:
            values = arguments[name]
            mine[name] = values[i if len(values) > 1 else 0]
        if draw is not None:
            mine[draw] = Draw(arguments[draw].words, i)
        arrays = [samples.sample(i if len(samples) > 1 else 0) for samples in inputs]
        try:
            if call.op.channels_last:
                return turned.apply(call.op.function, specs[0].layout or "", arrays, call.op.grouped(mine))
            return call.op.function(*arrays, **call.op.grouped(mine))
        except Exception as error:
            annotate(error, call, i, source_of(inputs, i))
            raise

    results = parallel.map_samples(one, n, sum(samples.nbytes for samples in inputs), pool.threads)
    return _collect(call, results, specs, inputs)


def _collect(call: Invocation, results: list[Any], specs: list[Spec], inputs: list[Samples]) -> list[Samples]:
    outputs = []
    declared = _result_specs(call, specs)
    for k, spec in enumerate(declared):
        column = [np.asarray(result[k] if len(declared) > 1 else result) for result in results]
        made = from_arrays(column, spec.dtype, spec.ndim)
        made.layout = spec.layout or ""
        if inputs and len(inputs[0]) == len(made):
            made.take_sources(inputs[0])
        outputs.append(made)
    return outputs


def _run_batchwise(call: Invocation, inputs: list[Samples], n: int) -> list[Samples]:
    """A function that sees the batch as lists of samples."""
    columns = [[samples.sample(i) for i in range(len(samples))] for samples in inputs]
    made = call.op.function(*columns, **call.op.grouped(_batch_arguments(call, n)))
    rows = list(zip(*made, strict=True)) if len(call.specs) > 1 else list(made)
    return _collect(call, rows, _input_specs(call, inputs), inputs)


def _run_stacked(call: Invocation, inputs: list[Samples], n: int) -> Samples:
    """A function of arrays with a leading batch axis."""
    assert call.op.stacked is not None
    arrays = _aligned([as_batch_array(samples) for samples in inputs])
    made = np.asarray(call.op.stacked(*arrays, **call.op.grouped(_batch_arguments(call, n))))
    if len(made) != n:
        made = np.broadcast_to(made, (n, *made.shape[1:]))
    result = from_array(made)
    result.layout = _result_specs(call, _input_specs(call, inputs))[0].layout or ""
    if inputs and len(inputs[0]) == n:
        result.take_sources(inputs[0])
    return result


def _aligned(arrays: list[np.ndarray[Any, Any]]) -> list[np.ndarray[Any, Any]]:
    """Samples of different rank broadcast from their last axis on, the batch axis staying first."""
    rank = max((array.ndim for array in arrays), default=0)
    if all(array.ndim == rank for array in arrays):
        return arrays
    return [array.reshape(array.shape[:1] + (1,) * (rank - array.ndim) + array.shape[1:]) for array in arrays]

