"""reinterpret: the same bytes as elements of another type."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import penstock.dynamic as ndd
from ops.promises import check_operator
from penstock.values.dtypes import NUMERIC

OCTETS = ndd.tensor(np.arange(24, dtype=np.uint8).reshape(2, 12), layout="HW")


@pytest.mark.parametrize("arguments", [{"dtype": ndd.int16}, {"dtype": ndd.uint32, "shape": [-1]}, {"shape": [-1, 2]}])
def test_reinterpret_keeps_the_promises(arguments):
    samples = [np.arange(16, dtype=np.uint8).reshape(2, 8), np.arange(12, dtype=np.uint8).reshape(1, 12)]
    check_operator("reinterpret", samples, layout="HW", **arguments)


@pytest.mark.parametrize(
    ("arguments", "shape", "layout"),
    [
        ({"dtype": ndd.int16}, (2, 6), "HW"),
        ({"dtype": ndd.float32, "layout": "AB"}, (2, 3), "AB"),
        ({"dtype": ndd.int64, "shape": [3]}, (3,), None),
        ({"dtype": ndd.int16, "shape": [-1, 3]}, (4, 3), "HW"),
        ({"dtype": ndd.int16, "rel_shape": [2, 0.25]}, (4, 3), "HW"),
        ({"dtype": ndd.int16, "rel_shape": [0.5, -1]}, (1, 12), "HW"),
        ({"dtype": ndd.int16, "src_dims": [1, 0]}, (12, 1), "HW"),
        ({"shape": [4, 6]}, (4, 6), "HW"),
    ],
)
def test_shapes_by_eye(arguments, shape, layout):
    got = ndd.reinterpret(OCTETS, **arguments)
    assert (got.shape, got.layout) == (shape, layout)
    assert np.asarray(got).tobytes() == bytes(range(24))


def test_single_numbers():
    assert ndd.reinterpret(np.float32(1), dtype=ndd.int32).item() == 0x3F800000
    assert np.asarray(ndd.reinterpret(np.float32(1), dtype=ndd.uint8, shape=[4])).tolist() == [0, 0, 128, 63]
    assert ndd.reinterpret(np.uint8([1, 2, 3, 4]), dtype=ndd.int32, shape=[]).item() == 0x04030201


def test_nothing_is_copied():
    original = ndd.tensor(np.arange(8, dtype=np.uint8))
    assert np.shares_memory(np.asarray(original), np.asarray(ndd.reinterpret(original, dtype=ndd.int64)))


def test_what_lies_at_an_odd_address_is_copied():
    odd = np.arange(17, dtype=np.uint8)[1:]
    got = np.asarray(ndd.reinterpret(ndd.as_tensor(odd), dtype=ndd.float64))
    assert got.flags.aligned
    assert got.tobytes() == odd.tobytes()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "is no-op"),
        (
            {"dtype": ndd.int64},
            "innermost dimension is not divisible by the size of the requested output type: 12 by 8",
        ),
        ({"dtype": ndd.int16, "rel_shape": [1, 1]}, "must occupy the same size in bytes"),
        ({"dtype": ndd.int16, "shape": [5]}, "must occupy the same size in bytes"),
        ({"dtype": ndd.int16, "layout": "ABC"}, "'ABC' is not compatible with a 2D shape"),
        ({"shape": [2], "rel_shape": [1]}, "mutually exclusive"),
    ],
)
def test_what_does_not_fit_is_refused(arguments, message):
    with pytest.raises(RuntimeError, match=message):
        ndd.reinterpret(OCTETS, **arguments).evaluate()
    with pytest.raises(RuntimeError, match="give a shape to see it as several"):
        ndd.reinterpret(np.float32(1), dtype=ndd.uint8).evaluate()


@given(st.sampled_from(NUMERIC), st.sampled_from(NUMERIC), st.integers(0, 6), st.integers(1, 3))
@settings(max_examples=60, deadline=None)
def test_there_and_back(first, second, extent, rows):
    array = np.arange(rows * extent * 8, dtype=np.uint8).view(first.storage).reshape(rows, -1)
    if first == ndd.bool or second == ndd.bool:
        array = array.view(np.uint8).astype(bool).view(first.storage)
    there = ndd.reinterpret(ndd.batch([array, array]), dtype=second)
    for back in ndd.reinterpret(there, dtype=first):
        assert np.asarray(back).shape == array.shape
        assert np.asarray(back).tobytes() == array.tobytes()
