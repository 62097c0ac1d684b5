"""Where data lives: `Device`."""

from __future__ import annotations

import threading
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeAlias, Union

from penstock.values.accelerator import CPU, accelerator, current_number, known_count, missing

if TYPE_CHECKING:
    import torch


class _Active(threading.local):
    """The devices of `with` statements that a thread is in, the innermost last.

    `numbers` are those of GPUs, which "gpu" alone stands for; contexts of evaluation enter theirs, too.
    """

    def __init__(self) -> None:
        self.stack: list[Device] = []
        self.numbers: list[int] = []


active = _Active()


class Device:
    """The CPU, or an accelerator by number.

    Names are "cpu", "gpu", "gpu:N"; "cuda" is another word for "gpu", and "gpu" without a number is the GPU of the
    innermost `with`, else the first. As a context manager it is the device of calls that name none and whose inputs are
    all on the CPU: ``with ndd.Device("gpu:1"): ...``. Operators that only a CPU runs stay there.
    """

    CPU: Device

    def __init__(self, name: str, device_id: int | None = None) -> None:
        if not isinstance(name, str):
            raise TypeError(f"a device is given by its name, got {name!r}")
        kind, colon, number = name.partition(":")
        if colon:
            if device_id is not None:
                raise ValueError(f"Invalid device name: {name}; its id is given twice")
            device_id = int(number)
        self.device_type = _device_type(kind)
        self.device_id = _checked_id(self.device_type, device_id)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Device):
            return NotImplemented
        return self.device_type == other.device_type and self.device_id == other.device_id

    def __hash__(self) -> int:
        return hash((self.device_type, self.device_id))

    def __str__(self) -> str:
        return "cpu" if self.device_type == "cpu" else f"gpu:{self.device_id}"

    def __repr__(self) -> str:
        id_part = "" if self.device_id is None else f", device_id={self.device_id}"
        return f"Device(device_type={self.device_type!r}{id_part})"

    def __enter__(self) -> None:
        active.stack.append(self)
        if self.device_id is not None:
            active.numbers.append(self.device_id)

    def __exit__(
        self, exc_type: type[BaseException] | None, exc_value: BaseException | None, traceback: TracebackType | None
    ) -> None:
        active.stack.pop()
        if self.device_id is not None:
            active.numbers.pop()

    @staticmethod
    def current() -> Device:
        """The innermost active device, else the first accelerator, else the CPU."""
        if active.stack:
            return active.stack[-1]
        return Device("gpu") if known_count() else Device.CPU

    @staticmethod
    def of_number(number: int) -> Device:
        """The device of data with that number: `Samples.device`."""
        return Device.CPU if number == CPU else Device("gpu", number)

    @property
    def number(self) -> int:
        """What data on it is marked with."""
        return CPU if self.device_id is None else self.device_id

    @staticmethod
    def default_device_id(device_type: str) -> int | None:
        """The number used when none is given."""
        return _checked_id(_device_type(device_type), None)

    @staticmethod
    def type_from_dlpack(dev_type: int) -> str:
        """ "cpu" or "gpu" for DLPack's device type codes 1 and 2."""
        names = {1: "cpu", 2: "gpu"}
        if int(dev_type) not in names:
            raise ValueError(f"Unsupported device type: {int(dev_type)}; DLPack's 1 (cpu) and 2 (cuda) are known")
        return names[int(dev_type)]

    @staticmethod
    def from_dlpack(dlpack_device: Any) -> Device:
        """The device of an object with `__dlpack_device__`."""
        kind, number = dlpack_device.__dlpack_device__()
        name = Device.type_from_dlpack(kind)
        return Device(name, None if name == "cpu" else number)


class CUDAStream:
    """A CUDA stream by the address of its handle; 0 is the default stream."""

    def __init__(self, ptr: int = 0) -> None:
        self._ptr = ptr

    @property
    def ptr(self) -> int:
        """The address, as a number."""
        return self._ptr


def _device_type(kind: str) -> str:
    if kind == "mixed":
        raise ValueError(
            'Invalid device type: mixed. Only pipelines have it; to decode bytes of the CPU to a GPU, use device="gpu"'
        )
    if kind not in ("cpu", "gpu", "cuda"):
        raise ValueError(f'Invalid device type: {kind}; use "cpu" or "gpu"')
    return "cpu" if kind == "cpu" else "gpu"


def _checked_id(device_type: str, device_id: int | None) -> int | None:
    if device_type == "cpu":
        if device_id is not None:
            raise ValueError(f"Invalid device id: {device_id} for device type: cpu. Must be `None`")
        return None
    count = accelerator().count
    if device_id is None:
        if count == 0:
            raise RuntimeError(missing())
        return active.numbers[-1] if active.numbers else current_number()
    if not 0 <= device_id < count:
        reason = "" if count else f"; {missing()}"
        raise ValueError(
            f"Invalid device id: {device_id} for device type: gpu. Must be in range [0..{count - 1}]{reason}"
        )
    return device_id


Device.CPU = Device("cpu")


DeviceLike: TypeAlias = Union[Device, str, "torch.device"]  # what `device` takes, for annotations


def device(obj: Any, id: int | None = None) -> Device | None:
    """A `Device` from a Device, a name, a `torch.device` or None (which stays None)."""
    if obj is None:
        return None
    if isinstance(obj, str):
        return Device(obj, id)
    if isinstance(obj, Device):
        if id is not None:
            raise ValueError("Cannot specify id when passing a Device instance")
        return obj
    if type(obj).__module__ == "torch":
        if id is not None:
            raise ValueError("Cannot specify id when passing a torch.device")
        return Device(obj.type, obj.index)
    raise TypeError(f"Cannot convert {type(obj)} to Device")
