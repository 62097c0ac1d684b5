"""to_decibels: logarithms, their reference and cutoff."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import penstock.dynamic as ndd
from ops.promises import check_operator

CLOSE = {"rtol": 1e-6, "atol": 1e-6}


def decibels(values, **arguments):
    return np.asarray(ndd.to_decibels(ndd.tensor(np.float32(values)), **arguments))


@pytest.mark.parametrize(
    "arguments",
    [{}, {"reference": 0.3}, {"multiplier": 20.0, "cutoff_db": -30.0}, {"multiplier": -10.0}, {"cutoff_db": 5.0}],
)
def test_it_keeps_the_promises(arguments):
    random = np.random.default_rng(0)
    samples = [(random.random(shape) ** 9).astype(np.float32) for shape in ((80, 31), (1, 5), (3, 0))]
    check_operator("to_decibels", samples, layout="ft", **arguments, **CLOSE)


def test_tens_are_easy():
    np.testing.assert_allclose(decibels([1, 10, 100]), [-20, -10, 0], atol=1e-6)
    np.testing.assert_allclose(decibels([1, 10, 100], reference=1.0, multiplier=20.0), [0, 20, 40], atol=1e-5)
    np.testing.assert_allclose(decibels([1, 1e-9], cutoff_db=-20.0), [0, -20], atol=1e-6)


def test_every_sample_has_its_own_maximum():
    made = ndd.to_decibels(ndd.batch([np.float32([1, 10]), np.float32([1, 100])]))
    np.testing.assert_allclose([np.asarray(t) for t in made], [[-10, 0], [-20, 0]], atol=1e-6)


def test_the_logarithm_is_exact_to_the_last_places():
    random = np.random.default_rng(1)
    values = np.ldexp(random.uniform(0.5, 1, 20000), random.integers(-148, 128, 20000)).astype(np.float32)
    made = decibels(values, reference=1.0, multiplier=1.0, cutoff_db=-1000.0)
    np.testing.assert_allclose(made, np.log10(values.astype(np.float64)), rtol=3e-7, atol=1e-8)


def test_what_is_not_positive_is_cut_off():
    cut = pytest.approx(-200, rel=1e-6)
    assert decibels([0, 0]).tolist() == [cut, cut]
    assert decibels([-1, 1, np.nan]).tolist() == [cut, 0, cut]
    assert decibels([-1, -2]).tolist() == [cut, cut]
    assert decibels([1, np.inf], reference=1.0).tolist() == [0, np.inf]
    assert decibels([1, np.inf]).tolist() == [cut, cut]
    assert decibels([0, 1], cutoff_db=float("-inf"))[0] == pytest.approx(10 * np.log10(2.0**-149), rel=1e-6)


def test_shape_and_layout_stay():
    made = ndd.to_decibels(ndd.tensor(np.ones((2, 3, 4), np.float32), layout="HWC"))
    assert (made.shape, made.layout) == ((2, 3, 4), "HWC")
    assert decibels(5.0).shape == ()
    assert decibels([]).shape == (0,)


def test_bad_arguments_fail_at_the_call():
    with pytest.raises(RuntimeError, match="cast it to float32"):
        ndd.to_decibels(ndd.tensor([1, 2]))
    with pytest.raises(ValueError, match="NaN"):
        ndd.to_decibels(ndd.tensor([1.0]), reference=float("nan"))
    with pytest.raises(RuntimeError, match="`reference` argument can't be zero"):
        ndd.to_decibels(ndd.tensor([1.0]), reference=0)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.floats(width=32), max_size=40),
    st.sampled_from([None, 1.0, 1e-30, 5.5]),
    st.sampled_from([1.0, 10.0, 20.0, -3.0]),
    st.sampled_from([-300.0, -80.0, 0.0]),
)
def test_any_numbers_keep_the_promises(values, reference, multiplier, cutoff_db):
    check_operator(
        "to_decibels", [np.float32(values)], layout=None, reference=reference, multiplier=multiplier,
        cutoff_db=cutoff_db, rtol=1e-5, atol=1e-4,
    )  # fmt: skip
