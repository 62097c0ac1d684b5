"""TensorCPU: one sample of a pipeline's output, shared with NumPy, torch and DLPack."""

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
from penstock.pipeline.values.tensors import TensorCPU, TensorGPU, TensorListGPU
from penstock.values.dtypes import NUMERIC

ANY_ARRAY = arrays_of.arrays(
    st.sampled_from([dtype.storage for dtype in NUMERIC]), arrays_of.array_shapes(min_dims=0, max_dims=5, min_side=0)
)


@pytest.fixture
def grid():
    return np.arange(12, dtype=np.uint8).reshape(3, 4)


def test_a_tensor_lies_over_the_array(grid):
    tensor = TensorCPU(grid, "HW")
    assert (tensor.shape(), tensor.ndim(), tensor.dtype, tensor.layout()) == ([3, 4], 2, types.UINT8, "HW")
    assert tensor.data_ptr() == grid.ctypes.data
    assert tensor.as_cpu() is tensor
    grid[0, 0] = 99
    assert np.asarray(tensor)[0, 0] == 99


@pytest.mark.parametrize("dtype", [dtype.storage for dtype in NUMERIC], ids=str)
def test_every_element_type_is_known(dtype):
    tensor = TensorCPU(np.ones((2, 1), dtype))
    assert types.to_numpy_type(tensor.dtype) == dtype
    assert np.asarray(tensor).dtype == dtype
    assert tensor.__array_interface__["shape"] == (2, 1)


@settings(deadline=None, max_examples=60)
@given(ANY_ARRAY)
def test_any_array_is_seen_by_numpy_and_dlpack_without_a_copy(array):
    tensor = TensorCPU(array)
    assert tensor.shape() == list(array.shape)
    for seen in (np.asarray(tensor), np.from_dlpack(tensor), tensor.__array__(copy=False)):
        np.testing.assert_array_equal(seen, array)
        assert array.size == 0 or np.shares_memory(seen, array)
    assert not np.shares_memory(np.array(tensor), array)
    assert not np.shares_memory(np.from_dlpack(tensor, copy=True), array)


@settings(deadline=None, max_examples=60)
@given(ANY_ARRAY, st.data())
def test_any_squeeze_is_that_of_numpy(array, data):
    layout = "ABCDE"[: array.ndim]
    tensor = TensorCPU(array, layout)
    axis = data.draw(st.none() if array.ndim == 0 else st.none() | st.integers(-array.ndim, array.ndim - 1))
    drops = axis is None or array.shape[axis] == 1
    expected = array.squeeze(axis) if drops else array
    assert tensor.squeeze(axis) == (expected.ndim < array.ndim)
    np.testing.assert_array_equal(np.asarray(tensor), expected)
    assert len(tensor.layout()) == expected.ndim


def test_a_view_keeps_the_memory_alive():
    samples = Samples.empty(types.INT32, 2, [1000])
    samples.array()[...] = 7
    tensor = TensorCPU._of_sample(samples, 1)
    views = [np.asarray(tensor), np.from_dlpack(tensor), torch.from_dlpack(tensor).numpy()]
    tensor.squeeze()
    tensor.reinterpret(types.FLOAT)
    del samples, tensor
    gc.collect()
    others = [Samples.empty(types.INT32, 2, [1000]) for _ in range(8)]
    for other in others:
        other.array()[...] = 0
    assert all((view == 7).all() for view in views)


def test_torch_shares_the_memory_both_ways():
    numbers = torch.arange(6, dtype=torch.int16).reshape(2, 3)
    tensor = TensorCPU(numbers)
    numbers[1, 2] = 50
    assert np.asarray(tensor).tolist() == [[0, 1, 2], [3, 4, 50]]
    back = torch.from_dlpack(tensor)
    back[0, 0] = -1
    assert numbers[0, 0] == -1


