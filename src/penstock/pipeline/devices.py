"""Devices in a pipeline: calls can be defined for any, but a pipeline runs on the CPU only."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from penstock.pipeline.data_node import DataNode
from penstock.schema.operator import Operator

if TYPE_CHECKING:
    from penstock.pipeline.call_definition import Definition

_DEVICES = ("cpu", "gpu", "mixed")
# These copy their input between devices, or read only its shape and properties, so it may be on any device.
_ANYWHERE = frozenset(
    {"_shape", "copy", "get_property", "ones_like", "random.beta", "random.coin_flip", "random.normal"}
    | {"random.uniform", "zeros_like"}
)


def checked_device(device: Any) -> str:
    """The name of a device, "cpu" for None; ValueError for what is none."""
    if device is None:
        return "cpu"
    if device not in _DEVICES:
        raise ValueError(f'Unsupported device type: "{device}".')
    return str(device)


def device_of_call(path: str, device: Any, inputs: Sequence[Any], keywords: Mapping[str, Any]) -> str:
    """The device of a call: the one asked for, else that of its inputs. Refuses inputs that it cannot read there."""
    for name, value in keywords.items():
        if isinstance(value, DataNode) and value.device == "gpu":
            raise ValueError(
                f"Invalid device \"gpu\" for argument '{name}' of operator 'nvidia.dali.fn.{path}'. "
                "Named arguments must be on CPU."
            )
    on_gpu = [k for k, value in enumerate(inputs) if isinstance(value, DataNode) and value.device == "gpu"]
    if device is None and on_gpu:
        return "gpu"
    checked = checked_device(device)
    if on_gpu and checked != "gpu" and path not in _ANYWHERE:
        raise RuntimeError(
            f"The input {on_gpu[0]} for {checked} operator `nvidia.dali.fn.{path}` is stored on incompatible device "
            '"gpu". Valid device is "cpu".'
        )
    return checked


def require_cpu(definitions: Iterable[Definition], outputs: Sequence[Any]) -> None:
    """Refuses calls that run on a GPU, and outputs that are moved to one."""
    for definition in definitions:
        where = f"defined at {definition.site.describe()}"
        if definition.device != "cpu":
            raise _no_gpu(f'{definition.path} is to run on device="{definition.device}"; {where}')
        if isinstance(definition.what, Operator) and definition.what.needs_gpu:
            raise _no_gpu(f"{definition.path} runs on a GPU only; {where}")
        if any(isinstance(node, DataNode) and node.device == "gpu" for node in definition.inputs):
            raise _no_gpu(f"{definition.path} takes what `.gpu()` moves to a GPU; {where}")
    for place, node in enumerate(outputs):
        if isinstance(node, DataNode) and node.device == "gpu":
            raise _no_gpu(f"`.gpu()` moves the output {place} to a GPU: {node!r}")


def _no_gpu(reason: str) -> RuntimeError:
    return RuntimeError(f"The pipeline requires a CUDA-capable GPU, and pipelines run on the CPU only.\n{reason}")
