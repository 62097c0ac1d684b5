"""mfcc: cosine transforms and liftering."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import penstock.dynamic as ndd
from ops.promises import check_operator

CLOSE = {"rtol": 1e-4, "atol": 1e-4}


def noise(*shape, seed=0):
    return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


def mfcc(array, **arguments):
    return np.asarray(ndd.mfcc(ndd.tensor(array), **arguments))


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"n_mfcc": 13, "normalize": True, "lifter": 22.0},
        {"dct_type": 1, "n_mfcc": 5},
        {"dct_type": 3, "normalize": True},
        {"dct_type": 4, "lifter": -3.5, "n_mfcc": 100},
    ],
)
def test_it_keeps_the_promises(arguments):
    samples = [noise(80, 40), noise(23, 7), noise(3, 100)]
    check_operator("mfcc", samples, layout="ft", **arguments, **CLOSE)
    check_operator("mfcc", [sample.T.copy() for sample in samples], layout="tf", axis=1, **arguments, **CLOSE)


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_any_axis_is_transformed(axis):
    check_operator("mfcc", [noise(9, 20, 33)], layout=None, axis=axis, n_mfcc=6, **CLOSE)


def test_the_second_kind_is_a_sum_of_cosines():
    columns = noise(30, 4)
    expected = [sum(columns[j] * np.cos(np.pi * k * (2 * j + 1) / 60) for j in range(30)) for k in range(20)]
    np.testing.assert_allclose(mfcc(columns), expected, rtol=1e-4, atol=1e-4)


def test_orthonormal_transforms_undo_one_another():
    columns = noise(20, 6)
    there = mfcc(columns, normalize=True)
    np.testing.assert_allclose(mfcc(there, dct_type=3, normalize=True), columns, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(np.square(there).sum(0), np.square(columns).sum(0), rtol=1e-5)
    fourth = mfcc(mfcc(columns, dct_type=4, normalize=True), dct_type=4, normalize=True)
    np.testing.assert_allclose(fourth, columns, rtol=1e-4, atol=1e-5)


def test_the_first_kind_counts_the_ends_half():
    assert mfcc(np.ones((2, 1), np.float32), dct_type=1)[:, 0].tolist() == [1, 0]
    assert mfcc(np.float32([[1], [2], [3]]), dct_type=1)[0, 0] == 0.5 + 2 + 1.5


def test_liftering_is_librosas():
    columns = noise(40, 3)
    lift = 1 + 22 / 2 * np.sin(np.pi * np.arange(1, 14) / 22)
    expected = mfcc(columns, n_mfcc=13) * lift[:, None]
    np.testing.assert_allclose(mfcc(columns, n_mfcc=13, lifter=22.0), expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"axis": -1}, "axis -1 is out of range"),
        ({"axis": 2}, "axis 2 is out of range"),
        ({"dct_type": 0}, "Unsupported DCT type: 0"),
        ({"dct_type": 5}, "Unsupported DCT type: 5"),
        ({"dct_type": 1, "normalize": True}, "not supported for dct_type=1"),
        ({"n_mfcc": 0}, "n_mfcc must be at least 1, got 0"),
    ],
)
def test_bad_arguments_fail_at_the_call(arguments, message):
    with pytest.raises(RuntimeError, match=message):
        ndd.mfcc(ndd.tensor(noise(8, 2)), **arguments)


def test_inputs_that_have_no_coefficients_are_refused():
    with pytest.raises(RuntimeError, match="1 axis"):
        ndd.mfcc(ndd.tensor(noise(8)))
    with pytest.raises(RuntimeError, match="more than 1 element"):
        ndd.mfcc(ndd.tensor(noise(1, 4)), dct_type=1).evaluate()
    with pytest.raises(RuntimeError, match="cast it to float32"):
        ndd.mfcc(ndd.tensor(np.ones((8, 2), np.int16)))


def test_empty_axes_stay_empty():
    assert mfcc(noise(0, 4)).shape == (0, 4)
    assert mfcc(noise(7, 0), n_mfcc=3).shape == (3, 0)


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_any_transform_keeps_the_promises(data):
    kind = data.draw(st.integers(1, 4))
    shapes = data.draw(st.lists(st.tuples(st.integers(2, 60), st.integers(1, 40)), min_size=1, max_size=3))
    check_operator(
        "mfcc",
        [noise(*shape) for shape in shapes],
        layout="ft",
        dct_type=kind,
        normalize=kind > 1 and data.draw(st.booleans()),
        n_mfcc=data.draw(st.integers(1, 70)),
        lifter=data.draw(st.sampled_from([0.0, 22.0, 0.5])),
        **CLOSE,
    )
