"""Numbers, lists, arrays and members of enumerations as inputs, operands and outputs of a pipeline."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from penstock import fn, math, pipeline_def, types

OPTIONS: dict[str, Any] = {"batch_size": 1, "num_threads": 1, "device_id": None}


def made(graph: Any) -> list[Any]:
    return [(output.dtype, np.asarray(output[0]).tolist()) for output in pipeline_def(graph, **OPTIONS)().run()]


@pytest.mark.parametrize("use", [lambda array: fn.copy(array), lambda array: array])
@pytest.mark.parametrize(
    ("array", "dtype"),
    [
        (np.float64([1.5]), types.FLOAT),
        (np.int64([1]), types.INT32),
        (np.uint64([1]), types.UINT32),
        (np.float64(1.5), types.FLOAT),
        (np.array(2), types.INT32),
        (np.int16([1]), types.INT16),
        (np.float16([1]), types.FLOAT16),
    ],
)
def test_arrays_become_constants_of_32_bits(use: Any, array: Any, dtype: Any) -> None:
    assert made(lambda: use(array)) == [(dtype, array.tolist())]


def test_so_do_operands() -> None:
    number = fn.constant(fdata=1)
    assert made(lambda: number + np.float64([2])) == [(types.FLOAT, [3])]
    assert made(lambda: fn.constant(idata=1) + np.int64([2])) == [(types.INT32, [3])]
    assert made(lambda: math.max(number, np.float64([4]))) == [(types.FLOAT, [4])]
    assert made(lambda: math.sqrt(np.float64([4]))) == [(types.FLOAT, [2])]


def test_numbers_of_numpy_keep_their_type_as_operands() -> None:
    number = fn.constant(idata=1)
    assert made(lambda: number + np.int64(2)) == [(types.INT64, [3])]
    assert made(lambda: number + np.array(3.5)) == [(types.FLOAT64, [4.5])]
    assert made(lambda: number + np.int16(2)) == [(types.INT32, [3])]


def test_a_type_that_was_asked_for_is_kept() -> None:
    assert made(lambda: types.Constant(np.int64([2**40]), dtype=types.INT64)) == [(types.INT64, [2**40])]
    assert made(lambda: fn.copy(types.Constant(1.5).float64())) == [(types.FLOAT64, 1.5)]


def test_integers_that_do_not_fit_are_refused() -> None:
    big = np.int64([2**40])
    with pytest.raises(TypeError, match=r"Received input `0` of type 'ndarray'\. Integer 1099511627776 out of range"):
        fn.copy(big)
    for use in (lambda: fn.constant(idata=1) + big, lambda: made(lambda: big)):
        with pytest.raises(OverflowError, match="1099511627776 out of range for int32"):
            use()


@pytest.mark.parametrize("array", [np.array([1j]), np.array(["a"])])
def test_arrays_of_other_things_are_no_input(array: Any) -> None:
    with pytest.raises(TypeError, match=r"^when calling operator `nvidia.dali.fn.copy`: expected inputs of type"):
        fn.copy(array)


def test_arrays_need_not_be_contiguous() -> None:
    turned = np.arange(6, dtype=np.uint8).reshape(2, 3).T
    pixels = np.zeros((4, 4, 1), np.uint8)
    outputs = made(lambda: (types.Constant(turned), fn.copy(turned), turned, fn.constant(idata=0) + turned))
    assert [values for _, values in outputs] == [[[0, 3], [1, 4], [2, 5]]] * 4
    assert made(lambda: types.Constant(turned, shape=[6])) == [(types.UINT8, [0, 3, 1, 4, 2, 5])]
    assert np.shape(made(lambda: fn.crop(pixels, crop=np.float32([1, 2, 3])[::2]))[0][1]) == (1, 3, 1)


@pytest.mark.parametrize(
    ("member", "dtype"),
    [
        (types.DALIDataType.INT16, types.DALIDataType.DATA_TYPE),
        (types.DALIImageType.BGR, types.DALIDataType.IMAGE_TYPE),
        (types.DALIInterpType.INTERP_CUBIC, types.DALIDataType.INTERP_TYPE),
    ],
)
def test_members_of_enumerations_become_constants_of_them(member: Any, dtype: Any) -> None:
    assert made(lambda: fn.copy(member)) == [(dtype, int(member))]
    assert made(lambda: fn.copy([member, member])) == [(dtype, [int(member)] * 2)]
    assert made(lambda: member) == [(dtype, int(member))]
    assert made(lambda: fn.cast(member, dtype=types.INT32)) == [(types.INT32, int(member))]


def test_members_of_two_enumerations_are_no_list() -> None:
    with pytest.raises(TypeError, match="the same enum type"):
        fn.copy([types.DALIDataType.INT16, types.DALIImageType.RGB])


def test_fn_constant_has_an_axis_unless_told_otherwise() -> None:
    assert made(lambda: (fn.constant(idata=1), fn.constant(fdata=2))) == [(types.INT32, [1]), (types.FLOAT, [2])]
    assert made(lambda: fn.constant(idata=1, shape=[])) == [(types.INT32, 1)]
    assert made(lambda: fn.constant(fdata=1, shape=2)) == [(types.FLOAT, [1, 1])]
    assert made(lambda: fn.constant(fdata=[1.5, 3], dtype=types.INT32)) == [(types.INT32, [2, 3])]
    assert made(lambda: fn.constant(idata=True)) == [(types.INT32, [1])]
