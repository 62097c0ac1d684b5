"""How a call is made by an operator's torch function: samples that are alike in one go, frames as samples.

Imported when the first such call is made.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from penstock._native import Samples
from penstock.engine import frames
from penstock.engine.arguments import (
    batch_arguments,
    frame_arguments,
    grouped_arguments,
    of_sample,
    result_specs,
    takes_frames,
    with_layout,
)
from penstock.engine.backends.backend import Task
from penstock.engine.backends.results import with_origin
from penstock.engine.background import is_exiting
from penstock.engine.errors import annotate, source_of
from penstock.engine.invocation import Invocation, samples_of
from penstock.gpu.queue import queue
from penstock.gpu.samples import GpuSamples, download, upload
from penstock.gpu.types import dtype_of, torch_device, torch_dtype
from penstock.values.accelerator import CPU
from penstock.values.dtypes import uint8
from penstock.values.samples import arrays_of
from penstock.values.spec import Spec

if TYPE_CHECKING:
    import torch

# A result: of all samples under a leading axis, or a list of those whose shapes differ, or of none.
Made: TypeAlias = "torch.Tensor | list[torch.Tensor]"


def computed(task: Task) -> list[Samples]:
    """The results of the operator's torch function."""
    assert task.inputs is not None
    with queue(task.call.device):
        inputs = where_read(task.call, task.inputs)
        at_once = _made_at_once(task, inputs)
        return _results(task, _collected(task, _made(task, inputs)) if at_once is None else at_once)


def where_read(call: Invocation, inputs: Sequence[Samples]) -> list[Samples]:
    """The inputs where the call reads them: on its device, but for those that the CPU reads, or nobody."""
    return [_where_read(call, k, samples) for k, samples in enumerate(inputs)]


def _where_read(call: Invocation, k: int, samples: Samples) -> Samples:
    if k in call.op.by_spec:
        return samples
    return samples.host() if call.op.reads_on_cpu(k) else upload(samples, call.device)


def made_on_device(task: Task) -> list[Samples] | None:
    """What the device itself makes of data of the CPU's; None where it leaves that to the CPU."""
    call, inputs = task.call, task.inputs
    assert inputs is not None
    if call.tensors or not inputs[0] or len(inputs[0]) != samples_of(call):
        return None
    made = call.op.device_function(call.device, inputs[0], **grouped_arguments(call))  # type: ignore[misc]
    if made is None:
        return None
    made.layout = call.specs[0].layout or ""
    return [with_origin(made, inputs)]


def uploaded(made: Sequence[Samples], device: int, private: bool) -> list[Samples]:
    """What the CPU made, as data of a device; `private` results share no memory with what the program has."""
    return [upload(each, device, private) for each in made]


def moved(call: Invocation, samples: Samples) -> Samples:
    n = samples_of(call)
    samples = samples if len(samples) == n else samples.select([0] * n)
    if call.device == CPU:
        return download(samples)
    made = upload(samples, call.device)
    return made.copied() if made is samples else made


class _Unit(NamedTuple):
    """What the function is called for once, or together with others: a sample, or a frame of one."""

    inputs: list[Any]
    row: int  # of the arguments


def _made_at_once(task: Task, inputs: list[Samples]) -> list[torch.Tensor] | None:
    """The results of a batch of samples that are all alike, each under a leading axis; None where it is none such.

    So is a batch that one call fails for: sample by sample the error comes again, and with the number of the sample.
    """
    call, op, n = task.call, task.call.op, samples_of(task.call)
    if n == 0 or op.batchwise or op.draw is not None or takes_frames(call, task.specs()):
        return None
    arguments = with_layout(call, task.specs(), batch_arguments(call))
    if any(arguments[name] is not None and len(arguments[name]) > 1 for name, _ in op.per_sample):
        return None
    stacks: list[Any] = []
    for k, samples in enumerate(inputs):
        if k in op.by_spec:
            stacks.append(task.specs()[k])
            continue
        if not samples.uniform or not (isinstance(samples, GpuSamples) or len(samples) == 1):
            return None
        if not isinstance(samples, GpuSamples):
            stacks.append(samples.sample(0))
            continue
        stack = samples.stack()
        stacks.append(stack.expand(n, *stack.shape[1:]) if len(stack) < n else stack)
    try:
        made = _apply(call, task.specs(), stacks, of_sample(call, arguments, 0))
        _check_results(call, made, n)
    except Exception:
        if n == 1:
            raise
        return None
    return [*made] if isinstance(made, tuple) else [made]


