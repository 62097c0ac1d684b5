"""GPU functions of image operators with several inputs or numbers of their own, on torch's CPU device."""

import numpy as np
import pytest

pytest.importorskip("torch")

import penstock.dynamic as ndd
from ops.promises import on_torch_cpu, photos
from penstock import types

SIZES = [(20, 30), (20, 30), (9, 11)]


def on_both(call, samples, layout="HWC"):
    """What a call of a batch and a device makes on the CPU, and on a GPU."""
    on_cpu = [np.asarray(made) for made in call(ndd.batch(samples, layout=layout), "cpu")]
    with on_torch_cpu():
        made = call(ndd.batch(samples, layout=layout, device="gpu"), "gpu")
        assert made.device.device_type == "gpu"
        return on_cpu, [np.asarray(each) for each in made.cpu()]


def assert_within(both, most):
    for wanted, got in zip(*both, strict=True):
        assert got.dtype == wanted.dtype
        np.testing.assert_allclose(got, wanted, rtol=0, atol=most)


@pytest.mark.parametrize("interp", ["NN", "LINEAR", "CUBIC", "LANCZOS3"])
@pytest.mark.parametrize("origin", ["corner", "center"])
def test_remap(interp, origin):
    random = np.random.default_rng(0)
    across, down = ([random.uniform(-5, 33, (12, 13)).astype(np.float32) for _ in SIZES] for _ in range(2))

    def call(images, device):
        maps = (ndd.batch(each, device=device) for each in (across, down))
        return ndd.experimental.remap(images, *maps, interp=getattr(types, f"INTERP_{interp}"), pixel_origin=origin)

    assert_within(on_both(call, photos(SIZES)), 0 if interp == "NN" else 1)


def test_a_map_of_one_column_is_not_taken_for_one_of_one_row():
    column = np.array([[0.5], [1.5], [2.5]], np.float32)

    def call(images, device):
        maps = (ndd.batch([each] * 3, device=device) for each in (column, column))
        return ndd.experimental.remap(images, *maps)

    wanted, got = on_both(call, photos(SIZES))
    assert got[0].shape == (3, 1, 3)
    np.testing.assert_array_equal(got, wanted)


@pytest.mark.parametrize("inverse_map", [True, False])
def test_warp_perspective_by_matrices_on_the_device(inverse_map):
    view = np.array([[1.1, 0.1, -2], [0.05, 0.9, 1], [0.003, 0.002, 1]], np.float32)
    matrices = [view, view * 1.5, np.zeros((3, 3), np.float32)]

    def call(images, device):
        given = ndd.batch(matrices, device=device)
        return ndd.experimental.warp_perspective(images, given, inverse_map=inverse_map, fill_value=[1, 2, 3])

    assert_within(on_both(call, photos(SIZES)), 1)


@pytest.mark.parametrize("layout", ["HWC", "CHW", "FHWC"])
def test_random_resized_crop_takes_the_same_windows(layout):
    shape = (3, 14, 13) if layout == "CHW" else (2, 17, 13, 3)[4 - len(layout) :]
    samples = [np.random.default_rng(k).integers(0, 256, shape).astype(np.uint8) for k in range(3)]
    assert_within(
        on_both(lambda x, device: ndd.random_resized_crop(x, size=[8, 9], rng=ndd.random.RNG(3)), samples, layout), 1
    )


@pytest.mark.parametrize("interp", [types.INTERP_NN, types.INTERP_LINEAR])
def test_jitter_makes_the_same_shifts(interp):
    def call(images, device):
        return ndd.jitter(images, nDegree=6, interp_type=interp, rng=ndd.random.RNG(3))

    assert_within(on_both(call, photos(SIZES)), 0)
