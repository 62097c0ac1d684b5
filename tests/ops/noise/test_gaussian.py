"""noise.gaussian: normally distributed noise added."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import penstock.dynamic as ndd
from ops.noise.noisy import TYPES, check_independence, check_noise, noisy
from ops.promises import photos

PATH = "noise.gaussian"


@pytest.mark.parametrize("dtype", TYPES)
def test_gaussian_keeps_the_promises(dtype):
    check_noise(PATH, photos([(24, 36), (1, 5), (3, 1)], dtype=dtype), mean=-3.5, stddev=20.0)


def test_it_is_what_random_normal_draws():
    image = photos([(30, 20)])[0]
    drawn = np.asarray(ndd.random.normal(shape=image.shape, stddev=20.0, rng=ndd.random.RNG(3)))
    expected = np.clip(np.floor(image + drawn + 0.5), 0, 255)
    assert (noisy(PATH, image, seed=3, stddev=20.0) == expected).all()


def test_a_seed_gives_known_noise():
    assert noisy(PATH, np.full(6, 100, np.uint8), stddev=10.0).tolist() == [108, 100, 97, 115, 105, 120]


def test_noise_has_the_mean_and_deviation_asked_for():
    noise = noisy(PATH, np.zeros((300, 300), np.float32), mean=3.0, stddev=2.0)
    assert abs(noise.mean() - 3) < 0.03
    assert abs(noise.std() - 2) < 0.03
    check_independence(PATH, np.full((200, 200), 1000, np.int16), stddev=50.0)


def test_every_sample_may_have_noise_of_its_own():
    images = ndd.batch([np.full((50, 50), 100, np.uint8)] * 2)
    still, wild = noisy(PATH, images, mean=ndd.batch([5.0, 0.0]), stddev=ndd.batch([0.0, 30.0]))
    assert (still == 105).all()
    assert 25 < wild.std() < 35


def test_results_are_rounded_and_saturate():
    assert noisy(PATH, np.array([250, 3], np.uint8), mean=10, stddev=0).tolist() == [255, 13]
    assert noisy(PATH, np.array([250, 3], np.uint8), mean=-5.5, stddev=0).tolist() == [245, 0]
    assert noisy(PATH, np.array([2**62], np.int64), mean=2.6, stddev=0).tolist() == [2**62]


@pytest.mark.parametrize("shape", [(0, 3), (), (1,), (257,)])
def test_arrays_of_every_shape(shape):
    assert noisy(PATH, np.zeros(shape, np.float32)).shape == shape


@pytest.mark.parametrize("dtype", [np.float16, np.float64, np.bool_])
def test_types_that_have_no_noise_are_refused_at_the_call(dtype):
    with pytest.raises(RuntimeError, match="is currently not supported"):
        ndd.noise.gaussian(np.zeros(3, dtype))


def test_bad_arguments_are_told():
    with pytest.raises(ValueError, match="stddev must be a number, got NaN"):
        ndd.noise.gaussian(np.zeros(3, np.uint8), stddev=float("nan"))
    with pytest.raises(ValueError, match="rng must be an instance of"):
        ndd.noise.gaussian(np.zeros(3, np.uint8), rng=5)
    with pytest.raises(ValueError, match="Inconsistent batch size"):
        ndd.noise.gaussian(ndd.batch([[1], [2]]), mean=ndd.batch([1.0, 2.0, 3.0]))


@given(
    shape=st.lists(st.integers(0, 20), max_size=3),
    dtype=st.sampled_from(TYPES),
    mean=st.floats(-1e6, 1e6),
    stddev=st.floats(0, 1e6),
)
@settings(max_examples=30, deadline=None)
def test_any_noise_on_any_array(shape, dtype, mean, stddev):
    check_noise(PATH, [np.ones(shape, dtype)], layout=None, mean=mean, stddev=stddev)
