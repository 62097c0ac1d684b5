"""tensor and as_tensor: which dtype data gets, when it is copied, what is refused."""

import array
import math

import numpy as np
import pytest

import penstock.dynamic as ndd
from penstock import types


@pytest.mark.parametrize(
    ("data", "dtype", "shape"),
    [
        (1, "i32", ()),
        (1.5, "f32", ()),
        (True, "bool", ()),
        ([1, 2, 3], "i32", (3,)),
        ([1, 2.5], "f32", (2,)),
        ([True, 2], "i32", (2,)),
        ([], "f32", (0,)),
        ((1, 2), "i32", (2,)),
        (range(3), "i32", (3,)),
        ([[1, 2], [3, 4]], "i32", (2, 2)),
        ([2**31], "u32", (1,)),
        (np.arange(3), "i64", (3,)),
        (np.float64(5), "f64", ()),
        ([np.int64(1)], "i32", (1,)),
        ([np.uint8(1)], "u8", (1,)),
        ([np.float64(1)], "f32", (1,)),
        (bytearray(b"abc"), "u8", (3,)),
        (array.array("h", [1, 2]), "i16", (2,)),
    ],
)
def test_python_numbers_have_32_bits_and_arrays_what_they_have(data, dtype, shape):
    made = ndd.tensor(data)
    assert (str(made.dtype), made.shape) == (dtype, shape)


def test_tensors_stack_into_a_tensor():
    made = ndd.tensor([ndd.tensor([1]), ndd.tensor([2])])
    assert (made.dtype, np.asarray(made).tolist()) == (ndd.int32, [[1], [2]])


@pytest.mark.parametrize(
    ("data", "error", "message"),
    [
        ([2**32], OverflowError, "Python integer 4294967296 out of range for uint32."),
        ([2**70], OverflowError, "out of range for uint32"),
        ([-1, 2**31], OverflowError, "Python integer 2147483648 out of range for int32."),
        ([[1], [2, 3]], ValueError, "inhomogeneous"),
        ("abc", RuntimeError, "got str"),
        (b"abc", RuntimeError, "got bytes"),
        (["abc"], RuntimeError, "real numbers"),
        ([1, "abc"], ValueError, "text among them"),
        (None, ValueError, "got None"),
        ([None], TypeError, "Unexpected element type <class 'NoneType'>"),
        (object(), TypeError, "Unexpected element type"),
        ((i for i in range(3)), TypeError, "Unexpected element type <class 'generator'>"),
        (1j, RuntimeError, "real numbers"),
        (np.array([1j]), RuntimeError, "complex128 is not supported"),
        (np.datetime64("2020-01-01"), ValueError, r"datetime64\[D\] is not supported"),
        (np.array([1], "m8[s]"), ValueError, r"timedelta64\[s\] is not supported"),
    ],
    ids=lambda value: None if isinstance(value, (type, str)) else type(value).__name__,
)
def test_what_is_no_tensor_is_refused(data, error, message):
    with pytest.raises(error, match=message):
        ndd.tensor(data)


def test_a_dtype_cuts_python_floats_and_rounds_arrays():
    assert np.asarray(ndd.tensor([1.7, -1.7], dtype=ndd.int32)).tolist() == [1, -1]
    assert np.asarray(ndd.tensor(np.array([1.7, -1.7]), dtype=ndd.int32)).tolist() == [2, -2]


def test_a_dtype_refuses_python_ints_beyond_it_and_saturates_arrays():
    with pytest.raises(OverflowError):
        ndd.tensor([300], dtype=ndd.uint8)
    assert np.asarray(ndd.tensor(np.array([300]), dtype=ndd.uint8)).tolist() == [255]


def test_bfloat16_has_no_storage():
    with pytest.raises(KeyError, match="bfloat16 has no storage"):
        ndd.tensor([1], dtype=ndd.bfloat16)


def test_as_tensor_shares_memory_and_tensor_copies():
    a = np.arange(3)
    shared, copied = ndd.as_tensor(a), ndd.tensor(a)
    a[0] = 99
    assert shared[0].item() == 99
    assert copied[0].item() == 0


def test_a_read_only_array_is_copied():
    a = np.arange(3)
    view = a[:]
    view.flags.writeable = False
    t = ndd.as_tensor(view)
    a[0] = 99
    assert t[0].item() == 0


def test_strided_arrays_are_refused():
    for make in (ndd.tensor, ndd.as_tensor):
        with pytest.raises(RuntimeError, match="Strided data not supported"):
            make(np.zeros((3, 4)).T)


def test_big_endian_arrays_keep_their_values():
    assert np.asarray(ndd.as_tensor(np.arange(3, dtype=">i4"))).tolist() == [0, 1, 2]


def test_a_tensor_of_a_tensor():
    t = ndd.tensor([1, 2], layout="W")
    shared, copied = ndd.as_tensor(t), ndd.tensor(t)
    assert shared is not t
    np.asarray(t)[0] = 7
    assert np.asarray(shared).tolist() == [7, 2]
    assert np.asarray(copied).tolist() == [1, 2]
    assert copied.layout == "W"


def test_layouts_name_every_axis():
    assert ndd.tensor(np.zeros((1, 2)), layout="HW").layout == "HW"
    assert ndd.tensor(np.zeros((1, 2))).layout is None
    with pytest.raises(ValueError, match="A non-empty layout must have the same number of dimensions"):
        ndd.tensor(np.zeros((1, 2)), layout="H")
    with pytest.raises(ValueError, match="Layout must be a string"):
        ndd.tensor([1], layout=5)


def test_a_layout_can_be_renamed_but_not_removed():
    t = ndd.tensor([1], layout="H")
    assert ndd.tensor(t, layout="W").layout == "W"
    assert ndd.tensor(t, layout="").layout == "H"


def test_enumeration_members_have_a_type_of_their_own():
    t = ndd.tensor([types.INTERP_LINEAR, types.INTERP_CUBIC])
    assert t.dtype == ndd.InterpType
    assert t[1].dtype == ndd.InterpType
    assert t[1].item() is types.INTERP_CUBIC
    assert "[INTERP_LINEAR INTERP_CUBIC]" in str(t)
    assert np.asarray(ndd.tensor(t, dtype=ndd.int32)).tolist() == [1, 2]
    assert ndd.tensor(types.RGB).dtype == ndd.ImageType
    with pytest.raises(RuntimeError, match="Left operand data type not supported"):
        t + 1


def test_a_batch_of_members_is_a_per_sample_argument():
    images = ndd.batch([np.zeros((4, 4, 3), np.uint8)] * 2, layout="HWC")
    filters = ndd.batch([types.INTERP_NN, types.INTERP_LINEAR])
    assert filters.dtype == ndd.InterpType
    assert ndd.resize(images, size=[2, 2], interp_type=filters).shape == [(2, 2, 3)] * 2


def test_nan_is_a_number():
    assert math.isnan(ndd.tensor(math.nan).item())
