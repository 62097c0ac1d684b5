"""The native step makes what the plain functions make, whatever the element types."""

import operator
from functools import cache
from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import penstock.dynamic as ndd
from messages import told
from penstock.dynamic.calls.functions import declaration

INTEGERS = [np.dtype(code) for code in "bhilBHIL"]
DTYPES = [np.dtype(bool), *INTEGERS, np.dtype("f"), np.dtype("d")]
DIVISIONS = {name: getattr(operator, name) for name in ("floordiv", "mod")}
ARITHMETIC = DIVISIONS | {name: getattr(operator, name) for name in ("add", "sub", "mul", "truediv", "pow")}
COMPARISONS = {name: getattr(operator, name) for name in ("eq", "ne", "lt", "le", "gt", "ge")}
BITS = {"bitand": operator.and_, "bitor": operator.or_, "bitxor": operator.xor}
BITS |= {"lshift": operator.lshift, "rshift": operator.rshift}
CALLS = {f"_arithmetic.{name}": call for name, call in (ARITHMETIC | COMPARISONS | BITS).items()}
CALLS |= {f"math.{name}": getattr(ndd.math, name) for name in ("min", "max", "pow", "fpow", "atan2")}
SIGNS = {"_arithmetic.neg": operator.neg, "_arithmetic.abs": operator.abs, "_arithmetic.invert": operator.invert}
FUNCTIONS = [
    "abs", "sqrt", "rsqrt", "cbrt", "exp", "log", "log2", "log10", "fabs", "floor", "ceil", "sin", "cos", "tan", "asin",
    "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh",
]  # fmt: skip
UNARY = SIGNS | {f"math.{name}": getattr(ndd.math, name) for name in FUNCTIONS}
SAMPLES = 2


@pytest.fixture
def only_natively(monkeypatch):
    """Takes the other ways of carrying an operator out away; returns its plain function."""

    def take_away(path):
        op = declaration(path)
        plain = op.function

        def refuse(*arrays):
            raise AssertionError(f"{path} of {[array.dtype for array in arrays]} is not made natively")

        monkeypatch.setattr(op, "stacked", None)
        monkeypatch.setattr(op, "function", refuse)
        return plain

    with ndd.EvalContext(num_threads=SAMPLES):
        yield take_away


@cache
def extremes(dtype, length, seed):
    """Numbers from all over the type, its limits and what floats have besides."""
    random = np.random.default_rng(seed)
    if dtype.kind == "f":
        made = (random.standard_normal(length) * 300).astype(dtype)
        special = [np.nan, np.inf, -np.inf, 0.0, 1.0, -1.0, np.finfo(dtype).max, np.finfo(dtype).tiny]
    else:
        made = random.integers(0, 256, length * dtype.itemsize).astype(np.uint8).view(dtype)
        made = made % 2 == 1 if dtype.kind == "b" else made
        special = [0, 1] if dtype.kind == "b" else [np.iinfo(dtype).min, np.iinfo(dtype).max, 0, 1]
    places = random.random(length) < (0.1 if length > 1 else 1)
    made[places] = random.choice(np.array(special, dtype), places.sum())
    made.flags.writeable = False
    return made


def is_taken(path, left, right):
    kinds = {left.kind, right.kind}
    if path.endswith(tuple(BITS)):
        return "f" not in kinds
    return kinds != {"b"} or path.endswith(("mul", *COMPARISONS))


def stays_with_numpy(path, left, right):
    """Comparisons of u64 with signed integers, and remainders of integers and floats."""
    if path.endswith("mod"):
        return left != right and "f" in (left.kind, right.kind)
    return path.endswith(tuple(COMPARISONS)) and np.dtype("L") in (left, right) and "i" in (left.kind, right.kind)


@pytest.mark.parametrize("path", CALLS)
def test_every_pair_of_types(only_natively, path):
    plain = only_natively(path)
    lengths = [(8195, 8195), (8195, 1), (1, 8195), (8195, 1), (1, 8195)]
    for pair in product(DTYPES, DTYPES):
        if not is_taken(path, *pair) or stays_with_numpy(path, *pair):
            continue
        columns = [[extremes(pair[k], each[k], 2 * i + k) for i, each in enumerate(lengths)] for k in range(2)]
        if path.endswith(tuple(DIVISIONS)):
            columns[1] = [np.where(divisors == 0, divisors.dtype.type(1), divisors) for divisors in columns[1]]
        got = CALLS[path](*(ndd.batch(column) for column in columns))
        for made, operands in zip(got, zip(*columns, strict=True), strict=True):
            wanted = plain(*operands)
            assert np.asarray(made).dtype == wanted.dtype
            assert_array_equal(np.asarray(made), wanted, err_msg=f"{path} of {pair}")