def test_capsules_buffers_and_numbers_are_data_too(grid):
    assert TensorCPU(grid.__dlpack__(), "HW").layout() == "HW"
    assert TensorCPU(grid.__dlpack__()).data_ptr() == grid.ctypes.data
    assert np.asarray(TensorCPU(b"abc")).tolist() == [97, 98, 99]
    assert np.asarray(TensorCPU(memoryview(bytearray(b"ab")))).tolist() == [97, 98]
    assert TensorCPU(np.float32(3)).shape() == []
    assert TensorCPU(b=grid, layout="HW", is_pinned=False).layout() == "HW"
    again = TensorCPU(TensorCPU(grid, "HW"))
    assert (again.layout(), again.data_ptr()) == ("HW", grid.ctypes.data)


def test_memory_that_may_not_be_written_stays_so():
    view = np.asarray(TensorCPU(np.frombuffer(b"abc", np.uint8)))
    assert not view.flags.writeable
    assert np.asarray(TensorCPU(np.zeros(3))).flags.writeable


def test_swapped_and_misaligned_elements_are_put_right():
    swapped = np.array([1, 2], ">i4")
    assert np.asarray(TensorCPU(swapped)).tolist() == [1, 2]
    shifted = np.zeros(9, np.uint8)[1:].view(np.int32)
    shifted[:] = [3, 4]
    assert not shifted.flags.aligned
    inside = np.asarray(TensorCPU(shifted))
    assert inside.flags.aligned
    assert inside.tolist() == [3, 4]


def test_dlpack_answers_old_and_new_consumers(grid):
    tensor = TensorCPU(grid)
    assert tensor.__dlpack_device__() == (1, 0)
    for keywords in ({}, {"stream": 1}, {"max_version": (1, 0)}, {"dl_device": (1, 0)}, {"copy": True}):
        assert type(tensor.__dlpack__(**keywords)).__name__ == "PyCapsule"
    with pytest.raises(BufferError, match="host memory"):
        tensor.__dlpack__(dl_device=(2, 0))


def test_layouts_are_changed_for_this_tensor_alone(grid):
    samples = Samples.wrap_one(grid).relabelled("HW")
    tensor = TensorCPU._of_sample(samples, 0)
    tensor.set_layout("AB")
    assert (tensor.layout(), samples.layout) == ("AB", "HW")
    tensor.set_layout(None)
    assert tensor.layout() == ""
    for layout in ("H", "HWC"):
        with pytest.raises(ValueError, match="A non-empty layout must have the same number of dimensions"):
            tensor.set_layout(layout)
    with pytest.raises(ValueError, match="the data has 2"):
        TensorCPU(grid, "HWC")
    with pytest.raises(TypeError, match="a layout is a string"):
        tensor.set_layout(3)


def test_bytes_are_seen_as_another_type_of_the_same_size():
    tensor = TensorCPU(np.array([1.0, -2.0], np.float32))
    tensor.reinterpret(types.UINT32)
    assert np.asarray(tensor).tolist() == [0x3F800000, 0xC0000000]
    tensor.reinterpret(types.INTERP_TYPE)
    assert tensor.dtype is types.INTERP_TYPE
    for kind in (types.UINT8, types.FLOAT64, types.STRING, types.NO_TYPE):
        with pytest.raises(RuntimeError, match="Cannot reinterpret the tensor as having a different element size"):
            tensor.reinterpret(kind)
    with pytest.raises(TypeError, match="DALIDataType"):
        tensor.reinterpret("uint8")


def test_squeeze_drops_axes_of_one_element():
    tensor = TensorCPU(np.zeros((1, 3, 1)), "HWC")
    assert not tensor.squeeze(1)
    assert tensor.squeeze(-1)
    assert (tensor.shape(), tensor.layout()) == ([1, 3], "HW")
    assert tensor.squeeze()
    assert (tensor.shape(), tensor.layout()) == ([3], "W")
    assert not tensor.squeeze()
    for axis in (1, -2):
        with pytest.raises(RuntimeError, match=f"axis {axis} is out of bound for a tensor with 1 dim"):
            tensor.squeeze(axis)
    with pytest.raises(TypeError):
        tensor.squeeze("a")


