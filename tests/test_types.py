"""penstock.types: enumerations, element types of other libraries, and constants."""

import pickle

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import penstock.dynamic as ndd
from penstock import types
from penstock.values.constants import Constant

NUMPY_TYPES = {
    "BOOL": np.bool_, "INT8": np.int8, "INT16": np.int16, "INT32": np.int32, "INT64": np.int64, "UINT8": np.uint8,
    "UINT16": np.uint16, "UINT32": np.uint32, "UINT64": np.uint64, "FLOAT16": np.float16, "FLOAT": np.float32,
    "FLOAT64": np.float64,
}  # fmt: skip


@pytest.fixture(autouse=True)
def outside_of_pipelines(monkeypatch):
    """Where a pipeline was defined before, constants with axes are nodes."""
    monkeypatch.setattr(Constant, "as_node", None)


def described(constant):
    return constant.value, type(constant.value), constant.dtype


def test_members_of_the_enumerations_are_names_of_the_module():
    for kind in (types.DALIDataType, types.DALIImageType, types.DALIInterpType):
        for member in kind:
            assert getattr(types, member.name) is member
    assert (types.FLOAT, types.YCbCr, types.INTERP_LANCZOS3) == (9, 3, 3)


def test_members_are_equal_to_their_number_but_not_to_members_of_another_enumeration():
    assert types.RGB == 0
    assert types.UINT8 == 0
    assert types.RGB != types.UINT8
    assert len({types.RGB, types.UINT8, types.INTERP_NN}) == 3
    assert pickle.loads(pickle.dumps(types.RGB)) is types.RGB


@pytest.mark.parametrize("other", [ndd.tensor([0]), ndd.batch([0]), np.array([0]), "RGB", None, 0.0])
def test_members_are_not_equal_to_what_holds_their_number(other):
    member = types.RGB
    assert (member == other) is False
    assert (member != other) is True


def test_layouts_and_devices_by_name():
    assert (types.NCHW, types.NHWC, types.NFHWC, types.NFCHW, types.SAME) == ("CHW", "HWC", "FHWC", "FCHW", "")
    assert types.CPU_ONLY_DEVICE_ID == -99999
    assert [member.name for member in types.PipelineAPIType] == ["BASIC", "ITERATOR", "SCHEDULED"]
    assert types.CUDAStream().ptr == 0
    layout = types.TensorLayout("HWC")
    assert layout == "HWC"
    assert (len(layout), str(layout), repr(layout)) == (3, "HWC", "TensorLayout('HWC')")


def test_infos_say_which_sample_is_asked_for():
    info = types.SampleInfo(7, 3, 1, 0)
    assert (info.idx_in_epoch, info.idx_in_batch, info.iteration, info.epoch_idx) == (7, 3, 1, 0)
    assert pickle.loads(pickle.dumps(info)) == info
    batch = types.BatchInfo(4, 2)
    assert (batch.iteration, batch.epoch_idx) == (4, 2)


@pytest.mark.parametrize("name", NUMPY_TYPES)
def test_types_go_to_numpy_and_back(name):
    dali_type, numpy_type = getattr(types, name), NUMPY_TYPES[name]
    assert types.to_numpy_type(dali_type) is numpy_type
    for same in (numpy_type, np.dtype(numpy_type), np.dtype(numpy_type).name):
        assert types.to_dali_type(same) is dali_type


@pytest.mark.parametrize(
    ("framework_type", "expected"),
    [
        (float, types.FLOAT), (bool, types.BOOL), (torch.float32, types.FLOAT), (torch.int64, types.INT64),
        (torch.uint8, types.UINT8), (torch.half, types.FLOAT16), ("torch.bool", types.BOOL), ("double", types.FLOAT64),
        ("half", types.FLOAT16), ("byte", types.UINT8), ("long", types.INT64), ("boolean", types.BOOL),
    ],
)  # fmt: skip
def test_types_of_other_libraries_are_known_by_name(framework_type, expected):
    assert types.to_dali_type(framework_type) is expected


@pytest.mark.parametrize("unknown", [int, complex, str, None, 1, "u8", torch.bfloat16, np.dtype("M8[s]"), types.FLOAT])
def test_an_unknown_type_is_named(unknown):
    with pytest.raises(TypeError, match="could not be converted into any known DALIDataType"):
        types.to_dali_type(unknown)