def _made(task: Task, inputs: list[Samples]) -> list[Any]:
    """What the function makes of every sample; a tuple for each where it has several results."""
    call, specs = task.call, task.specs()
    n = samples_of(call)
    columns = [[specs[k]] * n if k in call.op.by_spec else _column(samples, n) for k, samples in enumerate(inputs)]
    if call.op.batchwise:
        arguments = with_layout(call, specs, batch_arguments(call))
        made = call.op.gpu_function(*columns, **call.op.grouped(arguments))  # type: ignore[misc]
        return [*zip(*made, strict=True)] if len(call.specs) > 1 else [*made]
    if not takes_frames(call, specs):
        arguments = with_layout(call, specs, batch_arguments(call))
        units = [_Unit([column[i] for column in columns], i) for i in range(n)]
        return _each(task, units, arguments, specs, inputs, [*range(n)])
    return _by_frame(task, columns, specs, inputs)


def _column(samples: Samples, n: int) -> list[Any]:
    """An input as a list with a tensor for every sample; an array where the function reads it on the CPU."""
    each: list[Any] = samples.tensors() if isinstance(samples, GpuSamples) else arrays_of(samples)
    return each * n if len(each) == 1 else each


def _by_frame(task: Task, columns: list[list[Any]], specs: list[Spec], inputs: list[Samples]) -> list[Any]:
    """As `_made`, for a function that is called for every frame."""
    import torch

    call = task.call
    arguments, rows = frame_arguments(call, samples_of(call))
    one_frame = [*map(frames.of_one_frame, specs)]
    units, counts, samples = [], [], []
    for i in range(samples_of(call)):
        own = frames.rows_of(i, [column[i] for column in columns], specs, rows)
        counts.append(len(own))
        for frame, row in enumerate(own):
            parts = [
                column[i][min(frame, len(column[i]) - 1)] if frames.is_per_frame(spec) else column[i]
                for column, spec in zip(columns, specs, strict=True)
            ]
            units.append(_Unit(parts, row))
            samples.append(i)
    arguments = with_layout(call, one_frame, arguments)
    made = _each(task, units, arguments, one_frame, inputs, samples)
    shared = _shared_sizes(call, arguments, made, samples)
    if shared is not None:
        sizes = np.zeros((1 + max(unit.row for unit in units), shared.shape[1]), np.float32)
        sizes[[unit.row for unit in units]] = shared
        made = _each(task, units, {**arguments, "size": sizes}, one_frame, inputs, samples)
    each = iter(made)
    whole = [[next(each) for _ in range(count)] for count in counts]
    if len(call.specs) == 1:
        return [torch.stack(parts) for parts in whole]
    return [tuple(torch.stack(parts) for parts in zip(*results, strict=True)) for results in whole]


def _shared_sizes(call: Invocation, arguments: dict[str, Any], made: list[Any], samples: Sequence[int]) -> Any:
    """For every frame the size of the largest of its sample, where they differ and the operator was told none."""
    if "size" not in call.op.params or arguments["size"] is not None or len(call.specs) > 1:
        return None
    largest: dict[int, Any] = {}
    for sample, frame in zip(samples, made, strict=True):
        largest[sample] = np.maximum(largest.get(sample, 0), frame.shape[:-1])
    if all(tuple(largest[sample]) == tuple(frame.shape[:-1]) for sample, frame in zip(samples, made, strict=True)):
        return None
    return np.array([largest[sample] for sample in samples], np.float32)


def _each(
    task: Task,
    units: Sequence[_Unit],
    arguments: dict[str, Any],
    specs: list[Spec],
    inputs: list[Samples],
    samples: Sequence[int],
) -> list[Any]:
    """What the function makes of every unit: those with equal shapes and arguments are one call."""
    call = task.call
    groups: dict[Any, list[int]] = {}
    for k, unit in enumerate(units):
        groups.setdefault(_alike(call, unit, arguments), []).append(k)
    made: list[Any] = [None] * len(units)
    for members in groups.values():
        if is_exiting():  # torch aborts the process if it is left running in a thread while the interpreter goes
            raise RuntimeError("the interpreter is exiting")
        first = units[members[0]]
        try:
            rows = [units[k].inputs for k in members]
            stacks = [_stacked([row[k] for row in rows]) for k in range(len(rows[0]))]
            result = _apply(call, specs, stacks, of_sample(call, arguments, first.row))
            _check_results(call, result, len(members))
        except Exception as error:
            sample = samples[members[0]]
            annotate(error, call, sample, source_of(inputs, sample))
            raise
        for place, k in enumerate(members):
            made[k] = tuple(each[place] for each in result) if isinstance(result, tuple) else result[place]
    return made


def _alike(call: Invocation, unit: _Unit, arguments: dict[str, Any]) -> Any:
    """Equal for units that one call of the function serves."""
    if call.op.draw is not None:
        return unit.row  # each draws numbers of its own
    shapes = [_told_apart_by(each) for each in unit.inputs]
    rows = [
        np.asarray(arguments[name][unit.row]).tobytes()
        for name, _ in call.op.per_sample
        if arguments[name] is not None and len(arguments[name]) > 1
    ]
    return (*shapes, *rows)


def _told_apart_by(value: Any) -> Any:
    if isinstance(value, Spec):
        return None
    return value.tobytes() if isinstance(value, np.ndarray) else tuple(value.shape)


