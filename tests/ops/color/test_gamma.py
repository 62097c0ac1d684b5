"""gamma: a power of all values."""

import numpy as np
import pytest

import penstock.dynamic as ndd
from ops.promises import check_operator, photos


def pixels(values, dtype, **arguments):
    row = ndd.tensor(np.array(values, dtype).reshape(1, -1, 1), layout="HWC")
    return np.asarray(ndd.gamma(row, **arguments)).ravel().tolist()


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.float32])
def test_gamma_keeps_the_promises(dtype):
    images = photos([(5, 7), (1, 1), (9, 33)], dtype=dtype)
    within = {"gpu_rtol": 1e-6 if dtype == np.float32 else 0}  # powers differ in their last bit
    check_operator("gamma", images, gamma=2.2, **within)
    check_operator("gamma", images, per_sample={"gamma": [0.5, 1.0, 3.0], "gain": [1.0, 0.5, 2.0]}, **within)


@pytest.mark.parametrize("layout", ["HW", "HWC", "CHW", "FHWC", "DHWC", "FCHW"])
def test_every_layout_is_taken(layout):
    shape = (2, 3, 5, 4)[: len(layout)]
    samples = [np.random.default_rng(0).integers(0, 256, shape).astype(np.uint8)]
    check_operator("gamma", samples, layout=layout, gamma=0.7)


def test_gamma_by_eye():
    assert pixels([0, 64, 128, 255], np.uint8, gamma=2.0) == [0, 16, 64, 255]
    assert pixels([0, 64, 255], np.uint8, gamma=0.5, gain=2.0) == [0, 255, 255]
    assert pixels([0, 16384, 65535], np.uint16, gamma=0.5) == [0, 32768, 65535]
    assert pixels([-1.0, 0.25, 4.0], np.float32, gamma=0.5) == [0.0, 0.5, 2.0]


def test_one_leaves_images_alone():
    assert pixels(range(256), np.uint8, gamma=1.0) == list(range(256))
    assert pixels(range(0, 65536, 97), np.uint16, gamma=1.0) == list(range(0, 65536, 97))


def test_what_is_no_power_or_no_image_is_refused():
    with pytest.raises(ValueError, match="gamma must be above 0, not -1"):
        pixels([1], np.uint8, gamma=-1.0)
    with pytest.raises(RuntimeError, match="Unsupported input type: int16; choose from uint8, uint16, float"):
        pixels([1], np.int16, gamma=2.0)
