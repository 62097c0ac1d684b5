"""optical_flow, and what is said of operators that need a GPU."""

import inspect

import numpy as np
import pytest

import penstock.dynamic as ndd

VIDEO = ndd.tensor(np.zeros((2, 4, 4, 3), np.uint8), layout="FHWC")


@pytest.mark.parametrize(
    ("device", "error"), [(None, RuntimeError), ("cpu", ValueError), (ndd.Device("cpu"), ValueError)]
)
def test_a_cpu_is_told_that_a_gpu_is_needed(device, error):
    with pytest.raises(error, match=r'optical_flow runs on a GPU only; .* device="gpu"'):
        ndd.optical_flow(VIDEO, device=device)


def test_a_gpu_that_is_not_there_is_told():
    with pytest.raises(RuntimeError, match='device "gpu" needs an accelerator'):
        ndd.optical_flow(VIDEO, device="gpu")


def test_all_arguments_are_known():
    names = set(inspect.signature(ndd.optical_flow).parameters)
    assert {"preset", "output_grid", "hint_grid", "enable_temporal_hints", "enable_external_hints"} <= names


def test_experimental_resize_is_resize():
    image = np.arange(48, dtype=np.uint8).reshape(4, 4, 3)
    for arguments in ({"size": [3, 2]}, {"resize_shorter": 7, "dtype": ndd.float32}):
        ours, known = ndd.experimental.resize(image, **arguments), ndd.resize(image, **arguments)
        np.testing.assert_array_equal(np.asarray(ours), np.asarray(known), strict=True)
    resized, shape = ndd.experimental.resize(image, size=[2, 2], save_attrs=True)
    assert resized.shape == (2, 2, 3)
    assert np.asarray(shape).tolist() == [4, 4]
