"""Where the operators of a pipeline run, and what a pipeline says that cannot run there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from penstock.engine.backends.gpu import has_kernel
from penstock.pipeline.definition.data_node import DataNode
from penstock.schema.operator import Operator
from penstock.values.accelerator import accelerator, missing

if TYPE_CHECKING:
    from penstock.pipeline.definition.call_definition import Definition

_DEVICES = ("cpu", "gpu", "mixed")


def checked_device(device: Any) -> str:
    """The name of a device, "cpu" for None; ValueError for what is none."""
    if device is None:
        return "cpu"
    if device not in _DEVICES:
        raise ValueError(f'Unsupported device type: "{device}".')
    return str(device)


def device_of_call(op: Operator, device: Any, inputs: Sequence[Any], keywords: Mapping[str, Any]) -> str:
    """Where a call runs: where its inputs are unless it says so. Refuses what cannot be handed to it there."""
    name = f"nvidia.dali.fn.{op.path}"
    for keyword, value in keywords.items():
        if isinstance(value, DataNode) and value.device == "gpu":
            raise ValueError(
                f"Invalid device \"gpu\" for argument '{keyword}' of operator '{name}'. Named arguments must be on CPU."
            )
    places = {k: value.device for k, value in enumerate(inputs) if isinstance(value, DataNode)}
    checked = checked_device(device)
    if device is not None:
        _check_kinds(op, name, checked)
    elif "gpu" in places.values() and op.runs_on == "any":
        checked = "gpu"
    valid = "gpu" if checked == "gpu" else "cpu"
    for k, place in places.items():
        if place != valid and not _takes(op, k, place):
            raise RuntimeError(
                f'The input {k} for {checked} operator `{name}` is stored on incompatible device "{place}". '
                f'Valid device is "{valid}".'
            )
    return checked


def _takes(op: Operator, k: int, place: str) -> bool:
    """Whether an operator takes an input that is on another device."""
    if op.inputs_from == "anywhere":
        return True
    return place == "cpu" and (op.path.startswith(("_arithmetic.", "math.")) or op.reads_on_cpu(k))


def _check_kinds(op: Operator, name: str, device: str) -> None:
    """Refuses a device for which there is no such operator."""
    if device == "mixed" and op.runs_on != "mixed":
        raise ValueError(f'Operator `{name}` is not registered for device "mixed"; decoders are. Use "cpu" or "gpu".')
    if device == "gpu" and op.runs_on == "mixed":
        raise ValueError(
            f'Operator `{name}` is not registered for device "gpu": it takes data from the CPU, which in pipelines is '
            'device="mixed".'
        )
    if device == "gpu" and op.runs_on == "cpu":
        raise ValueError(f'Operator `{name}` is not registered for device "gpu": it runs on the CPU.')


def require_gpu(definitions: Sequence[Definition], outputs: Sequence[Any], device_id: int | None) -> None:
    """Refuses operators that are for a GPU, and results that are to be there, where the pipeline has none."""
    reason = _needs_gpu(definitions, outputs)
    if reason is None:
        return
    count = accelerator().count
    if not count:
        raise RuntimeError(f"The pipeline requires a CUDA-capable GPU: {missing()}\n{reason}")
    if device_id is None:
        raise RuntimeError(
            f"The pipeline requires a CUDA-capable GPU, and its device_id is None; give it the number of one\n{reason}"
        )
    if not 0 <= device_id < count:
        raise ValueError(f"Invalid device id: {device_id} for device type: gpu. Must be in range [0..{count - 1}]")
    if accelerator().runs_on_host:
        return
    for definition in definitions:
        op = definition.what
        if definition.device != "cpu" and isinstance(op, Operator) and not has_kernel(op):
            raise NotImplementedError(
                f'{definition.path} has no GPU kernel yet; give it what `.cpu()` moves and device="cpu", and move its '
                f"result with `.gpu()`\ndefined at {definition.site.describe()}"
            )


def _needs_gpu(definitions: Iterable[Definition], outputs: Sequence[Any]) -> str | None:
    """What needs a GPU first; None where nothing does."""
    for definition in definitions:
        where = f"defined at {definition.site.describe()}"
        if definition.device != "cpu":
            return f'{definition.path} is to run on device="{definition.device}"; {where}'
        if isinstance(definition.what, Operator) and definition.what.needs_gpu:
            return f"{definition.path} runs on a GPU only; {where}"
        if any(isinstance(node, DataNode) and node.device == "gpu" for node in definition.inputs):
            return f"{definition.path} takes what `.gpu()` moves to a GPU; {where}"
    for place, node in enumerate(outputs):
        if isinstance(node, DataNode) and node.device == "gpu":
            return f"`.gpu()` moves the output {place} to a GPU: {node!r}"
    return None


def refuse_return(definitions: Iterable[Definition], outputs: Sequence[Any]) -> None:
    """Refuses data that comes back from a GPU to the CPU, for executors that run all that is on the CPU first."""
    used = [(node, definition.path) for definition in definitions for node in definition.needs()]
    used += [(node, "the pipeline's outputs") for node in outputs if isinstance(node, DataNode)]
    for node, user in used:
        if node.device == "cpu" and node.source is not None and node.source.device != "cpu":
            raise RuntimeError(
                "This pipeline doesn't support transition from GPU to CPU.\nGPU->CPU transitions require "
                "exec_dynamic=True, with exec_async, exec_pipelined and one prefetch_queue_depth for both devices: "
                f"`.cpu()` of {node!r} is for {user}"
            )
