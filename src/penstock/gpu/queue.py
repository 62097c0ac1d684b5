"""The order of work on an accelerator.

All of Penstock's own work on a device is put into one stream, so that it needs no waiting among itself. At the edges,
where data comes from torch or goes to it, that stream and torch's current one wait for each other by events, and so do
that stream and the one that the program chose with `set_current_stream` and the like. The CPU waits only where it reads
data itself, and nothing ever waits for the whole device.
"""

from __future__ import annotations

import threading
from types import TracebackType
from typing import TYPE_CHECKING, Any

from penstock.gpu.streams import chosen_stream
from penstock.values.accelerator import accelerator

if TYPE_CHECKING:
    import torch

# Types of devices whose streams torch lets programs order. On the others there is one queue, which keeps the order.
_STREAMED = ("cuda", "xpu")


class Queue:
    """The work of a device that keeps the order of calls by itself: `with queue(device):` puts work into it."""

    def __enter__(self) -> Queue:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leaves the queue; its work goes on."""

    def mark(self) -> Any:
        """What to wait for, for whoever reads what has been queued so far."""
        return None

    def wait(self, mark: Any) -> None:
        """Has the CPU wait for a mark."""

    def hand_over(self, tensor: torch.Tensor, mark: Any) -> torch.Tensor:
        """A tensor for streams of the program's, which go on when what makes the tensor is done."""
        return tensor

    def take_over(self, tensor: torch.Tensor) -> None:
        """A tensor of the program's streams, which this queue goes on with when they are done."""

    def staged(self, source: torch.Tensor) -> torch.Tensor:
        """Host memory from which a copy to the device need not be waited for."""
        return source

    def staging(self, like: torch.Tensor) -> torch.Tensor:
        """Room for as much in host memory."""
        import torch

        return torch.empty(like.shape, dtype=like.dtype)


class _Outer(threading.local):
    """The device and the stream that a thread goes back to: setting a stream makes its device the current one."""

    def __init__(self) -> None:
        self.places: list[tuple[int, Any]] = []


class StreamQueue(Queue):
    """The work of a device with streams: a stream of its own."""

    def __init__(self, number: int) -> None:
        import torch

        self._device = torch.device(accelerator().torch_type, number)
        self._api: Any = torch.accelerator
        self._stream: Any = torch.Stream(device=self._device)
        self._outer = _Outer()

    def __enter__(self) -> Queue:
        self._outer.places.append((self._api.current_device_index(), self._api.current_stream(self._device)))
        self._api.set_stream(self._stream)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        device, stream = self._outer.places.pop()
        self._api.set_stream(stream)
        self._api.set_device_index(device)

    def mark(self) -> Any:
        return self._stream.record_event()

    def wait(self, mark: Any) -> None:
        mark.synchronize()

    def hand_over(self, tensor: torch.Tensor, mark: Any) -> torch.Tensor:
        for stream in self._outside():
            stream.wait_event(mark)
            tensor.record_stream(stream)  # its memory is not used again before that stream is done with it
        return tensor

    def take_over(self, tensor: torch.Tensor) -> None:
        for stream in self._outside():
            self._stream.wait_event(stream.record_event())
        tensor.record_stream(self._stream)

    def _outside(self) -> list[Any]:
        """The streams of the program's that its data may be made or read in: torch's current one and the chosen one."""
        chosen = chosen_stream(self._device.index)
        current = self._api.current_stream(self._device)
        return [current] if chosen is None else [current, chosen]

    def staged(self, source: torch.Tensor) -> torch.Tensor:
        return source.pin_memory()

    def staging(self, like: torch.Tensor) -> torch.Tensor:
        import torch

        return torch.empty(like.shape, dtype=like.dtype, pin_memory=True)


_in_order = Queue()
_queues: dict[int, Queue] = {}


def queue(number: int) -> Queue:
    """The queue of a device."""
    there = accelerator()
    if there.kind != "torch" or there.torch_type not in _STREAMED:
        return _in_order
    found = _queues.get(number)
    if found is None:
        found = _queues.setdefault(number, StreamQueue(number))
    return found
