"""ndd.math, against Python's math."""

import math

import numpy as np
import pytest

import penstock.dynamic as ndd
from ops.promises import check_operator

UNARY = {
    "acos": math.acos, "acosh": math.acosh, "asin": math.asin, "asinh": math.asinh, "atan": math.atan,
    "atanh": math.atanh, "cbrt": lambda x: math.copysign(abs(x) ** (1 / 3), x), "ceil": math.ceil, "cos": math.cos,
    "cosh": math.cosh, "exp": math.exp, "fabs": math.fabs, "floor": math.floor, "log": math.log, "log10": math.log10,
    "log2": math.log2, "rsqrt": lambda x: 1 / math.sqrt(x), "sin": math.sin, "sinh": math.sinh, "sqrt": math.sqrt,
    "tan": math.tan, "tanh": math.tanh, "abs": abs,
}  # fmt: skip
BINARY = ["atan2", "fpow", "max", "min", "pow"]


def test_every_function_is_there():
    assert sorted(dir(ndd.math)) == sorted([*UNARY, *BINARY, "clamp"])


@pytest.mark.parametrize("name", UNARY)
@pytest.mark.parametrize(("dtype", "tolerance"), [(ndd.float32, 1e-6), (ndd.float64, 1e-14)])
def test_functions_of_one_number(name, dtype, tolerance):
    numbers = [1.25, 2.5, 7.75] if name == "acosh" else [0.125, 0.5, 0.875]
    made = getattr(ndd.math, name)(ndd.tensor(numbers, dtype=dtype))
    assert made.dtype == dtype
    np.testing.assert_allclose(np.asarray(made), [UNARY[name](x) for x in numbers], rtol=tolerance)


@pytest.mark.parametrize("name", [name for name in UNARY if name != "abs"])
def test_integers_give_float32(name):
    assert getattr(ndd.math, name)(ndd.tensor([1, 2], dtype=ndd.int64)).dtype == ndd.float32


@pytest.mark.parametrize("name", ["sqrt", "abs"])
def test_functions_keep_the_promises(name):
    ramps = [np.arange(6, dtype=np.float32).reshape(2, 3), np.arange(4, dtype=np.float32).reshape(1, 4)]
    check_operator(f"math.{name}", ramps, layout="HW")


@pytest.mark.parametrize(
    ("compute", "dtype", "number"),
    [
        (lambda: ndd.math.sqrt(4), "f32", 2.0),
        (lambda: ndd.math.sqrt(input=4), "f32", 2.0),
        (lambda: ndd.math.abs(-5), "i32", 5),
        (lambda: ndd.math.log(0), "f32", -math.inf),
        (lambda: ndd.math.rsqrt(0), "f32", math.inf),
        (lambda: ndd.math.pow(2, -1), "i32", 0),
        (lambda: ndd.math.fpow(2, -1), "f32", 0.5),
        (lambda: ndd.math.atan2(0, -1), "f32", pytest.approx(math.pi)),
        (lambda: ndd.math.min(1, 2.5), "f32", 1.0),
        (lambda: ndd.math.max(True, 2), "i32", 2),
        (lambda: ndd.math.clamp(7, 1, 5), "i32", 5),
        (lambda: ndd.math.clamp(1, 4, 3), "i32", 3),
        (lambda: ndd.math.clamp(value=1, lo=2, hi=3.5), "f32", 2.0),
    ],
)
def test_numbers_give_a_tensor_of_one(compute, dtype, number):
    made = compute()
    assert (str(made.dtype), made.shape, made.item()) == (dtype, (), number)


def test_nan_on_the_left_is_passed_over():
    nan = math.nan
    assert np.asarray(ndd.math.min(ndd.tensor([nan, 1.0]), 2.0)).tolist() == [2.0, 1.0]
    assert math.isnan(ndd.math.max(1.0, nan).item())
    assert math.isnan(ndd.math.clamp(nan, 0, 1).item())


def test_bounds_may_differ_from_sample_to_sample():
    b = ndd.batch([[1, 5, 9], [1, 5, 9]])
    clamped = ndd.math.clamp(b, ndd.batch([2, 0]), ndd.batch([6, 4]))
    assert [np.asarray(t).tolist() for t in clamped] == [[2, 5, 6], [1, 4, 4]]


@pytest.mark.parametrize(
    ("compute", "error"),
    [
        (lambda: ndd.math.sqrt(True), RuntimeError),
        (lambda: ndd.math.sqrt("a"), RuntimeError),
        (lambda: ndd.math.sqrt(None), ValueError),
        (lambda: ndd.math.sqrt(2**31), OverflowError),
        (lambda: ndd.math.sqrt(), TypeError),
        (lambda: ndd.math.sqrt(1, 2), TypeError),
        (lambda: ndd.math.sqrt(ndd.float16([1])), RuntimeError),
        (lambda: ndd.math.max(True, False), RuntimeError),
    ],
)
def test_what_has_no_answer_fails_at_the_call(compute, error):
    with pytest.raises(error):
        compute()


def test_a_misspelt_function_is_answered_with_the_nearest():
    with pytest.raises(AttributeError, match=r"did you mean ndd.math.sqrt\?"):
        ndd.math.sqr  # noqa: B018
