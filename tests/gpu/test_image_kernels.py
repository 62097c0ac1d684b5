"""GPU functions of image operators with several inputs or numbers of their own, on torch's CPU device."""

import numpy as np
import pytest

pytest.importorskip("torch")

import penstock.dynamic as ndd
from ops.promises import check_operator, on_torch_cpu, photos
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


@pytest.mark.parametrize("border", ["reflect_101", "reflect_1001", "wrap", "clamp", "constant"])
@pytest.mark.parametrize("mode", ["same", "valid"])
def test_filter_with_filters_of_every_sample(border, mode):
    random = np.random.default_rng(1)
    filters = [random.normal(size=size).astype(np.float32) / 4 for size in ((3, 3), (5, 2), (1, 4))]
    fills = [np.uint8(value) for value in (7, 0, 200)] if border == "constant" else None

    def call(images, device):
        fill = [] if fills is None else [ndd.batch(fills)]
        return ndd.filter(images, ndd.batch(filters), *fill, border=border, mode=mode, dtype=ndd.float32)

    assert_within(on_both(call, photos(SIZES)), 1e-3)


@pytest.mark.parametrize("dtype", [None, ndd.float32])
def test_multi_paste(dtype):
    def of_two_inputs(images, device):
        regions = {
            "shapes": [[5, 6], [9, 3]],
            "in_anchors": [[0, 2], [0, 0]],
            "out_anchors_rel": [[0.0, 0.5], [0.3, 0]],
        }
        return ndd.multi_paste(images, ndd.flip(images), output_size=[25, 31], dtype=dtype, **regions)

    def of_one_batch(images, device):
        return ndd.multi_paste(images, in_ids=[2, 0], output_size=[40, 40], out_anchors=[[3, 4], [9, 1]], dtype=dtype)

    for call in (of_two_inputs, of_one_batch):
        assert_within(on_both(call, photos(SIZES)), 0)


def test_multi_paste_of_sequences():
    videos = [np.random.default_rng(k).integers(0, 256, (2, 8, 9, 3)).astype(np.uint8) for k in range(2)]

    def call(images, device):
        return ndd.multi_paste(images, in_ids=[1, 0], shapes=[[3, 4], [2, 2]], out_anchors=[[0, 0], [5, 5]])

    assert_within(on_both(call, videos, "FHWC"), 0)


@pytest.mark.parametrize(
    ("kind", "dtype"),
    [
        (kind, dtype)
        for kind in ("invert", "solarize", "solarize_add", "posterize", "contrast", "auto_contrast")
        for dtype in (np.uint8, np.uint16, np.int16, np.float32)
        if kind != "posterize" or dtype != np.float32
    ],
)
def test_every_tone(kind, dtype):
    amount = {"contrast": 1.7, "posterize": 0xF0, "solarize": 100.5}.get(kind, 60.0)
    images = [*photos(SIZES, dtype=dtype), np.full((3, 4, 3), 7, dtype)]
    check_operator("_tone", images, kind=kind, amount=amount, rtol=1e-6 if dtype == np.float32 else 0)


def test_every_augmentation():
    kinds = [
        "shear", "translate", "translate_by_parts", "rotate", "brightness", "color", "sharpness", "equalize",
        "identity", "contrast", "posterize", "solarize", "solarize_add", "invert", "auto_contrast",
    ]  # fmt: skip
    first = {"posterize": 240.0, "solarize": 128.0, "solarize_add": 40.0, "rotate": 25.0}
    rows = [[first.get(kind, 0.3), -0.2, 0.1, 0.05, 0.5, 0.05, 0.1, 0.0, 0.1] for kind in kinds]
    per_sample = {
        "chosen": [*range(len(kinds)), 0],
        "applied": [1] * len(kinds) + [0],
        "parameters": np.array([*rows, rows[0]], np.float32),
        "shape": np.array([[20, 30]] * (len(kinds) + 1), np.int32),
    }
    images = photos([(20, 30)] * (len(kinds) + 1))
    check_operator("_augment", images, kinds=kinds, per_sample=per_sample, fill_value=128.0, atol=1)


def per_frame(*values):
    """The same values for the frames of every sample."""
    return ndd.per_frame(ndd.batch([np.array(values, np.float32)] * 2))


MATRICES = [[[1, 0, shift], [0, 1, 0]] for shift in (0, 1, 2)]


@pytest.mark.parametrize(
    "call",
    [
        lambda x, device: ndd.rotate(x, angle=per_frame(1, 20, 45)),
        lambda x, device: ndd.rotate(x, angle=per_frame(1, 20, 45), keep_size=True, fill_value=7),
        lambda x, device: ndd.warp_affine(x, matrix=per_frame(*MATRICES)),
        lambda x, device: ndd.gaussian_blur(x, sigma=per_frame(1, 2, 0.5)),
        lambda x, device: ndd.erase(x, anchor=per_frame([1, 2], [3, 4], [0, 0]), shape=[2, 3], axis_names="HW"),
        lambda x, device: ndd.grid_mask(x, tile=5, angle=per_frame(0, 0.5, 1)),
    ],
    ids=["rotate", "rotate in place", "warp_affine", "gaussian_blur", "erase", "grid_mask"],
)
def test_every_frame_may_have_arguments_of_its_own(call):
    videos = [np.random.default_rng(k).integers(0, 256, (3, 10, 12, 3)).astype(np.uint8) for k in range(2)]
    assert_within(on_both(call, videos, "FHWC"), 1)


@pytest.mark.parametrize("mask", [[1, 0, 1], "elements"])
@pytest.mark.parametrize("sizes", [[(4, 5)] * 3, [(4, 5), (6, 2), (1, 1)]], ids=["uniform", "ragged"])
def test_where_chooses_as_on_the_cpu(mask, sizes):
    def call(images, device):
        chosen = images > 100 if mask == "elements" else ndd.batch(mask)
        return ndd.where(chosen, images, ndd.batch(photos(sizes, seed=1), layout="HWC", device=device))

    assert_within(on_both(call, photos(sizes)), 0)


def test_maybe_applies_an_operator_to_some_samples():
    def call(images, device):
        return ndd.maybe(ndd.flip, images, p=ndd.batch([1, 0, 1]))

    assert_within(on_both(call, photos(SIZES)), 0)
