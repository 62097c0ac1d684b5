"""preemphasis_filter: borders, types and a coefficient for every sample."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import penstock.dynamic as ndd
from ops.promises import check_operator

CLOSE = {"rtol": 1e-6, "atol": 1e-6}
TYPES = [np.uint8, np.int8, np.uint16, np.int16, np.uint32, np.int32, np.uint64, np.int64, np.float32, np.float64]


def noise(*shape, dtype=np.float32, seed=0):
    return (np.random.default_rng(seed).normal(size=shape) * 100).astype(dtype)


def filtered(values, **arguments):
    return np.asarray(ndd.preemphasis_filter(ndd.tensor(values), **arguments))


@pytest.mark.parametrize("border", ["clamp", "zero", "reflect"])
def test_borders_keep_the_promises(border):
    samples = [noise(n) for n in (5000, 1, 2, 0)]
    check_operator("preemphasis_filter", samples, layout=None, border=border, **CLOSE)


@pytest.mark.parametrize("dtype", TYPES)
def test_types_keep_the_promises(dtype):
    samples = [np.abs(noise(n)).astype(dtype) for n in (3000, 7)]
    check_operator("preemphasis_filter", samples, layout=None, rtol=1e-5, atol=1e-5)
    result = DTYPES[dtype]
    tolerance = {"rtol": 1e-6} if np.dtype(dtype).kind == "f" else {"atol": 1}
    check_operator("preemphasis_filter", [noise(3000)], layout=None, dtype=result, **tolerance)


DTYPES = {dtype: getattr(ndd, np.dtype(dtype).name) for dtype in TYPES}


def test_every_sample_may_have_its_own_coefficient():
    samples = [noise(30, seed=k) for k in range(3)]
    check_operator("preemphasis_filter", samples, layout=None, per_sample={"preemph_coeff": [0.0, 0.9, -2.0]}, **CLOSE)


def test_each_element_loses_a_share_of_the_one_before():
    signal = np.float32([1, 2, 4])
    np.testing.assert_allclose(filtered(signal), [0.03, 1.03, 2.06], rtol=1e-5)
    assert filtered(signal, preemph_coeff=0.5, border="zero").tolist() == [1, 1.5, 3]
    assert filtered(signal, preemph_coeff=0.5, border="reflect").tolist() == [0, 1.5, 3]
    assert filtered(signal, preemph_coeff=0.0).tolist() == [1, 2, 4]


def test_integers_are_rounded_and_saturated():
    assert filtered(np.float32([100, 200, -300]), dtype=ndd.int8).tolist() == [3, 103, -128]
    assert filtered(np.float32([100, 200, -300]), dtype=ndd.uint8).tolist() == [3, 103, 0]


def test_doubles_are_filtered_in_double_precision():
    made = filtered(np.float64([1, 1 + 1e-12]), preemph_coeff=1.0, dtype=ndd.float64)
    np.testing.assert_allclose(made, [0, 1e-12], rtol=1e-3)


def test_a_sample_of_several_axes_is_one_signal():
    made = filtered(np.float32([[1, 2], [4, 8]]), preemph_coeff=0.5, border="zero")
    assert made.tolist() == [[1, 1.5], [3, 6]]


def test_a_nan_spoils_itself_and_the_next():
    assert np.isnan(filtered(np.float32([1, np.nan, 1, 1]))).tolist() == [False, True, True, False]


def test_bad_arguments_fail_at_the_call():
    signal = ndd.tensor(noise(5))
    with pytest.raises(RuntimeError, match="border"):
        ndd.preemphasis_filter(signal, border="wrap")
    for dtype in (ndd.float16, ndd.bool):
        with pytest.raises(RuntimeError, match="Unsupported output type"):
            ndd.preemphasis_filter(signal, dtype=dtype)
    for dtype in (np.float16, np.bool_):
        with pytest.raises(RuntimeError, match="Unsupported input type"):
            ndd.preemphasis_filter(ndd.tensor(np.ones(3, dtype)))


@settings(max_examples=25, deadline=None)
@given(
    st.sampled_from(TYPES),
    st.lists(st.integers(0, 2100), min_size=1, max_size=3),
    st.floats(-2, 2, width=32),
    st.sampled_from(["clamp", "zero", "reflect"]),
)
def test_any_signal_keeps_the_promises(dtype, lengths, coefficient, border):
    samples = [np.abs(noise(n, seed=n)).astype(dtype) for n in lengths]
    check_operator(
        "preemphasis_filter", samples, layout=None, preemph_coeff=coefficient, border=border, rtol=1e-5, atol=1e-4
    )
