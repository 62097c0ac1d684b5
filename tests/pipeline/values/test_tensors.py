"""TensorListCPU: the output of a pipeline."""

import ctypes
import gc
import pickle

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays_of

from penstock import types
from penstock._native import Samples
from penstock.pipeline.values.tensors import TensorCPU, TensorListCPU
from penstock.values.dtypes import NUMERIC


def rows():
    return np.arange(12, dtype=np.uint8).reshape(3, 4)


def own(*arrays, layout=""):
    """A list with memory of its own, as a pipeline makes them."""
    samples = Samples.empty_ragged(types.to_dali_type(arrays[0].dtype), arrays[0].ndim, [a.shape for a in arrays])
    for i, array in enumerate(arrays):
        samples.sample(i)[...] = array
    samples.layout = layout
    return TensorListCPU._of_samples(samples)


def ragged():
    return own(np.zeros((2, 3), np.float32), np.ones((1, 3), np.float32), layout="HW")


@st.composite
def lists_of_arrays(draw):
    dtype = draw(st.sampled_from([dtype.storage for dtype in NUMERIC]))
    ndim = draw(st.integers(0, 3))
    shapes = st.tuples(*[st.integers(0, 3)] * ndim)
    shapes = draw(st.lists(shapes, min_size=1, max_size=4) | shapes.map(lambda shape: [shape] * 3))
    return [draw(arrays_of.arrays(dtype, shape)) for shape in shapes]


@pytest.mark.parametrize("layout", ["", "W"])
def test_rows_of_an_array_are_samples(layout):
    array = rows()
    samples = TensorListCPU(array, layout)
    assert (len(samples), samples.shape(), samples.ndim()) == (3, [(4,)] * 3, 1)
    assert (samples.dtype, samples.layout(), samples.is_dense_tensor()) == (types.UINT8, layout, True)
    assert samples.data_ptr() == array.ctypes.data
    assert samples.as_cpu() is samples
    assert [tensor.layout() for tensor in samples] == [layout] * 3
    assert samples.as_tensor().layout() == ("N" + layout if layout else "")


def test_samples_are_taken_by_position():
    samples = TensorListCPU(rows())
    assert np.asarray(samples[-1]).tolist() == samples.at(2).tolist() == [8, 9, 10, 11]
    assert np.asarray(samples[np.int64(1)]).tolist() == [4, 5, 6, 7]
    assert [tensor.data_ptr() for tensor in samples[1:]] == [samples.data_ptr() + 4, samples.data_ptr() + 8]
    assert samples[5:] == []
    for index in (3, -4):
        with pytest.raises(IndexError, match="TensorListCPU index out of range"):
            samples[index]
    for index in (3, -1):
        with pytest.raises(RuntimeError, match="Index is out-of-range"):
            samples.at(index)
    for index in (1.5, "a", None):
        with pytest.raises(TypeError):
            samples[index]
        with pytest.raises(TypeError):
            samples.at(index)


@settings(deadline=None, max_examples=80)
@given(lists_of_arrays(), st.booleans())
def test_any_list_holds_its_arrays(arrays, contiguous):
    made = TensorListCPU(arrays, contiguous=contiguous)
    uniform = len({array.shape for array in arrays}) == 1
    assert made.shape() == [array.shape for array in arrays]
    assert made.is_dense_tensor() == uniform
    flat = np.concatenate([array.ravel() for array in arrays])
    np.testing.assert_array_equal(np.asarray(made.as_reshaped_tensor([flat.size])), flat)
    room = np.zeros_like(flat)
    made.copy_to_external(room.ctypes.data)
    np.testing.assert_array_equal(room, flat)
    assert ctypes.string_at(made.data_ptr(), flat.nbytes) == flat.tobytes()
    assert made.data_ptr() == made.data_ptr()
    for i, array in enumerate(arrays):
        np.testing.assert_array_equal(made.at(i), array)
        np.testing.assert_array_equal(np.asarray(made[i]), array)
    if uniform:
        for stack in (made.as_array(), np.array(made), np.asarray(made.as_tensor())):
            np.testing.assert_array_equal(stack, np.stack(arrays))


def test_own_memory_is_seen_and_memory_of_others_is_copied():
    array = rows()
    over = TensorListCPU(array)
    over.as_array()[...] = 0
    over.at(0)[...] = 0
    assert array.tolist() == rows().tolist()
    np.asarray(over[0])[...] = 9
    assert array[0].tolist() == [9] * 4
    mine = own(*rows())
    assert mine.as_array().ctypes.data == mine.at(0).ctypes.data == mine.data_ptr()


