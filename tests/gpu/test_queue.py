"""The order of work on a device with streams, told from what is asked of torch: there is no such device here."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gpu.recorded_streams import Stream, Tensor, queue, use_streams
from penstock.gpu import queue as queues
from penstock.gpu import samples as gpu_samples
from penstock.gpu.staging import in_one_piece
from penstock.values.samples import from_arrays


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
    made.staged = lambda samples, private: in_one_piece(samples)._replace(samples=None)  # type: ignore[method-assign]
    monkeypatch.setattr(gpu_samples, "queue", lambda number: made)
    there = gpu_samples.upload(from_arrays([np.ones((2, 3)), np.ones((2, 3))]), 0)
    assert log == ["ours records"]
    for seen in (there.select([1]), there.relabelled("HW"), there.part(0), there.reshaped([[6]], "")):
        assert isinstance(seen, gpu_samples.GpuSamples)
        assert seen.ready is there.ready
    assert log == ["ours records"]


def test_data_goes_from_device_to_device_in_the_queues_of_both(monkeypatch: pytest.MonkeyPatch) -> None:
    torch = pytest.importorskip("torch")
    logs: list[list[str]] = [[], []]
    queues_of_both = [queue(log) for log in logs]
    use_streams(monkeypatch, *queues_of_both)
    for made in queues_of_both:
        made.staged = lambda samples, private: in_one_piece(samples)._replace(samples=None)  # type: ignore[method-assign]
    there = gpu_samples.upload(from_arrays([np.ones((2, 3)), np.full((4, 3), 2.0), np.full((1, 3), 3.0)]), 0)
    there.layout = "HW"
    current: list[Any] = []
    copy = torch.Tensor.to

    def copied(tensor: Any, *given: Any, **options: Any) -> Any:
        current.append([made._api.current is made._stream for made in queues_of_both])
        return copy(tensor, *given, **options)

    monkeypatch.setattr(torch.Tensor, "to", copied)
    monkeypatch.setattr(gpu_samples.GpuSamples, "host", lambda self: pytest.fail("it went through host memory"))
    for log in logs:
        log.clear()
    across = gpu_samples.upload(there.select([2, 1]), 1)
    assert current == [[True, True]]
    assert logs == [[], ["ours records"]]  # torch itself has one stream wait for the other
    assert (across.device, across.layout, across.shapes()) == (1, "HW", [(1, 3), (4, 3)])
    assert [tensor.unique().item() for tensor in across.tensors()] == [3, 2]
    assert across.block.numel() < there.block.numel()  # what was not selected stays
    assert across.block.data_ptr() != there.block.data_ptr()
