"""debayer: colours behind a Bayer filter."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import penstock.dynamic as ndd
from ops.promises import check_operator

POSITIONS = [[0, 0], [0, 1], [1, 0], [1, 1]]
ALGORITHMS = ["bilinear_ocv", "edgeaware_ocv", "vng_ocv", "gray_ocv", "default_npp"]


def raw(sizes, dtype=np.uint8):
    random = np.random.default_rng(0)
    return [random.integers(0, np.iinfo(dtype).max, size).astype(dtype) for size in sizes]


@pytest.mark.parametrize("position", POSITIONS)
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
def test_debayer_keeps_the_promises(position, dtype):
    check_operator("debayer", raw([(6, 8), (2, 2), (30, 70)], dtype), layout="HW", blue_position=position)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_every_algorithm_is_there(algorithm):
    results = check_operator("debayer", raw([(16, 18)]), layout="HW", blue_position=[0, 1], algorithm=algorithm)
    assert results[0].shape == (16, 18, 1 if algorithm == "gray_ocv" else 3)


@pytest.mark.parametrize("algorithm", ["edgeaware_ocv", "gray_ocv"])
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
@pytest.mark.parametrize("position", POSITIONS)
def test_gpus_find_the_colours_opencv_finds(algorithm, dtype, position):
    images = raw([(6, 8), (4, 4), (30, 70)], dtype)
    check_operator("debayer", images, layout="HW", blue_position=position, algorithm=algorithm)


def test_every_sample_may_have_its_own_filter():
    check_operator("debayer", raw([(8, 8)] * 4), layout="HW", per_sample={"blue_position": POSITIONS})


@pytest.mark.parametrize("layout", ["HW", "HWC", "FHW", "FHWC"])
def test_every_layout_is_taken(layout):
    shape = [{"F": 2, "H": 8, "W": 6, "C": 1}[name] for name in layout]
    (result,) = check_operator("debayer", raw([shape]), layout=layout, blue_position=[1, 0])
    assert result.shape == (2, 8, 6, 3)[4 - len("FHWC" if "F" in layout else "HWC") :]


@pytest.mark.parametrize("position", POSITIONS)
def test_pure_colours_by_eye(position):
    """The place of blue is counted from the second row and column of the sensor."""
    sensor = np.zeros((8, 8), np.uint8)
    sensor[1 - position[0] :: 2, 1 - position[1] :: 2] = 200
    image = np.asarray(ndd.debayer(ndd.tensor(sensor, layout="HW"), blue_position=position))
    at = 1 + position[0], 1 + position[1]
    assert image[at].tolist() == [0, 0, 200]
    assert image[at[0] + 1, at[1]].tolist() == [0, 0, 200]
    assert image[at[0] + 1, at[1] + 1].tolist() == [0, 0, 200]


def test_a_grey_scene_is_grey():
    image = np.asarray(ndd.debayer(ndd.tensor(np.full((6, 6), 77, np.uint8), layout="HW"), blue_position=[0, 0]))
    assert (image == 77).all()


def test_frames_may_have_filters_of_their_own():
    (image,) = raw([(8, 8)])
    video = ndd.tensor(np.stack([image, image]), layout="FHW")
    places = ndd.per_frame(ndd.tensor([[0, 0], [1, 1]], dtype=ndd.int32))
    result = np.asarray(ndd.debayer(video, blue_position=places))
    for frame, place in zip(result, [[0, 0], [1, 1]], strict=True):
        np.testing.assert_array_equal(frame, np.asarray(ndd.debayer(image, blue_position=place)))


def test_bad_calls_are_refused():
    (image,) = raw([(6, 6)])
    with pytest.raises(RuntimeError, match="must lie within 2x2 tile, got: 0 x 2"):
        ndd.debayer(image, blue_position=[0, 2])
    with pytest.raises(RuntimeError, match="must lie within 2x2 tile, got: 0 x -1"):
        ndd.debayer(image, blue_position=ndd.tensor([0, -1])).evaluate()
    with pytest.raises(RuntimeError, match="exactly two values, got 3"):
        ndd.debayer(image, blue_position=[0, 0, 0])
    with pytest.raises(RuntimeError, match="exactly two values, got 1"):
        ndd.debayer(image, blue_position=ndd.tensor([0])).evaluate()
    with pytest.raises(RuntimeError, match="must be even, got 5 x 6"):
        ndd.debayer(image[:5].copy(), blue_position=[0, 0]).evaluate()
    with pytest.raises(RuntimeError, match="images of one channel, got 3"):
        ndd.debayer(np.zeros((6, 6, 3), np.uint8), blue_position=[0, 0]).evaluate()
    with pytest.raises(RuntimeError, match="OpenCV does not support DALI DataType: `float`"):
        ndd.debayer(image.astype(np.float32), blue_position=[0, 0])
    with pytest.raises(RuntimeError, match="VNG debayering only supported with UINT8"):
        ndd.debayer(image.astype(np.uint16), blue_position=[0, 0], algorithm="vng_ocv")
    with pytest.raises(RuntimeError, match="Unsupported debayer algorithm was specified: `bad`"):
        ndd.debayer(image, blue_position=[0, 0], algorithm="bad")
    with pytest.raises(TypeError, match="missing 1 required keyword-only argument: 'blue_position'"):
        ndd.debayer(image)


@given(st.integers(0, 20), st.integers(0, 40), st.sampled_from(POSITIONS), st.sampled_from([np.uint8, np.uint16]))
@settings(max_examples=60, deadline=None)
def test_any_even_size_is_that_of_the_plain_function(height, width, position, dtype):
    check_operator("debayer", raw([(2 * height, 2 * width)], dtype), layout="HW", blue_position=position)
