"""cast: every element type to every other."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import penstock.dynamic as ndd
from ops.promises import check_operator
from penstock import types
from penstock.values.dtypes import NUMERIC

EDGES = [
    0, 1, -1, 0.4, 0.5, -0.5, 0.6, 1.5, 2.5, -1.5, -2.5, 127.5, 128, -128.5, -129, 255.5, 256, 32767.5, 65503, 65520,
    70000, 2**31, -(2**31) - 1, 2**32, 2**53, 2**63, 2**64, -(2**63), 1e30, 6e-8, 2.9e-8, 0.49999997, np.inf, -np.inf,
]  # fmt: skip


def edges(dtype):
    """Values around the limits of every type, as far as `dtype` holds them."""
    with np.errstate(over="ignore"):
        if dtype.kind == "f":
            return np.array(EDGES, dtype)
    if dtype.kind == "b":
        return np.array([False, True])
    limits = np.iinfo(dtype)
    return np.array([min(max(int(v), limits.min), limits.max) for v in EDGES if abs(v) != np.inf], dtype)


def cast(values, dtype):
    return np.asarray(ndd.cast(values, dtype=dtype)).tolist()


@pytest.mark.parametrize("source", NUMERIC, ids=str)
@pytest.mark.parametrize("target", NUMERIC, ids=str)
def test_cast_keeps_the_promises(source, target):
    values = edges(source.storage)
    check_operator("cast", [values, values[:1], np.tile(values, 40)], layout=None, dtype=target)


def test_rounding_and_saturation_by_eye():
    halves = np.float32([-1.5, -0.5, 0.5, 1.5, 2.5, 300])
    assert cast(halves, types.UINT8) == [0, 0, 1, 2, 3, 255]
    assert cast(halves, ndd.int32) == [-2, -1, 1, 2, 3, 300]
    assert cast(np.int32([-1, 300]), ndd.uint8) == [0, 255]
    assert cast(np.float32([np.nan, np.inf, -np.inf]), ndd.int32) == [-(2**31), 2**31 - 1, -(2**31)]
    assert cast(np.float32([0.49999997]), ndd.int32) == [0]
    assert cast(np.float64([0.49999999999999994, 2.0**63]), ndd.int64) == [0, 2**63 - 1]


def test_truth_by_eye():
    assert cast(np.float32([0, 0.3, 0.5, -0.6, np.nan]), bool) == [False, False, True, True, True]
    assert cast(np.uint8([0, 7]), ndd.bool) == [False, True]


def test_floats_overflow_to_infinity():
    assert cast(np.float64([1e300]), ndd.float32) == [np.inf]
    assert cast(np.int32([70000]), ndd.float16) == [np.inf]


def test_float64_is_rounded_to_float16_once():
    assert cast(np.float64([1 + 2**-11 + 2**-40]), ndd.float16) == [1 + 2**-10]


def test_members_of_enumerations_are_whole_numbers():
    assert cast(types.INTERP_CUBIC, ndd.int32) == int(types.INTERP_CUBIC)
    for refused in (ndd.float16, ndd.float32, ndd.float64):
        with pytest.raises(
            RuntimeError, match=r"Cannot cast from DALIInterpType to (float|float16|double)\. Enums can"
        ):
            ndd.cast(types.INTERP_CUBIC, dtype=refused)
    with pytest.raises(RuntimeError, match=r"Cannot cast from float to DALIInterpType\. Enums can"):
        ndd.cast(np.float32(1), dtype=types.DALIDataType.INTERP_TYPE)
    with pytest.raises(RuntimeError, match=r"Cannot cast from DALIInterpType to float\. Enums can"):
        ndd.cast_like(types.INTERP_CUBIC, np.float32(1))


def test_layout_and_rank_stay():
    image = ndd.tensor(np.zeros((2, 3, 1), np.uint8), layout="HWC")
    result = ndd.cast(image, dtype=ndd.float32)
    assert (result.layout, result.shape, result.dtype) == ("HWC", (2, 3, 1), ndd.float32)
    assert np.asarray(ndd.cast(5, dtype=ndd.float64)).shape == ()


@given(
    st.lists(st.floats(allow_nan=False, width=32), min_size=1, max_size=50),
    st.sampled_from([np.uint8, np.int16, np.int32]),
)
@settings(max_examples=80, deadline=None)
def test_floats_become_the_nearest_integers_in_range(values, target):
    array = np.array(values, np.float32)
    limits = np.iinfo(target)
    clipped = np.clip(array.astype(np.float64), limits.min, limits.max)
    expected = np.sign(clipped) * np.floor(np.abs(clipped) + 0.5)
    got = np.asarray(ndd.cast(array, dtype=ndd.dtype(target)))
    near = np.abs(np.abs(clipped) % 1 - 0.5) < 1e-9
    np.testing.assert_array_equal(got[~near], expected[~near])
    assert (np.abs(got - clipped) <= 0.5 + 1e-9).all()


def test_floats_round_to_int32_as_they_would_with_doubles():
    """Every power of two with its neighbours, and halves beside whole numbers, where single precision has its gaps."""
    powers = np.float32(2.0) ** np.arange(-30, 33, dtype=np.float32)
    whole = np.unique(np.concatenate([powers[30:], np.arange(5, dtype=np.float32), 3 * powers[30:]]))
    near = [powers, whole, whole + np.float32(0.5), whole - np.float32(0.5), whole + np.float32(0.25)]
    values = np.concatenate(near + [np.nextafter(each, np.float32(to)) for each in near for to in (-np.inf, np.inf)])
    values = np.concatenate([values, -values, np.float32([np.inf, -np.inf])])
    wide = values.astype(np.float64)
    limits = np.iinfo(np.int32)
    expected = np.clip(np.trunc(wide + np.copysign(0.5, wide)), limits.min, limits.max).astype(np.int32)
    got = np.asarray(ndd.cast(ndd.tensor(values), dtype=ndd.int32))
    np.testing.assert_array_equal(got, expected)
    assert np.asarray(ndd.cast(ndd.tensor(np.float32([np.nan])), dtype=ndd.int32)).tolist() == [limits.min]


@given(st.lists(st.floats(width=32), min_size=1, max_size=50))
@settings(max_examples=80, deadline=None)
def test_halves_are_those_of_numpy(values):
    array = np.array(values, np.float32)
    with np.errstate(over="ignore"):
        np.testing.assert_array_equal(np.asarray(ndd.cast(array, dtype=ndd.float16)), array.astype(np.float16))


def test_all_halves_become_floats_and_back():
    every = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
    floats = np.asarray(ndd.cast(every, dtype=ndd.float32))
    with np.errstate(invalid="ignore"):  # NumPy warns on ARM of signalling NaNs
        expected = every.astype(np.float32)
    np.testing.assert_array_equal(floats, expected)
    np.testing.assert_array_equal(np.asarray(ndd.cast(floats, dtype=ndd.float16)), every)


def test_bad_types_are_refused_at_the_call():
    with ndd.EvalMode.deferred:
        with pytest.raises(TypeError, match="missing 1 required keyword-only argument: 'dtype'"):
            ndd.cast([1])
        with pytest.raises(ValueError, match="Do not use Python built-in type"):
            ndd.cast([1], dtype=float)
        with pytest.raises(RuntimeError, match="Invalid output type"):
            ndd.cast([1], dtype=ndd.bfloat16)
