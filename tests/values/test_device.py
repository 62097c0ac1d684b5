"""Device: names, numbers, and what a machine without an accelerator says."""

import typing

import numpy as np
import pytest
import torch

import penstock.dynamic as ndd
from penstock.values.accelerator import known_count

needs_no_gpu = pytest.mark.skipif(known_count() > 0, reason="an accelerator is present")


def test_the_cpu_has_one_name_and_no_number():
    cpu = ndd.Device("cpu")
    assert cpu == ndd.Device.CPU
    assert (str(cpu), repr(cpu), cpu.device_id) == ("cpu", "Device(device_type='cpu')", None)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("xpu",), "Invalid device type: xpu"),
        (("mixed",), "Invalid device type: mixed"),
        (("cpu:0",), "Invalid device id: 0 for device type: cpu. Must be `None`"),
        (("cpu", 0), "Invalid device id: 0 for device type: cpu. Must be `None`"),
        (("gpu:0", 0), "Invalid device name: gpu:0"),
    ],
)
def test_bad_names_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        ndd.Device(*arguments)


@needs_no_gpu
def test_without_an_accelerator_gpu_says_what_to_do():
    for attempt in (
        lambda: ndd.Device("gpu"),
        lambda: ndd.tensor([1], device="gpu"),
        lambda: ndd.tensor([1]).gpu(),
        lambda: ndd.batch([1]).to_device("cuda"),
    ):
        with pytest.raises(RuntimeError, match=r"there is none: PyTorch .* finds none. PENSTOCK_GPU=cpu .* stand in"):
            attempt()
    with pytest.raises(ValueError, match=r"Invalid device id: 0 for device type: gpu. Must be in range \[0..-1\]"):
        ndd.Device("gpu:0")


@needs_no_gpu
def test_the_current_device_is_the_innermost():
    assert ndd.Device.current() == ndd.Device.CPU
    with ndd.Device("cpu") as entered:
        assert entered is None
        assert ndd.Device.current() == ndd.Device.CPU


def test_device_takes_what_can_be_one():
    assert typing.get_args(ndd.DeviceLike)[:2] == (ndd.Device, str)
    assert ndd.device(None) is None
    assert ndd.device(ndd.Device.CPU) is ndd.Device.CPU
    assert ndd.device("cpu") == ndd.device(torch.device("cpu")) == ndd.Device.CPU
    with pytest.raises(TypeError, match="a device is given by its name, got 5"):
        ndd.Device(5)
    for arguments, error in [
        ((5,), TypeError),
        ((ndd.Device.CPU, 0), ValueError),
        ((torch.device("cpu", 0),), ValueError),
    ]:
        with pytest.raises(error):
            ndd.device(*arguments)


def test_dlpack_devices_are_understood():
    assert ndd.Device.type_from_dlpack(1) == "cpu"
    assert ndd.Device.from_dlpack(np.zeros(2)) == ndd.Device.CPU
    with pytest.raises(ValueError, match="Unsupported device type: 3"):
        ndd.Device.type_from_dlpack(3)


def test_values_stay_where_they_are():
    t = ndd.tensor([1, 2])
    assert t.device == ndd.Device.CPU
    assert t.cpu() is t
    assert t.to_device("cpu") is t
    moved = t.to_device("cpu", force_copy=True)
    np.asarray(moved)[0] = 9
    assert np.asarray(t).tolist() == [1, 2]
    with pytest.raises(AttributeError, match="got None"):
        t.to_device(None)
