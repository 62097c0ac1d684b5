"""batch, as_batch and broadcast: what a sample is, who decides the dtype, when memory is shared."""

import numpy as np
import pytest

import penstock.dynamic as ndd
from penstock.pipeline.values.tensors import TensorCPU, TensorListCPU


def values(batch):
    return [np.asarray(t).tolist() for t in batch]


@pytest.mark.parametrize(
    ("data", "dtype", "samples"),
    [
        ([[1, 2], [3]], "i32", [[1, 2], [3]]),
        ([1, 2, 3], "i32", [1, 2, 3]),
        (range(3), "i32", [0, 1, 2]),
        pytest.param((i for i in [[1], [2, 3]]), "i32", [[1], [2, 3]], id="a generator"),
        (np.arange(6).reshape(2, 3), "i64", [[0, 1, 2], [3, 4, 5]]),
        ([np.uint8(1), np.int64(300)], "u8", [1, 255]),
        ([1, 2.5], "i32", [1, 2]),
        ([2.5, 1], "f32", [2.5, 1.0]),
        ([True, 2], "bool", [True, True]),
        ([np.array([1]), np.array([1.5])], "i64", [[1], [2]]),
        ([[1], []], "i32", [[1], []]),
    ],
    ids=str,
)
def test_the_first_sample_decides_the_dtype(data, dtype, samples):
    made = ndd.batch(data)
    assert (str(made.dtype), values(made)) == (dtype, samples)


def test_tensors_of_another_dtype_are_rounded():
    assert values(ndd.batch([ndd.tensor(1), ndd.tensor(1.5)])) == [1, 2]


def test_the_first_sample_decides_the_layout():
    h, w, none = (ndd.tensor([1], layout=layout) for layout in ("H", "W", None))
    assert ndd.batch([h, w]).layout == "H"
    assert ndd.batch([none, w]).layout is None
    assert ndd.batch([h, w], layout="C").layout == "C"


def test_an_array_has_its_samples_along_the_first_axis():
    made = ndd.batch(np.zeros((2, 3)), layout="W")
    assert (made.batch_size, made.shape, made.layout, made.ndim) == (2, [(3,), (3,)], "W", 1)
    with pytest.raises(ValueError, match="A non-empty layout"):
        ndd.batch(np.zeros((2, 3)), layout="NW")


def test_a_tensor_with_a_layout_gives_up_its_first_axis():
    t = ndd.tensor(np.zeros((2, 3, 4)), layout="NHW")
    assert ndd.as_batch(t).layout == "HW"
    assert ndd.as_batch(t, layout="XY").layout == "XY"


def test_an_empty_batch_needs_a_dtype():
    with pytest.raises(ValueError, match="Element type must be specified if the list is empty"):
        ndd.batch([])
    empty = ndd.batch([], dtype=ndd.float32)
    assert (empty.batch_size, empty.shape, list(empty)) == (0, [], [])
    assert ndd.batch(np.zeros((0, 3))).ndim == 1


@pytest.mark.parametrize(
    ("data", "error", "message"),
    [
        (np.int64(3), ValueError, "Cannot create a batch from a scalar"),
        (ndd.tensor(3), ValueError, "Cannot create a batch from a scalar"),
        (5, TypeError, "'int' object is not iterable"),
        (None, ValueError, "got None"),
        ([1, None], TypeError, "Got `None` at index 1"),
        ([ndd.batch([1])], TypeError, "Unexpected element type"),
        ([1, 2**31], OverflowError, "out of bounds for int32|too large to convert to C long"),
        ([np.zeros((1, 1)), np.zeros(1)], RuntimeError, "Sample must have the same sample dim as the target batch"),
        ([ndd.tensor([[1]]), ndd.tensor([2])], TypeError, "Object at position 1"),
        ([1, [2]], TypeError, "Object at position 1"),
    ],
    ids=lambda value: None if isinstance(value, type) else str(value)[:20],
)
def test_what_is_no_batch_is_refused(data, error, message):
    with pytest.raises(error, match=message):
        ndd.batch(data)


def test_as_batch_shares_memory_and_batch_copies():
    block, rows = np.zeros((2, 3)), [np.zeros(3), np.zeros(2)]
    for data, first in ((block, block[0]), (rows, rows[0])):
        shared, copied = ndd.as_batch(data), ndd.batch(data)
        first[0] = 5
        assert np.asarray(shared.tensors[0])[0] == 5
        assert np.asarray(copied.tensors[0])[0] == 0


