"""The CUDA array interface, told from what is asked of torch: there is no CUDA here."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import penstock.dynamic as ndd
from gpu.recorded_streams import queue, use_streams
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


class CudaArray:
    """As CuPy's arrays: it says by both protocols where it lies, which here is host memory, and nothing else."""

    def __init__(self, array: Any, dlpack: bool) -> None:
        self._array = array
        if dlpack:
            self.__dlpack__ = self._capsule
            self.__dlpack_device__ = lambda: (2, 0)

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return {**self._array.__array_interface__, "version": 3, "stream": 7}

    def _capsule(self, **asked: Any) -> Any:
        return self._array.__dlpack__()


@pytest.mark.parametrize("dlpack", [False, True], ids=["array interface", "dlpack"])
def test_an_array_of_the_device_goes_through_operators_where_it_is(
    current: Stream, dlpack: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """CuPy makes no array without a driver of NVIDIA's, so an object with its protocols stands in for one."""
    numbers = np.arange(24, dtype=np.uint8).reshape(2, 2, 2, 3)
    given = CudaArray(numbers, dlpack)
    log: list[str] = []
    use_streams(monkeypatch, queue(log))
    monkeypatch.setattr(frameworks, "has_cuda", lambda: True)
    over = torch.from_numpy(numbers)
    asked: list[Any] = []

    def read(data: Any, **options: Any) -> Any:
        asked.append((data, options))
        return over

    monkeypatch.setattr(torch, "from_dlpack" if dlpack else "as_tensor", read)
    batch = ndd.as_batch(given, layout="HWC")
    assert asked == [(given, {} if dlpack else {"device": "cuda"})]
    assert (str(batch.device), batch.batch_size) == ("gpu:0", 2)
    assert batch.torch().data_ptr() == numbers.ctypes.data  # nothing was copied
    assert "ours waits for torch" in log  # whose stream waits for that of the array
    assert current.awaited == ([] if dlpack else [7])
    assert ndd.flip(batch).torch().tolist() == numbers[:, :, ::-1].tolist()
