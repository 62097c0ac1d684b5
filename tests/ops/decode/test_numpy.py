"""decoders.numpy: arrays in the format of numpy.save."""

import contextlib
import io

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import penstock.dynamic as ndd
from ops.promises import check_operator
from penstock.values.dtypes import NUMERIC


def saved(array, version=None):
    file = io.BytesIO()
    np.lib.format.write_array(file, np.asarray(array), version)
    return np.frombuffer(file.getvalue(), np.uint8)


GRID = np.arange(6, dtype=np.float32).reshape(2, 3)


@pytest.mark.parametrize("dtype", [None, ndd.float32, ndd.uint8])
def test_numpy_keeps_the_promises(dtype):
    check_operator("decoders.numpy", [saved(GRID), saved(GRID[:1] + 300)], layout=None, dtype=dtype)


@pytest.mark.parametrize("dtype", NUMERIC, ids=str)
@pytest.mark.parametrize("order", ["C", "F"])
def test_every_type_and_order(dtype, order):
    array = np.array([[0, 1, 1], [1, 0, 1]], dtype.storage, order=order)
    for version in ((1, 0), (2, 0), (3, 0)):
        np.testing.assert_array_equal(ndd.decoders.numpy(saved(array, version)), array, strict=True)


def test_big_endian_values_are_kept():
    assert np.asarray(ndd.decoders.numpy(saved(GRID.astype(">f4")))).tolist() == GRID.tolist()


def test_types_of_a_batch_may_differ_if_they_are_converted():
    files = [saved(GRID), saved(np.int16([[7, 8]]))]
    assert [np.asarray(t).dtype for t in ndd.decoders.numpy(ndd.batch(files), dtype=ndd.int32)] == [np.int32] * 2
    with pytest.raises(RuntimeError, match="Sample 0 has float32, sample 1 int16"):
        ndd.decoders.numpy(ndd.batch(files)).evaluate()
    with pytest.raises(RuntimeError, match=r"same number of dimensions\. Sample 0 has 2, sample 1 1"):
        ndd.decoders.numpy(ndd.batch([saved(GRID), saved(GRID[0])])).evaluate()


def test_nothing_is_copied_that_can_stay():
    files = ndd.batch([saved(GRID), saved(GRID)])
    decoded = ndd.decoders.numpy(files)
    assert np.shares_memory(np.asarray(decoded.tensors[0]), np.asarray(files.tensors[0]))


def test_numbers_empty_arrays_and_batches():
    assert ndd.decoders.numpy(saved(np.int64(5))).item() == 5
    assert ndd.decoders.numpy(saved(np.zeros((0, 3)))).shape == (0, 3)
    assert ndd.decoders.numpy(ndd.batch(np.zeros((0, 9), np.uint8))).evaluate().batch_size == 0
    assert ndd.decoders.numpy(saved(GRID), batch_size=2).shape == [(2, 3), (2, 3)]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (saved(GRID)[:-4], "Expected data numpy size 152 bytes does not match the actual size 148 bytes"),
        (np.tile(saved(GRID), 2), "does not match the actual size"),
        (saved(GRID)[:40], "the header ends at byte 128, the file has 40"),
        (saved(GRID)[:7], "the header ends at byte 10"),
        (np.zeros(0, np.uint8), "not a file of numpy.save"),
        (np.zeros(100, np.uint8), "not a file of numpy.save"),
        (saved(np.complex64([1])), "Unknown Numpy type string: <c8"),
        (saved(np.array(["a"])), "Unknown Numpy type string: <U1"),
        (saved(np.zeros(2, [("a", "i4")])), "does not describe an array of numbers"),
        (np.zeros(4, np.int32), "expected the bytes of a file"),
    ],
)
def test_what_is_no_array_of_numbers_is_refused(data, message):
    with pytest.raises(RuntimeError, match=message):
        ndd.decoders.numpy(data).evaluate()


def test_nothing_is_unpickled(tmp_path):
    class Harmful:
        def __reduce__(self):
            return (open, (str(tmp_path / "harm"), "w"))

    file = io.BytesIO()
    np.save(file, np.array([Harmful()], object), allow_pickle=True)
    with pytest.raises(RuntimeError, match="Unknown Numpy type string"):
        ndd.decoders.numpy(np.frombuffer(file.getvalue(), np.uint8)).evaluate()
    assert not (tmp_path / "harm").exists()


@given(
    arrays.arrays(
        st.sampled_from([d.storage for d in NUMERIC]), arrays.array_shapes(min_dims=0, max_dims=4, min_side=0)
    )
)
@settings(max_examples=60, deadline=None)
def test_any_array_comes_back(array):
    np.testing.assert_array_equal(ndd.decoders.numpy(saved(array)), array, strict=True)


@given(st.integers(0, 127), st.binary(min_size=1, max_size=30))
@settings(max_examples=200, deadline=None)
def test_damaged_headers_are_refused_or_read(place, junk):
    data = bytearray(saved(GRID).tobytes())
    data[place : place + len(junk)] = junk
    with contextlib.suppress(RuntimeError, ValueError):
        ndd.decoders.numpy(np.frombuffer(bytes(data), np.uint8)).evaluate()