@pytest.mark.parametrize("path", UNARY)
def test_functions_of_one_number(only_natively, path):
    plain = only_natively(path)
    for dtype in DTYPES:
        if dtype.kind == ("f" if path.endswith("invert") else "b"):
            continue
        values = [extremes(dtype, length, length) for length in (70_000, 2, 0)]
        for made, value in zip(UNARY[path](ndd.batch(values)), values, strict=True):
            wanted = plain(value)
            assert np.asarray(made).dtype == wanted.dtype
            assert_array_equal(np.asarray(made), wanted, err_msg=f"{path} of {dtype}")


@pytest.mark.parametrize("dtype", ["f", "d"])
@pytest.mark.parametrize("name", ["sqrt", "rsqrt"])
def test_roots_have_the_bits_of_numpy(only_natively, name, dtype):
    plain = only_natively(f"math.{name}")
    bits = np.random.default_rng(0).integers(0, 256, 80_000, np.uint8)
    values = np.concatenate([bits.view(dtype), extremes(np.dtype(dtype), 1000, 0)])
    made = np.asarray(getattr(ndd.math, name)(ndd.batch([values, values])).tensors[1])
    assert made.tobytes() == plain(values).tobytes()


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("divisor", [1, -1, 2, 3, 7, -7, 100, 127, -128, 255, 65521, -(2**31), 2**32 - 1, 2**63 - 1])
def test_whole_quotients_are_exact(only_natively, dtype, divisor):
    limits = np.iinfo(dtype)
    if not limits.min <= divisor <= limits.max:
        return
    for name in DIVISIONS:
        only_natively(f"_arithmetic.{name}")
    near = [
        quotient * divisor + offset
        for quotient in (-(2**40), -3, -1, 0, 1, 2, 5, 77, 2**16, 2**31)
        for offset in (-1, 0, 1)
    ]
    numbers = [limits.min, limits.min + 1, limits.max - 1, limits.max, *near]
    values = np.array([number for number in numbers if limits.min <= number <= limits.max], dtype)
    batch = ndd.batch([values, values])
    for divisors in (ndd.tensor(np.array(divisor, dtype)), ndd.batch([np.full_like(values, divisor)] * 2)):
        quotients, remainders = batch // divisors, batch % divisors
        for number, quotient, remainder in zip(
            values, np.asarray(quotients.tensors[1]), np.asarray(remainders.tensors[1]), strict=True
        ):
            wanted = abs(int(number)) // abs(divisor) * (1 if (number < 0) == (divisor < 0) else -1)
            assert quotient == np.array(wanted % 2**64, np.uint64).astype(dtype)
            assert remainder == int(number) - wanted * divisor


def test_a_divisor_of_zero_is_refused_natively(only_natively):
    only_natively("_arithmetic.mod")
    divisors = [np.full(5000, 3, np.int32) for _ in range(3)]
    divisors[1][4321] = 0
    with pytest.raises(ValueError, match="Integer division by zero") as caught:
        (ndd.batch(divisors) % ndd.batch(divisors)).evaluate()
    assert "sample 1" in told(caught.value)


def test_huge_numbers_compare_by_value():
    huge, signed = np.full(9000, 2**64 - 1, np.uint64), np.full(9000, -1, np.int8)
    for sign, call in COMPARISONS.items():
        made = call(ndd.batch([huge, huge]), ndd.batch([signed, signed]))
        assert np.asarray(made.tensors[1]).tolist() == [sign in ("ne", "gt", "ge")] * 9000


@pytest.mark.parametrize("name", COMPARISONS)
@pytest.mark.parametrize("limit", [-129, -1, 0, 100, 255, 256, 2**31 - 1])
def test_integers_compared_with_one_number(only_natively, name, limit):
    plain = only_natively(f"_arithmetic.{name}")
    for dtype in INTEGERS:
        if dtype == np.uint64 and limit < 0:
            continue
        values = [extremes(dtype, 5000, seed) for seed in range(SAMPLES)]
        for made, value in zip(COMPARISONS[name](ndd.batch(values), limit), values, strict=True):
            assert_array_equal(np.asarray(made), plain(value, np.array(limit, np.int32)))


