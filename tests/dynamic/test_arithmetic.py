"""Arithmetic case by case: promotion, C semantics, broadcasting, layouts, what is refused."""

import math
import operator

import numpy as np
import pytest

import penstock.dynamic as ndd


def u8(*numbers):
    return ndd.tensor(list(numbers), dtype=ndd.uint8)


def i32(*numbers):
    return ndd.tensor(list(numbers))


def f32(*numbers):
    return ndd.tensor([float(n) for n in numbers])


def booleans(*flags):
    return ndd.tensor(list(flags))


def result(t):
    return str(t.dtype), np.asarray(t).tolist()


@pytest.mark.parametrize(
    ("compute", "dtype", "numbers"),
    [
        (lambda: u8(250) + u8(10), "u8", [4]),
        (lambda: u8(5) - u8(10), "u8", [251]),
        (lambda: u8(250) + 1, "i32", [251]),
        (lambda: u8(250) + True, "u8", [251]),
        (lambda: u8(250) * 2.0, "f32", [500.0]),
        (lambda: u8(250) + np.int64(2), "i64", [252]),
        (lambda: u8(250) + np.array([1], np.uint8), "u8", [251]),
        (lambda: u8(250) - [1], "i32", [249]),
        (lambda: [1] - u8(250), "i32", [-249]),
        (lambda: i32(1, -1, 0) / 2, "f32", [0.5, -0.5, 0.0]),
        (lambda: i32(1, -1) / 0, "f32", [math.inf, -math.inf]),
        (lambda: i32(-7, 7, -8) // i32(2, -2, 3), "i32", [-3, -3, -2]),
        (lambda: f32(-7.5) // 2, "f32", [-3.75]),
        (lambda: i32(-7, 7) % 3, "i32", [-1, 1]),
        (lambda: f32(-7.5) % 3, "f32", [-1.5]),
        (lambda: i32(2, 2, 3) ** i32(-1, 40, 3), "i32", [0, 0, 27]),
        (lambda: 2 ** i32(5), "i32", [32]),
        (lambda: i32(1) << 40, "i32", [256]),
        (lambda: u8(255) << u8(9), "u8", [0]),
        (lambda: i32(-8) >> 1, "i32", [-4]),
        (lambda: -u8(5), "u8", [251]),
        (lambda: abs(ndd.tensor([-128, 5], dtype=ndd.int8)), "i8", [-128, 5]),
        (lambda: ~booleans(True, False), "bool", [False, True]),
        (lambda: ~u8(250), "u8", [5]),
        (lambda: booleans(True, False) * booleans(True, True), "bool", [True, False]),
        (lambda: booleans(True, False) << booleans(True, True), "bool", [True, False]),
        (lambda: booleans(True, False) + 1, "i32", [2, 1]),
        (lambda: i32(2**31 - 1) + 1, "i32", [-(2**31)]),
        (lambda: i32(-(2**31)) // -1, "i32", [-(2**31)]),
        (lambda: i32(-(2**31)) % -1, "i32", [0]),
    ],
)
def test_small_sums(compute, dtype, numbers):
    assert result(compute()) == (dtype, numbers)


def test_comparisons_are_by_value():
    huge, minus_one = ndd.tensor([2**64 - 1], dtype=ndd.uint64), ndd.tensor([-1], dtype=ndd.int64)
    assert result(huge > minus_one) == ("bool", [True])
    assert result(huge == minus_one) == ("bool", [False])
    assert result(i32(-12) < f32(-12.5)) == ("bool", [False])
    assert result(operator.lt(3, i32(2, 3, 4))) == ("bool", [False, False, True])
    assert result(f32(math.nan) != f32(math.nan)) == ("bool", [True])


def test_a_python_int_must_fit_in_int32():
    with pytest.raises(OverflowError, match=r"Integer 2147483648 is out of range for int32\."):
        i32(1) + 2**31


def test_zeros_keep_their_sign():
    assert result(1 / (f32(0) * 0.0)) == ("f32", [math.inf])
    assert result(1 / (f32(0) * -0.0)) == ("f32", [-math.inf])


@pytest.mark.parametrize(
    ("compute", "error", "message"),
    [
        (
            lambda: booleans(True) + booleans(True),
            RuntimeError,
            r"Inputs to arithmetic operator `\+` cannot be booleans",
        ),
        (lambda: -booleans(True), RuntimeError, "Input to arithmetic operator `-` cannot be a boolean"),
        (lambda: f32(1) & 1, RuntimeError, "Inputs to bitwise operator `&` must be of integral type"),
        (lambda: ~f32(1), RuntimeError, "Inputs to bitwise operator `~` must be of integral type"),
        (lambda: ndd.float16([1]) + 1, RuntimeError, "Left operand data type not supported"),
        (lambda: 1 + ndd.float16([1]), RuntimeError, "Right operand data type not supported"),
        (lambda: ndd.float16([1]) == 1, RuntimeError, r"Invalid type \(left operand\)"),
        (lambda: -ndd.float16([1]), RuntimeError, "Unsupported type"),
        (lambda: i32(1) + None, ValueError, "got None"),
        (lambda: i32(1) + "a", RuntimeError, "got str"),
        (lambda: i32(1) + 1j, RuntimeError, "real numbers"),
        (lambda: ndd.batch([1, 2]) + ndd.batch([1]), ValueError, "Inconsistent batch size: 1 != 2"),
    ],
)
def test_what_cannot_be_computed_fails_at_the_call(compute, error, message):
    with ndd.EvalMode.deferred, pytest.raises(error, match=message):
        compute()


def test_plus_leaves_even_half_precision_alone():
    half = ndd.float16([1])
    assert +half is half


@pytest.mark.parametrize("compute", [lambda a: a // 0, lambda a: a % 0, lambda a: a // i32(1, 0)])
def test_integers_are_not_divided_by_zero(compute):
    with pytest.raises(ValueError, match=r"Integer division by zero\."):
        compute(i32(7)).evaluate()


@pytest.mark.parametrize(
    ("left", "right", "shape"),
    [((2, 3), (3,), (2, 3)), ((2, 1), (1, 3), (2, 3)), ((), (4,), (4,)), ((0,), (1,), (0,)), ((2, 0), (2, 1), (2, 0))],
    ids=str,
)
def test_shapes_broadcast(left, right, shape):
    assert (ndd.tensor(np.ones(left)) + ndd.tensor(np.ones(right))).shape == shape


def test_shapes_that_do_not_broadcast_are_named():
    with pytest.raises(RuntimeError, match=r"Can't broadcast shapes: \(2, 3\), "):
        (ndd.tensor(np.zeros((2, 3))) + ndd.tensor([1, 2])).evaluate()
    with pytest.raises(RuntimeError, match=r"Can't broadcast shapes: \(2,\), \(3,\)"):
        (ndd.batch([[1, 2], [3]]) + ndd.tensor([1, 2, 3])).evaluate()


@pytest.mark.parametrize(
    ("left", "right", "layout"),
    [("HWC", "HWC", "HWC"), ("HWC", "WC", "HWC"), ("C", "HWC", "HWC"), ("HWC", None, "HWC"), (None, "WC", None)],
)
def test_the_longer_layout_stays_where_it_names_every_axis(left, right, layout):
    a, b = (ndd.tensor(np.ones((1,) * len(name or "...")), layout=name) for name in (left, right))
    with ndd.EvalMode.deferred:
        total = a + b
        assert total.layout == layout
    assert total.evaluate().layout == layout


def test_a_layout_must_be_a_suffix_of_the_other():
    hwc, chw = (ndd.tensor(np.ones((1, 1, 1)), layout=layout) for layout in ("HWC", "CHW"))
    message = "Layouts of subexpressions 0 and 1 for arithmetic operation add do not match.*Got HWC and CHW"
    with pytest.raises(RuntimeError, match=message):
        hwc + chw


def test_batches_pair_their_samples_and_share_everything_else():
    b = ndd.batch([[1, 2], [3, 4]])
    assert [result(t)[1] for t in b + ndd.batch([10, 20])] == [[11, 12], [23, 24]]
    for other in ([10, 20], np.array([10, 20]), ndd.tensor([10, 20])):
        assert [result(t)[1] for t in b + other] == [[11, 22], [13, 24]]
    assert [result(t)[1] for t in 5 - b] == [[4, 3], [2, 1]]


def test_ragged_batches_compute_sample_by_sample():
    ragged = ndd.batch([[1, 2, 3], [4]])
    assert [result(t)[1] for t in ragged * ragged] == [[1, 4, 9], [16]]
    assert [result(t)[1] for t in ragged + ndd.tensor([1, 2, 3])] == [[2, 4, 6], [5, 6, 7]]
    assert (ragged * ndd.tensor([[1], [2]])).shape == [(2, 3), (2, 1)]


def test_an_empty_batch_stays_empty():
    empty = ndd.batch([], dtype=ndd.uint8) + 1
    assert (empty.batch_size, str(empty.dtype), empty.shape) == (0, "i32", [])
    rows = ndd.batch(np.zeros((0, 3)), layout="W") + 1
    assert (rows.shape, rows.ndim, rows.layout) == ([], 1, "W")


def test_numpy_on_the_left_stays_numpy_beside_a_tensor_and_becomes_a_batch_beside_a_batch():
    t, b = i32(1, 2), ndd.batch([[1], [2]])
    assert isinstance(np.array([1, 2]) + t, np.ndarray)
    assert isinstance(np.int64(10) + t, np.ndarray)
    assert isinstance(np.sqrt(t), np.ndarray)
    assert isinstance(np.int64(10) + b, ndd.Batch)
    assert np.asarray(np.array([1, 2]) + b).tolist() == [[2, 3], [3, 4]]
    assert isinstance(np.array([1, 2]) + b, ndd.Batch)
    assert isinstance(np.sqrt(b), np.ndarray)


def test_plus_equals_makes_a_new_value():
    t = before = i32(1)
    t += 1
    assert (before.item(), t.item()) == (1, 2)


def test_types_are_known_before_anything_runs():
    with ndd.EvalMode.deferred:
        total = ndd.batch([[1], [2]], dtype=ndd.uint8, layout="W") / 0
        assert (str(total.dtype), total.ndim, total.layout) == ("f32", 1, "W")
        assert total._samples is None


def test_inputs_are_left_alone():
    a, b = i32(5, 6), i32(2, 4)
    for compute in (lambda: a // b, lambda: a % b, lambda: a**b, lambda: a << b, lambda: ndd.math.clamp(a, b, b)):
        compute().evaluate()
    assert (result(a)[1], result(b)[1]) == ([5, 6], [2, 4])
