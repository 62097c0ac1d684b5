"""What device="gpu" stands for, and what is said where it stands for nothing."""

from __future__ import annotations

import subprocess
import sys

import pytest

import penstock.dynamic as ndd
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
