"""A device with streams in which what is asked of torch is written down: there is no such device here."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from penstock.gpu import queue as queues
from penstock.gpu.pinned import PinnedArena
from penstock.gpu.queue import StreamQueue
from penstock.values import accelerator, device
from penstock.values.accelerator import Accelerator


class Stream:
    def __init__(self, name: str, log: list[str]) -> None:
        self.name, self.log = name, log

    def record_event(self) -> Event:
        self.log.append(f"{self.name} records")
        return Event(self.name, self.log)

    def wait_event(self, event: Event) -> None:
        self.log.append(f"{self.name} waits for {event.name}")


class Event:
    done = False  # whether a device has come to it, for all of them

    def __init__(self, name: str, log: list[str]) -> None:
        self.name, self.log = name, log

    def query(self) -> bool:
        return Event.done

    def synchronize(self) -> None:
        self.log.append(f"the CPU waits for {self.name}")


class Api:
    """torch.accelerator."""

    def __init__(self, log: list[str]) -> None:
        self.log = log
        self.current: Any = Stream("torch", log)
        self.index = 0

    def current_stream(self, device: Any) -> Any:
        return self.current

    def set_stream(self, stream: Any) -> None:
        self.current = stream
        self.index = DEVICE.index  # a stream's device becomes the current one

    def current_device_index(self) -> int:
        return self.index

    def set_device_index(self, index: int) -> None:
        self.index = index


class Tensor:
    def __init__(self, log: list[str]) -> None:
        self.log = log

    def record_stream(self, stream: Stream) -> None:
        self.log.append(f"kept for {stream.name}")


DEVICE = SimpleNamespace(index=1)


def queue(log: list[str], arena: PinnedArena | None = None) -> StreamQueue:
    return StreamQueue(DEVICE, Api(log), Stream("ours", log), Stream("downloads", log), arena)


class Registered:
    """A registrar that keeps what is pinned, by address."""

    def __init__(self) -> None:
        self.blocks: dict[int, int] = {}
        self.calls = 0

    def register(self, address: int, size: int) -> None:
        assert address not in self.blocks
        self.blocks[address] = size
        self.calls += 1

    def unregister(self, address: int) -> None:
        del self.blocks[address]

    def covers(self, tensor: Any) -> bool:
        """Whether the memory of a tensor is pinned."""
        first, last = tensor.data_ptr(), tensor.data_ptr() + tensor.nbytes
        return any(block <= first and last <= block + size for block, size in self.blocks.items())


# Blocks of the arena may outlive a test, so there is one for all of them.
REGISTERED = Registered()


def use_streams(monkeypatch: pytest.MonkeyPatch, *made: StreamQueue) -> None:
    """As on a machine with devices that have streams: torch's CPU device is said to be each of them."""
    monkeypatch.setattr(accelerator, "_chosen", {None: Accelerator("torch", len(made), "as if there was one")})
    monkeypatch.setattr(device, "current_number", lambda: 0)
    monkeypatch.setattr(queues, "_STREAMED", ("cpu",))
    monkeypatch.setattr(queues, "_queues", dict(enumerate(made)))
    monkeypatch.setattr("torch.Tensor.record_stream", lambda tensor, stream: None)
    monkeypatch.setattr(Event, "done", False)
