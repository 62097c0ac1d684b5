from __future__ import annotations

import math

import numpy as np
import pytest

import penstock.dynamic as ndd
from ops.random.drawn import check_draws, correlation, drawn


@pytest.mark.parametrize("arguments", [{}, {"mean": 5, "stddev": 100, "dtype": ndd.uint8}, {"dtype": ndd.float64}])
def test_normal_keeps_the_promises(arguments):
    check_draws("normal", **arguments)


def test_a_seed_gives_known_numbers():
    assert drawn("normal", shape=[3]).tolist() == [0.8421933650970459, -0.006329291500151157, -0.30450358986854553]
    assert drawn("normal", shape=[2], dtype=ndd.float64).tolist() == pytest.approx(
        [-0.5284126371122506, -0.40180263920120973], rel=1e-14
    )
    rounded = drawn("normal", shape=[6], mean=5, stddev=100, dtype=ndd.int16)
    assert rounded.tolist() == [89, 4, -25, 151, 59, 205]


@pytest.mark.parametrize("dtype", [ndd.float32, ndd.float64])
def test_numbers_are_normally_distributed(dtype):
    numbers = np.sort(drawn("normal", shape=[200_000], mean=3.0, stddev=2.0, dtype=dtype))
    expected = np.array([0.5 * (1 + math.erf((x - 3) / 2 / math.sqrt(2))) for x in numbers[::100]])
    # The Kolmogorov-Smirnov distance exceeds 2 / sqrt(n) once in 1,500.
    assert np.abs(expected - np.arange(0, numbers.size, 100) / numbers.size).max() < 2 / math.sqrt(numbers.size)


def test_neighbours_and_samples_are_independent():
    first, second = drawn("normal", shape=[50_000], batch_size=2)
    assert abs(correlation(first[1:], first[:-1])) < 0.02
    assert abs(correlation(first, second)) < 0.02


def test_every_sample_can_have_its_own_mean_and_deviation():
    still, far = drawn("normal", shape=[50], mean=ndd.batch([7.0, 1000.0]), stddev=ndd.batch([0.0, 1.0]))
    assert set(still.tolist()) == {7.0}
    assert 990 < far.min() < far.max() < 1010


def test_whole_numbers_are_rounded_and_saturate():
    assert drawn("normal", mean=2.6, stddev=0, dtype=ndd.int32) == 3
    assert drawn("normal", mean=-2.5, stddev=0, dtype=ndd.int8) == -3
    assert drawn("normal", mean=300, stddev=0, dtype=ndd.uint8) == 255
    assert drawn("normal", mean=-300, stddev=0, dtype=ndd.uint8) == 0


@pytest.mark.parametrize("dtype", [ndd.float16, ndd.bool])
def test_types_that_cannot_be_drawn_are_refused_at_the_call(dtype):
    with ndd.EvalMode.deferred, pytest.raises(RuntimeError, match="not supported"):
        ndd.random.normal(dtype=dtype)
