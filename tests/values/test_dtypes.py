"""DType: names, conversions, comparison, and as a maker of tensors."""

import numpy as np
import pytest
import torch

import penstock.dynamic as ndd
from penstock import types

NAMES = {
    "i8": ndd.int8, "i16": ndd.int16, "i32": ndd.int32, "i64": ndd.int64,
    "u8": ndd.uint8, "u16": ndd.uint16, "u32": ndd.uint32, "u64": ndd.uint64,
    "f16": ndd.float16, "f32": ndd.float32, "f64": ndd.float64, "bool": ndd.bool,
    "bfloat16": ndd.bfloat16, "InterpType": ndd.InterpType,
}  # fmt: skip


@pytest.mark.parametrize(("name", "dtype"), NAMES.items())
def test_a_dtype_is_found_by_its_short_name_and_prints_it(name, dtype):
    assert ndd.dtype(name) is dtype
    assert str(dtype) == name


@pytest.mark.parametrize(
    "given", [ndd.float32, types.FLOAT, np.float32, np.dtype("f4"), torch.float32, "f32", "f32e8m23", float]
)
def test_many_things_mean_float32(given):
    assert ndd.dtype(given) is ndd.float32


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ("i7", ValueError),
        (int, TypeError),
        (complex, TypeError),
        (np.complex64, TypeError),
        (torch.bfloat16, TypeError),
        (5, TypeError),
        (None, TypeError),
        (types.STRING, KeyError),
    ],
)
def test_what_is_no_dtype_is_refused(given, error):
    with pytest.raises(error):
        ndd.dtype(given)


@pytest.mark.parametrize("name", ["uint8", "int64", "float16", "float32", "bool"])
def test_the_names_of_numpy_and_torch_are_known(name):
    wanted = getattr(ndd, name)
    for given in (name, np.dtype(name), getattr(np, name), getattr(torch, name)):
        assert ndd.dtype(given) == wanted
        assert ndd.cast(ndd.tensor([1]), dtype=given).dtype == wanted
        assert ndd.tensor([1], dtype=given).dtype == wanted
        assert ndd.batch([1], dtype=given).dtype == wanted


def test_the_names_that_are_known_are_told():
    with pytest.raises(ValueError, match=r"Unsupported type name: float31; known names: u8, .*float32.*'float32'\?"):
        ndd.dtype("float31")


def test_repr_tells_kind_and_bits():
    assert repr(ndd.int32) == "DType(kind=Kind.signed, bits=32)"
    assert repr(ndd.float32) == "DType(kind=Kind.float, bits=32, exponent_bits=8, significand_bits=23)"


def test_dtypes_compare_with_dtypes_only():
    assert ndd.uint8 == ndd.dtype("u8")
    assert ndd.InterpType != ndd.ImageType
    assert ndd.uint8 != None  # noqa: E711
    for other in (np.uint8, "u8", torch.uint8):
        with pytest.raises(AttributeError, match="compared with a DType"):
            ndd.uint8 == other  # noqa: B015


def test_equal_dtypes_have_equal_hashes():
    assert len({ndd.uint8, ndd.dtype("u8"), ndd.dtype(np.uint8)}) == 1


def test_a_dtype_makes_tensors():
    made = ndd.float32([1, 2], layout="W")
    assert (made.dtype, made.layout, np.asarray(made).tolist()) == (ndd.float32, "W", [1.0, 2.0])


def test_type_id_goes_back_to_the_code():
    assert ndd.type_id(ndd.uint8) is types.UINT8
    assert ndd.type_id(types.UINT8) is types.UINT8
    assert ndd.type_id(ndd.bfloat16) is None
    with pytest.raises(ValueError, match="Invalid dtype: u8"):
        ndd.type_id("u8")


KIND = ndd.DType.Kind


@pytest.mark.parametrize(
    ("arguments", "known"),
    [
        ((KIND.signed, 32), ndd.int32),
        ((KIND.unsigned, 8), ndd.uint8),
        ((KIND.bool, 8), ndd.bool),
        ((KIND.float, 16), ndd.float16),
        ((KIND.float, 64), ndd.float64),
        ((KIND.float, 32, 8), ndd.float32),
        ((KIND.float, 16, 8, 7), ndd.bfloat16),
    ],
    ids=str,
)
def test_a_dtype_made_of_its_parts_is_the_known_one(arguments, known):
    made = ndd.DType(*arguments)
    assert (made, hash(made), str(made), repr(made)) == (known, hash(known), str(known), repr(known))
    assert ndd.dtype(made) is known
    assert made == ndd.DType(*arguments, type_id=types.INT8)
    if known is not ndd.bfloat16:
        assert ndd.tensor([1], dtype=made).dtype is known
        assert ndd.cast([1.5], dtype=made).dtype is known
        assert made(1).dtype is known


def test_other_dtypes_are_told_apart_but_hold_no_data():
    assert (str(ndd.DType(KIND.float, 24, 8, 15)), ndd.DType(KIND.float, 24, 8, 15).bytes) == ("f24e8m15", 3)
    assert (str(ndd.DType(KIND.signed, 12)), ndd.DType(KIND.signed, 12).bytes) == ("i12", 2)
    assert ndd.DType(KIND.float, 8) != ndd.DType(KIND.float, 8, 5, 2)
    with pytest.raises(KeyError, match="i12 has no storage"):
        ndd.tensor([1], dtype=ndd.DType(KIND.signed, 12))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((KIND.float, 24), "Unsupported number of bits: 24"),
        ((KIND.enum, 32), "Cannot make name for type of kind: Kind.enum"),
        (("signed", 32), "Cannot make name for type of kind: signed"),
    ],
    ids=str,
)
def test_parts_that_make_no_dtype_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        ndd.DType(*arguments)


def test_a_code_nobody_has_is_refused():
    with pytest.raises(KeyError):
        ndd.DType.from_type_id(99)
    assert ndd.DType.from_type_id(int(types.FLOAT)) is ndd.float32