@pytest.mark.parametrize("kind", [types.STRING, types.NO_TYPE, types.IMAGE_TYPE, "uint8", None])
def test_types_without_a_numpy_counterpart_are_a_key_error(kind):
    with pytest.raises(KeyError):
        types.to_numpy_type(kind)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (1, (1, int, types.INT32)), (True, (True, bool, types.BOOL)), (1.5, (1.5, float, types.FLOAT)),
        (np.uint8(3), (3, int, types.UINT8)), (np.float64(2), (2.0, float, types.FLOAT64)),
        (np.array(5), (5, int, types.INT64)), (torch.tensor(2.0), (2.0, float, types.FLOAT)),
    ],
)  # fmt: skip
def test_a_number_is_a_scalar_constant(value, expected):
    constant = types.Constant(value)
    assert isinstance(constant, types.ScalarConstant)
    assert described(constant) == expected
    assert constant.shape == []
    assert constant.array.dtype == types.to_numpy_type(constant.dtype)


@pytest.mark.parametrize("name", NUMPY_TYPES)
def test_casting_methods_make_another_constant(name):
    method = NUMPY_TYPES[name].__name__.rstrip("_")
    constant = types.Constant(2.75)
    cast = getattr(constant, method)()
    assert cast.dtype is getattr(types, name)
    assert cast.value == (True if name == "BOOL" else 2.75 if name.startswith("FLOAT") else 2)
    assert constant.dtype is types.FLOAT
    assert described(types.ScalarConstant(2.75, cast.dtype)) == described(cast)


def test_a_number_its_type_cannot_hold_fails_where_it_is_used():
    big = types.Constant(2**40)
    assert big.int64().array == 2**40
    with pytest.raises(OverflowError, match="1099511627776 is out of range for int32"):
        _ = big.array
    with pytest.raises(OverflowError, match="-1 is out of range for uint8"):
        _ = types.Constant(-1).uint8().array
    with pytest.raises(ValueError, match="NaN"):
        types.Constant(float("nan")).int32()


def test_scalar_constants_compare_by_value_and_type():
    assert types.Constant(3) == types.Constant(3)
    assert types.Constant(3) != types.Constant(4)
    assert types.Constant(3) != types.Constant(3).uint8()
    assert types.Constant(3) != 3
    with pytest.raises(TypeError, match="unhashable"):
        hash(types.Constant(3))


def test_scalar_constants_are_numbers_of_their_own_kind_only():
    assert (int(types.Constant(-3)), bool(types.Constant(0)), float(types.Constant(2.5))) == (-3, False, 2.5)
    for kind, constant in [(float, types.Constant(3)), (int, types.Constant(2.5)), (bool, types.Constant(0.0))]:
        with pytest.raises(TypeError, match="must be converted"):
            kind(constant)
    assert (str(types.Constant(1)), repr(types.Constant(1))) == ("1:DALIDataType.INT32", "1")


class Node:
    """Stands in for a DataNode: it has the operators."""

    def __radd__(self, other):
        return ("added", other)

    __eq__ = __lt__ = __gt__ = __rpow__ = __radd__
    __hash__ = None


def test_operators_are_left_to_the_node_on_the_other_side():
    one = types.Constant(1)
    for result in (one + Node(), one == Node(), one < Node(), one ** Node()):
        assert result[0] == "added"
        assert result[1] is one
    for refused in (lambda: one + one, lambda: one * 2, lambda: -one, lambda: one < one):
        with pytest.raises(TypeError):
            refused()


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ([1, 2], types.INT32), ((1, 2), types.INT32), ([1, 2.5], types.FLOAT), ([True, False], types.BOOL),
        ([True, 2], types.INT32), ([], types.FLOAT), ([[1, 2], [3, 4]], types.INT32), (np.zeros(2), types.FLOAT),
        (np.zeros(2, np.int64), types.INT32), (np.zeros(2, np.uint64), types.UINT32), (np.zeros(2, ">i2"), types.INT16),
        (np.zeros(1, np.float16), types.FLOAT16), (torch.zeros(2, 3), types.FLOAT), ([types.RGB], types.IMAGE_TYPE),
        (types.FLOAT, types.DATA_TYPE), ([types.INTERP_NN, types.INTERP_CUBIC], types.INTERP_TYPE),
    ],
)  # fmt: skip
def test_lists_arrays_and_members_become_array_constants(value, expected):
    constant = types.Constant(value)
    assert isinstance(constant, Constant)
    assert constant.dtype is expected
    assert constant.value.tolist() == np.asarray(value).tolist()
    assert constant.shape == np.shape(value)
    assert (constant.layout, constant.device, constant.name) == ("", "cpu", None)