def test_elements_are_copied_to_an_address(grid):
    room = np.zeros(14, np.uint8)
    for pointer in (ctypes.c_void_p(room.ctypes.data), room.ctypes.data):
        room[:] = 255
        TensorCPU(grid).copy_to_external(pointer)
        assert room.tolist() == [*range(12), 255, 255]
    for pointer in (None, 0, ctypes.c_void_p(0)):
        with pytest.raises(ValueError, match="null pointer"):
            TensorCPU(grid).copy_to_external(pointer)
    with pytest.raises(TypeError, match=r"ctypes\.c_void_p"):
        TensorCPU(grid).copy_to_external(room)


def test_properties_tell_layout_and_source():
    samples = Samples.wrap(np.zeros((2, 3)))
    samples.sources = ["a/x.jpg", "a/y.jpg"]
    tensor = TensorCPU._of_sample(samples, 1)
    assert tensor.source_info() == tensor.get_property("source_info") == "a/y.jpg"
    assert tensor.get_property("layout") is None
    plain = TensorCPU(np.zeros(3), "X")
    assert (plain.source_info(), plain.get_property("source_info"), plain.get_property("layout")) == ("", None, "X")
    assert plain.get_property("colour") is None


def test_text_shows_data_and_repr_only_what_it_is(grid):
    tensor = TensorCPU(grid[:1], "HW")
    described = 'dtype=DALIDataType.UINT8,\n    layout="HW",\n    device="cpu",\n    shape=(1, 4))'
    assert repr(tensor) == f"TensorCPU(\n    {described}"
    assert str(tensor) == f"TensorCPU(\n    [[0 1 2 3]],\n    {described}"
    members = TensorCPU(np.array([1], np.int32))
    members.reinterpret(types.IMAGE_TYPE)
    assert "[BGR]" in str(members)


def test_tensors_are_not_pickled(grid):
    with pytest.raises(TypeError, match="cannot pickle 'TensorCPU' object"):
        pickle.dumps(TensorCPU(grid))


@pytest.mark.parametrize(
    ("error", "data"),
    [
        (TypeError, 1), (TypeError, [1, 2]), (TypeError, None), (TypeError, "a"),
        (RuntimeError, np.zeros((4, 4))[:, ::2]), (RuntimeError, np.zeros((2, 3), order="F")),
        (RuntimeError, np.zeros(2, complex)), (RuntimeError, np.array(["a"])), (RuntimeError, np.array([None])),
        (ValueError, np.zeros(2, "M8[s]")), (RuntimeError, torch.zeros(2, dtype=torch.bfloat16)),
        (ValueError, np.zeros((1,) * 12)),
    ],
)  # fmt: skip
def test_what_is_no_tensor_is_refused(error, data):
    with pytest.raises(error):
        TensorCPU(data)


def test_what_needs_a_gpu_says_so(grid):
    with pytest.raises(RuntimeError, match="pinned memory needs a GPU"):
        TensorCPU(grid, is_pinned=True)
    for kind in (TensorGPU, TensorListGPU):
        with pytest.raises(RuntimeError, match=f"{kind.__name__} needs a GPU"):
            kind(grid, layout="HW")
        assert not isinstance(TensorCPU(grid), kind)


def test_dtype_may_be_called_as_it_once_was():
    for dtype in NUMERIC:
        with pytest.warns(DeprecationWarning, match=r"^Calling '.dtype\(\)' is deprecated"):
            letter = TensorCPU(np.zeros(2, dtype.storage)).dtype()
        assert np.dtype(letter) == dtype.storage
        assert len(letter) == 2
    with pytest.raises(TypeError, match="no letter"), pytest.warns(DeprecationWarning, match="Calling"):
        types.DALIDataType.STRING()
