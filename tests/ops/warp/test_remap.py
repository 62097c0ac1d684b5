"""experimental.remap: pixels taken from where two maps say."""

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import penstock.dynamic as ndd
from ops.warp.warps import smooth
from penstock import types
from penstock.dynamic.calls.functions import declaration

remap = ndd.experimental.remap


def maps(height: int, width: int, seed: int = 0, far: float = 3.0) -> list[np.ndarray]:
    rows, columns = np.mgrid[:height, :width].astype(np.float32)
    noise = np.random.default_rng(seed).uniform(-far, far, (2, height, width)).astype(np.float32)
    return [columns + noise[0], rows + noise[1]]


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.int16, np.float32])
@pytest.mark.parametrize("channels", [1, 3, 4])
@pytest.mark.parametrize("interp", ["NN", "LINEAR", "CUBIC"])
def test_opencv_shows_the_same(dtype, channels, interp):
    image, (across, down) = smooth(40, 50, channels, dtype), maps(40, 50)
    flags = {
        "NN": cv2.INTER_NEAREST,
        "LINEAR": cv2.INTER_LINEAR,
        "CUBIC": cv2.INTER_CUBIC,
    }
    wanted = cv2.remap(image, across, down, flags[interp]).reshape(image.shape)
    got = remap(image, across, down, interp=getattr(types, f"INTERP_{interp}"), pixel_origin="center")
    assert got.layout == "HWC"
    difference = np.abs(np.asarray(got).astype(np.float64) - wanted)
    assert np.mean(difference > 2.01) < 5e-3  # OpenCV rounds the places of some types to parts of 32


@pytest.mark.parametrize("interp", ["NN", "LINEAR", "CUBIC", "LANCZOS3"])
@pytest.mark.parametrize("origin", ["corner", "center"])
def test_the_kernel_does_what_the_plain_function_says(interp, origin):
    images = [smooth(40, 50), smooth(1, 9, 3)]
    (x0, y0), (x1, y1) = maps(40, 50), maps(7, 300)
    across, down = ndd.batch([x0, x1], layout="HW"), ndd.batch([y0, y1], layout="HW")

    def bent() -> list[np.ndarray]:
        kind = getattr(types, f"INTERP_{interp}")
        made = remap(ndd.batch(images, layout="HWC"), across, down, interp=kind, pixel_origin=origin)
        return [np.asarray(t) for t in made]

    kernel = bent()
    op = declaration("experimental.remap")
    kept, op.native_step = op.native_step, None
    try:
        for got, wanted in zip(kernel, bent(), strict=True):
            np.testing.assert_allclose(got, wanted, atol=1)
    finally:
        op.native_step = kept


def test_the_origin_is_a_corner_unless_told_otherwise():
    row = ndd.tensor(np.arange(5, dtype=np.float32).reshape(1, 5, 1), layout="HWC")
    across, down = np.float32([[0.5, 1.0, 4.5, 5.5]]), np.full((1, 4), 0.5, np.float32)
    assert np.asarray(remap(row, across, down)).ravel().tolist() == [0, 0.5, 4, 0]
    assert np.asarray(remap(row, across, down, interp=types.INTERP_NN)).ravel().tolist() == [0, 1, 4, 0]
    centred = remap(row, across, down * 0, pixel_origin="center")
    assert np.asarray(centred).ravel().tolist() == [0.5, 1, 2, 0]


def test_samples_and_frames_may_have_maps_of_their_own():
    images = [smooth(20, 30), smooth(12, 9)]
    each = [maps(15, 25, 1), maps(12, 9, 2)]
    across, down = (ndd.batch([m[k] for m in each], layout="HW") for k in (0, 1))
    bent = [np.asarray(t) for t in remap(ndd.batch(images, layout="HWC"), across, down)]
    for got, image, own in zip(bent, images, each, strict=True):
        assert got.shape == (*own[0].shape, 3)
        np.testing.assert_array_equal(got, np.asarray(remap(image, *own)))
    video = ndd.tensor(np.stack([images[0]] * 2), layout="FHWC")
    planes = [ndd.tensor(np.stack([maps(15, 25, s)[k] for s in (1, 2)]), layout="FHW") for k in (0, 1)]
    frames = np.asarray(remap(video, *planes))
    np.testing.assert_array_equal(frames[1], np.asarray(remap(images[0], *maps(15, 25, 2))))


def test_maps_may_have_a_channel_axis():
    image, (across, down) = smooth(9, 8), maps(9, 8)
    flat = np.asarray(remap(image, across, down))
    np.testing.assert_array_equal(np.asarray(remap(image, across[:, :, None], down[:, :, None])), flat)


@given(st.tuples(st.integers(0, 12), st.integers(0, 12), st.integers(1, 5)), st.integers(0, 9), st.booleans())
@settings(max_examples=60, deadline=None)
def test_any_map_shows_the_image_or_nothing(shape, seed, linear):
    random = np.random.default_rng(seed)
    across, down = random.choice(np.float32([-1, 0, 3, 1e30, -np.inf, np.nan]), (2, 7, 300)).astype(np.float32)
    interp = types.INTERP_LINEAR if linear else types.INTERP_NN
    made = np.asarray(remap(np.full(shape, 80, np.uint8), across, down, interp=interp))
    assert made.shape == (7, 300, shape[2])
    assert made.max(initial=0) <= 80


def test_bad_input_is_refused():
    image, (across, down) = smooth(9, 8), maps(9, 8)
    with pytest.raises(RuntimeError, match="mapx must be float32"):
        remap(image, across.astype(np.float64), down)
    with pytest.raises(RuntimeError, match="differ in size"):
        np.asarray(remap(image, across, down[1:]))
    with pytest.raises(RuntimeError, match="one value for every pixel"):
        np.asarray(remap(image, np.dstack([across, across]), np.dstack([down, down])))
    with pytest.raises(RuntimeError, match="interp must be"):
        remap(image, across, down, interp=types.INTERP_GAUSSIAN)
    with pytest.raises(RuntimeError, match="input types"):
        remap(image.astype(np.int32), across, down)
    with pytest.raises(ValueError, match="layout"):
        remap(ndd.tensor(image, layout="CHW"), across, down)
    with pytest.raises(TypeError, match="mapy"):
        remap(image, across)
