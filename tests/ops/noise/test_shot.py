"""noise.shot: every value a random count."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import penstock.dynamic as ndd
from ops.noise.noisy import TYPES, check_independence, check_noise, noisy
from ops.promises import photos

PATH = "noise.shot"


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("factor", [20.0, 0.7])
def test_shot_keeps_the_promises(dtype, factor):
    check_noise(PATH, photos([(24, 36), (1, 5), (3, 1)], dtype=dtype), factor=factor)


def test_a_seed_gives_known_counts():
    assert noisy(PATH, np.full(5, 3, np.float32), seed=1, factor=1.0).tolist() == [3, 4, 1, 3, 3]
    assert noisy(PATH, np.full(5, 13.5, np.float32), seed=1, factor=1.0).tolist() == [16, 24, 12, 18, 12]
    assert noisy(PATH, np.full(3, 1e6, np.float32), seed=1, factor=1.0).tolist() == [1000440, 997832, 1000620]


@pytest.mark.parametrize("mean", [0.3, 3, 11.9, 12, 14.5, 60, 900, 2100])
def test_counts_are_poisson_distributed(mean):
    counts = np.sort(noisy(PATH, np.full(40_000, mean, np.float32), factor=1.0))
    values = np.arange(counts[-1] + 1)
    logs = values * math.log(mean) - mean - np.array([math.lgamma(value + 1) for value in values])
    expected = np.cumsum(np.exp(logs))
    measured = np.searchsorted(counts, values, side="right") / counts.size
    # The Kolmogorov-Smirnov distance exceeds 2 / sqrt(n) once in 1,500.
    assert np.abs(measured - expected).max() < 2 / math.sqrt(counts.size)


def test_neighbours_and_samples_are_independent():
    check_independence(PATH, np.full((200, 200), 100, np.float32), factor=20.0)
    check_independence(PATH, np.full((200, 200), 100, np.float32), factor=1.0)


def test_every_sample_may_have_a_factor_of_its_own():
    images = ndd.batch([np.full((100, 100), 100, np.float32)] * 2)
    little, much = noisy(PATH, images, factor=ndd.batch([1.0, 25.0]))
    assert abs(little.std() - 10) < 0.5
    assert abs(much.std() - 50) < 2.5
    assert set((much / 25 % 1).ravel()) == {0}


def test_what_has_no_distribution_is_left_or_zero():
    odd = np.array([0, -5, math.nan, math.inf, 1e30], np.float32)
    assert noisy(PATH, odd, factor=1.0).tolist() == [0, 0, 0, math.inf, np.float32(1e30)]
    assert noisy(PATH, np.array([1, 200], np.uint8), factor=0.0).tolist() == [0, 0]
    assert noisy(PATH, np.array([-100], np.float32), factor=-1.0)[0] < 0


@pytest.mark.parametrize("shape", [(0, 3), (), (1,), (257,)])
def test_arrays_of_every_shape(shape):
    assert noisy(PATH, np.full(shape, 200, np.uint8)).shape == shape


def test_types_that_have_no_noise_are_refused_at_the_call():
    with pytest.raises(RuntimeError, match="Data type float16 is currently not supported"):
        ndd.noise.shot(np.zeros(3, np.float16))
    with pytest.raises(ValueError, match="factor must be a number, got NaN"):
        ndd.noise.shot(np.zeros(3, np.uint8), factor=float("nan"))


@given(
    shape=st.lists(st.integers(0, 20), max_size=3),
    dtype=st.sampled_from(TYPES),
    value=st.integers(0, 127),
    factor=st.floats(-10, 100),
)
@settings(max_examples=30, deadline=None)
def test_any_noise_on_any_array(shape, dtype, value, factor):
    check_noise(PATH, [np.full(shape, value, dtype)], layout=None, factor=factor)
