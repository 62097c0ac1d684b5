from __future__ import annotations

import numpy as np
import pytest

import penstock.dynamic as ndd
from ops.random.drawn import check_draws, drawn


@pytest.mark.parametrize("arguments", [{}, {"alpha": 0.3, "beta": 0.4}, {"dtype": ndd.float64}])
def test_beta_keeps_the_promises(arguments):
    check_draws("beta", **arguments)


def test_a_seed_gives_known_numbers():
    large = drawn("beta", alpha=2, beta=3, shape=[5])
    assert large.tolist() == pytest.approx([0.32782632, 0.55952436, 0.53209764, 0.43150502, 0.10611128], rel=1e-6)
    small = drawn("beta", alpha=0.4, beta=0.9, shape=[5])
    assert small.tolist() == pytest.approx([0.09712914, 0.3747009, 0.19597846, 0.00339859, 0.06714201], rel=1e-6)
    wide = drawn("beta", alpha=0.5, beta=2, shape=[3], dtype=ndd.float64)
    assert wide.tolist() == pytest.approx([0.18738061296354122, 0.035185265702162814, 0.34943033342712926], rel=1e-14)


@pytest.mark.parametrize(("alpha", "beta"), [(1, 1), (2, 3), (0.5, 0.5), (0.2, 0.9), (5, 0.3), (40, 30)])
@pytest.mark.parametrize("dtype", [ndd.float32, ndd.float64])
def test_mean_and_variance_are_those_of_the_distribution(alpha, beta, dtype):
    numbers = drawn("beta", alpha=alpha, beta=beta, shape=[100_000], dtype=dtype).astype(np.float64)
    whole = alpha + beta
    variance = alpha * beta / whole**2 / (whole + 1)
    assert 0 <= numbers.min() < numbers.max() <= 1
    assert abs(numbers.mean() - alpha / whole) < 5 * (variance / numbers.size) ** 0.5
    assert numbers.var() == pytest.approx(variance, rel=0.03)


def test_alpha_and_beta_of_one_are_even():
    counts, _ = np.histogram(drawn("beta", shape=[100_000]), bins=20, range=(0, 1))
    np.testing.assert_allclose(counts / 100_000, 0.05, atol=0.004)


def test_tiny_shapes_give_no_nan():
    numbers = drawn("beta", alpha=1e-4, beta=1e-4, shape=[10_000])
    assert np.isfinite(numbers).all()
    assert 0.4 < numbers.mean() < 0.6


def test_large_samples_are_the_same_on_any_number_of_threads():
    expected = drawn("beta", shape=[300_000], alpha=2, beta=2, batch_size=2)
    with ndd.EvalContext(num_threads=1):
        np.testing.assert_array_equal(drawn("beta", shape=[300_000], alpha=2, beta=2, batch_size=2), expected)


def test_every_sample_can_have_its_own_shape_parameters():
    low, high = drawn("beta", shape=[500], alpha=ndd.batch([1.0, 90.0]), beta=ndd.batch([90.0, 1.0]))
    assert low.mean() < 0.1
    assert high.mean() > 0.9


@pytest.mark.parametrize("name", ["alpha", "beta"])
@pytest.mark.parametrize("value", [0, -1, float("inf")])
def test_shape_parameters_are_positive(name, value):
    with ndd.EvalMode.deferred, pytest.raises(RuntimeError, match=f"`{name}` must be a positive float32"):
        ndd.random.beta(**{name: value})
    with ndd.EvalMode.sync_cpu, pytest.raises(RuntimeError, match="for sample at index 1"):
        ndd.random.beta(**{name: ndd.batch([1.0, float(value)])})


def test_other_types_are_refused_at_the_call():
    with ndd.EvalMode.deferred, pytest.raises(RuntimeError, match="float, double"):
        ndd.random.beta(dtype=ndd.int32)