def test_an_array_constant_keeps_a_copy_that_nobody_writes_to():
    array = np.arange(3, dtype=np.int32)
    constant = types.Constant(array)
    array[0] = 9
    assert constant.value.tolist() == [0, 1, 2]
    with pytest.raises(ValueError, match="read-only"):
        constant.value[0] = 9


def test_shape_layout_device_and_name_make_nodes_of_numbers_too():
    assert types.Constant(3, shape=[2, 1]).value.tolist() == [[3], [3]]
    assert types.Constant(3, shape=2).value.tolist() == [3, 3]
    assert types.Constant(3, shape=[1]).shape == (1,)
    assert types.Constant([1, 2, 3, 4], shape=(2, 2)).value.tolist() == [[1, 2], [3, 4]]
    assert types.Constant([1, 2], layout="X").layout == "X"
    for constant in (types.Constant(1, layout=""), types.Constant(1, device="cpu"), types.Constant(1, name="one")):
        assert isinstance(constant, Constant)
        assert constant.shape == ()
    assert types.Constant(1, device="gpu").device == "gpu"
    assert types.ConstantNode("cpu", 1, None, None, None).value == 1


def test_elements_are_rounded_and_saturated_to_the_type():
    assert types.Constant([1.7, 300, -1], dtype=types.UINT8).value.tolist() == [2, 255, 0]
    assert types.Constant([2**40], dtype=types.INT64).value.tolist() == [2**40]
    assert types.Constant(np.array([0.1]), dtype=types.FLOAT64).value[0] == 0.1
    assert types.Constant(1, dtype=types.IMAGE_TYPE).dtype is types.IMAGE_TYPE


def test_integers_beyond_32_bits_are_refused():
    for value, kind in [(np.array([1, 2**40]), "int32"), ([-(2**31) - 1], "int32"), (np.uint64([2**32]), "uint32")]:
        with pytest.raises(OverflowError, match=f"out of range for {kind}"):
            types.Constant(value)


def test_a_pipeline_turns_constants_into_nodes(monkeypatch):
    monkeypatch.setattr(Constant, "as_node", staticmethod(lambda constant: ("node", constant.value.tolist())))
    assert types.Constant([1, 2]) == ("node", [1, 2])
    assert described(types.Constant(1)) == (1, int, types.INT32)


@pytest.mark.parametrize(
    ("error", "call"),
    [
        (TypeError, lambda: types.Constant("a")),
        (TypeError, lambda: types.Constant(None)),
        (TypeError, lambda: types.Constant(1j)),
        (TypeError, lambda: types.Constant(["a"])),
        (TypeError, lambda: types.Constant([1, None])),
        (TypeError, lambda: types.Constant(np.zeros(2, complex))),
        (TypeError, lambda: types.Constant([types.RGB, 1])),
        (TypeError, lambda: types.Constant([1], dtype=np.uint8)),
        (TypeError, lambda: types.Constant(1, types.STRING)),
        (TypeError, lambda: types.Constant(types.Constant(1))),
        (TypeError, lambda: types.Constant([1], colour=2)),
        (TypeError, lambda: types.ScalarConstant(types.RGB)),
        (TypeError, lambda: types.ScalarConstant([3])),
        (TypeError, lambda: types.ScalarConstant(1, "uint8")),
        (ValueError, lambda: types.Constant([[1], [2, 3]])),
        (ValueError, lambda: types.Constant([1, 2, 3], shape=(2, 2))),
        (ValueError, lambda: types.Constant(1, shape=[-1])),
        (ValueError, lambda: types.Constant(1, device="tpu")),
        (ValueError, lambda: types.ScalarConstant(np.array([3, 4]))),
        (RuntimeError, lambda: types.Constant([1, 2], layout="HW")),
    ],
)
def test_bad_constants_are_refused_at_the_call(error, call):
    with pytest.raises(error):
        call()


@settings(deadline=None)
@given(
    st.lists(st.integers(-(2**31), 2**31 - 1))
    | st.lists(st.floats(width=32, allow_nan=False))
    | st.lists(st.booleans())
)
def test_any_flat_list_keeps_its_values(values):
    constant = types.Constant(values)
    assert constant.value.tolist() == values
    assert constant.dtype in (types.INT32, types.FLOAT, types.BOOL)
