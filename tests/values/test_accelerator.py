"""What device="gpu" stands for, and what is said where it stands for nothing."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import numpy as np
import pytest

import penstock.dynamic as ndd
from penstock.testing import gpu_of_tests
from penstock.values import accelerator


def run(program: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize("name", ["gpu", "cpu:", "cpu:0", "cpu:x", "cuda"])
def test_what_is_no_stand_in_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match=r'PENSTOCK_GPU is "cpu", which has the CPU stand in for a GPU'):
        accelerator.use(name)


def test_a_stand_in_has_as_many_devices_as_it_is_told(stand_in: None) -> None:
    assert accelerator.accelerator().count == 2
    assert str(ndd.Device("cuda:1")) == "gpu:1"
    with pytest.raises(ValueError, match=r"Invalid device id: 2 for device type: gpu. Must be in range \[0..1\]$"):
        ndd.Device("gpu:2")


def test_each_process_of_torchrun_has_its_own() -> None:
    program = "import penstock.dynamic as ndd; print(ndd.tensor([1], device='gpu:1').device)"
    assert run(program, PENSTOCK_GPU="cpu", LOCAL_WORLD_SIZE="2") == "gpu:1"


def test_torch_is_imported_only_by_those_who_ask_for_a_gpu() -> None:
    program = (
        "import sys, penstock.dynamic as ndd; ndd.Device.current(); ndd.get_current_stream(); (ndd.tensor([1]) + 1)"
        ".evaluate(); print('torch' in sys.modules)"
    )
    assert run(program) == "False"
    gpu = "import sys, penstock.dynamic as ndd; print((ndd.tensor([1]).gpu() + 1).item(), 'torch' in sys.modules)"
    assert run(gpu, PENSTOCK_GPU="cpu") == "2 False"


def test_it_is_said_what_was_found() -> None:
    program = (
        "import sys, importlib.util as u; found = u.find_spec; "
        "u.find_spec = lambda name, *rest: None if name == 'torch' else found(name, *rest)\n"
        "import penstock.dynamic as ndd\n"
        "try: ndd.tensor([1]).gpu()\n"
        "except RuntimeError as error: print(error)"
    )
    assert run(program) == (
        'device "gpu" needs an accelerator, and there is none: they are reached through PyTorch, which is not '
        'installed. PENSTOCK_GPU=cpu (or `penstock run --gpu cpu`, or penstock.compat.install(gpu="cpu")) has the CPU '
        "stand in for one"
    )


def test_the_innermost_gpu_is_meant_where_no_number_is_said(stand_in: None) -> None:
    assert ndd.Device("gpu").device_id == 0
    with ndd.Device("gpu:1"):
        assert ndd.Device.current().device_id == ndd.Device("gpu").device_id == ndd.stream().device_id == 1
        with ndd.Device("cpu"):
            assert ndd.tensor([1]).gpu().device.device_id == 1
    with ndd.EvalContext(device_id=1) as context:
        assert (context.device_id, str(context.device)) == (1, "gpu:1")
        assert ndd.tensor([1]).gpu().device.device_id == 1
    assert ndd.tensor([1]).gpu().device.device_id == 0


def test_streams_of_a_stand_in(stand_in: None) -> None:
    one, other = ndd.stream(), ndd.stream(device_id=1)
    assert one != other
    assert (one.device_id, other.device_id) == (0, 1)
    assert ndd.stream(stream=one) is one
    with pytest.raises(ValueError, match="doesn't match the id 0"):
        ndd.stream(stream=one, device_id=1)
    assert ndd.get_current_stream() == ndd.get_current_stream() != one
    ndd.set_current_stream(one)
    assert ndd.get_current_stream() is one
    ndd.set_current_stream(None)
    ndd.set_default_stream(other, device_id=1)
    with ndd.Device("gpu:1"):
        assert ndd.get_current_stream() is ndd.get_default_stream() is other
    assert ndd.get_default_stream() is None
    ndd.set_default_stream(None, device_id=1)
    one.synchronize()
    assert one.__cuda_stream__() == (0, one.handle)


def test_streams_of_others_are_wrapped(stand_in: None) -> None:
    torch = pytest.importorskip("torch")

    class Foreign:
        def __cuda_stream__(self) -> tuple[int, int]:
            return (0, 77)

    wrapped = ndd.stream(stream=Foreign())
    assert wrapped == ndd.stream(stream=77) == Foreign()
    assert wrapped != 77
    assert ndd.Stream(stream=torch.Stream(device="cpu")).handle == torch.Stream(device="cpu").stream_id


def test_contexts_have_a_gpu_and_a_stream(stand_in: None) -> None:
    chosen = ndd.stream(device_id=1)
    with ndd.EvalContext(device_id=1, cuda_stream=chosen) as context:
        assert (context.device_id, context.cuda_stream) == (1, chosen)
        assert ndd.get_current_stream().device_id == 1
        assert ndd.get_current_stream() != chosen  # that is the thread's own
    assert ndd.EvalContext.default().cuda_stream == ndd.get_current_stream()
    assert ndd.EvalContext().device_id == 0
    assert ndd.EvalContext(device_id=1).cuda_stream.device_id == 1
    with pytest.raises(ValueError, match="doesn't match the id 1"):
        ndd.EvalContext(device_id=0, cuda_stream=chosen)
    assert [ndd.ThreadPool(1, device_id=number).device_id for number in (-1, None, 1)] == [0, None, 1]
    with pytest.raises(ValueError, match=r"Device ID clash: device_id == 0 but thread_pool\.device_id == 1"):
        ndd.EvalContext(device_id=0, thread_pool=ndd.ThreadPool(1, device_id=1))
    with pytest.raises(ValueError, match="Invalid device id: 2"):
        ndd.ThreadPool(1, device_id=2)


def test_current_streams_are_those_of_devices(stand_in: None) -> None:
    one, other = ndd.stream(), ndd.stream(device_id=1)
    ndd.set_current_stream(one)
    ndd.set_current_stream(other)
    assert ndd.get_current_stream() is one
    with ndd.Device("gpu:1"):
        assert ndd.get_current_stream() is other
        ndd.set_current_stream(None)
        assert ndd.get_current_stream() is not other
    ndd.set_current_stream(None)
    assert ndd.get_current_stream() is not one


def test_what_a_gpu_alone_runs_offers_a_stand_in() -> None:
    video = ndd.tensor(np.zeros((2, 16, 16, 3), np.uint8), layout="FHWC")
    with pytest.raises(RuntimeError, match=r'runs on a GPU only; call it with device="gpu"; .* `penstock run --gpu'):
        ndd.optical_flow(video)


def test_tests_run_on_the_accelerator_where_they_are_told_to(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (gpu_of_tests(), gpu_of_tests("torch-cpu:2")) == ("torch-cpu", "torch-cpu:2")
    monkeypatch.setenv("PENSTOCK_TEST_GPU", "accelerator")
    assert gpu_of_tests() == ""
    monkeypatch.setenv("PENSTOCK_TEST_GPU", "cuda")
    with pytest.raises(ValueError, match="\"accelerator\" or not set, got 'cuda'"):
        gpu_of_tests()


@pytest.fixture
def nothing_chosen() -> Iterator[None]:
    accelerator.use("")
    yield
    accelerator.use("")


@pytest.mark.usefixtures("nothing_chosen")
def test_a_search_that_began_before_does_not_replace_what_was_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    def found_late() -> accelerator.Accelerator:
        accelerator.use("cpu:2")  # as another thread may, while torch is imported
        return accelerator.Accelerator("none", 0, "")

    monkeypatch.setattr(accelerator, "_of_torch", found_late)
    assert accelerator.accelerator().kind == "none"
    assert accelerator.accelerator().count == 2
