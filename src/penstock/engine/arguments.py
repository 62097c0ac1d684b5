"""The specs of a call's inputs and results, and its arguments for a whole batch or for one sample."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from typing import Any

import numpy as np

from penstock._native import Samples
from penstock.engine import frames
from penstock.engine.frames import FrameRows
from penstock.engine.invocation import Invocation, ready
from penstock.schema.params import Draw, Param
from penstock.values.dtypes import DType
from penstock.values.new_tuple import new_tuple
from penstock.values.samples import arrays_of, as_batch_array
from penstock.values.spec import Spec, spec_of

Array = np.ndarray[Any, Any]


def input_specs(call: Invocation, inputs: list[Samples]) -> list[Spec]:
    """Returns the specs of the inputs, the first one with a layout, see `labelled`."""
    specs = [spec_of(samples) for samples in inputs]
    if specs and call.op.layouts:
        specs[0] = labelled(call, specs[0])
    return specs


def labelled(call: Invocation, spec: Spec) -> Spec:
    """Returns the first input's spec; one without layout gets the operator's first layout of as many axes.

    Raises ValueError for a layout, or a number of axes, that the operator does not take.
    """
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
    """Returns the specs of the results, inferred by the operator, which raises for bad arguments here."""
    if call.op.numbers_only:
        _refuse_members(specs)
    by_frame = takes_frames(call, specs)
    unlabelled = call.op.still and specs[0].layout == ""
    arguments = call.arguments
    if by_frame:
        specs = [*map(frames.of_one_frame, specs)]
        arguments = frames.seen_by_one_frame(arguments)
    inferred = call.op.infer(*specs, **call.op.grouped(arguments))
    results = (inferred,) if isinstance(inferred, Spec) else inferred
    if call.op.numbers_only:
        _refuse_members(results)
    if not by_frame:
        return results
    made = (*map(frames.of_all_frames, results),)
    return (*(spec._replace(layout="") for spec in made),) if unlabelled else made


def _refuse_members(specs: Iterable[Spec]) -> None:
    for spec in specs:
        if spec.dtype is not None and spec.dtype.kind is DType.Kind.enum:
            raise RuntimeError(
                f"Unsupported data type: {spec.dtype}, an enumeration; ndd.cast makes numbers of members"
            )


def takes_frames(call: Invocation, specs: list[Spec]) -> bool:
    """Whether the call runs once for every frame."""
    if not (call.op.frames or call.tensors):
        return False
    return frames.unfolds(call.op, specs, {name: call.arguments[name] for name in call.tensors})


def result_specs(call: Invocation, specs: list[Spec]) -> tuple[Spec, ...]:
    """Returns the specs of the results; infers them now for a call made before its inputs' specs were known."""
    if call.memo is None and not all(spec.known for spec in call.specs):
        call.specs = infer_specs(call, specs)
    return call.specs


def batch_arguments(call: Invocation, but: Collection[str] = ()) -> dict[str, Any]:
    """Returns the arguments for the whole batch: per-sample ones as arrays with one row, or with a row per sample.

    Those named in `but` are left as they are.
    """
    memo = call.memo
    if memo is None:
        arguments = _constant_rows(call)
    else:
        if memo.rows is None:
            memo.rows = _constant_rows(call)
        arguments = memo.rows.copy()
    return _with_data(arguments, call, but)


def grouped_arguments(call: Invocation) -> dict[str, Any]:
    """Returns the arguments for the whole batch as the operator's function takes them, see `Operator.grouped`.

    Groups of constants are made once for all calls with the same memo.
    """
    memo = call.memo
    if memo is None or not call.op.groups:
        return call.op.grouped(batch_arguments(call))
    if memo.grouped is None:
        taken = {name for _, names in call.op.groups.values() for name in names}
        is_constant = taken.isdisjoint(call.tensors) and call.op.draw not in taken
        memo.grouped = call.op.grouped(_constant_rows(call)) if is_constant else {}
    if not memo.grouped:
        return call.op.grouped(batch_arguments(call))
    return _with_data(memo.grouped.copy(), call)


def _with_data(arguments: dict[str, Any], call: Invocation, but: Collection[str] = ()) -> dict[str, Any]:
    """Adds what differs from call to call: per-sample arguments that are given as data, and what is drawn."""
    params = call.op.params
    for name, operand in call.tensors.items():
        if name not in but:
            arguments[name] = _rows(ready(operand).host(), params[name])
    if call.op.draw is not None:
        assert call.words is not None
        arguments[call.op.draw] = new_tuple(Draw, (call.words, 0))
    return arguments