@pytest.mark.parametrize("dtype", ["B", "l", "f", "d"])
@pytest.mark.parametrize("bounds", [(3, 100), (100, 3), (-1.5, 2.5), (np.nan, 1.0), (0.0, np.nan)])
def test_clamp(only_natively, dtype, bounds):
    plain = only_natively("math.clamp")
    values = [extremes(np.dtype(dtype), 5000, seed) for seed in range(SAMPLES)]
    lo, hi = (np.array(bound, np.int32 if isinstance(bound, int) else np.float32) for bound in bounds)
    for made, value in zip(ndd.math.clamp(ndd.batch(values), *bounds), values, strict=True):
        assert_array_equal(np.asarray(made), plain(value, lo, hi))
    arrays = [np.full_like(value, 7) for value in values]
    for made, value, array in zip(
        ndd.math.clamp(ndd.batch(values), ndd.batch(arrays), bounds[1]), values, arrays, strict=True
    ):
        assert_array_equal(np.asarray(made), plain(value, array, hi))


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ([(30, 50, 3), (20, 70, 3)], [()] * 2),
        ([(30, 50, 3), (20, 70, 3)], [(1, 1)] * 2),
        ([(30, 50, 3), (20, 70, 3)], [(30, 50, 3), (20, 70, 3)]),
        ([()] * 2, [(30, 50), (0, 9)]),
        ([(1,), (4000,)], [(5000,), (1,)]),
        ([(2, 3), (1, 1)], [(1, 1), (1, 1)]),
    ],
)
def test_samples_of_different_shapes(only_natively, left, right):
    plain = only_natively("_arithmetic.sub")
    random = np.random.default_rng(0)
    a, b = ([random.integers(0, 256, shape).astype(np.int16) for shape in shapes] for shapes in (left, right))
    for made, one, other in zip(ndd.batch(a) - ndd.batch(b), a, b, strict=True):
        assert_array_equal(np.asarray(made), plain(one, other))
    for made, other in zip(ndd.tensor(a[0]) - ndd.batch(b[:1]), b[:1], strict=True):
        assert_array_equal(np.asarray(made), plain(a[0], other))


def test_more_is_broadcast_by_numpy():
    images = [np.full((size, 50, 3), 9, np.uint8) for size in (30, 40)]
    made = ndd.batch(images) - ndd.tensor(np.array([1, 2, 3], np.uint8))
    assert [np.asarray(each)[-1, -1].tolist() for each in made] == [[8, 7, 6]] * 2
    wider = ndd.batch([np.zeros((1, 1), np.uint8), np.zeros((2, 1), np.uint8)]) + ndd.tensor(np.ones(5, np.uint8))
    assert wider.shape == [(1, 5), (2, 5)]


def test_shapes_that_do_not_fit_are_told():
    with pytest.raises(RuntimeError, match="Can't broadcast shapes") as caught:
        (ndd.batch([np.zeros((30, 50)), np.zeros((30, 51))]) + ndd.batch([np.zeros((30, 50))] * 2)).evaluate()
    assert "sample 1" in told(caught.value)


def test_a_chain_goes_on_with_arithmetic(only_natively):
    plain = {path: only_natively(path) for path in ("_arithmetic.mul", "_arithmetic.gt")}
    images = [np.random.default_rng(k).integers(0, 256, (40 + k, 50, 3)).astype(np.uint8) for k in range(4)]
    limits = [np.array(limit, np.float32) for limit in (10, 100, 150, 200)]
    with ndd.EvalMode.deferred:
        made = ndd.flip(ndd.batch(images, layout="HWC")) * 0.75 > ndd.batch(limits)
    assert made.layout == "HWC"
    for got, image, limit in zip(made, images, limits, strict=True):
        scaled = plain["_arithmetic.mul"](image[:, ::-1], np.array(0.75, np.float32))
        assert_array_equal(np.asarray(got), plain["_arithmetic.gt"](scaled, limit))


def test_results_larger_than_the_caches(only_natively):
    plain = only_natively("_arithmetic.mul")
    arrays = [np.arange(2_500_000 + k, dtype=np.int32) for k in range(SAMPLES)]
    for made, array in zip(ndd.batch(arrays) * 2_000_003, arrays, strict=True):
        assert_array_equal(np.asarray(made), plain(array, np.array(2_000_003, np.int32)))
    for made, array in zip(2_000_003 * ndd.batch(arrays), arrays, strict=True):
        assert_array_equal(np.asarray(made), plain(array, np.array(2_000_003, np.int32)))


def test_clamped_arrays_larger_than_the_caches(only_natively):
    plain = only_natively("math.clamp")
    arrays = [extremes(np.dtype("f"), 2_500_000 + k, k) for k in range(SAMPLES)]
    lows, highs = np.array([-100, -7], np.float32), np.array([2.5, 300], np.float32)
    made = ndd.math.clamp(ndd.batch(arrays), ndd.batch(list(lows)), ndd.batch(list(highs)))
    for got, array, low, high in zip(made, arrays, lows, highs, strict=True):
        assert_array_equal(np.asarray(got), plain(array, low, high))


def test_truth_values_of_arrays_larger_than_the_caches(only_natively):
    plain = only_natively("_arithmetic.lt")
    arrays = [np.random.default_rng(k).random(2_500_000 + k, np.float32) for k in range(SAMPLES)]
    for made, array in zip(ndd.batch(arrays) < 0.25, arrays, strict=True):
        assert_array_equal(np.asarray(made), plain(array, np.array(0.25, np.float32)))