def test_one_array_in_a_list_is_copied_too():
    a = np.zeros(3)
    copied = ndd.batch([a])
    a[0] = 5
    assert values(copied) == [[0, 0, 0]]


def test_a_batch_of_a_batch():
    b = ndd.batch([[1], [2, 3]])
    assert ndd.as_batch(b) is b
    assert ndd.as_batch(b, dtype=ndd.int32) is b
    assert ndd.batch(b) is not b
    assert ndd.as_batch(b, dtype=ndd.float32).dtype == ndd.float32
    assert ndd.as_batch(b, layout="W").layout == "W"
    assert b.layout is None


def test_samples_of_one_shape_lie_in_one_block():
    assert ndd.batch([[1, 2], [3, 4]]).torch(copy=False).tolist() == [[1, 2], [3, 4]]


def test_broadcast_repeats_a_sample():
    repeated = ndd.Batch.broadcast(ndd.tensor([1, 2], layout="W"), 3)
    assert (values(repeated), repeated.layout) == ([[1, 2]] * 3, "W")
    assert ndd.Batch.broadcast(5, 3).dtype == ndd.int32
    assert ndd.Batch.broadcast(np.array([1.5]), 2, dtype=ndd.int32).tensors[1].item() == 2
    assert ndd.Batch.broadcast(5, 0).batch_size == 0
    with pytest.raises(ValueError, match="Cannot broadcast a Batch"):
        ndd.Batch.broadcast(repeated, 2)
    with pytest.raises(ValueError, match="negative"):
        ndd.Batch.broadcast(5, -1)
    for size in (2.0, "2", None):
        with pytest.raises(TypeError, match="batch_size must be an int"):
            ndd.Batch.broadcast(5, size)


def test_a_layout_is_a_string():
    with pytest.raises(AssertionError, match="layout must be a string"):
        ndd.batch([1], layout=5)


def labelled(*shapes, layout="HW"):
    return TensorListCPU(
        [TensorCPU(np.arange(np.prod(shape), dtype=np.int32).reshape(shape), layout) for shape in shapes]
    )


@pytest.mark.parametrize("shapes", [((2, 3), (4, 3)), ((2, 3), (2, 3))], ids=["ragged", "even"])
def test_a_list_of_tensors_of_a_pipeline_is_a_batch(shapes):
    given = labelled(*shapes)
    for made in (ndd.batch(given), ndd.as_batch(given), ndd.Batch(given), ndd.batch(list(given))):
        assert (made.shape, made.dtype, made.layout) == ([*shapes], ndd.int32, "HW")
        assert values(made) == [sample.tolist() for sample in map(np.asarray, given)]
    assert ndd.batch(given, dtype=ndd.float32, layout="AB").layout == "AB"
    assert given.layout() == "HW"


def test_a_list_of_tensors_is_copied_or_shared_as_arrays_are():
    rows = np.zeros((2, 3), np.int32)
    shared, copied = ndd.as_batch(TensorListCPU(rows)), ndd.batch(TensorListCPU(rows))
    rows[0, 0] = 7
    assert (values(shared)[0], values(copied)[0]) == ([7, 0, 0], [0, 0, 0])


def test_tensors_of_a_pipeline_serve_operators_as_inputs_and_arguments():
    ragged = labelled((2, 3), (4, 3))
    made = ndd.cast(ragged, dtype=ndd.float32)
    assert isinstance(made, ndd.Batch)
    assert (made.shape, made.layout) == ([(2, 3), (4, 3)], "HW")
    assert (ndd.cast(ragged[0], dtype=ndd.float32).shape, ndd.tensor(ragged[0]).layout) == ((2, 3), "HW")
    pictures = ndd.batch(np.zeros((2, 6, 6, 3), np.uint8), layout="HWC")
    sizes = TensorListCPU(np.float32([[2, 3], [4, 5]]))
    assert ndd.resize(pictures, size=sizes).shape == [(2, 3, 3), (4, 5, 3)]
    assert ndd.resize(pictures, size=sizes[1]).shape == [(4, 5, 3), (4, 5, 3)]
