"""Large arrays are worked on in parts, with the results of whole ones."""

import numpy as np
import pytest

import penstock.dynamic as ndd

LARGE = 700_001


@pytest.fixture(params=[1, 3])
def threads(request):
    with ndd.EvalContext(num_threads=request.param):
        yield


@pytest.fixture
def numbers():
    return np.random.default_rng(0).integers(-100, 100, LARGE).astype(np.int32)


def test_every_part_is_made(threads, numbers):
    reals = numbers.astype(np.float32) / 7
    line, whole = ndd.tensor(reals), ndd.tensor(numbers)
    np.testing.assert_array_equal(np.asarray(line + line), reals + reals)
    np.testing.assert_array_equal(np.asarray(whole * 1.5), numbers * np.float32(1.5))
    np.testing.assert_array_equal(np.asarray(line > 0), reals > 0)
    np.testing.assert_array_equal(np.asarray(whole // 7), np.trunc(numbers / 7).astype(np.int32))
    np.testing.assert_array_equal(np.asarray(ndd.math.clamp(line, -3.0, 3.0)), np.clip(reals, -3, 3))
    np.testing.assert_array_equal(np.asarray(ndd.math.fabs(whole)), np.abs(numbers).astype(np.float32))
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(np.asarray(ndd.math.rsqrt(line)), np.float32(1) / np.sqrt(reals))


@pytest.mark.parametrize(
    "shapes", [((500, 600), (600,)), ((1, 400, 300), (3, 1, 1)), ((2, 1), (200_000,)), ((0, 9), ())]
)
def test_parts_of_arrays_that_are_broadcast(threads, shapes):
    random = np.random.default_rng(0)
    a, b = (random.integers(0, 256, shape).astype(np.uint8) for shape in shapes)
    np.testing.assert_array_equal(np.asarray(ndd.tensor(a) + ndd.tensor(b)), a + b)
    many = ndd.batch([a, a]) - ndd.tensor(b)
    assert [np.asarray(each).tolist() for each in many] == [(a - b).tolist()] * 2


def test_nan_on_the_left_is_passed_over_in_every_part(threads):
    left = np.ones(LARGE, np.float32)
    left[[3, LARGE - 1]] = np.nan
    made = np.asarray(ndd.math.max(ndd.tensor(left), 0.5))
    assert made[[0, 3, LARGE - 1]].tolist() == [1, 0.5, 0.5]


def test_the_last_element_can_still_fail(threads, numbers):
    divisor = np.ones(LARGE, np.int32)
    divisor[-1] = 0
    with pytest.raises(ValueError, match="Integer division by zero"):
        (ndd.tensor(numbers) // ndd.tensor(divisor)).evaluate()