def _apply(call: Invocation, specs: list[Spec], stacks: list[Any], arguments: dict[str, Any]) -> Any:
    """The function's result for samples that are alike, under a leading axis."""
    function: Any = call.op.gpu_function
    layout = specs[0].layout if specs else None
    if not call.op.channels_last or not layout:
        return function(*stacks, **arguments)
    order = "".join(sorted(layout, key="FDHWC".index))
    first = stacks[0].permute(0, *(1 + layout.index(name) for name in order))
    count = first.shape[:2] if order.startswith("F") else first.shape[:1]
    made = function(first.flatten(0, 1) if len(count) == 2 else first, *stacks[1:], **arguments)
    back = [0, *(1 + order.index(name) for name in layout)]
    image = made[0] if isinstance(made, tuple) else made
    image = image.unflatten(0, count).permute(back)
    if not isinstance(made, tuple):
        return image
    return (image, *(each.unflatten(0, count)[:, 0] if len(count) == 2 else each for each in made[1:]))


def _stacked(values: list[Any]) -> Any:
    """Samples of one shape under a leading axis, over their own memory where they lie back to back in it."""
    import torch

    first = values[0]
    if isinstance(first, (np.ndarray, Spec)):
        return first
    if len(values) == 1:
        return first[None]
    if all(value is first for value in values):
        return first.expand(len(values), *first.shape)
    size, start = first.numel(), first.storage_offset()
    together = first.is_contiguous() and all(
        value.storage_offset() == start + k * size and value.untyped_storage().data_ptr() == _base(first)
        for k, value in enumerate(values)
    )
    if together and size:
        return torch.as_strided(first, (len(values), *first.shape), (size, *first.stride()))
    return torch.stack(values)


def _base(tensor: torch.Tensor) -> int:
    return tensor.untyped_storage().data_ptr()


def _collected(task: Task, made: list[Any]) -> list[Made]:
    """What the function returned for each sample, by result: a stack where the shapes agree."""
    count = len(result_specs(task.call, task.specs()))
    columns = [[each[k] for each in made] if count > 1 else made for k in range(count)]
    return [
        _stacked([*tensors]) if tensors and all(each.shape == tensors[0].shape for each in tensors) else tensors
        for tensors in columns
    ]


def _results(task: Task, made: Sequence[Made]) -> list[Samples]:
    """The results of a call."""
    import torch

    call, inputs = task.call, task.inputs
    assert inputs is not None
    results: list[Samples] = []
    given = {_base(samples.block) for samples in inputs if isinstance(samples, GpuSamples)}
    for each, spec in zip(made, result_specs(call, task.specs()), strict=True):
        tensors = [each] if isinstance(each, torch.Tensor) else each
        dtype = spec.dtype or (dtype_of(tensors[0]) if tensors else uint8)
        for tensor in tensors:
            _check_made(call, tensor, tensors[0], torch_dtype(dtype.code))
        if isinstance(each, torch.Tensor):
            own = each.clone() if _base(each) in given else each  # what the program writes to is not the input
            whole = GpuSamples.of_stack(own, call.device, dtype.code)
        elif tensors:
            whole = GpuSamples.of_tensors(tensors, call.device, dtype.code)
        else:
            nothing = torch.empty(0, dtype=torch_dtype(dtype.code), device=torch_device(call.device))
            whole = GpuSamples(dtype.code, spec.ndim or 0, [], call.device, nothing, [])
        whole.layout = spec.layout or ""
        results.append(with_origin(whole, inputs))
    return results


def _check_made(call: Invocation, tensor: torch.Tensor, first: torch.Tensor, dtype: torch.dtype) -> None:
    """Refuses samples that are not of the type foretold, or not alike."""
    name = call.op.name
    if tensor.dtype != dtype:
        raise TypeError(f"the GPU function of {name} made {tensor.dtype}, {dtype} was expected")
    if tensor.ndim != first.ndim:
        raise TypeError(
            f"the GPU function of {name} made a sample with {tensor.ndim} axes, but the first with {first.ndim}; the "
            "samples of a batch are alike in that"
        )


def _check_results(call: Invocation, result: Any, samples: int) -> None:
    """Refuses what is no tensor with a row for every sample, or not one for each result."""
    import torch

    name, count = call.op.name, len(call.specs)
    made = result if isinstance(result, tuple) else (result,)
    if len(made) != count:
        raise TypeError(f"{name}() has {count} results, but its GPU function returned {len(made)}")
    for each in made:
        if not isinstance(each, torch.Tensor) or each.ndim == 0 or len(each) != samples:
            got = f"one of shape {tuple(each.shape)}" if isinstance(each, torch.Tensor) else f"a {type(each).__name__}"
            raise TypeError(
                f"the GPU function of {name} returns tensors with a leading axis of {samples}, one row for every "
                f"sample, got {got}"
            )
