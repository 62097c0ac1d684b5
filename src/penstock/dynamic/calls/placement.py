"""Where a call runs: the rules of devices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from penstock.dynamic.values.value import Value
from penstock.engine.backends.gpu import has_kernel
from penstock.engine.invocation import Invocation
from penstock.schema.operator import Operator
from penstock.values.accelerator import CPU, accelerator, missing
from penstock.values.device import Device, active
from penstock.values.device import device as to_device


def place(call: Invocation, wanted: Any, inputs: Sequence[Any], devices: Sequence[int]) -> None:
    """Sets the device of a call, or says why it cannot run there.

    It runs where it is told to; else on the GPU that an input is on; else on the device of the `with` it is made in;
    else on the CPU. `inputs` are as the program gave them, `devices` where they are.
    """
    op = call.op
    told = to_device(wanted)
    if told is not None:
        call.device = _told(op, told, wanted)
    else:
        call.device = _inferred(op, devices)
    if op.inputs_from != "anywhere":
        inputs = [value for value in inputs if value is not None]
        for position, (value, device) in enumerate(zip(inputs, devices, strict=True)):
            if device != call.device or (op.runs_on == "mixed" and device != CPU):
                _check_input(call, position, value, device, told is not None)
    if call.device != CPU:
        _require_kernel(op, call.device)


def _told(op: Operator, told: Device, wanted: Any) -> int:
    if told == Device.CPU and op.needs_gpu:
        raise ValueError(f'Invalid device "cpu" for operator `{op.name}`: {_gpu_only(op)}')
    if told != Device.CPU and op.runs_on == "cpu":
        raise ValueError(f'Invalid device "{wanted}" for operator `{op.name}`: it runs on the CPU; leave device out')
    return told.number


def _inferred(op: Operator, devices: Sequence[int]) -> int:
    found = next((device for device in devices if device != CPU), CPU)
    if op.runs_on == "cpu":
        if found != CPU and op.inputs_from != "anywhere":
            raise ValueError(
                f"{op.name}() runs on the CPU, and its input is on {Device.of_number(found)}; move it there with .cpu()"
            )
        return CPU
    if found == CPU and active.stack:
        found = active.stack[-1].number
    if found == CPU and op.needs_gpu:
        raise RuntimeError(_gpu_only(op))
    return found


def _gpu_only(op: Operator) -> str:
    offer = "" if accelerator().count else f"; {missing()}"
    return f'{op.name} runs on a GPU only; call it with device="gpu"{offer}'


def _check_input(call: Invocation, position: int, value: Any, device: int, told: bool) -> None:
    """Refuses an input that is on another device than the call.

    What the program has not put on a device yet goes where the call is: numbers, lists and arrays, and anything on the
    CPU where the call, or the `with` it is made in, says that it runs on a GPU.
    """
    op, here = call.op, Device.of_number(device)
    if device != CPU:
        if call.device != CPU and op.runs_on != "mixed":
            raise ValueError(
                f"{op.name}(): input {position} is on {here}, others are on {Device.of_number(call.device)}; "
                "the inputs of a call must be on one device, .to_device() moves them"
            )
        what = "takes its data from the CPU" if call.device != CPU else 'is called with device="cpu"'
        raise ValueError(f"{op.name}() {what}, and input {position} is on {here}; move it there with .cpu()")
    if told or op.runs_on == "mixed" or not isinstance(value, Value) or op.reads_on_cpu(position):
        return
    if active.stack and active.stack[-1].number == call.device:
        return
    raise ValueError(
        f"{op.name}(): Cannot mix GPU and CPU inputs. Input {position} is on the CPU, others are on "
        f"{Device.of_number(call.device)}; move it there with .gpu()"
    )


def _require_kernel(op: Operator, device: int) -> None:
    """Refuses operators that the accelerator has no kernel for."""
    if not accelerator().runs_on_host and not has_kernel(op):
        raise NotImplementedError(
            f"{op.name}() has no GPU kernel yet; move its inputs with .cpu(), and its result with .gpu()"
        )
