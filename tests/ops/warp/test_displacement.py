"""water, sphere and jitter: pixels from a little way off."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import penstock.dynamic as ndd
from ops.promises import check_operator
from ops.warp.warps import counted, smooth
from penstock import types
from penstock.dynamic.calls.functions import declaration

WAVES = {"ampl_x": 3.3, "ampl_y": 5.5, "freq_x": 0.1, "freq_y": 0.2, "phase_x": 0.4, "phase_y": 0.9}
OPERATORS = ["water", "sphere", "jitter"]


@pytest.mark.parametrize("arguments", [{}, WAVES, {"fill_value": 77.7}])
@pytest.mark.parametrize("interp", [types.INTERP_NN, types.INTERP_LINEAR])
def test_water_keeps_the_promises(arguments, interp):
    for channels, dtype in ((1, np.uint8), (3, np.uint8), (5, np.uint8), (3, np.float32)):
        images = [smooth(13, 270, channels, dtype), smooth(9, 8, channels, dtype)]
        check_operator("water", images, interp_type=interp, atol=1 if dtype == np.uint8 else 1e-3, **arguments)


@pytest.mark.parametrize("interp", [types.INTERP_NN, types.INTERP_LINEAR])
@pytest.mark.parametrize("dtype", [np.uint8, np.float32])
def test_sphere_keeps_the_promises(dtype, interp):
    images = [smooth(13, 270, 3, dtype), smooth(9, 8, 3, dtype), smooth(1, 1, 3, dtype)]
    check_operator("sphere", images, interp_type=interp, fill_value=20, atol=1 if dtype == np.uint8 else 1e-3)


@pytest.mark.parametrize("name", ["water", "sphere"])
def test_a_mask_leaves_samples_as_they_are(name):
    images = [smooth(9, 8), smooth(4, 5), smooth(6, 6)]
    masked = check_operator(name, images, per_sample={"mask": [0, 1, 0]})
    np.testing.assert_array_equal(masked[0], images[0])
    assert not np.array_equal(masked[1], images[1])
    np.testing.assert_array_equal(np.asarray(getattr(ndd, name)(images[1], mask=0)), images[1])


def test_water_shifts_rows_and_columns():
    shifted = ndd.water(counted(3, 4), ampl_x=1, freq_x=0, phase_x=np.pi / 2, ampl_y=0, fill_value=99)
    assert np.asarray(shifted)[:, :, 0].tolist() == [[1, 2, 3, 99], [11, 12, 13, 99], [21, 22, 23, 99]]
    lifted = ndd.water(counted(3, 4), ampl_x=0, ampl_y=1, freq_y=0, fill_value=99)
    assert np.asarray(lifted)[:, :, 0].tolist() == [[10, 11, 12, 13], [20, 21, 22, 23], [99, 99, 99, 99]]


def test_a_ball_magnifies_the_middle():
    image = counted(9, 9)
    ball = np.asarray(ndd.sphere(image))[:, :, 0]
    assert ball[4, 4] == 44
    assert ball[4].tolist() == [40, 42, 43, 44, 44, 44, 45, 46, 48]


def test_jitter_moves_pixels_as_far_as_it_may_and_no_further():
    places = np.arange(200 * 300, dtype=np.float32).reshape(200, 300, 1)
    moved = np.asarray(ndd.jitter(places, nDegree=6, fill_value=-1, rng=ndd.random.RNG(3)))
    inner = moved[10:-10, 10:-10, 0]
    rows, columns = np.mgrid[10:190, 10:290]
    for shift in (inner // 300 - rows, inner % 300 - columns):
        values, counts = np.unique(shift, return_counts=True)
        assert values.tolist() == [-3, -2, -1, 0, 1, 2, 3]
        assert counts.min() / counts.max() > 0.93


def test_jitter_is_decided_by_the_generator():
    images = ndd.batch([smooth(9, 8), smooth(9, 8)], layout="HWC")
    first, again, other = (
        [np.asarray(t) for t in ndd.jitter(images, nDegree=4, rng=ndd.random.RNG(seed))] for seed in (5, 5, 6)
    )
    np.testing.assert_array_equal(first, again)
    assert not np.array_equal(first, other)
    assert not np.array_equal(first[0], first[1])


def test_jitter_alone_is_the_first_of_a_batch_in_every_mode():
    image = smooth(40, 300)
    alone = np.asarray(ndd.jitter(image, nDegree=4, rng=ndd.random.RNG(5)))
    for mode in (ndd.EvalMode.deferred, ndd.EvalMode.sync_cpu):
        with mode:
            batch = ndd.jitter(ndd.batch([image, image], layout="HWC"), nDegree=4, rng=ndd.random.RNG(5))
            np.testing.assert_array_equal(np.asarray(batch.tensors[0]), alone)


def test_jitter_means_what_its_plain_function_says():
    images = ndd.batch([smooth(9, 290), smooth(9, 8)], layout="HWC")
    op = declaration("jitter")
    native = [np.asarray(t) for t in ndd.jitter(images, nDegree=5, fill_value=8, rng=ndd.random.RNG(1))]
    kept, op.native_step = op.native_step, None
    try:
        plain = [np.asarray(t) for t in ndd.jitter(images, nDegree=5, fill_value=8, rng=ndd.random.RNG(1))]
    finally:
        op.native_step = kept
    for got, wanted in zip(native, plain, strict=True):
        np.testing.assert_array_equal(got, wanted)


def test_no_degree_and_no_mask_move_nothing():
    image = smooth(9, 8)
    np.testing.assert_array_equal(np.asarray(ndd.jitter(image, nDegree=1)), image)
    np.testing.assert_array_equal(np.asarray(ndd.jitter(image, nDegree=9, mask=0)), image)


@given(
    st.sampled_from(OPERATORS),
    st.tuples(st.integers(0, 30), st.integers(0, 300), st.integers(0, 5)),
    st.sampled_from([np.uint8, np.float32]),
    st.booleans(),
)
@settings(max_examples=60, deadline=None)
def test_any_image_is_displaced(name, shape, dtype, linear):
    interp = types.INTERP_LINEAR if linear else types.INTERP_NN
    made = np.asarray(getattr(ndd, name)(np.full(shape, 50, dtype), interp_type=interp, fill_value=50))
    assert made.shape == shape
    assert made.dtype == dtype
    assert (made == 50).all()


@given(st.lists(st.floats(-(2.0**100), 2.0**100, width=32), min_size=6, max_size=6))
@settings(max_examples=40, deadline=None)
def test_any_wave_is_survived(values):
    made = ndd.water(np.full((9, 20, 3), 50, np.uint8), fill_value=50, **dict(zip(WAVES, values, strict=True)))
    assert (np.asarray(made) == 50).all()


@pytest.mark.parametrize("name", OPERATORS)
def test_bad_calls_are_refused(name):
    call = getattr(ndd, name)
    with pytest.raises(RuntimeError, match="Unexpected input type int16"):
        call(smooth(3, 3, dtype=np.int16))
    with pytest.raises(ValueError, match="layout"):
        call(ndd.tensor(smooth(3, 3), layout="CHW"))
    with pytest.raises(ValueError, match="dimensions"):
        call(np.zeros((2, 3, 3, 1), np.uint8))
    with pytest.raises(RuntimeError, match="Only nearest and linear"):
        call(smooth(3, 3), interp_type=types.INTERP_CUBIC)
    with pytest.raises(ValueError, match="batch size"):
        call(ndd.batch([smooth(3, 3)] * 2), mask=ndd.batch([1, 1, 1]))


def test_degrees_out_of_range_are_refused():
    with pytest.raises(RuntimeError, match="nDegree"):
        ndd.jitter(smooth(3, 3), nDegree=-1)