def test_arrays_outlive_the_list():
    made = own(*[np.full(1000, i, np.int32) for i in range(3)])
    views = [made.as_array()[1], made.at(1), np.asarray(made[1]), torch.from_dlpack(made.as_tensor())[1].numpy()]
    made.reset()
    del made
    gc.collect()
    others = [Samples.empty(types.INT32, 3, [1000]) for _ in range(8)]
    for other in others:
        other.array()[...] = -1
    assert all((view == 1).all() for view in views)


def test_samples_of_different_shapes_are_no_array():
    samples = ragged()
    assert not samples.is_dense_tensor()
    with pytest.raises(RuntimeError, match="Cannot produce a numpy array"):
        samples.as_array()
    with pytest.raises(RuntimeError, match="The batch must be representable as a tensor"):
        samples.as_tensor()
    with pytest.raises(ValueError, match="differ in shape"):
        np.array(samples)


def test_elements_take_another_shape():
    samples = TensorListCPU(rows(), "W")
    tensor = samples.as_reshaped_tensor([2, 6])
    assert (tensor.shape(), tensor.layout(), tensor.data_ptr()) == ([2, 6], "NW", samples.data_ptr())
    assert samples.as_reshaped_tensor((3, 2, 2)).layout() == ""
    assert ragged().as_reshaped_tensor([9]).shape() == [9]
    for shape in ([5], [-1], [-3, -4], []):
        with pytest.raises(RuntimeError, match="requested shape need to have the same volume as the batch"):
            samples.as_reshaped_tensor(shape)


def test_lists_of_tensors_are_copied_into_one_block_unless_told_otherwise():
    one, two = TensorCPU(rows(), "HW"), rows()
    copied = TensorListCPU([one, two])
    assert (copied.layout(), copied[0].data_ptr() == one.data_ptr()) == ("HW", False)
    assert TensorListCPU([one, two], "AB").layout() == "AB"
    left = TensorListCPU([one, two], contiguous=False)
    assert [tensor.data_ptr() for tensor in left] == [one.data_ptr(), two.ctypes.data]
    again = TensorListCPU(copied, "XY")
    assert (again.layout(), copied.layout(), again.data_ptr()) == ("XY", "HW", copied.data_ptr())


def test_objects_that_speak_dlpack_are_taken_as_they_are():
    numbers = [torch.arange(3), torch.arange(5)]
    samples = TensorListCPU.from_dlpack_list(numbers, "X")
    assert (samples.dtype, samples.layout(), samples.shape()) == (types.INT64, "X", [(3,), (5,)])
    assert [tensor.data_ptr() for tensor in samples] == [each.data_ptr() for each in numbers]
    together = TensorListCPU.from_dlpack_list(numbers, contiguous=True)
    assert together[0].data_ptr() != numbers[0].data_ptr()
    assert TensorListCPU.from_dlpack_list([]).shape() == []
    for objects in ([1], [numbers[0], [1]], [numbers[0].__dlpack__()]):
        with pytest.raises(TypeError, match=r"Object at position \d does not support the DLPack protocol"):
            TensorListCPU.from_dlpack_list(objects)
    with pytest.raises(TypeError, match="as a list"):
        TensorListCPU.from_dlpack_list(tuple(numbers))


def test_one_tensor_is_repeated():
    tensor = TensorCPU(rows(), "HW")
    samples = TensorListCPU.broadcast(tensor, 3)
    assert (samples.shape(), samples.layout()) == ([(3, 4)] * 3, "HW")
    assert {each.data_ptr() for each in samples} == {tensor.data_ptr()}
    np.testing.assert_array_equal(samples.as_array(), np.stack([rows()] * 3))
    assert len(TensorListCPU.broadcast(rows(), 0)) == 0
    with pytest.raises(ValueError, match="-1 samples"):
        TensorListCPU.broadcast(tensor, -1)


def test_how_samples_are_seen_is_changed_for_this_list_alone():
    samples = Samples.wrap(np.ones((2, 3), np.float32))
    changed = TensorListCPU._of_samples(samples)
    changed.set_layout("X")
    changed.reinterpret(types.INT32)
    assert (changed.layout(), changed.dtype, changed.at(0).tolist()) == ("X", types.INT32, [0x3F800000] * 3)
    assert (samples.layout, samples.code) == ("", types.FLOAT)
    item = changed[0]
    item.set_layout("Y")
    assert changed.layout() == "X"
    with pytest.raises(ValueError, match="A non-empty layout must have the same number of dimensions"):
        changed.set_layout("XY")
    with pytest.raises(RuntimeError, match="Cannot reinterpret"):
        changed.reinterpret(types.UINT8)
    parts = ragged()
    parts.reinterpret(types.UINT32)
    assert parts.at(1).tolist() == [[0x3F800000] * 3]


