"""Arithmetic on an accelerator: all operators on all pairs of types, as the CPU has them."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")

import penstock.dynamic as ndd
from penstock.values import accelerator

TYPES = [np.uint8, np.int8, np.uint16, np.int16, np.uint32, np.int32, np.uint64, np.int64, np.float32, np.float64, bool]
BINARY = {
    name: getattr(operator, name)
    for name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "lt", "le", "gt", "ge", "eq", "ne")
} | {name: getattr(operator, name) for name in ("and_", "or_", "xor", "lshift", "rshift", "pow")}
BINARY |= {name: getattr(ndd.math, name) for name in ("min", "max", "atan2", "fpow")}
UNARY = ("sqrt", "rsqrt", "cbrt", "exp", "log", "log2", "log10", "fabs", "floor", "ceil", "sin", "cos", "tan", "asin")
UNARY += ("acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "abs")


@pytest.fixture(autouse=True)
def torch_cpu() -> Iterator[None]:
    accelerator.use("torch-cpu")
    yield
    accelerator.use("")


def numbers(dtype: Any) -> Any:
    if dtype is bool:
        return np.array([True, False, True, True, False, True])
    if np.dtype(dtype).kind == "f":
        return np.array([1.5, -2.25, 7.75, 100.0, -0.5, 3.0], dtype)
    info = np.iinfo(dtype)
    return np.array([1, info.max, max(info.min, -7), 3, 100, info.max // 2 + 5], dtype)


def outcome(compute: Any, *operands: Any) -> Any:
    try:
        return np.asarray(compute(*operands).cpu())
    except (RuntimeError, ValueError) as error:
        return str(error)


def check(compute: Any, *arrays: Any) -> None:
    wanted = outcome(compute, *map(ndd.tensor, arrays))
    got = outcome(compute, *(ndd.tensor(array, device="gpu") for array in arrays))
    if isinstance(wanted, str) or isinstance(got, str):
        assert got == wanted
    else:
        assert got.dtype == wanted.dtype
        np.testing.assert_allclose(got, wanted, rtol=1e-6)


@pytest.mark.parametrize("name", BINARY)
@pytest.mark.parametrize("left", TYPES)
def test_every_pair_of_types(name: str, left: Any) -> None:
    for right in TYPES:
        other = np.roll(numbers(right), 1)
        if name == "pow" and np.dtype(right).kind in "iu":
            other = np.array([0, 1, 2, 3, 5, 1], right)
        check(BINARY[name], numbers(left), other)


@pytest.mark.parametrize("name", UNARY)
def test_functions_of_one_number(name: str) -> None:
    for dtype in TYPES:
        with np.errstate(all="ignore"):
            check(getattr(ndd.math, name), numbers(dtype))


@pytest.mark.parametrize("dtype", TYPES)
def test_signs_bits_and_limits(dtype: Any) -> None:
    values = numbers(dtype)
    for compute in (operator.neg, operator.abs, operator.invert):
        check(compute, values)
    check(lambda x: ndd.math.clamp(x, 2, 50), values)


def test_shapes_broadcast_from_the_last_axis_on() -> None:
    left = ndd.batch([np.ones((2, 3), np.float32), np.ones((4, 3), np.float32)], device="gpu")
    assert [each.shape for each in left + ndd.tensor([1, 2, 3], device="gpu")] == [(2, 3), (4, 3)]
    assert (left * 2 - 1).tensors[1].torch().eq(1).all()
    with pytest.raises(RuntimeError, match=r"Can't broadcast shapes: \(2, 3\), \(1, 2\)"):
        (left * [1, 2]).evaluate()


def test_division_by_zero_and_nan() -> None:
    whole = ndd.tensor([1, 2], device="gpu")
    with pytest.raises(ValueError, match=r"Integer division by zero\."):
        (whole // 0).evaluate()
    nan = ndd.tensor([np.nan, 1.0], dtype=ndd.float32, device="gpu")
    assert ndd.math.min(nan, 0.5).torch().tolist() == [0.5, 0.5]
