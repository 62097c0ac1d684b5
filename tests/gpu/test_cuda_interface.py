"""The CUDA array interface, told from what is asked of torch: there is no CUDA here."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from penstock.gpu import samples as gpu_samples
from penstock.interop import frameworks
from penstock.values.accelerator import Accelerator

torch = pytest.importorskip("torch")

CUDA = Accelerator("torch", 1, "cuda, 1 in all", "cuda")


class Stream:
    def __init__(self, handle: int, device: Any = None) -> None:
        self.cuda_stream = handle
        self.awaited: list[int] = []

    def wait_stream(self, other: Stream) -> None:
        self.awaited.append(other.cuda_stream)


@pytest.fixture
def current(monkeypatch: pytest.MonkeyPatch) -> Stream:
    """torch's current stream, on a machine with CUDA."""
    stream = Stream(0)
    monkeypatch.setattr(frameworks, "accelerator", lambda: CUDA)
    monkeypatch.setattr(torch.cuda, "current_stream", lambda device: stream)
    monkeypatch.setattr(torch.cuda, "ExternalStream", Stream)
    return stream


@pytest.mark.parametrize(("handle", "told"), [(0, 1), (0x55, 0x55)])
def test_readers_are_told_which_stream_to_wait_for(
    current: Stream, handle: int, told: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    current.cuda_stream = handle
    tensor = SimpleNamespace(device="cuda:0", __cuda_array_interface__={"shape": (2,), "version": 2})
    monkeypatch.setattr(frameworks, "samples_to_torch", lambda *given: [tensor])
    there: Any = SimpleNamespace(elsewhere=True)
    made = frameworks.cuda_array_interface(there, "Tensor")
    assert made == {"shape": (2,), "version": 3, "stream": told}


def test_arrays_that_only_have_it_are_taken(current: Stream, monkeypatch: pytest.MonkeyPatch) -> None:
    made = torch.arange(3)
    monkeypatch.setattr(torch, "as_tensor", lambda data, device: made)
    array = SimpleNamespace(__cuda_array_interface__={"shape": (3,), "stream": 7})
    assert frameworks.is_on_accelerator(array)
    assert gpu_samples._as_tensor(array) is made
    assert current.awaited == [7]


def test_without_cuda_there_is_none() -> None:
    array = SimpleNamespace(__cuda_array_interface__={"shape": (3,)})
    assert not frameworks.is_on_accelerator(array)