def test_a_list_lets_go_of_its_data():
    samples = TensorListCPU(rows(), "W")
    item = samples[0]
    samples.reset()
    assert (len(samples), samples.shape(), samples.layout(), samples.dtype) == (0, [], "", types.NO_TYPE)
    assert (samples.ndim(), samples.is_dense_tensor(), samples.data_ptr()) == (0, True, 0)
    assert samples.as_array().shape == (0,)
    assert np.asarray(item).tolist() == [0, 1, 2, 3]
    with pytest.raises(RuntimeError, match="To convert empty batch to a Tensor"):
        samples.as_tensor()
    with pytest.raises(IndexError):
        samples[0]
    assert "num_samples=0" in str(samples)


def test_lists_without_samples_and_samples_without_elements_work():
    assert TensorListCPU([]).dtype is types.NO_TYPE
    none = TensorListCPU(np.zeros((0, 3), np.uint8), "X")
    assert (none.shape(), none.dtype, none.ndim(), none.as_array().shape) == ([], types.UINT8, 1, (0, 3))
    none.reinterpret(types.INT8)
    assert (none.dtype, none.layout()) == (types.INT8, "X")
    hollow = TensorListCPU(np.zeros((2, 0, 3), np.uint8))
    assert (hollow.as_array().shape, hollow.at(1).shape, hollow[0].shape()) == ((2, 0, 3), (0, 3), [0, 3])
    scalars = TensorListCPU(np.arange(3, dtype=np.int32))
    assert (scalars.shape(), scalars.at(2), scalars.as_tensor().layout()) == ([()] * 3, 2, "N")


def test_samples_keep_their_sources():
    samples = Samples.wrap(rows())
    samples.sources = ["x", "y", "z"]
    made = TensorListCPU._of_samples(samples)
    assert [tensor.source_info() for tensor in made] == ["x", "y", "z"]
    assert [tensor.source_info() for tensor in TensorListCPU([made[2], rows()[0]])] == ["z", ""]
    assert made.as_tensor().source_info() == ""


def test_text_shows_data_and_repr_only_what_it_is():
    described = ",\n    ".join(
        ["dtype=DALIDataType.FLOAT", 'layout="HW"', 'device="cpu"', "num_samples=2", "shape=[(2, 3), (1, 3)])"]
    )
    assert repr(ragged()) == f"TensorListCPU(\n    {described}"
    assert str(ragged()).startswith("TensorListCPU(\n    [[[0. 0. 0.]\n")
    assert str(ragged()).endswith(f"\n    [[1. 1. 1.]]],\n    {described}")


def test_lists_are_not_pickled():
    with pytest.raises(TypeError, match="cannot pickle 'TensorListCPU' object"):
        pickle.dumps(ragged())


@pytest.mark.parametrize(
    ("error", "message", "data"),
    [
        (TypeError, "a tensor is made from", 1),
        (TypeError, "a tensor is made from", "a"),
        (ValueError, "got None", None),
        (RuntimeError, "Cannot create TensorList from 0-dim array", np.float32(3)),
        (RuntimeError, "Strided data not supported", np.zeros((4, 4))[:, ::2]),
        (TypeError, "Object at position 0 cannot be converted to TensorCPU", [1, 2]),
        (TypeError, "Object at position 1 cannot be converted to TensorCPU", [rows(), [1]]),
        (TypeError, "Object at position 0 cannot be converted to TensorCPU", [np.zeros((4, 4))[:, ::2]]),
        (TypeError, "position 1 has type FLOAT64, expected to have type UINT8", [rows(), np.zeros((3, 4))]),
        (TypeError, "Object at position 1 has 1 axes", [rows(), rows()[0]]),
    ],
)
def test_what_is_no_list_of_tensors_is_refused(error, message, data):
    with pytest.raises(error, match=message):
        TensorListCPU(data)


def test_pinned_memory_needs_a_gpu():
    with pytest.raises(RuntimeError, match="pinned memory needs a GPU"):
        TensorListCPU(rows(), is_pinned=True)