def _constant_rows(call: Invocation) -> dict[str, Any]:
    """The arguments with constants of per-sample ones as arrays with one row; those given as data stay as they are."""
    arguments = call.arguments.copy()
    for name, param in call.op.per_sample:
        if arguments[name] is not None and name not in call.tensors:
            arguments[name] = param.rows(arguments[name])
    return arguments


def frame_arguments(call: Invocation, n: int) -> tuple[dict[str, Any], FrameRows | None]:
    """Returns the arguments of a call that runs once for every frame, and their rows.

    Where an argument or a further input has a value for every frame, all per-sample arguments get a row for each frame;
    otherwise the rows are None, and arguments have a row for each sample.
    """
    marked = [name for name in call.tensors if ready(call.tensors[name]).layout.startswith("F")]
    inputs = {f"input {place}": ready(operand) for place, operand in enumerate(call.inputs) if place}
    sequences = {name: arrays_of(samples) for name, samples in inputs.items() if samples.layout.startswith("F")}
    if not marked and not sequences:
        return frames.seen_by_one_frame(batch_arguments(call)), None
    arguments = batch_arguments(call, but=marked)
    given = {}
    for name in marked:
        param = call.op.params[name]
        given[name] = [_as_rows(array, param, "frame") for array in arrays_of(ready(call.tensors[name]))]
    named = {f"tensor argument `{name}`": rows for name, rows in given.items()}
    layout = frames.rows_of_frames(named | sequences, n)
    for name, _ in call.op.per_sample:
        if name in given:
            arguments[name] = frames.spread_frames(given[name], layout)
        elif arguments[name] is not None:
            arguments[name] = frames.spread_samples(arguments[name], layout)
    return frames.seen_by_one_frame(arguments), layout


def with_layout(call: Invocation, specs: list[Spec], arguments: dict[str, Any]) -> dict[str, Any]:
    """Adds the first input's layout to the arguments, for an operator whose function takes it."""
    if call.op.layout_name is not None:
        arguments[call.op.layout_name] = specs[0].layout
    return arguments


def of_sample(call: Invocation, arguments: dict[str, Any], i: int) -> dict[str, Any]:
    """Returns the arguments of one sample as the operator's function takes them."""
    mine = dict(arguments)
    for name, _ in call.op.per_sample:
        values = arguments[name]
        if values is not None:
            mine[name] = values[i if len(values) > 1 else 0]
    if call.op.draw is not None:
        mine[call.op.draw] = Draw(arguments[call.op.draw].words, i)
    return call.op.grouped(mine)


_SEVERAL = "{} takes one number per {}, got an array of shape {}"


def _rows(samples: Samples, param: Param) -> Any:
    if param.code is not None:
        numbers = samples.numbers(param.code)  # as most are; the other ways take NumPy several calls
        if numbers is not None:
            return numbers
    if not samples.uniform:
        if not param.is_list and not param.is_array:
            shape = next(shape for shape in samples.shapes() if math.prod(shape) != 1)
            raise RuntimeError(_SEVERAL.format(param.name, "sample", shape))
        return [_cast_argument(array, param.storage) for array in arrays_of(samples)]
    return _as_rows(as_batch_array(samples), param, "sample")


def _as_rows(array: Array, param: Param, each: str) -> Array:
    """Returns the values of one argument, a row for each sample or frame."""
    rows = _cast_argument(array, param.storage)
    if rows.dtype.kind == "f" and np.isnan(rows).any():
        raise ValueError(f"{param.name} must be a number, got NaN")
    if param.is_array:
        return rows
    if not param.is_list:
        if rows.ndim > 1 and rows[0].size != 1:
            raise RuntimeError(_SEVERAL.format(param.name, each, rows.shape[1:]))
        return rows.reshape(len(rows))
    return rows if rows.ndim > 1 else rows[:, None]


def _cast_argument(array: Array, storage: np.dtype[Any] | None) -> Array:
    """Casts per-sample values to the type of their argument, if any; rounds them to the nearest for whole numbers."""
    if storage is None or array.dtype == storage:
        return np.ascontiguousarray(array)
    if storage.kind == "i" and array.dtype.kind == "f":
        if not np.isfinite(array).all():
            raise ValueError("an argument that must be a whole number is NaN or infinite")
        array = np.rint(array)
    return np.ascontiguousarray(array.astype(storage))
