"""lookup_table: integers replaced by the values of a table."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import penstock.dynamic as ndd
from ops.promises import check_operator, photos
from penstock.values.dtypes import NUMERIC

INTEGERS = [np.uint8, np.int8, np.uint16, np.int16, np.uint32, np.int32, np.uint64, np.int64]


def looked_up(integers, source=np.int32, **arguments):
    return np.asarray(ndd.lookup_table(np.array(integers, source), **arguments)).tolist()


@pytest.mark.parametrize("target", NUMERIC, ids=str)
@pytest.mark.parametrize("source", INTEGERS)
def test_lookup_table_keeps_the_promises(source, target):
    limits = np.iinfo(source)
    values = np.array([0, 1, 2, 3, 100, 127, limits.min, limits.max], source)
    samples = [values, values[:1], np.tile(values, 9)]
    table = {"keys": [1, 3, 100], "values": [10.5, -30.5, 1e10], "default_value": 0.6}
    check_operator("lookup_table", samples, layout=None, dtype=target, **table)


def test_a_table_by_eye():
    assert looked_up([1, 2, 3], keys=[1, 3], values=[10, 30]) == [10, 0, 30]
    assert looked_up([1, 2, 3, -1], keys=[1, 3], values=[10, 30], default_value=-1, dtype=ndd.int32) == [10, -1, 30, -1]
    assert looked_up([2**40, 65535], np.int64, keys=[65535], values=[1.5], default_value=3) == [3, 1.5]


def test_the_last_value_of_a_key_counts():
    assert looked_up([0, 3], keys=[3, 0, 3], values=[0.5, 0.2, 0.75]) == pytest.approx([0.2, 0.75])


def test_a_table_of_all_bytes_replaces_every_byte():
    table = np.random.default_rng(0).permutation(256)
    images = photos([(3, 70), (1, 5)])
    keys, values = list(range(256)), [float(value) for value in table]
    results = check_operator("lookup_table", images, keys=keys, values=values, dtype=ndd.uint8)
    for result, image in zip(results, images, strict=True):
        np.testing.assert_array_equal(result, table[image])


def test_layout_and_outdated_names_are_kept():
    image = ndd.tensor(np.zeros((2, 3, 1), np.uint8), layout="HWC")
    result = ndd.lookup_table(image)
    assert (result.layout, result.shape, result.dtype) == ("HWC", (2, 3, 1), ndd.float32)
    with pytest.warns(DeprecationWarning, match="`output_dtype` is a deprecated alias for `dtype`"):
        assert ndd.lookup_table(image, output_dtype=ndd.int16).dtype == ndd.int16


def test_bad_tables_are_refused():
    with pytest.raises(RuntimeError, match="`keys` size should match `values` size, got 2 and 1"):
        looked_up([1], keys=[1, 2], values=[1])
    for key in (-1, 65536):
        with pytest.raises(RuntimeError, match=rf"should be in the range \[0, 65535\], got {key}"):
            looked_up([1], keys=[key], values=[1])
    for dtype in (np.float16, np.float32, np.float64, bool):
        with pytest.raises(RuntimeError, match="Unsupported input type"):
            looked_up([1], dtype, keys=[1], values=[1])
    with pytest.raises(ValueError, match="values must be a number, got NaN"):
        looked_up([1], keys=[1], values=[float("nan")])


@given(
    st.lists(st.integers(-300, 70000), max_size=60),
    st.dictionaries(st.integers(0, 65535), st.floats(-1e6, 1e6, width=32), max_size=20),
    st.floats(-1e6, 1e6, width=32),
)
@settings(max_examples=60, deadline=None)
def test_any_table_is_a_dictionary(values, table, default):
    got = looked_up(values, np.int64, keys=list(table), values=list(table.values()), default_value=default)
    assert got == [table.get(value, default) for value in values]
