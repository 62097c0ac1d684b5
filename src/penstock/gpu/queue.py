"""The order of work on an accelerator.

All of Penstock's own work on a device is put into one stream, so that it needs no waiting among itself. At the edges,
where data comes from torch or goes to it, that stream and torch's current one wait for each other by events, and so do
that stream and the one that the program chose with `set_current_stream` and the like. The CPU waits only where it reads
data itself, and nothing ever waits for the whole device.
"""

from __future__ import annotations

import threading
from collections import deque
from types import TracebackType
from typing import TYPE_CHECKING, Any

from penstock._native import Samples
from penstock.gpu.pinned import PinnedArena, pinned_arena
from penstock.gpu.staging import Staged, in_one_piece
from penstock.gpu.streams import chosen_stream
from penstock.gpu.types import as_torch
from penstock.values.accelerator import accelerator

if TYPE_CHECKING:
    import torch

# Types of devices whose streams torch lets programs order. On the others there is one queue, which keeps the order.
_STREAMED = ("cuda", "xpu")
# Those of them, ROCm's among the first, whose runtime pins memory that is there already.
_PINNING = ("cuda",)


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

    def staged(self, samples: Samples, private: bool) -> Staged:
        """Samples of the CPU's as host memory that is uploaded in one copy; `private` ones are nobody else's."""
        return in_one_piece(samples)

    def copy_in(self, block: torch.Tensor, staged: Staged) -> None:
        """Puts an upload into the queue."""
        block.copy_(staged.source)  # waited for: older versions of torch let go of what MPS is still reading

    def copy_out(self, room: Samples, source: torch.Tensor, mark: Any) -> None:
        """Copies a tensor into dense samples of the CPU's, once the mark is reached, and waits for that."""
        as_torch(room.array().reshape(-1)).copy_(source)


class _Outer(threading.local):
    """The device and the stream that a thread goes back to: setting a stream makes its device the current one."""

    def __init__(self) -> None:
        self.places: list[tuple[int, Any]] = []


class StreamQueue(Queue):
    """The work of a device with streams: a stream of its own, and one for downloads.

    A download is waited for by the CPU. In the stream of all other work it would come after what has been queued since
    its data was made.
    """

    def __init__(self, device: Any, api: Any, stream: Any, downloads: Any, arena: PinnedArena | None) -> None:
        """`api` is `torch.accelerator`; without an `arena` uploads go through pinned memory of torch's own pool."""
        self._device = device
        self._api = api
        self._stream = stream
        self._downloads = downloads
        self._arena = arena
        self._outer = _Outer()
        self._leases = _Leases()

    @classmethod
    def of_device(cls, number: int) -> StreamQueue:
        import torch

        kind = accelerator().torch_type
        device = torch.device(kind, number)
        arena = pinned_arena() if kind in _PINNING else None
        return cls(device, torch.accelerator, torch.Stream(device=device), torch.Stream(device=device), arena)

    def __enter__(self) -> Queue:
        self._enter(self._stream)
        return self

    def _enter(self, stream: Any) -> None:
        self._outer.places.append((self._api.current_device_index(), self._api.current_stream(self._device)))
        self._api.set_stream(stream)

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
        self._leases.end()

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

    def staged(self, samples: Samples, private: bool) -> Staged:
        """As pinned memory: that of private samples themselves, else a copy, which the program does not write to."""
        arena = self._arena
        staged = in_one_piece(samples if private or arena is None else samples.copied())
        if arena is not None and staged.samples is not None and arena.pin(staged.samples):
            return staged
        return Staged(staged.source.pin_memory(), staged.offsets, None)  # in torch's pool, which waits for its copies

    def copy_in(self, block: torch.Tensor, staged: Staged) -> None:
        block.copy_(staged.source, non_blocking=True)
        if staged.samples is not None:
            self._leases.begin(self._stream.record_event(), staged.samples)

    def copy_out(self, room: Samples, source: torch.Tensor, mark: Any) -> None:
        pinned = self._arena is not None and self._arena.pin(room)
        self._enter(self._downloads)
        try:
            self._downloads.wait_event(mark)
            as_torch(room.array().reshape(-1)).copy_(source, non_blocking=pinned)
            done = self._downloads.record_event()
        finally:
            self.__exit__(None, None, None)
        done.synchronize()


class _Leases:
    """Samples of the CPU's that uploads are reading: their memory is not used again before those are done."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._reading: deque[tuple[Any, Samples]] = deque()

    def begin(self, done: Any, samples: Samples) -> None:
        self.end()
        with self._lock:
            self._reading.append((done, samples))

    def end(self) -> None:
        """Lets go of what has been read, without waiting."""
        with self._lock:
            while self._reading and self._reading[0][0].query():
                self._reading.popleft()


_in_order = Queue()
_queues: dict[int, Queue] = {}


def queue(number: int) -> Queue:
    """The queue of a device."""
    there = accelerator()
    if there.kind != "torch" or there.torch_type not in _STREAMED:
        return _in_order
    found = _queues.get(number)
    if found is None:
        found = _queues.setdefault(number, StreamQueue.of_device(number))
    return found
