"""optical_flow, and what is said of operators that need a GPU."""

import inspect

import cv2
import numpy as np
import pytest

import penstock.dynamic as ndd
from penstock import types

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


def moving(count=3, height=30, width=41, channels=3, step=(1, 2), seed=0):
    """A video of blurred noise that moves by `step` rows and columns a frame."""
    noise = np.random.default_rng(seed).integers(0, 256, (height + 20, width + 20, channels)).astype(np.uint8)
    still = cv2.GaussianBlur(noise, (7, 7), 2).reshape(noise.shape)
    still = cv2.normalize(still, None, 0, 255, cv2.NORM_MINMAX).reshape(noise.shape)
    places = [(10 - k * step[0], 10 - k * step[1]) for k in range(count)]
    return np.stack([still[y : y + height, x : x + width] for y, x in places])


@pytest.mark.parametrize("grid", [1, 2, 4])
@pytest.mark.parametrize("preset", [0.0, 0.5, 1.0])
def test_what_moves_is_seen_to_move(any_gpu, grid, preset):
    videos = ndd.batch([moving(), moving(2, step=(0, -1))], layout="FHWC", device="gpu")
    flows = ndd.optical_flow(videos, output_grid=grid, preset=preset)
    assert flows.layout == "FHWC"
    assert flows.dtype == ndd.float32
    assert flows.shape == [(frames, -(-30 // grid), -(-41 // grid), 2) for frames in (2, 1)]
    for flow, wanted in zip(flows.cpu(), ([2, 1], [-1, 0]), strict=True):
        np.testing.assert_allclose(np.median(np.asarray(flow), axis=(0, 1, 2)), wanted, atol=0.2)


def test_hints_are_where_the_search_begins(any_gpu):
    video = ndd.tensor(moving(), layout="FHWC", device="gpu")
    hints = ndd.tensor(np.full((2, 8, 11, 2), [2, 1], np.float32), layout="FHWC", device="gpu")
    found = ndd.optical_flow(video, hints, enable_external_hints=True)
    np.testing.assert_allclose(np.median(np.asarray(found.cpu()), axis=(0, 1, 2)), [2, 1], atol=0.2)
    again = ndd.optical_flow(video, enable_temporal_hints=True)
    np.testing.assert_allclose(np.median(np.asarray(again.cpu()), axis=(0, 1, 2)), [2, 1], atol=0.2)


def test_hints_of_another_size_are_refused(any_gpu):
    video = ndd.tensor(moving(), layout="FHWC", device="gpu")
    short = ndd.tensor(np.zeros((2, 4, 11, 2), np.float32), layout="FHWC", device="gpu")
    with pytest.raises(RuntimeError, match=r"have the shape \(2, 8, 11, 2\), got \(2, 4, 11, 2\)"):
        ndd.optical_flow(video, short, enable_external_hints=True).evaluate()


def test_grey_and_swapped_colours(any_gpu):
    grey = ndd.tensor(moving(channels=1), layout="FHWC", device="gpu")
    flow = np.asarray(ndd.optical_flow(grey, image_type=types.GRAY).cpu())
    np.testing.assert_allclose(np.median(flow, axis=(0, 1, 2)), [2, 1], atol=0.2)
    video = moving()
    straight = ndd.optical_flow(ndd.tensor(video, layout="FHWC", device="gpu"))
    swapped = np.ascontiguousarray(video[..., ::-1])
    turned = ndd.optical_flow(ndd.tensor(swapped, layout="FHWC", device="gpu"), image_type=types.BGR)
    np.testing.assert_array_equal(np.asarray(straight.cpu()), np.asarray(turned.cpu()))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"output_grid": 3}, "`output_grid` must be 1, 2 or 4, got 3"),
        ({"preset": 1.5}, "`preset` must be from 0.0 to 1.0, got 1.5"),
        ({"image_type": types.YCbCr}, "`image_type` must be RGB, BGR or GRAY, got YCbCr"),
        ({"enable_external_hints": True}, "hints are the second input"),
        ({}, "an edge of the frames must have 12 pixels or more, got 4 x 4"),
        ({"image_type": types.GRAY}, "an edge of the frames"),
    ],
)
def test_what_cannot_be_is_refused(any_gpu, arguments, message):
    with pytest.raises(RuntimeError, match=message):
        ndd.optical_flow(VIDEO.gpu(), **arguments).evaluate()


def test_a_single_frame_does_not_move(any_gpu):
    flow = ndd.optical_flow(ndd.tensor(moving(1), layout="FHWC", device="gpu"))
    assert flow.shape == (0, 8, 11, 2)


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
