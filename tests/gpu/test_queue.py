"""The order of work on a device with streams, told from what is asked of torch: there is no such device here."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from penstock.gpu import queue as queues
from penstock.gpu import samples as gpu_samples
from penstock.gpu.queue import StreamQueue, _Outer
from penstock.values.samples import from_arrays


class Stream:
    def __init__(self, name: str, log: list[str]) -> None:
        self.name, self.log = name, log

    def record_event(self) -> Event:
        self.log.append(f"{self.name} records")
        return Event(self.name, self.log)

    def wait_event(self, event: Event) -> None:
        self.log.append(f"{self.name} waits for {event.name}")


class Event:
    def __init__(self, name: str, log: list[str]) -> None:
        self.name, self.log = name, log

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


def queue(log: list[str]) -> StreamQueue:
    made = StreamQueue.__new__(StreamQueue)
    made._api, made._device, made._outer = Api(log), DEVICE, _Outer()  # type: ignore[assignment]
    made._stream = Stream("ours", log)
    return made


def test_work_goes_into_a_stream_of_its_own() -> None:
    made = queue([])
    with made:
        assert made._api.current is made._stream
        with made:
            assert made._api.current is made._stream
        assert made._api.current is made._stream
    assert made._api.current.name == "torch"
    assert made._api.index == 0


def test_streams_wait_for_each_other_at_the_edges_and_the_cpu_only_where_it_reads() -> None:
    log: list[str] = []
    made = queue(log)
    mark = made.mark()
    made.hand_over(Tensor(log), mark)  # type: ignore[arg-type]
    assert log == ["ours records", "torch waits for ours", "kept for torch"]
    log.clear()
    made.take_over(Tensor(log))  # type: ignore[arg-type]
    assert log == ["torch records", "ours waits for torch", "kept for ours"]
    log.clear()
    made.wait(mark)
    assert log == ["the CPU waits for ours"]


def test_a_stream_that_the_program_chose_is_waited_for_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    log: list[str] = []
    made = queue(log)
    monkeypatch.setattr(queues, "chosen_stream", lambda number: Stream(f"chosen for {number}", log))
    made.hand_over(Tensor(log), made.mark())  # type: ignore[arg-type]
    assert log[1:] == ["torch waits for ours", "kept for torch", "chosen for 1 waits for ours", "kept for chosen for 1"]
    log.clear()
    made.take_over(Tensor(log))  # type: ignore[arg-type]
    assert log[-3:] == ["chosen for 1 records", "ours waits for chosen for 1", "kept for ours"]


def test_samples_seen_otherwise_are_ready_with_those_they_are_seen_from(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch")
    log: list[str] = []
    made = queue(log)
    made.staged = lambda source: source  # type: ignore[method-assign]
    monkeypatch.setattr(gpu_samples, "queue", lambda number: made)
    there = gpu_samples.upload(from_arrays([np.ones((2, 3)), np.ones((2, 3))]), 0)
    assert log == ["ours records"]
    for seen in (there.select([1]), there.relabelled("HW"), there.part(0), there.reshaped([[6]], "")):
        assert isinstance(seen, gpu_samples.GpuSamples)
        assert seen.ready is there.ready
    assert log == ["ours records"]
