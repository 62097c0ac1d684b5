"""Casts round half away from zero and saturate."""

import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from penstock.values import dtypes
from penstock.values.casting import cast_array

INTEGERS = [t for t in dtypes.NUMERIC if t.kind in (dtypes.Kind.signed, dtypes.Kind.unsigned)]


def cast(values, source, target):
    return cast_array(np.array(values, source), target).tolist()


def test_floats_round_half_away_from_zero():
    assert cast([0.5, 1.5, 2.5, -0.5, -2.5, 0.49999997], np.float32, dtypes.int8) == [1, 2, 3, -1, -3, 0]


def test_values_beyond_the_range_saturate():
    assert cast([300, -1], np.int64, dtypes.uint8) == [255, 0]
    assert cast([1e30, -1e30], np.float32, dtypes.int64) == [2**63 - 1, -(2**63)]
    assert cast([2**63 + 5], np.uint64, dtypes.int64) == [2**63 - 1]


def test_nan_becomes_the_lowest_integer():
    assert cast([math.nan, math.inf, -math.inf], np.float64, dtypes.int32) == [-(2**31), 2**31 - 1, -(2**31)]
    assert cast([math.nan], np.float32, dtypes.uint8) == [0]


def test_bool_is_what_does_not_round_to_zero():
    assert cast([0.2, 0.5, -3, 0, math.nan], np.float32, dtypes.bool_) == [False, True, True, False, True]
    assert cast([0, 2, -1], np.int32, dtypes.bool_) == [False, True, True]
    assert cast([True, False], bool, dtypes.float32) == [1.0, 0.0]


def test_a_cast_to_the_same_type_is_no_copy():
    array = np.zeros(3, np.int16)
    assert cast_array(array, dtypes.int16) is array


@given(
    st.sampled_from([np.float16, np.float32, np.float64]).flatmap(lambda t: arrays(t, 10)), st.sampled_from(INTEGERS)
)
@settings(max_examples=500, deadline=None)
def test_every_float_goes_to_the_nearest_integer_in_range(array, target):
    limits = np.iinfo(target.storage)

    def nearest(value):
        if math.isnan(value):
            return limits.min
        if math.isinf(value):
            return limits.max if value > 0 else limits.min
        whole = int(abs(value))
        away = whole + (abs(value) - whole >= 0.5)
        return min(max(away if value > 0 else -away, limits.min), limits.max)

    assert cast_array(array, target).tolist() == [nearest(float(value)) for value in array]
